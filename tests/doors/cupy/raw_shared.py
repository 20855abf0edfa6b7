"""Dynamic shared memory: each CTA reverses its part of an array."""

import cupy as cp

reverse = cp.RawKernel(
    r"""
extern "C" __global__ void reverse(const int *x, int *y) {
  extern __shared__ int buffer[];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  buffer[threadIdx.x] = x[i];
  __syncthreads();  // broken: order
  y[i] = buffer[blockDim.x - 1 - threadIdx.x];
}
""",
    "reverse",
)
threads, n = 128, 512
x = cp.random.randint(0, 1000, n, dtype=cp.int32)
y = cp.empty_like(x)
grid, block, bytes = (n // threads,), (threads,), 4 * threads
# broken: out-of-bounds: reverse(grid, block, (x, y), shared_mem=bytes // 2)
reverse(grid, block, (x, y), shared_mem=bytes)
assert (y.reshape(-1, threads) == x.reshape(-1, threads)[:, ::-1]).all()
print("reversed", y[:4])
