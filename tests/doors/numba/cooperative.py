"""A grid that synchronizes: rows of a matrix, each of which needs the one above it."""

import numpy as np
from numba import cuda


@cuda.jit
def accumulate(matrix):
    column = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for row in range(1, matrix.shape[0]):
        opposite = matrix.shape[1] - column - 1
        matrix[row, column] = matrix[row - 1, opposite] + 1
        grid.sync()  # broken: order


matrix = cuda.to_device(np.zeros((20, 128), np.int32))
accumulate[4, 32](matrix)
assert (matrix.copy_to_host() == np.arange(20)[:, None]).all()
