// Vector addition, launched through HIP's macro, with errors checked.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#define HIP_CHECK(condition)                                                          \
  {                                                                                   \
    const hipError_t error = condition;                                               \
    if (error != hipSuccess) {                                                        \
      std::cerr << "An error encountered: \"" << hipGetErrorString(error) << "\" at " \
                << __FILE__ << ':' << __LINE__ << std::endl;                          \
      std::exit(1);                                                                   \
    }                                                                                 \
  }

template <typename T>
__global__ void vector_add(const T* a, const T* b, T* c, const uint n) {
  const uint i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  constexpr uint n = 1000;
  std::vector<float> host(n, 1.f);
  float *a, *b, *c;
  HIP_CHECK(hipMalloc(&a, n * sizeof(float)));
  HIP_CHECK(hipMalloc(&b, n * sizeof(float)));
  HIP_CHECK(hipMalloc(&c, n * sizeof(float)));
  HIP_CHECK(hipMemcpy(a, host.data(), n * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(vector_add<float>, dim3((n + 255) / 256), dim3(256), 0, 0, a, b, c, n);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(a));
}
