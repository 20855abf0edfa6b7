"""Constant memory and variables of a module, reached by `get_global`."""

import cupy as cp
import numpy as np

module = cp.RawModule(
    code=r"""
extern "C" {
__constant__ double weights[4];
__device__ unsigned calls;
__global__ void smooth(const double *x, double *y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i + 3 < n) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += weights[k] * x[i + k];
    y[i] = sum;
  }
  // broken: order: if (threadIdx.x == 0) ++calls;
  if (threadIdx.x == 0) atomicAdd(&calls, 1u);
}
}
"""
)
smooth = module.get_function("smooth")
weights = cp.ndarray((4,), cp.float64, module.get_global("weights"))
calls = cp.ndarray((1,), cp.uint32, module.get_global("calls"))
weights[...] = cp.array([0.1, 0.4, 0.4, 0.1])
calls[...] = 0
x, n = cp.arange(64.0) ** 2, 64
y = cp.zeros(n)
smooth((2,), (32,), (x, y, np.int32(n)))
host = x.get()
expected = sum(w * host[k : n - 3 + k] for k, w in enumerate((0.1, 0.4, 0.4, 0.1)))
cp.testing.assert_allclose(y[:-3], expected)
assert int(calls[0]) == 2
print("smooth", y[:3])
