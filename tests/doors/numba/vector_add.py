"""A grid-stride addition, as numba-cuda's example `vecadd` has it."""

import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, len(c), stride):
        # broken: out-of-bounds: c[i] = a[i + 1] + b[i]
        c[i] = a[i] + b[i]


n = 1000
rng = np.random.default_rng(0)
a = cuda.to_device(rng.random(n, dtype=np.float32))
b = cuda.to_device(rng.random(n, dtype=np.float32))
c = cuda.device_array_like(a)
add.forall(n)(a, b, c)
np.testing.assert_allclose(c.copy_to_host(), a.copy_to_host() + b.copy_to_host())
c = cuda.device_array_like(a)
add[4, 64](a, b, c)
np.testing.assert_allclose(c.copy_to_host(), a.copy_to_host() + b.copy_to_host())
print("sums", c.copy_to_host()[:3])
