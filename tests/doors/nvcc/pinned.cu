/* Memory of the host that kernels reach without a copy. */
#include "samples.h"

__global__ void square(const int *in, int *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: out-of-bounds: if (i <= count) out[i] = in[i] * in[i];
  if (i < count) out[i] = in[i] * in[i];
}

int main() {
  const int count = 333;
  int *in, *out, *in_of_gpu, *out_of_gpu;
  unsigned flags;
  CUDA(cudaHostAlloc(&in, count * sizeof *in, cudaHostAllocMapped));
  CUDA(cudaHostAlloc(&out, count * sizeof *out, cudaHostAllocMapped | cudaHostAllocPortable));
  CUDA(cudaHostGetDevicePointer(&in_of_gpu, in, 0));
  CUDA(cudaHostGetDevicePointer(&out_of_gpu, out, 0));
  CUDA(cudaHostGetFlags(&flags, in));
  REQUIRE(flags & cudaHostAllocMapped);
  for (int i = 0; i < count; i++) in[i] = i;
  square<<<3, 128>>>(in_of_gpu, out_of_gpu, count);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < count; i++) REQUIRE(out[i] == i * i);
  cudaPointerAttributes about;
  CUDA(cudaPointerGetAttributes(&about, out));
  REQUIRE(about.type == cudaMemoryTypeHost && about.hostPointer == out);
  CUDA(cudaFreeHost(in));
  CUDA(cudaFreeHost(out));
  printf("pinned: right\n");
  return 0;
}
