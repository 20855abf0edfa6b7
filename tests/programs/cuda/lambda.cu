// A loop that takes a device lambda, as wrappers of libraries do.
#include <cuda_runtime.h>
#include <functional>
#include <memory>

template <typename F>
__global__ void for_each_kernel(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F>
void for_each(int n, F &&f, cudaStream_t stream = nullptr) {
  for_each_kernel<<<(n + 127) / 128, 128, 0, stream>>>(n, std::forward<F>(f));
}

int main() {
  float *x;
  float a = 3.f;
  cudaMalloc(&x, 1000 * sizeof(float));
  for_each(1000, [=] __device__(int i) { x[i] = a * i; });
}
