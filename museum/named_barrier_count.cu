// Four warps load, one warp sums up; they meet at a named barrier.
__device__ __forceinline__ void arrive(int barrier, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ __forceinline__ void sync(int barrier, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");  // hazard
}

extern "C" __global__ void named_barrier_count(const int *in, int *out) {
  __shared__ int values[128];
#ifdef FAULTY
  const int threads = 2 * 32;  // right as long as one warp loads
#else
  const int threads = 5 * 32;
#endif
  if (threadIdx.x < 128) {
    values[threadIdx.x] = in[threadIdx.x];  // hazard
    arrive(1, threads);                     // hazard
  } else {
    sync(1, threads);  // hazard
    int sum = 0;
    for (int i = threadIdx.x % 32; i < 128; i += 32)
      sum += values[i];  // hazard
    atomicAdd(out, sum);
  }
}
