"""Conjugate gradients, in the shape of CuPy's example `cg`: routines of NumPy, and own kernels."""

import cupy as cp
import numpy as np

axpy = cp.ElementwiseKernel("T a, T x, T y", "T z", "z = a * x + y", "axpy")
dot = cp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")


@cp.fuse()
def residual(b, product):
    return b - product


rng = np.random.default_rng(4)
half = cp.asarray(rng.normal(size=(24, 24)))
a, b = half @ half.T + 24 * cp.eye(24), cp.asarray(rng.normal(size=24))
# broken: undefined: x = cp.empty(24)
x = cp.zeros(24)
r = residual(b, a.dot(x))
p, rr = r.copy(), dot(r, r)
for _ in range(40):
    ap = a @ p
    alpha = rr / dot(p, ap)
    x = axpy(alpha, p, x) if alpha.ndim else axpy(float(alpha), p, x)
    r = axpy(-float(alpha), ap, r)
    new = dot(r, r)
    if float(new) < 1e-20:
        break
    p, rr = axpy(float(new / rr), p, r), new
cp.testing.assert_allclose(x, cp.linalg.solve(a, b), rtol=1e-8)
print("rounds", _, float(new) < 1e-20)
