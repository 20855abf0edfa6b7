// Two warpgroups multiply their halves of A by one tile of B, which all threads load each step.
#include "hopper.cuh"

extern "C" __global__ void wgmma_loop_back(const unsigned *a, const unsigned short *b,
                                           float *out) {
  __shared__ alignas(128) unsigned short tile[2][8][8];  // half of k, n, k
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4, pair = lane % 4;
  float d[4] = {};
  unsigned registers[4];
#pragma unroll 1
  for (int step = 0; step < 16; ++step) {
    if (threadIdx.x < 128)
      tile[threadIdx.x % 16 / 8][threadIdx.x / 16][threadIdx.x % 8] =
          b[256 * (threadIdx.x / 16) + 16 * step + threadIdx.x % 16];  // hazard
    for (int i = 0; i < 4; ++i)
      registers[i] = a[128 * (row % 64 + i % 2 * 8) + 8 * step + i / 2 * 4 + pair];
    fence_async();
    __syncthreads();
    wgmma_fence();
    wgmma_m64n8k16(d, registers, shared(tile));  // hazard
    wgmma_commit();
    wgmma_wait<0>();
#ifndef FAULTY
    __syncthreads();
#endif
  }
  for (int i = 0; i < 4; ++i)
    out[8 * (row + i / 2 * 8) + 2 * pair + i % 2] = d[i];
}
