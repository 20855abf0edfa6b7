// Reads LDS by inline assembly, two words at a time, with counts of its own.
#include <hip/hip_runtime.h>

extern "C" __global__ void wait_counts_less(const int *in, int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 64] = in[threadIdx.x + 64];
  __syncthreads();
  const unsigned address = (unsigned)(unsigned long long)(tile + (63 - threadIdx.x));
  int first, second, sum;
  asm volatile("ds_read_b32 %0, %3\n\t"  // hazard
               "ds_read_b32 %1, %3 offset:256\n\t"
#ifdef FAULTY
               "s_waitcnt lgkmcnt(1)\n\t"
#else
               "s_waitcnt lgkmcnt(0)\n\t"
#endif
               "v_add_u32 %2, %0, %1"
               : "=&v"(first), "=&v"(second), "=&v"(sum)
               : "v"(address)
               : "memory");
  out[threadIdx.x] = sum;
}
