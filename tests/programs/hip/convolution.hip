// A mask in constant memory, written by hipMemcpyToSymbol, and a device counter.
#include <hip/hip_runtime.h>
#include <algorithm>
#include <iostream>
#include <memory>

constexpr int mask_width = 5;
__constant__ float d_mask[mask_width * mask_width];
__device__ unsigned int pixels;

template <size_t MaskWidth>
__global__ void convolution(const float* input, float* output, const uint2 size) {
  const size_t x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  const size_t padded = size.x + (MaskWidth / 2) * 2;
  if (x >= size.x || y >= size.y) return;
  float sum = 0.0f;
  for (size_t i = 0; i < MaskWidth; ++i)
    for (size_t j = 0; j < MaskWidth; ++j)
      sum += input[(y + i) * padded + x + j] * d_mask[i * MaskWidth + j];
  output[y * size.x + x] = sum;
  atomicAdd(&pixels, 1u);
}

int main() {
  float mask[mask_width * mask_width] = {};
  hipMemcpyToSymbol(HIP_SYMBOL(d_mask), mask, sizeof(mask));
  float *in = nullptr, *out = nullptr;
  convolution<mask_width><<<dim3(4, 4), dim3(8, 8)>>>(in, out, uint2{32, 32});
  hipMemcpyFromSymbol(mask, HIP_SYMBOL(pixels), sizeof(unsigned int));
}
