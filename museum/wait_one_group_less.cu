// Stores tiles through two buffers.
#include "hopper.cuh"

extern "C" __global__ void wait_one_group_less(const float *in, float *out, int tiles) {
  __shared__ alignas(128) float buffer[2][1024];
  for (int one = 0; one < tiles; ++one) {
    const int at = 1024 * (tiles * blockIdx.x + one);
    if (threadIdx.x == 0) {
#ifdef FAULTY
      wait_bulk_read<2>();
#else
      wait_bulk_read<1>();
#endif
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
      buffer[one & 1][i] = 5 * in[at + i];  // hazard
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + at, shared(buffer[one & 1]), sizeof buffer[0]);  // hazard
      commit_bulk();
    }
  }
  if (threadIdx.x == 0)
    wait_bulk<0>();
}
