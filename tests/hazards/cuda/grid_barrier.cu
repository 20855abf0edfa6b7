// Three phases; between them every CTA waits at a barrier of the whole grid made of one counter.
__device__ void meet(unsigned *arrived, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
#ifndef NO_RELEASE
    __threadfence();
#endif
    atomicAdd(arrived, 1u);
#ifndef NO_WAIT
    while (*(volatile unsigned *)arrived < goal) {}
#endif
#ifndef NO_ACQUIRE
    __threadfence();
#endif
  }
  __syncthreads();
}

extern "C" __global__ void grid_barrier(unsigned *a, unsigned *b, unsigned *arrived) {
  unsigned threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  a[me] = 3 * me + 1;  // NO_WAIT
  meet(arrived, gridDim.x);
  b[me] = a[(me + blockDim.x) % threads];  // NO_RELEASE NO_ACQUIRE
  meet(arrived, 2 * gridDim.x);
  a[me] = 2 * b[(me + 5 * blockDim.x) % threads];  // NO_RELEASE NO_ACQUIRE NO_WAIT
}
