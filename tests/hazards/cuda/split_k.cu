// A product whose inner dimension is divided among CTAs: they add to the result in turn, the first
// slice first, held apart by a semaphore. Slices are given out from the last one.
extern "C" __global__ void split_k(const int *a, const int *b, int *c, unsigned *turn, int size,
                                   int depth) {
  int slices = gridDim.y, slice = slices - 1 - blockIdx.y, row = blockIdx.x, column = threadIdx.x;
  int first = slice * depth / slices, end = (slice + 1) * depth / slices, sum = 0;
  for (int k = first; k < end; k++) sum += a[row * depth + k] * b[k * size + column];
#ifndef NO_WAIT
  if (threadIdx.x == 0) {
    while (*(volatile unsigned *)(turn + row) != slice) __nanosleep(20);
#ifndef NO_ACQUIRE
    __threadfence();
#endif
  }
  __syncthreads();
#endif
  int before = slice ? c[row * size + column] : 0;  // NO_RELEASE NO_ACQUIRE NO_WAIT
  c[row * size + column] = before + sum;  // NO_WAIT
  __syncthreads();
  if (threadIdx.x == 0) {
#ifndef NO_RELEASE
    __threadfence();
#endif
    atomicExch(turn + row, slice + 1);
  }
}
