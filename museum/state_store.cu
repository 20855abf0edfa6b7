// Stores a tile that all threads have computed, by one bulk copy.
#include "hopper.cuh"

extern "C" __global__ void state_store(const float *in, float *out, int tiles) {
  __shared__ alignas(128) float tile[256];
  for (int one = blockIdx.x; one < tiles; one += gridDim.x) {
    tile[threadIdx.x] = 2 * in[256 * one + threadIdx.x];  // hazard
#ifndef FAULTY
    fence_async();
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + 256 * one, shared(tile), sizeof tile);  // hazard
      commit_bulk();
      wait_bulk<0>();
    }
    __syncthreads();
  }
}
