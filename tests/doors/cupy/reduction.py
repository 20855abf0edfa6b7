"""Reduction kernels: norms, along axes, with and without an identity, of several arrays."""

import cupy as cp
import numpy as np

norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
# broken: undefined: x = cp.empty((3, 4, 5), dtype=np.float32)
x = cp.arange(60, dtype=np.float32).reshape(3, 4, 5)
for axis in (None, 0, 1, -1, (0, 2)):
    expected = np.sqrt((x.get().astype(float) ** 2).sum(axis=axis))
    cp.testing.assert_allclose(norm(x, axis=axis), expected, rtol=1e-6)
assert norm(x, axis=1, keepdims=True).shape == (3, 1, 5)
out = cp.empty((4, 5), dtype=np.float32)
assert norm(x, out, axis=0) is out
larger = ("T x", "T y", "x", "a > b ? a : b", "y = a")
largest = cp.ReductionKernel(*larger, "-1e30", "largest")
largest_or_zero = cp.ReductionKernel(*larger, None, "largest_or_zero")  # it begins with T()
for size in (1, 31, 1000):
    values = cp.asarray(np.random.default_rng(size).normal(size=size) - 5)
    assert largest(values) == values.max()
    assert largest_or_zero(values) == max(float(values.max()), 0)
dot = cp.ReductionKernel("T x, T y", "float64 z", "(double)x * y", "a + b", "z = a", "0", "dot")
a = cp.arange(500, dtype=np.int32)
assert float(dot(a, a)) == float((a.astype(np.int64) ** 2).sum())
preamble = """
struct best { float value; int at; };
__device__ best better(best a, best b) {
  return a.value < b.value || (a.value == b.value && a.at <= b.at) ? a : b;
}
"""
argmin = cp.ReductionKernel(
    "float32 x, int32 at", "int32 y", "(best{x, at})", "better(a, b)", "y = a.at",
    "best{1e30f, -1}", "argmin", reduce_type="best", preamble=preamble,
)  # fmt: skip
values = cp.asarray(np.random.default_rng(0).normal(size=300).astype(np.float32))
assert argmin(values, cp.arange(300, dtype=np.int32)) == values.argmin()
print("norm", norm(x))
