// Cooperative groups: tiles, a reduction of the library, a barrier of the whole grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <iostream>

namespace cg = cooperative_groups;

__global__ void tileSums(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  int sum = cg::reduce(tile, in[i], cg::plus<int>());
  if (tile.thread_rank() == 0) out[i / 16] = sum;
}

__global__ void normalize(float *x, float *sums, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(&sums[0], sum);
  grid.sync();
  float total = sums[0];
  for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] /= total;
}

int main() {
  int n = 1024;
  float *x, *sums;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&sums, sizeof(float));
  for (int i = 0; i < n; i++) x[i] = 1;
  void *args[] = {&x, &sums, &n};
  cudaLaunchCooperativeKernel((void *)normalize, dim3(4), dim3(128), args, 0, nullptr);
  cudaDeviceSynchronize();
  std::cout << x[0] << std::endl;
  int *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  tileSums<<<1, 128>>>(in, out);
}
