// A copy pipeline: tiles are loaded four stages ahead into a ring of four buffers.
#include "hopper.cuh"

__device__ void load(unsigned to, const int *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(__cvta_generic_to_global(from))
               : "memory");
}

extern "C" __global__ void five_of_four(const int *in, int *out, int tiles) {
  __shared__ int ring[4][64];
#ifdef FAULTY
  const int ahead = 4;  // "<=", as the loop of the sample has it
#else
  const int ahead = 3;
#endif
  int loaded = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (; loaded < tiles && loaded <= tile + ahead; ++loaded) {
      load(shared(&ring[loaded % 4][threadIdx.x]), in + 64 * loaded + threadIdx.x);  // hazard
      asm volatile("cp.async.commit_group;" ::: "memory");
    }
    if (loaded < tiles)
      asm volatile("cp.async.wait_group 3;" ::: "memory");
    else
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[64 * tile + threadIdx.x] = ring[tile % 4][63 - threadIdx.x];  // hazard
    __syncthreads();
  }
}
