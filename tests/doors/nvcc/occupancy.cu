/* The size of a block by what the GPU can hold. */
#include "samples.h"

__global__ void double_each(int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: out-of-bounds: values[i] *= 2;
  if (i < count) values[i] *= 2;
}

int main() {
  const int count = 3000;
  int least, threads, blocks;
  cudaDeviceProp gpu;
  CUDA(cudaGetDeviceProperties(&gpu, 0));
  REQUIRE(gpu.major >= 9 && gpu.warpSize == 32 && gpu.multiProcessorCount > 0);
  CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &threads, double_each, 0, 0));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, double_each, threads, 0));
  REQUIRE(blocks * threads == gpu.maxThreadsPerMultiProcessor);
  REQUIRE(least == blocks * gpu.multiProcessorCount);
  std::vector<int> values(count, 21);
  int *on = on_gpu(values);
  double_each<<<(count + threads - 1) / threads, threads>>>(on, count);
  for (int each : from_gpu(on, count)) REQUIRE(each == 42);
  printf("occupancy: right\n");
  return 0;
}
