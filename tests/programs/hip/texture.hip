// A texture object in one kernel, none in the other.
#include <hip/hip_runtime.h>
#include <vector>

__global__ void sample(hipTextureObject_t image, float* out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

__global__ void plain(float* out) { out[threadIdx.x] = 1; }

int main() {
  hipTextureObject_t image;
  hipResourceDesc resource{};
  hipTextureDesc description{};
  hipCreateTextureObject(&image, &resource, &description, nullptr);
  sample<<<64, 64>>>(image, nullptr, 64);
  plain<<<1, 64>>>(nullptr);
  hipDestroyTextureObject(image);
}
