"""Clusters of points, in the shape of CuPy's example `kmeans`: reductions with own kernels."""

import cupy as cp
import numpy as np

sum_where = cp.ReductionKernel(
    "T x, bool there", "T sum", "there ? x : T(0)", "a + b", "sum = a", "0", "sum_where"
)
count_where = cp.ReductionKernel(
    "bool there", "float32 n", "there ? 1.0f : 0.0f", "a + b", "n = a", "0", "count_where"
)
distance = cp.ElementwiseKernel(
    "raw S points, raw S centers, int32 clusters", "raw S out",
    "S x = points[2 * (i / clusters)] - centers[2 * (i % clusters)];"
    "S y = points[2 * (i / clusters) + 1] - centers[2 * (i % clusters) + 1];"
    "out[i] = x * x + y * y",
    "distance",
)  # fmt: skip


def fit(points, clusters, rounds):
    xp = cp.get_array_module(points)
    n = len(points)
    centers = points[:: n // clusters][:clusters].copy()
    labels = xp.zeros(n, dtype=np.int32)
    for _ in range(rounds):
        if xp is cp:
            apart = cp.empty((n, clusters), dtype=points.dtype)
            arguments = points, centers, np.int32(clusters), apart
            distance(*arguments, size=n * clusters)  # broken: undefined
            labels = apart.argmin(axis=1)
            there = labels == cp.arange(clusters)[:, None]
            sums = sum_where(points[:, :, None], there.T[:, None, :], axis=0)
            centers = (sums / count_where(there, axis=1)).T
        else:
            labels = np.linalg.norm(points[:, None] - centers, axis=2).argmin(axis=1)
            centers = np.stack([points[labels == k].mean(axis=0) for k in range(clusters)])
    return centers, labels


rng = np.random.default_rng(1)
host = np.concatenate(
    [rng.normal(size=(30, 2)) * 0.3 + at for at in ((0, 0), (3, 0), (0, 3))]
).astype(np.float32)
centers, labels = fit(cp.asarray(host), 3, 3)
expected, expected_labels = fit(host, 3, 3)
cp.testing.assert_array_equal(labels, expected_labels)
cp.testing.assert_allclose(centers, expected, rtol=1e-4)
print("centers", centers)
