// A thread block cluster that adds histograms through distributed shared memory.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) clusterHistogram(int *bins, const int *in, int n, int per) {
  extern __shared__ int local[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < per; i += blockDim.x) local[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < n; i += blockDim.x * gridDim.x) {
    int bin = in[i];
    int *there = cluster.map_shared_rank(local, bin / per);
    atomicAdd(there + bin % per, 1);
  }
  cluster.sync();
  int *mine = bins + cluster.block_rank() * per;
  for (int i = threadIdx.x; i < per; i += blockDim.x) atomicAdd(&mine[i], local[i]);
}

int main() {
  int *bins, *in;
  cudaMalloc(&bins, 64 * sizeof(int));
  cudaMalloc(&in, 1000 * sizeof(int));
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 128;
  config.dynamicSmemBytes = 32 * sizeof(int);
  cudaLaunchKernelEx(&config, clusterHistogram, bins, (const int *)in, 1000, 32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
