"""Elementwise kernels: broadcasting, generic types, raw arguments, several results."""

import cupy as cp
import numpy as np

squared = cp.ElementwiseKernel(
    "float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "squared"
)
x = cp.arange(10, dtype=np.float32).reshape(2, 5)
y = cp.arange(5, dtype=np.float32)
assert (squared(x, y) == (x - y) ** 2).all() and (squared(x, 5) == (x - 5) ** 2).all()
z = cp.empty((2, 5), dtype=np.float32)
assert squared(x, y, z) is z

generic = cp.ElementwiseKernel("T x, T y", "T z", "z = x > y ? x - y : y - x", "apart")
for dtype in (np.int8, np.float16, np.float64, np.uint64):
    a, b = cp.arange(12, dtype=dtype), cp.full(12, 7, dtype=dtype)
    assert generic(a, b).dtype == dtype
    cp.testing.assert_array_equal(generic(a, b), abs(np.arange(12) - 7).astype(dtype))
try:
    assert (x == [0, 1, 2, 3, 4]).all()
except TypeError as error:
    print("refused:", str(error).partition(" from ")[0])
strided = cp.arange(24.0).reshape(4, 6)[::2, ::-1]
assert (generic(strided, strided.T.copy().T) == 0).all()

reverse = cp.ElementwiseKernel(
    "T x, raw T y",
    "T z",
    # broken: out-of-bounds: "z = x + y[_ind.size() - i]",
    "z = x + y[_ind.size() - i - 1]",
    "add_reverse",
)
assert (reverse(y, y) == 4).all()
both = cp.ElementwiseKernel("T x, S y", "T sum, S product", "sum = x + y; product = x * y", "both")
total, product = both(cp.arange(6), cp.arange(6.0))
assert total.dtype == np.int64 and product.dtype == np.float64 and (product == total**2 / 4).all()
gather = cp.ElementwiseKernel("raw T x, raw int32 at", "raw T y", "y[i] = x[at[i]]", "gather")
at, out = cp.array([3, 0, 4], dtype=np.int32), cp.zeros(3, dtype=np.float32)
gather(y, at, out, size=3)
cp.testing.assert_array_equal(out, [3, 0, 4])
for wrong in (lambda: squared(x.astype(float), y), lambda: squared(x.get(), y), lambda: squared(x)):
    try:
        wrong()
    except TypeError as error:
        print("refused:", error)
