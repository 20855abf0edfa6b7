/* A product by tensor cores: wmma of mma.h, operands staged in shared memory. */
#include "samples.h"

using namespace nvcuda;
const int SIZE = 16;

__global__ void multiply(const half *a, const half *b, float *c, int n) {
  __shared__ alignas(32) half left[SIZE * SIZE], right[SIZE * SIZE];
  int row = blockIdx.y * SIZE, column = blockIdx.x * SIZE;
  wmma::fragment<wmma::matrix_a, SIZE, SIZE, SIZE, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, SIZE, SIZE, SIZE, half, wmma::row_major> y;
  wmma::fragment<wmma::accumulator, SIZE, SIZE, SIZE, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += SIZE) {
    for (int i = threadIdx.x; i < SIZE * SIZE; i += blockDim.x) {
      left[i] = a[(row + i / SIZE) * n + k + i % SIZE];
      right[i] = b[(k + i / SIZE) * n + column + i % SIZE];
    }
    __syncthreads(); // broken: order
    wmma::load_matrix_sync(x, left, SIZE);
    wmma::load_matrix_sync(y, right, SIZE);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  if (threadIdx.x < 32)
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
  const int n = 64;
  std::vector<half> a(n * n), b(n * n);
  for (int i = 0; i < n * n; i++) a[i] = __float2half(i % 9 - 4), b[i] = __float2half(i % 5 - 2);
  float *c = room_on_gpu<float>(n * n);
  multiply<<<dim3(n / SIZE, n / SIZE), 64>>>(on_gpu(a), on_gpu(b), c, n);
  std::vector<float> found = from_gpu(c, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += __half2float(a[i * n + k]) * __half2float(b[k * n + j]);
      REQUIRE(found[i * n + j] == sum);
    }
  printf("tensor_cores: right\n");
  return 0;
}
