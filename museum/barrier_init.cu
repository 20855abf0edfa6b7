// Loads one tile for each of its stages; each stage has its own mbarrier.
#include "hopper.cuh"

extern "C" __global__ void barrier_init(const float *in, float *out) {
  __shared__ alignas(128) float tile[128];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared(&full);
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);  // hazard
#ifndef FAULTY
    fence_barrier_init();
#endif
    arrive_expect(barrier, sizeof tile);
    load_bulk(shared(tile), in + 128 * blockIdx.x, sizeof tile, barrier);  // hazard
  }
  __syncthreads();
  wait(barrier, 0);
  out[128 * blockIdx.x + threadIdx.x] = tile[threadIdx.x] + 1;
}
