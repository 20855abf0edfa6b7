"""More than 48 KB of dynamic shared memory, which a kernel must be allowed first."""

import cupy as cp

kernel = cp.RawKernel(
    r"""
extern "C" __global__ void far(int *out, int words) {
  extern __shared__ int buffer[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) buffer[i] = i;
  __syncthreads();  // broken: order
  out[threadIdx.x] = buffer[words - 1 - threadIdx.x];
}
""",
    "far",
)
words = 64 * 1024 // 4
out = cp.zeros(256, dtype=cp.int32)
kernel.max_dynamic_shared_size_bytes = 4 * words  # broken: CUDADriverError
kernel((1,), (256,), (out, cp.int32(words)), shared_mem=4 * words)
assert (out == cp.arange(words - 1, words - 257, -1)).all()
assert kernel.shared_size_bytes == 0
print("last", out[0])
