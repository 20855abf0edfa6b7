"""A histogram: counts in shared memory, then added to those of all CTAs."""

import cupy as cp
import numpy as np

kernel = cp.RawKernel(
    r"""
extern "C" __global__ void histogram(const unsigned char *x, unsigned *counts, int n) {
  __shared__ unsigned mine[64];
  if (threadIdx.x < 64) mine[threadIdx.x] = 0;  // broken: undefined
  __syncthreads();  // broken: order
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    // broken: order: mine[x[i] >> 2] += 1u;
    atomicAdd(&mine[x[i] >> 2], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
""",
    "histogram",
)
x = cp.asarray(np.random.default_rng(3).integers(0, 256, 3000).astype(np.uint8))
counts = cp.zeros(64, dtype=cp.uint32)
kernel((3,), (96,), (x, counts, np.int32(len(x))))
assert (counts == cp.bincount(x >> 2, minlength=64)).all()
print("counts", counts[:4])
