// Stores tiles through one buffer: it is written again when the copy has read it.
#include "hopper.cuh"

extern "C" __global__ void wait_by_others(const float *in, float *out, int tiles) {
  __shared__ alignas(128) float tile[1024];
  for (int one = 0; one < tiles; ++one) {
    const int at = 1024 * (tiles * blockIdx.x + one);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
      tile[i] = in[at + i] + one;  // hazard
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + at, shared(tile), sizeof tile);  // hazard
      commit_bulk();
    }
    // A group belongs to the thread that committed it. For the others, there is nothing to wait for.
    wait_bulk_read<0>();
#ifndef FAULTY
    __syncthreads();
#endif
  }
}
