// A warp waits until a buffer is empty, and one of its lanes loads the next tile into it.
#include "hopper.cuh"

extern "C" __global__ void acquire_by_warp(const float *in, float *out, int tiles) {
  __shared__ alignas(128) float tile[32];
  __shared__ alignas(8) unsigned long long barriers[2];
  const unsigned full = shared(barriers), empty = shared(barriers + 1);
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init_barrier(full, 1);
    init_barrier(empty, 1);
    fence_barrier_init();
  }
  __syncthreads();
  for (int i = 0; i < tiles; ++i) {
    if (threadIdx.x < 32) {
      wait(empty, ~i & 1);  // hazard
#ifndef FAULTY
      __syncwarp();
#endif
      if (lane == 0) {
        arrive_expect(full, sizeof tile);
        load_bulk(shared(tile), in + 32 * i, sizeof tile, full);
      }
    } else {
      wait(full, i & 1);
      out[32 * i + lane] = tile[31 - lane];
      __syncwarp();
      if (lane == 0)
        arrive(empty);  // hazard
    }
  }
}
