// Transpose with dynamic LDS, in the two ways that HIP writes it.
#include <hip/hip_runtime.h>
#include <assert.h>
#define WIDTH 64
#define THREADS_PER_BLOCK_X 8

__global__ void transpose_static(float* out, const float* in, const int width) {
  __shared__ float tile[THREADS_PER_BLOCK_X][THREADS_PER_BLOCK_X + 1];
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[x * width + y] = tile[threadIdx.y][threadIdx.x];
}

__global__ void transpose_dynamic(float* out, const float* in, const int width) {
  HIP_DYNAMIC_SHARED(float, tile)
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  tile[threadIdx.y * blockDim.x + threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[x * width + y] = tile[threadIdx.y * blockDim.x + threadIdx.x];
}

int main() {
  hipDeviceProp_t props;
  hipGetDeviceProperties(&props, 0);
  float *a = nullptr, *b = nullptr;
  hipLaunchKernelGGL(transpose_static, dim3(8, 8), dim3(8, 8), 0, 0, a, b, WIDTH);
  hipLaunchKernelGGL(transpose_dynamic, dim3(8, 8), dim3(8, 8), sizeof(float) * 64, 0, a, b, WIDTH);
}
