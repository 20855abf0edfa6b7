// The Mandelbrot set with a complex class, colors as uchar4, written to a picture.
#include <cuComplex.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

template <int LIMIT>
__device__ int iterations(cuFloatComplex c) {
  cuFloatComplex z = make_cuFloatComplex(0, 0);
  int k = 0;
  while (k < LIMIT && cuCrealf(z) * cuCrealf(z) + cuCimagf(z) * cuCimagf(z) < 4.0f) {
    z = cuCaddf(cuCmulf(z, z), c);
    ++k;
  }
  return k;
}

__global__ void mandelbrot(uchar4 *image, int width, int height, float2 low, float2 high) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  cuFloatComplex c = make_cuFloatComplex(low.x + x * (high.x - low.x) / width,
                                         low.y + y * (high.y - low.y) / height);
  unsigned char k = iterations<64>(c);
  image[y * width + x] = make_uchar4(k, k * 2, 255 - k, 255);
}

int main() {
  const int width = 64, height = 48;
  uchar4 *image;
  cudaMallocManaged(&image, width * height * sizeof(uchar4));
  mandelbrot<<<dim3(4, 3), dim3(16, 16)>>>(image, width, height, {-2.f, -1.f}, {1.f, 1.f});
  cudaDeviceSynchronize();
  std::ofstream file("out.ppm");
  std::ostringstream header;
  header << "P3\n" << width << " " << height << "\n255\n";
  file << header.str();
}
