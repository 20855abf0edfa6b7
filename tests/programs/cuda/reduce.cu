// Sum of an array: a tree in shared memory, then shuffles, for each size of a block.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

template <typename T>
__device__ T warpSum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

template <unsigned blockSize, typename T>
__global__ void reduce(const T *in, T *out, size_t n) {
  __shared__ T partial[blockSize / 32];
  T sum = 0;
  for (size_t i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x)
    sum += in[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockSize / 32 ? partial[threadIdx.x] : T(0);
    sum = warpSum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 256, blocks = 4;
  const size_t n = 1 << 20;
  std::vector<float> host(n, 1.0f);
  float *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(float)));
  CHECK(cudaMalloc(&out, blocks * sizeof(float)));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  switch (threads) {
    case 512: reduce<512><<<blocks, 512>>>(in, out, n); break;
    case 256: reduce<256><<<blocks, 256>>>(in, out, n); break;
    case 128: reduce<128><<<blocks, 128>>>(in, out, n); break;
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%f\n", host[0] + host[1] + host[2] + host[3]);
  cudaFree(in);
  cudaFree(out);
}
