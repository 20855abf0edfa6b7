"""A function of CUDA C++ that a kernel calls, compiled by NVRTC and linked."""

import numpy as np
from numba import cuda

source = cuda.CUSource(
    """
extern "C" __device__ int bar(int *out, int a) { *out = a * 2; return 0; }
extern "C" __device__ int sum_of(float *result, const float *array, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += array[i];
  *result = (float)total;
  return 0;
}
"""
)
bar = cuda.declare_device("bar", "int32(int32)", link=source)
sum_of = cuda.declare_device("sum_of", "float32(CPointer(float32), int32)", link=source)
ffi = __import__("cffi").FFI()


@cuda.jit
def use(x, result, total):
    i = cuda.grid(1)
    if i < len(x):
        result[i] = bar(x[i])
    if i == 0:
        # broken: out-of-bounds: total[0] = sum_of(ffi.from_buffer(total), len(total) + 8)
        total[1] = sum_of(ffi.from_buffer(total), 1)


x = np.arange(40, dtype=np.int32)
result, total = np.zeros_like(x), np.array([2.5, 0], np.float32)
use[2, 32](x, result, total)
np.testing.assert_array_equal(result, 2 * x)
assert total[1] == 2.5
print("linked", result[:3])
