// One warpgroup multiplies 64 x 256 by 256 x 8 and stores the product.
#include "hopper.cuh"

extern "C" __global__ void wgmma_read_early(const unsigned *a, const unsigned short *b,
                                            float *out) {
  __shared__ alignas(128) unsigned short tile[16][2][8][8];  // step, half of k, n, k
  for (int i = threadIdx.x; i < 8 * 256; i += 128)
    tile[i % 256 / 16][i % 16 / 8][i / 256][i % 8] = b[i];
  fence_async();
  __syncthreads();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4, pair = lane % 4;
  unsigned registers[16][4];
#pragma unroll
  for (int step = 0; step < 16; ++step)
    for (int i = 0; i < 4; ++i)
      registers[step][i] = a[128 * (row + i % 2 * 8) + 8 * step + i / 2 * 4 + pair];
  float d[4] = {};
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < 16; ++step)
    wgmma_m64n8k16(d, registers[step], shared(tile[step]));
  wgmma_commit();
#ifndef FAULTY
  wgmma_wait<0>();
#endif
  for (int i = 0; i < 4; ++i)
    out[8 * (row + i / 2 * 8) + 2 * pair + i % 2] = d[i];  // hazard
#ifdef FAULTY
  wgmma_wait<0>();
#endif
}
