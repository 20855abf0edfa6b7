// One thread should initialize the barrier of a 16 x 16 block.
#include "hopper.cuh"

extern "C" __global__ void many_initializers(const int *in, int *out) {
  __shared__ alignas(8) unsigned long long storage;
  __shared__ int values[256];
  const unsigned barrier = shared(&storage);
  const int me = threadIdx.x + 16 * threadIdx.y;
#ifdef FAULTY
  if (threadIdx.x == 0)
#else
  if (threadIdx.x == 0 && threadIdx.y == 0)
#endif
    init_barrier(barrier, 256);  // hazard
  __syncthreads();
  values[me] = in[256 * blockIdx.x + me];
  arrive(barrier);
  wait(barrier, 0);
  out[256 * blockIdx.x + me] = values[255 - me];
}
