// One CTA writes rows and raises a flag; another polls the flag and loads the row by a bulk copy.
#include "hopper.cuh"

extern "C" __global__ void poll_then_bulk(float *rows, unsigned *flags, float *out) {
  __shared__ alignas(128) float row[256];
  __shared__ alignas(8) unsigned long long full;
  const int pair = blockIdx.x / 2;
  float *place = rows + 256 * pair;
  if (blockIdx.x % 2 == 0) {
    place[threadIdx.x] = 1000 * pair + threadIdx.x;  // hazard
    __syncthreads();
    if (threadIdx.x == 0)
      store_release(flags + pair, 1);
  } else {
    const unsigned barrier = shared(&full);
    if (threadIdx.x == 0) {
      init_barrier(barrier, 1);
      fence_barrier_init();
      while (load_acquire(flags + pair) == 0) {
      }
#ifndef FAULTY
      fence_async_global();
#endif
      arrive_expect(barrier, sizeof row);
      load_bulk(shared(row), place, sizeof row, barrier);  // hazard
    }
    __syncthreads();
    wait(barrier, 0);
    out[256 * pair + threadIdx.x] = row[threadIdx.x];
  }
}
