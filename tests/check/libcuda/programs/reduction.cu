extern "C" __global__ void reduce(const int *values, int *sum, int n) {
  extern __shared__ int part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
#ifdef BROKEN
    if (half < 64)
#endif
      __syncthreads();
  }
  if (!threadIdx.x) atomicAdd(sum, part[0]);
}
