/* Counts of bytes: bins of a CTA in shared memory, then added to those of the grid. */
#include "samples.h"

const int BINS = 256;

__global__ void count_bytes(const unsigned char *values, int count, unsigned *bins) {
  __shared__ unsigned own[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    // broken: order: own[values[i]]++;
    atomicAdd(&own[values[i]], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}

int main() {
  const int count = 10000;
  std::vector<unsigned char> values(count);
  std::vector<unsigned> wanted(BINS, 0);
  for (int i = 0; i < count; i++) wanted[values[i] = (i * 2654435761u) >> 24]++;
  unsigned *bins = room_on_gpu<unsigned>(BINS);
  CUDA(cudaMemset(bins, 0, BINS * sizeof *bins));
  count_bytes<<<8, 128>>>(on_gpu(values), count, bins);
  REQUIRE(from_gpu(bins, BINS) == wanted);
  printf("histogram: right\n");
  return 0;
}
