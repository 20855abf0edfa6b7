// A cluster of two: each CTA reads what the other has in shared memory.
#include "hopper.cuh"

extern "C" __global__ void peer_has_left(const unsigned *in, unsigned *out) {
  __shared__ unsigned values[128];
  const unsigned rank = cluster_rank(), at = 128 * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = in[at];
  cluster_sync();
  for (unsigned i = 0; i < 4 * rank; ++i)
    __nanosleep(1000);  // the other CTA is long done
  out[at] = load_cluster(in_cta(shared(&values[threadIdx.x]), 1 - rank));  // hazard
#ifndef FAULTY
  cluster_sync();
#endif
}
