// printf and assert of a kernel.
#include <cassert>
#include <cstdio>

__global__ void hello(const float *x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  assert(i < n);
  if (i % 16 == 0) printf("Hello from block %d, thread %d: x[%d] = %.2f\n", blockIdx.x, threadIdx.x, i, x[i]);
}

int main() {
  float *x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  hello<<<2, 32>>>(x, 64);
  cudaDeviceSynchronize();
  return 0;
}
