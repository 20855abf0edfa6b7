// Copies and kernels in several streams; a managed variable counts what was done.
#include <cuda_runtime.h>
#include <cstdio>
#include <thread>

__device__ __managed__ int done;
__device__ unsigned long long cycles;

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long begin = clock64();
  if (i < n) y[i] = a * x[i] + y[i];
  if (threadIdx.x == 0) {
    atomicAdd(&done, 1);
    atomicAdd(&cycles, (unsigned long long)(clock64() - begin));
  }
}

int main() {
  const int streams = 4, n = 1 << 12, chunk = n / streams;
  cudaStream_t stream[streams];
  float *x, *y, *dx, *dy;
  cudaHostAlloc(&x, n * sizeof(float), cudaHostAllocDefault);
  cudaHostAlloc(&y, n * sizeof(float), cudaHostAllocDefault);
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  for (int s = 0; s < streams; ++s) {
    cudaStreamCreate(&stream[s]);
    size_t at = s * chunk, bytes = chunk * sizeof(float);
    cudaMemcpyAsync(dx + at, x + at, bytes, cudaMemcpyHostToDevice, stream[s]);
    cudaMemcpyAsync(dy + at, y + at, bytes, cudaMemcpyHostToDevice, stream[s]);
    saxpy<<<(chunk + 255) / 256, 256, 0, stream[s]>>>(chunk, 2.0f, dx + at, dy + at);
    cudaMemcpyAsync(y + at, dy + at, bytes, cudaMemcpyDeviceToHost, stream[s]);
  }
  cudaDeviceSynchronize();
  std::thread([] { printf("%d\n", done); }).join();
}
