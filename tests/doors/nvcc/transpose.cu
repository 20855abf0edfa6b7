/* A transposed matrix, by tiles of padded shared memory and rows with a pitch. */
#include "samples.h"

const int TILE = 32, ROWS = 8;

__global__ void transpose(const float *in, size_t in_pitch, float *out, size_t out_pitch) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * in_pitch + x];
  __syncthreads(); // broken: order
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[(y + j) * out_pitch + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 96, height = 64, row = width * sizeof(float), column = height * sizeof(float);
  std::vector<float> values(width * height), found(width * height);
  for (size_t i = 0; i < values.size(); i++) values[i] = static_cast<float>(i);
  float *in, *out;
  size_t in_pitch, out_pitch;
  CUDA(cudaMallocPitch(&in, &in_pitch, row, height));
  CUDA(cudaMallocPitch(&out, &out_pitch, column, width));
  CUDA(cudaMemcpy2D(in, in_pitch, values.data(), row, row, height, cudaMemcpyHostToDevice));
  transpose<<<dim3(width / TILE, height / TILE), dim3(TILE, ROWS)>>>(
      in, in_pitch / sizeof *in, out, out_pitch / sizeof *out);
  CUDA(cudaMemcpy2D(found.data(), column, out, out_pitch, column, width, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) REQUIRE(found[x * height + y] == values[y * width + x]);
  printf("transpose: right\n");
  return 0;
}
