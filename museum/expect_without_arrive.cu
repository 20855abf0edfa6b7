// Loads one tile; an mbarrier counts its bytes.
#include "hopper.cuh"

extern "C" __global__ void expect_without_arrive(const float *in, float *out) {
  __shared__ alignas(128) float tile[128];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared(&full);
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    fence_barrier_init();
#ifdef FAULTY
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(512)
                 : "memory");
#else
    arrive_expect(barrier, sizeof tile);
#endif
    load_bulk(shared(tile), in + 128 * blockIdx.x, sizeof tile, barrier);
  }
  __syncthreads();
  wait(barrier, 0);  // hazard
  out[128 * blockIdx.x + threadIdx.x] = tile[threadIdx.x] + 1;
}
