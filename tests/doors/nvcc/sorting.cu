/* A bitonic sort of keys with their values, a tile to each CTA in shared memory. */
#include "samples.h"

const unsigned TILE = 256;

__device__ void order_pair(unsigned *keys, unsigned *values, unsigned a, unsigned b, bool up) {
  if ((keys[a] > keys[b]) != up) return;
  unsigned key = keys[a], value = values[a];
  keys[a] = keys[b], values[a] = values[b];
  keys[b] = key, values[b] = value;
}

__global__ void sort_tiles(unsigned *keys, unsigned *values, unsigned count) {
  __shared__ unsigned own_keys[TILE], own_values[TILE];
  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x) {
    unsigned at = blockIdx.x * TILE + i;
    // broken: out-of-bounds: own_keys[i] = keys[at];
    own_keys[i] = at < count ? keys[at] : 0xffffffffu;
    own_values[i] = at;
  }
  for (unsigned size = 2; size <= TILE; size *= 2)
    for (unsigned step = size / 2; step; step /= 2) {
      __syncthreads(); // broken: order
      unsigned at = 2 * threadIdx.x - (threadIdx.x & (step - 1));
      order_pair(own_keys, own_values, at, at + step, !(at & size));
    }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x) {
    unsigned at = blockIdx.x * TILE + i;
    if (at < count) keys[at] = own_keys[i], values[at] = own_values[i];
  }
}

int main() {
  const unsigned count = 600;
  std::vector<unsigned> keys(count), expected;
  for (unsigned i = 0; i < count; i++) keys[i] = i * 2654435761u >> 20;
  unsigned *on = on_gpu(keys), *values = room_on_gpu<unsigned>(count);
  sort_tiles<<<(count + TILE - 1) / TILE, TILE / 2>>>(on, values, count);
  expected = keys;
  for (unsigned i = 0; i < count; i += TILE)
    std::sort(expected.begin() + i, expected.begin() + std::min(i + TILE, count));
  std::vector<unsigned> sorted = from_gpu(on, count), from = from_gpu(values, count);
  REQUIRE(sorted == expected);
  for (unsigned i = 0; i < count; i++) REQUIRE(keys[from[i]] == sorted[i]);
  printf("sorting: right\n");
  return 0;
}
