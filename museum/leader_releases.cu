// A warp loads weights to shared memory, and tells another warp by an mbarrier.
#include "hopper.cuh"

extern "C" __global__ void leader_releases(const float *in, float *out) {
  __shared__ alignas(8) unsigned long long loaded;
  __shared__ float weights[32];
  const unsigned barrier = shared(&loaded);
  const int lane = threadIdx.x % 32;
#ifdef FAULTY
  const int arrivals = 1;
#else
  const int arrivals = 32;
#endif
  if (threadIdx.x == 0)
    init_barrier(barrier, arrivals);
  __syncthreads();
  if (threadIdx.x < 32) {
    weights[lane] = in[32 * blockIdx.x + lane];  // hazard
#ifdef FAULTY
    if (lane == 0)
#endif
      arrive(barrier);  // hazard
  } else {
    wait(barrier, 0);
    out[32 * blockIdx.x + lane] = weights[31 - lane];  // hazard
  }
}
