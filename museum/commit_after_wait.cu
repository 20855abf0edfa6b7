// A copy pipeline of two stages.
#include "hopper.cuh"

__device__ __forceinline__ void load(unsigned to, const int *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(__cvta_generic_to_global(from))
               : "memory");
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

extern "C" __global__ void commit_after_wait(const int *in, int *out, int tiles) {
  __shared__ int stage[2][64];
  load(shared(&stage[0][threadIdx.x]), in + threadIdx.x);  // hazard
  commit();
  for (int tile = 0; tile < tiles; ++tile) {
    const int next = tile + 1 < tiles ? tile + 1 : tile;
    if (next != tile)
      load(shared(&stage[next % 2][threadIdx.x]), in + 64 * next + threadIdx.x);  // hazard
#ifndef FAULTY
    commit();
#endif
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#ifdef FAULTY
    commit();
#endif
    __syncthreads();
    out[64 * tile + threadIdx.x] = stage[tile % 2][63 - threadIdx.x];  // hazard
    __syncthreads();
  }
}
