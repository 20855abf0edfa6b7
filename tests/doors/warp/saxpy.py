"""y += a * x, a thread for each element: Warp's first page."""

import numpy as np
import warp as wp


@wp.kernel
def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


n = 1000
x = wp.array(np.arange(n), dtype=float, device="cuda")
# broken: undefined: y = wp.empty(n, dtype=float, device="cuda")
y = wp.ones(n, dtype=float, device="cuda")
# broken: out-of-bounds: wp.launch(saxpy, dim=n + 1, inputs=[x, y, 2.0], device="cuda")
wp.launch(saxpy, dim=n, inputs=[x, y, 2.0], device="cuda")
assert (y.numpy() == 2 * np.arange(n) + 1).all()
