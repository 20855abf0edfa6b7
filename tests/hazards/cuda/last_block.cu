// Each CTA sums a part; the one that is last to finish sums the parts (CUDA C++ Programming Guide,
// Memory Fence Functions, describes the pattern).
extern "C" __global__ void last_block(const unsigned *in, unsigned n, unsigned *parts,
                                      unsigned *done, unsigned *out) {
  __shared__ unsigned sums[256];
  __shared__ bool last;
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[t] = sum;
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) {
    parts[blockIdx.x] = sums[0];
#ifndef NO_RELEASE
    __threadfence();
#endif
#ifdef NARROW
    last = atomicAdd_block(done, 1u) == gridDim.x - 1;  // NARROW
#else
    last = atomicAdd(done, 1u) == gridDim.x - 1;
#endif
#ifndef NO_ACQUIRE
    __threadfence();
#endif
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (unsigned i = t; i < gridDim.x; i += blockDim.x) sum += parts[i];  // NO_RELEASE NO_ACQUIRE
  atomicAdd(out, sum);
}
