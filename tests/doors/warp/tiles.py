"""Sums of rows by tiles, which the threads of a block share, and a matrix's transpose."""

import numpy as np
import warp as wp

wp.set_device("cuda")
THREADS, WIDTH = 64, 256


@wp.kernel
def sum_rows(x: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    row = wp.tid()
    tile = wp.tile_load(x[row], shape=WIDTH)
    wp.tile_store(sums, wp.tile_sum(tile), offset=row)


@wp.kernel
def transpose(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    tile = wp.tile_load(x, shape=(16, 16), offset=(i * 16, j * 16))
    wp.tile_store(y, wp.tile_transpose(tile), offset=(j * 16, i * 16))


rows = 32
values = np.random.default_rng(3).random((rows, WIDTH)).astype(np.float32)
# broken: undefined: x = wp.empty((rows, WIDTH), dtype=float)
x = wp.array(values, dtype=float)
sums = wp.zeros(rows, dtype=float)
wp.launch_tiled(sum_rows, dim=[rows], inputs=[x, sums], block_dim=THREADS)
assert np.allclose(sums.numpy(), values.sum(1), rtol=1e-5)
y = wp.zeros((WIDTH, rows), dtype=float)
grid = [rows // 16, WIDTH // 16]
wp.launch_tiled(transpose, dim=grid, inputs=[x, y], block_dim=THREADS)
assert (y.numpy() == values.T).all()
