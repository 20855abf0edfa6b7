#include <cuda_runtime.h>
#include <cstdio>

__managed__ int total = 5;
__managed__ float table[4];

__global__ void count(const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total, 1);
  if (i < 4) table[i] = 2 * x[i];
}

int main() {
  float* x;
  cudaMallocManaged(&x, 100 * sizeof(float));
  for (int i = 0; i < 100; ++i) x[i] = i;
  count<<<2, 64>>>(x, 100);
  cudaDeviceSynchronize();
  printf("%d %f\n", total, table[3]);
}
