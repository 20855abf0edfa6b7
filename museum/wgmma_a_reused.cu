// One warpgroup multiplies 64 x 256 by 256 x 8; A comes from registers, 16 columns a step.
#include "hopper.cuh"

extern "C" __global__ void wgmma_a_reused(const unsigned *a, const unsigned short *b, float *out) {
  __shared__ alignas(128) unsigned short tile[16][2][8][8];  // step, half of k, n, k
  for (int i = threadIdx.x; i < 8 * 256; i += 128)
    tile[i % 256 / 16][i % 16 / 8][i / 256][i % 8] = b[i];
  fence_async();
  __syncthreads();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4, pair = lane % 4;
  float d[4] = {};
  unsigned registers[4];
#pragma unroll 1
  for (int step = 0; step < 16; ++step) {
    for (int i = 0; i < 4; ++i)
      registers[i] = a[128 * (row + i % 2 * 8) + 8 * step + i / 2 * 4 + pair];  // hazard
    wgmma_fence();
    wgmma_m64n8k16(d, registers, shared(tile[step]));  // hazard
    wgmma_commit();
#ifndef FAULTY
    wgmma_wait<0>();
#endif
  }
  wgmma_wait<0>();
  for (int i = 0; i < 4; ++i)
    out[8 * (row + i / 2 * 8) + 2 * pair + i % 2] = d[i];
}
