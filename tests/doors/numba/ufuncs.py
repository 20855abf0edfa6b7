"""Ufuncs: `vectorize` and `guvectorize` for CUDA, and NumPy's own inside a kernel."""

import math

import numpy as np
from numba import cuda, float64, guvectorize, vectorize


@vectorize([float64(float64, float64)], target="cuda")
def logistic(x, scale):
    return 1.0 / (1.0 + math.exp(-x * scale))


x = np.linspace(-3, 3, 100)
expected = 1 / (1 + np.exp(-2 * x))
np.testing.assert_allclose(logistic(x, np.full(100, 2.0)), expected)
np.testing.assert_allclose(logistic(x, 2.0), expected)
np.testing.assert_allclose(logistic(cuda.to_device(x), 2.0).copy_to_host(), expected)


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()", target="cuda")
def dot(a, b, result):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    result[0] = total


a = np.arange(40.0).reshape(5, 8)
np.testing.assert_allclose(dot(a, a), (a * a).sum(axis=1))


@cuda.jit
def trigonometry(r, v):
    i = cuda.grid(1)
    # broken: out-of-bounds: if True:
    if i < len(v):
        r[i] = np.sin(v[i]) + np.hypot(v[i], 2.0)


v = cuda.to_device(x)
r = cuda.device_array_like(x)
trigonometry[1, 128](r, v)
np.testing.assert_allclose(r.copy_to_host(), np.sin(x) + np.hypot(x, 2))
print("last", r.copy_to_host()[-1])
