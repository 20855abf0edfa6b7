// Products of tiles: the first thread issues them, four warps read D and let it be written again.
#include "blackwell.cuh"

extern "C" __global__ void tmem_released_early(const unsigned short *a, const unsigned short *b,
                                               float *out, int tiles) {
  __shared__ alignas(128) unsigned short left[6][16][2][8][8], right[2][2][8][8];
  __shared__ alignas(8) unsigned long long storage[2];
  __shared__ unsigned slot;
  const unsigned full = shared(&storage[0]), empty = shared(&storage[1]), warp = threadIdx.x / 32;
  if (warp == 0)
    alloc_columns(shared(&slot));
  if (threadIdx.x == 0) {
    init_barrier(full, 1);
    init_barrier(empty, 128);
    fence_barrier_init();
  }
  for (int i = threadIdx.x; i < 256; i += 128)
    right[i / 128][i % 16 / 8][i / 16 % 8][i % 8] = b[i];
  for (int i = threadIdx.x; i < 2048 * tiles; i += 128)
    left[i / 2048][i / 128 % 16][i % 16 / 8][i / 16 % 8][i % 8] = a[i];
  fence_async();
  fence_before();
  __syncthreads();
  fence_after();
  const unsigned d = slot;
  for (int tile = 0; tile < tiles; ++tile) {
    if (threadIdx.x == 0) {
      if (tile) {
        wait(empty, (tile - 1) % 2);
        fence_after();
      }
      multiply(d, shared(left[tile]), shared(right), false);  // hazard
      commit_products(full);
    }
    wait(full, tile % 2);
    fence_after();
    unsigned values[4];
    load_columns(values, d + (warp << 21));  // hazard
#ifndef FAULTY
    wait_load();
#endif
    fence_before();
    arrive(empty);
#ifdef FAULTY
    wait_load();
#endif
    for (int i = 0; i < 4; ++i)
      out[512 * tile + 4 * threadIdx.x + i] = __uint_as_float(values[i]);
  }
  __syncthreads();
  if (warp == 0)
    dealloc_columns(d);
}
