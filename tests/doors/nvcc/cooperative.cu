/* One launch that meets twice: all CTAs that are resident synchronize. */
#include "samples.h"

namespace cg = cooperative_groups;

__global__ void normalize(float *values, float *sums, int count) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size()) mine += values[i];
  for (int step = 16; step; step /= 2) mine += warp.shfl_down(mine, step);
  if (!warp.thread_rank()) sums[grid.thread_rank() / 32] = mine;
  grid.sync(); // broken: order
  float whole = 0;
  for (unsigned long long i = 0; i < grid.size() / 32; i++) whole += sums[i];
  for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size()) values[i] /= whole;
}

int main() {
  int blocks, count = 4096, threads = 64, cooperative;
  CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, normalize, threads, 0));
  REQUIRE(cooperative && blocks >= 1);
  float *values = on_gpu(std::vector<float>(count, 2.0f));
  float *sums = room_on_gpu<float>(8 * threads / 32);
  void *given[] = {&values, &sums, &count};
  CUDA(cudaLaunchCooperativeKernel(normalize, dim3(8), dim3(threads), given));
  for (float each : from_gpu(values, count)) REQUIRE(each == 1.0f / 4096);
  printf("cooperative: right\n");
  return 0;
}
