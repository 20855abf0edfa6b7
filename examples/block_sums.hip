// The sum of each block's elements, as HIP programs have it: lanemap compiles and runs the kernel.
#include <hip/hip_runtime.h>

#include <iostream>
#include <vector>

#ifndef THREADS
#define THREADS 256
#endif

__global__ void __launch_bounds__(THREADS) block_sums(const float* in, float* out, unsigned size) {
  __shared__ float of_wave[THREADS / 64];
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int delta = warpSize / 2; delta > 0; delta /= 2) sum += __shfl_down(sum, delta);
  if (threadIdx.x % warpSize == 0) of_wave[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int wave = 1; wave < THREADS / 64; ++wave) sum += of_wave[wave];
    out[blockIdx.x] = sum;
  }
}

int main() {
  std::vector<float> ones(2048, 1.f), sums(4);
  float *in, *out;
  if (hipMalloc(&in, 8192) != hipSuccess || hipMalloc(&out, 16) != hipSuccess) return 1;
  (void)hipMemcpy(in, ones.data(), 8192, hipMemcpyHostToDevice);
  block_sums<<<4, THREADS>>>(in, out, 2048);
  (void)hipMemcpy(sums.data(), out, 16, hipMemcpyDeviceToHost);
  std::cout << sums[0] + sums[1] + sums[2] + sums[3] << std::endl;
}
