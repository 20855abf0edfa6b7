// A pair of CTAs allocates tensor memory together; each CTA stores to it and loads it back.
#include "blackwell.cuh"

__device__ void wait_for_peer() {
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) pair_allocates_early(unsigned *out) {
  __shared__ unsigned slot;
  const unsigned warp = threadIdx.x / 32, me = 128 * blockIdx.x + threadIdx.x;
#ifdef FAULTY
  __syncthreads();
#else
  wait_for_peer();
#endif
  const unsigned to = shared(&slot);
  if (warp == 0)
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(to)  // hazard
                 : "memory");
  fence_before();
  __syncthreads();
  fence_after();
  const unsigned columns = slot;
  unsigned values[4] = {me, me + 1, me + 2, me + 3};
  store_columns(columns + (warp << 21), values);
  wait_store();
  load_columns(values, columns + (warp << 21));
  wait_load();
  for (int i = 0; i < 4; ++i)
    out[4 * me + i] = values[i];
  wait_for_peer();
  if (warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 32;" ::"r"(columns)
                 : "memory");
}
