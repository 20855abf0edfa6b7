// Matrix product in tiles, templated on the type, with dynamic shared memory above 48 KB allowed.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "helper.h"

template <int TILE, typename T, typename Acc = T>
__global__ __launch_bounds__(TILE *TILE) void matmul(const T *A, const T *B, T *C, int M, int N,
                                                     int K, Acc alpha, Acc beta) {
  extern __shared__ unsigned char raw[];
  T *As = reinterpret_cast<T *>(raw);
  T *Bs = As + TILE * TILE;
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  Acc sum = 0;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[threadIdx.y * TILE + threadIdx.x] =
        row < M && k0 + threadIdx.x < K ? A[row * K + k0 + threadIdx.x] : T(0);
    Bs[threadIdx.y * TILE + threadIdx.x] =
        col < N && k0 + threadIdx.y < K ? B[(k0 + threadIdx.y) * N + col] : T(0);
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += Acc(As[threadIdx.y * TILE + k]) * Acc(Bs[k * TILE + threadIdx.x]);
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = alpha * sum + beta * Acc(C[row * N + col]);
}

template <typename T>
float run(int M, int N, int K) {
  T *A, *B, *C;
  checkCuda(cudaMalloc(&A, M * K * sizeof(T)));
  checkCuda(cudaMalloc(&B, K * N * sizeof(T)));
  checkCuda(cudaMalloc(&C, M * N * sizeof(T)));
  constexpr int TILE = 16;
  const size_t bytes = 2 * TILE * TILE * sizeof(T);
  checkCuda(cudaFuncSetAttribute(matmul<TILE, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)bytes));
  auto begin = std::chrono::high_resolution_clock::now();
  matmul<TILE, T><<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(TILE, TILE), bytes>>>(
      A, B, C, M, N, K, T(1), T(0));
  checkCuda(cudaDeviceSynchronize());
  std::chrono::duration<float, std::milli> took = std::chrono::high_resolution_clock::now() - begin;
  return took.count();
}

int main() { printf("%f ms, %f ms\n", run<float>(100, 70, 50), run<double>(100, 70, 50)); }
