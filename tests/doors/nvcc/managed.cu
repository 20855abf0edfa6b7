/* Memory and a variable that the host and kernels reach at one address. */
#include "samples.h"

__managed__ int total;
__managed__ int table[4] = {1, 2, 3, 4};

__global__ void add(const int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // broken: order: total += values[i] * table[i % 4];
  atomicAdd(&total, values[i] * table[i % 4]);
}

int main() {
  const int count = 400;
  int *values, wanted = 0;
  CUDA(cudaMallocManaged(&values, count * sizeof *values));
  table[2] = 30;
  for (int i = 0; i < count; i++) {
    values[i] = i;
    wanted += i * (i % 4 == 2 ? 30 : i % 4 + 1);
  }
  add<<<4, 128>>>(values, count);
  CUDA(cudaDeviceSynchronize());
  REQUIRE(total == wanted);
  cudaPointerAttributes about;
  CUDA(cudaPointerGetAttributes(&about, values));
  REQUIRE(about.type == cudaMemoryTypeManaged && about.devicePointer == values);
  CUDA(cudaFree(values));
  printf("managed: right\n");
  return 0;
}
