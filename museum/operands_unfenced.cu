// One product of tiles that all threads have copied to shared memory.
#include "blackwell.cuh"

extern "C" __global__ void operands_unfenced(const unsigned short *a, const unsigned short *b,
                                             float *out, int tiles) {
  __shared__ alignas(128) unsigned short left[16][2][8][8], right[2][2][8][8];
  __shared__ alignas(8) unsigned long long storage;
  __shared__ unsigned slot;
  const unsigned full = shared(&storage), warp = threadIdx.x / 32;
  if (warp == 0)
    alloc_columns(shared(&slot));
  if (threadIdx.x == 0) {
    init_barrier(full, 1);
    fence_barrier_init();
  }
  fence_before();
  __syncthreads();
  fence_after();
  const unsigned d = slot;
  for (int i = threadIdx.x; i < 256; i += 128)
    right[i / 128][i % 16 / 8][i / 16 % 8][i % 8] = b[i];  // hazard
  for (int tile = 0; tile < tiles; ++tile) {
    for (int k = 0; k < 16; ++k)
      left[threadIdx.x / 8][k / 8][threadIdx.x % 8][k % 8] =
          a[2048 * tile + 16 * threadIdx.x + k];  // hazard
#ifndef FAULTY
    fence_async();
#endif
    fence_before();
    __syncthreads();
    fence_after();
    if (threadIdx.x == 0) {
      multiply(d, shared(left), shared(right), false);  // hazard
      commit_products(full);
    }
    wait(full, tile % 2);
    fence_after();
    unsigned values[4];
    load_columns(values, d + (warp << 21));
    wait_load();
    for (int i = 0; i < 4; ++i)
      out[512 * tile + 4 * threadIdx.x + i] = __uint_as_float(values[i]);
  }
  fence_before();
  __syncthreads();
  if (warp == 0)
    dealloc_columns(d);
}
