/* A convolution whose weights are constant memory, and variables that the host reads and writes. */
#include "samples.h"

const int RADIUS = 2;
__constant__ float weights[2 * RADIUS + 1];
__constant__ int offsets[4] = {1, 2, 3, 4};
__device__ unsigned runs;
__device__ float scales[2] = {2.0f, 3.0f};

__global__ void convolve(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!i) runs++;
  if (i >= count) return;
  float sum = static_cast<float>(offsets[i % 4]);
  for (int j = -RADIUS; j <= RADIUS; j++)
    // broken: out-of-bounds: if (i + j >= 0) sum += in[i + j] * weights[j + RADIUS];
    if (i + j >= 0 && i + j < count) sum += in[i + j] * weights[j + RADIUS];
  out[i] = sum * scales[1];
}

int main() {
  const int count = 300;
  const float given[] = {1, 2, 3, 2, 1}, scale = 0.5f;
  std::vector<float> in(count);
  for (int i = 0; i < count; i++) in[i] = static_cast<float>(i % 10);
  float *out = room_on_gpu<float>(count);
  size_t size;
  void *address;
  CUDA(cudaMemcpyToSymbol(weights, given, sizeof given));
  CUDA(cudaMemcpyToSymbol(scales, &scale, sizeof scale, sizeof scale));
  CUDA(cudaGetSymbolSize(&size, weights));
  CUDA(cudaGetSymbolAddress(&address, runs));
  REQUIRE(size == sizeof given && address);
  CUDA(cudaMemset(address, 0, sizeof runs));
  convolve<<<3, 128>>>(on_gpu(in), out, count);
  unsigned found_runs;
  CUDA(cudaMemcpyFromSymbol(&found_runs, runs, sizeof found_runs));
  REQUIRE(found_runs == 1);
  std::vector<float> found = from_gpu(out, count);
  for (int i = 0; i < count; i++) {
    float sum = static_cast<float>(i % 4 + 1);
    for (int j = -RADIUS; j <= RADIUS; j++)
      if (i + j >= 0 && i + j < count) sum += in[i + j] * given[j + RADIUS];
    REQUIRE(found[i] == sum * scale);
  }
  REQUIRE(cudaMemcpyToSymbol(weights, given, sizeof given, 4) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  printf("constants: right\n");
  return 0;
}
