// The waves of a block store a row, then one wave raises a flag that another block polls.
#include <hip/hip_runtime.h>

extern "C" __global__ void flag_of_one_wave(const int *in, int *rows, unsigned *flags, int *out) {
  const int pair = blockIdx.x / 2, at = 256 * pair + threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    rows[at] = 7 * in[at];  // hazard
#ifndef FAULTY
    __threadfence();
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef FAULTY
      asm volatile("s_waitcnt vmcnt(0)" ::: "memory");  // of this wave, and no release
#endif
      __hip_atomic_store(flags + pair, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
  } else {
    if (threadIdx.x == 0)
      while (!__hip_atomic_load(flags + pair, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
      }
    __syncthreads();
    __threadfence();
    out[at] = rows[at];  // hazard
  }
}
