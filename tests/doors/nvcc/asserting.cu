/* Assertions that hold in a kernel. */
#include "samples.h"

__global__ void check(const int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: rule: assert(i < count);
  assert(i >= 0);
  if (i < count) assert(values[i] == 2 * i);
}

int main() {
  const int count = 100;
  std::vector<int> values(count);
  for (int i = 0; i < count; i++) values[i] = 2 * i;
  check<<<2, 64>>>(on_gpu(values), count);
  cudaError_t status = cudaDeviceSynchronize();
  REQUIRE(status == cudaSuccess || status == cudaErrorAssert);
  printf("asserting: right\n");
  return 0;
}
