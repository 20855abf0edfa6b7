"""Programs that overlap copies with work: rings of asynchronous stages, and wgmma behind them."""
