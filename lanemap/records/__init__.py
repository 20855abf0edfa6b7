"""The schema of results/, and the environment that a row of silicon carries."""
