// A warp stores one tile twice through one tensor map, which it points at the next matrix between.
#include "hopper.cuh"

// Stores 8 rows of 32 bytes to rows of a matrix.
__device__ __forceinline__ void store_tile(const void *map, unsigned tile, int row) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                   map),
               "r"(0), "r"(row), "r"(tile)  // hazard
               : "memory");
}

extern "C" __global__ void map_in_flight(unsigned char *map, float *next) {
  __shared__ alignas(128) float tile[8][8];
  const unsigned to = shared(tile);
  for (int i = threadIdx.x; i < 64; i += 32)
    tile[i / 8][i % 8] = i;
  fence_async();
  __syncwarp();
  if (threadIdx.x == 0) {
    store_tile(map, to, 8);
    commit_bulk();
#ifndef FAULTY
    wait_bulk_read<0>();
#endif
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(map)),
                 "l"(next)  // hazard
                 : "memory");
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    store_tile(map, to, 0);
    commit_bulk();
    wait_bulk<0>();
  }
}
