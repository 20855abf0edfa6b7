// Sum in one launch: the last block to finish adds the blocks' sums. Device variables hold state.
#include <cstdio>
#include <cuda.h>

__device__ unsigned int count = 0;
__device__ float result;
__shared__ bool isLast;

__device__ double atomicAddDouble(double *address, double val) {
  unsigned long long *word = (unsigned long long *)address, old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void sum(const float *in, volatile float *partial, double *exact, unsigned n) {
  __shared__ float s[128];
  float v = 0;
  for (unsigned i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128 * gridDim.x) v += in[i];
  s[threadIdx.x] = v;
  atomicAddDouble(exact, v);
  __syncthreads();
  for (int k = 64; k; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    unsigned int value = atomicInc(&count, gridDim.x);
    isLast = value == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; i++) total += partial[i];
    result = total;
    count = 0;
  }
}

int main() {
  float *in, *partial, host;
  double *exact;
  cudaMalloc(&in, 4000);
  cudaMalloc(&partial, 64);
  cudaMalloc(&exact, 8);
  sum<<<4, 128>>>(in, partial, exact, 1000);
  cudaMemcpyFromSymbol(&host, result, sizeof(host));
  printf("%f\n", host);
}
