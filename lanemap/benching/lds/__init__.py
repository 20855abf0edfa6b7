"""FP8 attention of gfx950 whose operands reach the matrix cores through LDS on several paths."""
