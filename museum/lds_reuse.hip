// Sums of tiles by a block: a tile's place in LDS is used again for the next one.
#include <hip/hip_runtime.h>

extern "C" __global__ void lds_reuse(const int *in, int *out, int tiles) {
  __shared__ int tile[256];
  int sum = 0;
  for (int one = 0; one < tiles; ++one) {
    tile[threadIdx.x] = in[256 * one + threadIdx.x];  // hazard
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      sum += tile[(threadIdx.x + 64 * i) % 256];  // hazard
#ifndef FAULTY
    __syncthreads();
#endif
  }
  out[threadIdx.x] = sum;
}
