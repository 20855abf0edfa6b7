"""Elements with a scale for each block: the formats, quantizing, and where the scales lie."""
