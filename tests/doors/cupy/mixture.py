"""A mixture of Gaussians by expectation and maximization, in the shape of CuPy's example `gmm`."""

import cupy as cp
import numpy as np

log_density = cp.ElementwiseKernel(
    "raw T x, raw T means, raw T inverse, int32 clusters", "T y",
    "int k = i % clusters, n = i / clusters;"
    "T a = (x[2 * n] - means[2 * k]) * inverse[2 * k];"
    "T b = (x[2 * n + 1] - means[2 * k + 1]) * inverse[2 * k + 1];"
    "y = log(inverse[2 * k] * inverse[2 * k + 1]) - (a * a + b * b) / 2",
    "log_density",
)  # fmt: skip


def estimated(x, rounds, clusters):
    xp = cp.get_array_module(x)
    n = len(x)
    weights = xp.full(clusters, 1 / clusters)
    means, inverse = x[:: n // clusters][:clusters].copy(), xp.ones((clusters, 2))
    for _ in range(rounds):
        if xp is cp:
            # broken: out-of-bounds: shape = (n + 1, clusters)
            shape = (n, clusters)
            y = cp.empty(shape)
            log_density(x, means, inverse, np.int32(clusters), y)  # broken: undefined
        else:
            scaled = (x[:, None] - means) * inverse
            y = np.log(inverse.prod(axis=1)) - (scaled**2).sum(axis=2) / 2
        y += xp.log(weights)
        y -= xp.log(xp.exp(y).sum(axis=1, keepdims=True))
        part = xp.exp(y)
        total = part.sum(axis=0)
        weights, means = total / n, part.T @ x / total[:, None]
        inverse = 1 / xp.sqrt(part.T @ (x * x) / total[:, None] - means**2 + 1e-6)
    return weights, means


rng = np.random.default_rng(0)
x = np.concatenate([rng.normal(at, 0.5, (40, 2)) for at in ((0, 0), (4, 1))])
weights, means = estimated(cp.asarray(x), 2, 2)
for found, wanted in zip((weights, means), estimated(x, 2, 2), strict=True):
    np.testing.assert_allclose(found.get(), wanted, rtol=1e-9)
print("means", means)
