/* A sum: by shared memory in a CTA, by shuffles in its last warp. */
#include "samples.h"

__global__ void sum(const int *values, int *sums, int count) {
  __shared__ int partial[256];
  int lane = threadIdx.x, mine = 0;
  for (int i = blockIdx.x * blockDim.x + lane; i < count; i += gridDim.x * blockDim.x)
    mine += values[i];
  partial[lane] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
    if (lane < half) partial[lane] += partial[lane + half];
    __syncthreads(); // broken: order
  }
  if (lane >= 32) return;
  int whole = partial[lane];
  for (int step = 16; step; step /= 2) whole += __shfl_down_sync(0xffffffff, whole, step);
  if (!lane) sums[blockIdx.x] = whole;
}

int main() {
  const int count = 5000, ctas = 4;
  std::vector<int> values(count);
  long long wanted = 0;
  for (int i = 0; i < count; i++) wanted += values[i] = i * 7 % 101;
  int *sums = room_on_gpu<int>(ctas);
  sum<<<ctas, 256>>>(on_gpu(values), sums, count);
  CUDA(cudaGetLastError());
  long long found = 0;
  for (int each : from_gpu(sums, ctas)) found += each;
  REQUIRE(found == wanted);
  printf("reduction: right\n");
  return 0;
}
