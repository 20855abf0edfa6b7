// Softmax of rows of bfloat16, two elements at a time.
#include <cfloat>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <torch_like.h>

__inline__ __device__ float blockMax(float v) {
  static __shared__ float shared[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
  for (int mask = 16; mask; mask >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, mask, 32));
  if (!lane) shared[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? shared[lane] : -FLT_MAX;
#pragma unroll
  for (int mask = 16; mask; mask >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, mask, 32));
  __syncthreads();
  return v;
}

__inline__ __device__ float blockAdd(float v) {
  static __shared__ float shared[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int mask = 16; mask; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask, 32);
  if (!lane) shared[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? shared[lane] : 0.f;
  for (int mask = 16; mask; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask, 32);
  return v;
}

template <typename scalar_t, typename scalar2_t>
__global__ void softmax_kernel(const scalar_t *__restrict__ in, scalar_t *__restrict__ out, int cols) {
  const scalar2_t *row = reinterpret_cast<const scalar2_t *>(in + blockIdx.x * (size_t)cols);
  scalar2_t *to = reinterpret_cast<scalar2_t *>(out + blockIdx.x * (size_t)cols);
  float most = -FLT_MAX, sum = 0.f;
  for (int i = threadIdx.x; i < cols / 2; i += blockDim.x) {
    float2 v = __bfloat1622float2(row[i]);
    most = fmaxf(most, fmaxf(v.x, v.y));
  }
  most = blockMax(most);
  for (int i = threadIdx.x; i < cols / 2; i += blockDim.x) {
    float2 v = __bfloat1622float2(row[i]);
    sum += __expf(v.x - most) + __expf(v.y - most);
  }
  sum = 1.f / blockAdd(sum);
  for (int i = threadIdx.x; i < cols / 2; i += blockDim.x) {
    float2 v = __bfloat1622float2(row[i]);
    to[i] = __floats2bfloat162_rn(__expf(v.x - most) * sum, __expf(v.y - most) * sum);
  }
}

void softmax(const void *in, void *out, int rows, int cols, cudaStream_t stream) {
  softmax_kernel<__nv_bfloat16, __nv_bfloat162><<<rows, SOFTMAX_THREADS, 0, stream>>>(
      static_cast<const __nv_bfloat16 *>(in), static_cast<__nv_bfloat16 *>(out), cols);
}
