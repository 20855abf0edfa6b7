// Monte Carlo with cuRAND's device functions.
#include <cstdio>
#include <curand_kernel.h>

__global__ void walk(unsigned long long seed, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed, i, 0, &state);
  float x = 0;
  for (int k = 0; k < 16; ++k) x += curand_uniform(&state) - 0.5f;
  out[i] = x;
}

int main() {
  float *out;
  cudaMalloc(&out, 256);
  walk<<<1, 64>>>(7, out);
}
