// Prefix sums: CUB's block scan in a kernel of our own, and its device-wide scan beside it.
#include <cub/cub.cuh>
#include <iostream>
#include <numeric>
#include <vector>

template <int THREADS, int ITEMS>
__global__ void blockScan(const int *in, int *out, int *total) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, THREADS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } shared;
  int items[ITEMS], sum;
  Load(shared.load).Load(in, items);
  __syncthreads();
  Scan(shared.scan).ExclusiveSum(items, items, sum);
  __syncthreads();
  Store(shared.store).Store(out, items);
  if (threadIdx.x == 0) *total = sum;
}

int main() {
  const int n = 128 * 4;
  std::vector<int> host(n);
  std::iota(host.begin(), host.end(), 0);
  int *in, *out, *total;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  blockScan<128, 4><<<1, 128>>>(in, out, total);
  void *storage = nullptr;
  size_t bytes = 0;
  cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
  cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::cout << host.back() << std::endl;
}
