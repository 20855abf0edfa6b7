/* What a kernel prints. */
#include "samples.h"

__global__ void tell(const float *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) printf("thread %d of %s has %.2f and %lld\n", i, "tell", values[i], 1LL << 40);
}

int main() {
  const std::vector<float> values = {0.5f, 1.25f, -3.0f};
  float *on = on_gpu(values);
  // broken: out-of-bounds: tell<<<1, 32>>>(on, 4);
  tell<<<1, 32>>>(on, 3);
  CUDA(cudaDeviceSynchronize());
  printf("printing: right\n");
  return 0;
}
