// Bilinear scaling of a picture through a texture object.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void rescale(cudaTextureObject_t image, float *out, int width, int height, float step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D<float>(image, x * step + 0.5f, y * step + 0.5f);
}

__global__ void untextured(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] *= 0.5f;
}

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 64, 64);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &description, nullptr);
  float *out;
  cudaMalloc(&out, 128 * 128 * sizeof(float));
  rescale<<<dim3(8, 8), dim3(16, 16)>>>(image, out, 128, 128, 0.5f);
  untextured<<<64, 256>>>(out, 128 * 128);
  cudaDestroyTextureObject(image);
}
