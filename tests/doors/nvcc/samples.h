/* What the programs have in common: checked calls, and checked results. */

#pragma once

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA(call)                                                                                 \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ == cudaSuccess) break;                                                             \
    printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));             \
    exit(9);                                                                                       \
  } while (0)
#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (condition) break;                                                                          \
    printf("%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition);                                  \
    exit(7);                                                                                       \
  } while (0)

/* Memory of the GPU with what a vector has. */
template <typename T> T *on_gpu(const std::vector<T> &values) {
  T *address;
  CUDA(cudaMalloc(&address, values.size() * sizeof(T)));
  CUDA(cudaMemcpy(address, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return address;
}

template <typename T> T *room_on_gpu(size_t count) {
  T *address;
  CUDA(cudaMalloc(&address, count * sizeof(T)));
  return address;
}

template <typename T> std::vector<T> from_gpu(const T *address, size_t count) {
  std::vector<T> values(count);
  CUDA(cudaMemcpy(values.data(), address, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
