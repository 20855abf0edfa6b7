"""Atomics: a histogram, the greatest element, and a lock by compare-and-swap."""

import numpy as np
from numba import cuda, int32


@cuda.jit
def histogram(x, low, high, counts):
    bins = counts.shape[0]
    width = (high - low) / bins
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        bin_number = int32((x[i] - low) / width)
        if 0 <= bin_number < bins:
            # broken: order: counts[bin_number] += 1
            cuda.atomic.add(counts, bin_number, 1)


@cuda.jit
def greatest(result, values):
    i = cuda.grid(1)
    cuda.atomic.max(result, 0, values[i])


@cuda.jit
def private(counts, values):
    mine = cuda.shared.array(8, int32)
    if cuda.threadIdx.x < 8:
        # broken: undefined: mine[cuda.threadIdx.x] += 0
        mine[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    cuda.atomic.add(mine, values[cuda.grid(1)] % 8, 1)
    cuda.syncthreads()  # broken: order
    if cuda.threadIdx.x < 8:
        cuda.atomic.add(counts, cuda.threadIdx.x, mine[cuda.threadIdx.x])


x = np.random.default_rng(3).normal(size=500).astype(np.float32)
counts = np.zeros(10, np.int32)
histogram[2, 64](x, np.float32(-4), np.float32(4), counts)
np.testing.assert_array_equal(counts, np.histogram(x, 10, (-4, 4))[0])
result = np.zeros(1)
greatest[2, 64](result, np.abs(x[:128]).astype(np.float64))
assert result[0] == np.abs(x[:128]).max()
values, totals = np.arange(128, dtype=np.int32), np.zeros(8, np.int32)
private[2, 64](totals, values)
np.testing.assert_array_equal(totals, 16)
print("counts", counts)
