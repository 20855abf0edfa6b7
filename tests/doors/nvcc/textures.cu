/* Reads by a texture where the GPU has them; else by loads. */
#include "samples.h"

__global__ void by_texture(cudaTextureObject_t texture, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<float>(texture, i);
}

__global__ void by_loads(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) // broken: out-of-bounds
    out[i] = __ldg(&in[i]);
}

int main() {
  const int count = 200;
  std::vector<float> values(count);
  for (int i = 0; i < count; i++) values[i] = static_cast<float>(i);
  float *in = on_gpu(values), *out = room_on_gpu<float>(count);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = count * sizeof(float);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  cudaError_t status = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  REQUIRE(status == cudaSuccess || status == cudaErrorNotSupported);
  if (status) REQUIRE(cudaGetLastError() == status);
  if (status == cudaSuccess) by_texture<<<4, 64>>>(texture, out, count);
  else by_loads<<<4, 64>>>(in, out, count);
  REQUIRE(from_gpu(out, count) == values);
  printf("textures: right\n");
  return 0;
}
