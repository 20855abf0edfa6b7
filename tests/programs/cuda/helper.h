#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

inline void checkCuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(cudaGetErrorString(status)));
}

template <typename T>
__host__ __device__ constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}
