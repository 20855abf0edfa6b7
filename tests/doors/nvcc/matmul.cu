/* A product of matrices by tiles in shared memory; sizes are no multiples of a tile. */
#include "samples.h"

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += TILE) {
    int x = start + threadIdx.x, y = start + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
    // broken: out-of-bounds: right[threadIdx.y][threadIdx.x] = b[y * n + column];
    right[threadIdx.y][threadIdx.x] = y < k && column < n ? b[y * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads(); // broken: order
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int main() {
  const int m = 40, n = 50, k = 35;
  std::vector<float> a(m * k), b(k * n);
  for (int i = 0; i < m * k; i++) a[i] = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < k * n; i++) b[i] = static_cast<float>(i % 5 - 2);
  float *c = room_on_gpu<float>(m * n);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, dim3(TILE, TILE)>>>(on_gpu(a), on_gpu(b), c, m, n, k);
  std::vector<float> found = from_gpu(c, m * n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int x = 0; x < k; x++) sum += a[i * k + x] * b[x * n + j];
      REQUIRE(found[i * n + j] == sum);
    }
  printf("matmul: right\n");
  return 0;
}
