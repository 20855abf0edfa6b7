// Two warps compute tiles, one warp stores them. They meet at named barriers.
__device__ __forceinline__ void arrive(int barrier, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ __forceinline__ void sync(int barrier, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void named_barrier_twice(const int *in, int *out, int tiles) {
  __shared__ int buffer[2][64];
  for (int tile = 0; tile < tiles; ++tile) {
    if (threadIdx.x < 64) {
#ifndef FAULTY
      sync(2, 96);  // the buffer is free
#endif
      buffer[tile % 2][threadIdx.x] = 3 * in[64 * tile + threadIdx.x];  // hazard
      arrive(1, 96);  // hazard
    } else {
#ifndef FAULTY
      arrive(2, 96);
#endif
      sync(1, 96);  // hazard
      for (int i = threadIdx.x - 64; i < 64; i += 32)
        out[64 * tile + i] = buffer[tile % 2][i];  // hazard
    }
  }
}
