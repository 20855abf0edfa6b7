// Warps of the first warpgroup store to tensor memory, those of the second read it.
#include "blackwell.cuh"

extern "C" __global__ void tmem_store_unfinished(const unsigned *in, unsigned *out) {
  __shared__ unsigned slot;
  const unsigned warp = threadIdx.x / 32 % 4;
  if (threadIdx.x < 32)
    alloc_columns(shared(&slot));
  fence_before();
  __syncthreads();
  fence_after();
  const unsigned place = slot + (warp << 21);
  unsigned values[4];
  if (threadIdx.x < 128) {
    for (int i = 0; i < 4; ++i)
      values[i] = 3 * in[4 * threadIdx.x + i];
    store_columns(place, values);  // hazard
#ifndef FAULTY
    wait_store();
#endif
    fence_before();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    fence_after();
    load_columns(values, place);  // hazard
    wait_load();
    for (int i = 0; i < 4; ++i)
      out[4 * (threadIdx.x - 128) + i] = values[i];
    fence_before();
  }
  __syncthreads();
  fence_after();
  if (threadIdx.x < 32)
    dealloc_columns(slot);
}
