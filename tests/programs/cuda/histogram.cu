// Histogram of bytes: a private copy for each block in shared memory, then atomics on the result.
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <random>

#define BINS 256

__global__ void histogram(const uint8_t *__restrict__ data, unsigned int *__restrict__ bins,
                          unsigned int n) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  const uint32_t *words = reinterpret_cast<const uint32_t *>(data);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4;
       i += gridDim.x * blockDim.x) {
    uint32_t word = words[i];
    atomicAdd(&local[word & 0xff], 1u);
    atomicAdd(&local[(word >> 8) & 0xff], 1u);
    atomicAdd(&local[(word >> 16) & 0xff], 1u);
    atomicAdd(&local[word >> 24], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main() {
  const unsigned int n = 1 << 16;
  std::unique_ptr<uint8_t[]> data(new uint8_t[n]);
  std::mt19937 engine(42);
  for (unsigned int i = 0; i < n; i++) data[i] = engine() & 0xff;
  uint8_t *d_data;
  unsigned int *d_bins, bins[BINS];
  cudaMalloc((void **)&d_data, n);
  cudaMalloc((void **)&d_bins, sizeof(bins));
  cudaMemset(d_bins, 0, sizeof(bins));
  cudaMemcpy(d_data, data.get(), n, cudaMemcpyHostToDevice);
  histogram<<<4, 256>>>(d_data, d_bins, n);
  cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
  std::cout << bins[0] << '\n';
  return 0;
}
