"""Legal programs that a compiler translates wrongly: what PTX promises, and what came out."""
