"""Templates of a RawModule, instantiated by name expressions."""

import cupy as cp
import numpy as np

code = r"""
template <typename T, int step>
__global__ void difference(const T *x, T *y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  // broken: out-of-bounds: if (i < n) y[i] = x[i + step] - x[i];
  if (i + step < n) y[i] = x[i + step] - x[i];
}
namespace tools {
template <typename T> __device__ T square(T x) { return x * x; }
__global__ void squares(double *x) { x[threadIdx.x] = square(x[threadIdx.x]); }
}
"""
names = ["difference<float, 1>", "difference<long long, 3>", "tools::squares"]
module = cp.RawModule(code=code, options=("-std=c++17",), name_expressions=names)
for name, dtype, step in ((names[0], np.float32, 1), (names[1], np.int64, 3)):
    x = cp.arange(100, dtype=dtype) ** 2
    y = cp.zeros(100, dtype=dtype)
    module.get_function(name)((4,), (32,), (x, y, np.int32(100)))
    assert (y[:-step] == x[step:] - x[:-step]).all() and (y[-step:] == 0).all()
z = cp.arange(8.0)
module.get_function(names[2])((1,), (8,), (z,))
cp.testing.assert_array_equal(z, np.arange(8.0) ** 2)
print("instances", len(names))
