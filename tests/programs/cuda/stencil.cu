// A one-dimensional stencil whose coefficients lie in constant memory.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

#define RADIUS 4
#define BLOCK 128

__constant__ float c_coef[RADIUS + 1];

__global__ void stencil_1d(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[BLOCK + 2 * RADIUS];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + RADIUS;
  s[l] = g < n ? in[g] : 0.f;
  if (threadIdx.x < RADIUS) {
    s[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0.f;
    s[l + BLOCK] = g + BLOCK < n ? in[g + BLOCK] : 0.f;
  }
  __syncthreads();
  if (g >= n) return;
  float sum = c_coef[0] * s[l];
#pragma unroll
  for (int i = 1; i <= RADIUS; i++) sum += c_coef[i] * (s[l - i] + s[l + i]);
  out[g] = sum;
}

int main() {
  float coef[RADIUS + 1] = {-2.847222f, 1.6f, -0.2f, 0.0254f, -0.00178f};
  cudaMemcpyToSymbol(c_coef, coef, sizeof(coef));
  int n = 1000;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  std::fill(in, in + n, 1.f);
  stencil_1d<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%g\n", out[n / 2]);
}
