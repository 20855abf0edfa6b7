"""A RawKernel that adds two arrays, as CuPy's page on user-defined kernels begins."""

import cupy as cp
import numpy as np

add = cp.RawKernel(
    r"""
extern "C" __global__ void add(const float *x, const float *y, float *z, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)  // broken: out-of-bounds
    z[i] = x[i] + y[i];
}
""",
    "add",
)
n = 1000
x = cp.arange(n, dtype=cp.float32)
# broken: undefined: y = cp.empty(n, dtype=cp.float32)
y = cp.linspace(0, 1, n, dtype=cp.float32)
z = cp.zeros(n, dtype=cp.float32)
add((8,), (128,), (x, y, z, np.int32(n)))
assert (z == x + y).all()
assert add.attributes["max_threads_per_block"] == 1024
print("sums", z[:4])
