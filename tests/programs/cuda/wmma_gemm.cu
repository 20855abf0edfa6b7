// Half-precision product of 16 x 16 tiles with nvcuda::wmma.
#include <cuda_fp16.h>
#include <iostream>
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_gemm(const half *a, const half *b, float *c, int M, int N, int K) {
  int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int warpN = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a_frag, a + warpM * 16 * K + k, K);
    wmma::load_matrix_sync(b_frag, b + warpN * 16 * K + k, K);
    wmma::mma_sync(acc, a_frag, b_frag, acc);
  }
  wmma::store_matrix_sync(c + warpM * 16 * N + warpN * 16, acc, N, wmma::mem_row_major);
}

int main() {
  half *a, *b;
  float *c;
  cudaMalloc(&a, 64 * 32 * sizeof(half));
  cudaMalloc(&b, 32 * 32 * sizeof(half));
  cudaMalloc(&c, 64 * 32 * sizeof(float));
  wmma_gemm<<<dim3(2, 1), dim3(64, 2)>>>(a, b, c, 64, 32, 32);
  std::cout << cudaGetErrorName(cudaDeviceSynchronize()) << "\n";
}
