// Several arrays in one block of dynamic shared memory.
#include <stdio.h>

extern __shared__ char smem[];

__global__ void dot(const double *a, const double *b, double *out, int *where, int n) {
  double *values = (double *)smem;
  int *index = (int *)&values[blockDim.x];
  double best = -1e300, product = 0;
  int at = -1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    product += a[i] * b[i];
    if (a[i] > best) best = a[i], at = i;
  }
  values[threadIdx.x] = product;
  index[threadIdx.x] = at;
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) {
      values[threadIdx.x] += values[threadIdx.x + s];
      if (a[index[threadIdx.x + s]] > a[index[threadIdx.x]])
        index[threadIdx.x] = index[threadIdx.x + s];
    }
  }
  if (!threadIdx.x) *out = values[0], *where = index[0];
}

int main(void) {
  double *a, *b, *out;
  int *where;
  cudaMalloc((void **)&a, 8000);
  cudaMalloc((void **)&b, 8000);
  cudaMalloc((void **)&out, 8);
  cudaMalloc((void **)&where, 4);
  dot<<<1, 128, 128 * (sizeof(double) + sizeof(int))>>>(a, b, out, where, 1000);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
