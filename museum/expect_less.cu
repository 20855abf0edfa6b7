// Loads two operands for each step; one mbarrier counts the bytes of both.
#include "hopper.cuh"

extern "C" __global__ void expect_less(const float *a, const float *b, float *out) {
  __shared__ alignas(128) float left[1024], right[1024];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared(&full);
  const int at = 1024 * blockIdx.x;
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    fence_barrier_init();
#ifdef FAULTY
    arrive_expect(barrier, sizeof left);
#else
    arrive_expect(barrier, sizeof left + sizeof right);
#endif
    load_bulk(shared(left), a + at, sizeof left, barrier);    // hazard
    load_bulk(shared(right), b + at, sizeof right, barrier);  // hazard
  }
  __syncthreads();
  wait(barrier, 0);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    out[at + i] = left[i] * right[i];  // hazard
}
