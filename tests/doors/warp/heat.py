"""Heat on a plate: two-dimensional arrays and launches, and two buffers that change places."""

import numpy as np
import warp as wp

wp.set_device("cuda")


@wp.kernel
def spread(old: wp.array2d(dtype=float), new: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i == 0 or j == 0 or i == old.shape[0] - 1 or j == old.shape[1] - 1:
        new[i, j] = old[i, j]
        return
    around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
    new[i, j] = 0.25 * around


shape, steps = (40, 50), 6
start = np.zeros(shape, np.float32)
start[0] = 100.0
old = wp.array(start, dtype=float)
# broken: order: new = old
new = wp.zeros(shape, dtype=float)
for _ in range(steps):
    wp.launch(spread, dim=shape, inputs=[old], outputs=[new])
    old, new = new, old
wanted = start
for _ in range(steps):
    inner = wanted[:-2, 1:-1] + wanted[2:, 1:-1] + wanted[1:-1, :-2] + wanted[1:-1, 2:]
    wanted = wanted.copy()
    wanted[1:-1, 1:-1] = np.float32(0.25) * inner
assert np.allclose(old.numpy(), wanted, atol=1e-4)
