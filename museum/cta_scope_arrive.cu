// A cluster of two: the second CTA fills its shared memory, the first one reads it there.
#include "hopper.cuh"

extern "C" __global__ void cta_scope_arrive(const unsigned *in, unsigned *out) {
  __shared__ unsigned values[128];
  __shared__ alignas(8) unsigned long long ready;
  const unsigned barrier = shared(&ready), pair = blockIdx.x / 2;
  if (threadIdx.x == 0) {
    init_barrier(barrier, 128);
    fence_barrier_init();
  }
  cluster_sync();
  if (cluster_rank() == 1) {
    values[threadIdx.x] = in[128 * pair + threadIdx.x];
    const unsigned there = in_cta(barrier, 0);
#ifdef FAULTY
    asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(there)  // hazard
                 : "memory");
#else
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                 : "memory");
#endif
  } else {
    asm volatile(
        "{\n\t.reg .pred done;\n"
        "again:\n\t"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n\t"
        "@!done bra again;\n}" ::"r"(barrier)
        : "memory");
    out[128 * pair + threadIdx.x] =
        load_cluster(in_cta(shared(&values[127 - threadIdx.x]), 1));
  }
  cluster_sync();
}
