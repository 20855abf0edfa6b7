/* A histogram whose bins are divided among the CTAs of a cluster, by distributed shared memory. */
#include "samples.h"

namespace cg = cooperative_groups;
const int BINS = 64, CTAS = 4, OF_CTA = BINS / CTAS;

__global__ void histogram(const unsigned char *values, int count, int *bins) {
  __shared__ int own[OF_CTA];
  cg::cluster_group cluster = cg::this_cluster();
  int rank = static_cast<int>(cluster.block_rank());
  for (int i = threadIdx.x; i < OF_CTA; i += blockDim.x) own[i] = 0;
  cluster.sync(); // broken: order
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < count; i += gridDim.x * blockDim.x) {
    int bin = values[i] % BINS;
    atomicAdd(cluster.map_shared_rank(own, bin / OF_CTA) + bin % OF_CTA, 1);
  }
  cluster.sync(); // broken: ended-cta
  for (int i = threadIdx.x; i < OF_CTA; i += blockDim.x)
    atomicAdd(&bins[rank * OF_CTA + i], own[i]);
}

int main() {
  const int count = 3000;
  std::vector<unsigned char> values(count);
  std::vector<int> wanted(BINS, 0);
  for (int i = 0; i < count; i++) wanted[(values[i] = i * i % 251) % BINS]++;
  int *bins = on_gpu(std::vector<int>(BINS, 0));
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = CTAS, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.gridDim = 2 * CTAS, config.blockDim = 64;
  config.attrs = &attribute, config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, histogram, (const unsigned char *)on_gpu(values), count, bins));
  REQUIRE(from_gpu(bins, BINS) == wanted);
  config.gridDim = 2 * CTAS + 1; // no whole number of clusters
  cudaError_t status =
      cudaLaunchKernelEx(&config, histogram, (const unsigned char *)on_gpu(values), count, bins);
  REQUIRE(status != cudaSuccess && cudaGetLastError() == status);
  printf("cluster: right\n");
  return 0;
}
