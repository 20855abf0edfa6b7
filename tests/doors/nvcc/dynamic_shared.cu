/* More shared memory than a kernel gets unasked. */
#include "samples.h"

__global__ void reverse(const int *in, int *out, int count) {
  extern __shared__ int kept[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) kept[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = kept[count - 1 - i];
}

int main() {
  const int count = 25000, size = count * sizeof(int);
  cudaFuncAttributes about;
  cudaDeviceProp gpu;
  std::vector<int> values(count);
  for (int i = 0; i < count; i++) values[i] = i;
  int *out = room_on_gpu<int>(count);
  CUDA(cudaGetDeviceProperties(&gpu, 0));
  REQUIRE(gpu.sharedMemPerBlockOptin >= size && gpu.sharedMemPerBlock == 48 << 10);
  reverse<<<1, 256, size>>>(on_gpu(values), out, count);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue); // it was not asked for
  CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, size));
  CUDA(cudaFuncGetAttributes(&about, reverse));
  REQUIRE(about.maxDynamicSharedSizeBytes == size && about.sharedSizeBytes == 0);
  // broken: out-of-bounds: reverse<<<1, 256, size - 64>>>(on_gpu(values), out, count);
  reverse<<<1, 256, size>>>(on_gpu(values), out, count);
  std::vector<int> found = from_gpu(out, count);
  for (int i = 0; i < count; i++) REQUIRE(found[i] == count - 1 - i);
  printf("dynamic_shared: right\n");
  return 0;
}
