"""Legal programs that a compiler translates wrongly: what PTX promises of them, and what came out."""
