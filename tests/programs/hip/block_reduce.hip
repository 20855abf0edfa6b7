// Reduction over wavefronts of 64 and over the block, for several types.
#include <hip/hip_runtime.h>
#include <numeric>
#include <vector>

template <typename T, uint BlockSize>
__global__ __launch_bounds__(BlockSize) void block_reduce(const T* in, T* out, uint n) {
  __shared__ T partial[BlockSize / 64];
  T sum{};
  for (uint i = blockIdx.x * BlockSize + threadIdx.x; i < n; i += gridDim.x * BlockSize) sum += in[i];
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) sum += __shfl_down(sum, offset);
  const uint lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  if (lane == 0) partial[wave] = sum;
  __syncthreads();
  if (wave == 0) {
    sum = lane < BlockSize / 64 ? partial[lane] : T{};
    for (int offset = BlockSize / 128; offset > 0; offset >>= 1) sum += __shfl_down(sum, offset);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}

int main() {
  std::vector<double> v(100);
  std::iota(v.begin(), v.end(), 0.0);
  block_reduce<double, 256><<<4, 256>>>((double*)nullptr, (double*)nullptr, 100);
  block_reduce<int, 128><<<4, 128>>>((int*)nullptr, (int*)nullptr, 100);
}
