// Functions for both sides stand before the runtime's header, as in headers of libraries.
#include <cmath>

#define HD __host__ __device__ __forceinline__

HD float relu(float x) { return x > 0.f ? x : 0.f; }
__device__ inline float square(float x) { return x * x; }
__constant__ float offset = 0.5f;

#include "hip/hip_runtime.h"

__global__ __launch_bounds__(256) void activate(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = relu(square(x[i]) - offset);
}

int main() {
  float* x;
  (void)hipMalloc((void**)&x, 4096);
  activate<<<dim3(4), dim3(256), 0, hipStreamDefault>>>(x, 1024);
  return hipDeviceSynchronize() != hipSuccess;
}
