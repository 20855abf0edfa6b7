/* A separable filter of an image, rows and then columns, with a border in shared memory. */
#include "samples.h"

const int RADIUS = 3, TILE = 32;
__constant__ float taps[2 * RADIUS + 1];

template <bool COLUMNS>
__global__ void filter(const float *in, float *out, int width, int height) {
  __shared__ float line[TILE + 2 * RADIUS];
  int length = COLUMNS ? height : width, pitch = COLUMNS ? width : 1;
  const float *from = in + blockIdx.y * (COLUMNS ? 1 : width);
  int at = blockIdx.x * TILE + threadIdx.x;
  for (int i = threadIdx.x; i < TILE + 2 * RADIUS; i += TILE) {
    int source = static_cast<int>(blockIdx.x) * TILE + i - RADIUS;
    // broken: out-of-bounds: line[i] = from[source * pitch];
    line[i] = source >= 0 && source < length ? from[source * pitch] : 0;
  }
  __syncthreads(); // broken: order
  if (at >= length) return;
  float sum = 0;
  for (int i = 0; i <= 2 * RADIUS; i++) sum += taps[i] * line[threadIdx.x + i];
  out[blockIdx.y * (COLUMNS ? 1 : width) + at * pitch] = sum;
}

int main() {
  const int width = 70, height = 45;
  const float given[2 * RADIUS + 1] = {1, 2, 4, 8, 4, 2, 1};
  std::vector<float> image(width * height), rows(image.size());
  for (size_t i = 0; i < image.size(); i++) image[i] = static_cast<float>(i * 37 % 11);
  CUDA(cudaMemcpyToSymbol(taps, given, sizeof given));
  float *first = room_on_gpu<float>(image.size()), *second = room_on_gpu<float>(image.size());
  dim3 along_rows((width + TILE - 1) / TILE, height), along_columns((height + TILE - 1) / TILE, width);
  filter<false><<<along_rows, TILE>>>(on_gpu(image), first, width, height);
  filter<true><<<along_columns, TILE>>>(first, second, width, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int i = -RADIUS; i <= RADIUS; i++)
        if (x + i >= 0 && x + i < width)
          rows[y * width + x] += given[i + RADIUS] * image[y * width + x + i];
  std::vector<float> found = from_gpu(second, image.size());
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int i = -RADIUS; i <= RADIUS; i++)
        if (y + i >= 0 && y + i < height) sum += given[i + RADIUS] * rows[(y + i) * width + x];
      REQUIRE(found[y * width + x] == sum);
    }
  printf("separable: right\n");
  return 0;
}
