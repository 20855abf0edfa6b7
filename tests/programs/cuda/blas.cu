// A kernel beside a call of cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void fill(float *x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *x, alpha = 2;
  cudaMalloc(&x, 400);
  fill<<<1, 128>>>(x, 1.f, 100);
  cublasSscal(handle, 100, &alpha, x, 1);
}
