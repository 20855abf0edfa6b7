// One CTA stores a tile by a bulk copy and raises a flag; another CTA reads the tile.
#include "hopper.cuh"

extern "C" __global__ void read_wait(float *tiles, unsigned *flags, float *out) {
  __shared__ alignas(128) float tile[256];
  const int pair = blockIdx.x / 2;
  float *place = tiles + 256 * pair;
  if (blockIdx.x % 2 == 0) {
    tile[threadIdx.x] = 1000 * pair + threadIdx.x;
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(place, shared(tile), sizeof tile);  // hazard
      commit_bulk();
#ifdef FAULTY
      wait_bulk_read<0>();
#else
      wait_bulk<0>();
#endif
      store_release(flags + pair, 1);
    }
  } else {
    if (threadIdx.x == 0)
      while (load_acquire(flags + pair) == 0) {
      }
    __syncthreads();
    out[256 * pair + threadIdx.x] = place[threadIdx.x];  // hazard
  }
}
