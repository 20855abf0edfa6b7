// A tile of several warps, which cooperative groups keep in shared memory of the system.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tileMaxima(const int *in, int *out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  int most = cg::reduce(tile, in[blockIdx.x * 256 + block.thread_rank()], cg::greater<int>());
  if (tile.thread_rank() == 0) out[blockIdx.x * 4 + tile.meta_group_rank()] = most;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 2048);
  cudaMalloc(&out, 32);
  tileMaxima<<<2, 256>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
