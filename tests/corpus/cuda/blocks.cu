// Ours; what it includes is CUB, libcu++ and cooperative groups, as nvidia-cuda-cccl ships them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;
constexpr int THREADS = 128, ITEMS = 4, COUNT = THREADS * ITEMS;

template <class T> struct Tile {
  using Load = cub::BlockLoad<T, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<T, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
};

template <class T> __device__ void load(const T *x, T (&v)[ITEMS]) {
  __shared__ typename Tile<T>::Load::TempStorage storage;
  typename Tile<T>::Load(storage).Load(x, v);
  __syncthreads();
}

template <class T> __device__ void store(T *y, T (&v)[ITEMS]) {
  __shared__ typename Tile<T>::Store::TempStorage storage;
  typename Tile<T>::Store(storage).Store(y, v);
  __syncthreads();
}

extern "C" __global__ void radix_sort(const unsigned *x, unsigned *y) {
  using Sort = cub::BlockRadixSort<unsigned, THREADS, ITEMS>;
  __shared__ typename Sort::TempStorage storage;
  unsigned v[ITEMS];
  load(x + blockIdx.x * COUNT, v);
  Sort(storage).Sort(v);
  store(y + blockIdx.x * COUNT, v);
}

extern "C" __global__ void radix_sort_pairs(const float *x, float *keys, int *order) {
  using Sort = cub::BlockRadixSort<float, THREADS, ITEMS, int>;
  __shared__ typename Sort::TempStorage storage;
  float v[ITEMS];
  int at[ITEMS];
  load(x, v);
  for (int i = 0; i < ITEMS; i++) at[i] = threadIdx.x * ITEMS + i;
  Sort(storage).SortDescending(v, at);
  store(keys, v);
  store(order, at);
}

struct Less {
  __device__ bool operator()(const long long &a, const long long &b) const { return a < b; }
};

extern "C" __global__ void merge_sort(const long long *x, long long *y) {
  using Sort = cub::BlockMergeSort<long long, THREADS, ITEMS>;
  __shared__ typename Sort::TempStorage storage;
  long long v[ITEMS];
  for (int i = 0; i < ITEMS; i++) v[i] = x[threadIdx.x * ITEMS + i];
  Sort(storage).Sort(v, Less());
  for (int i = 0; i < ITEMS; i++) y[threadIdx.x * ITEMS + i] = v[i];
}

template <cub::BlockScanAlgorithm A> __device__ void scan(const int *x, int *y, int *total) {
  using Scan = cub::BlockScan<int, THREADS, A>;
  __shared__ typename Scan::TempStorage storage;
  int v[ITEMS], all;
  load(x, v);
  Scan(storage).ExclusiveSum(v, v, all);
  store(y, v);
  if (!threadIdx.x) *total = all;
}

extern "C" __global__ void scan_raking(const int *x, int *y, int *total) {
  scan<cub::BLOCK_SCAN_RAKING>(x, y, total);
}
extern "C" __global__ void scan_warps(const int *x, int *y, int *total) {
  scan<cub::BLOCK_SCAN_WARP_SCANS>(x, y, total);
}

template <cub::BlockReduceAlgorithm A> __device__ void reduce(const int *x, int *y) {
  using Reduce = cub::BlockReduce<int, THREADS, A>;
  __shared__ typename Reduce::TempStorage storage;
  int v[ITEMS];
  load(x, v);
  int sum = Reduce(storage).Sum(v);
  __syncthreads();
  int first = Reduce(storage).Sum(v[0], 100);  // of the first hundred threads
  if (!threadIdx.x) y[0] = sum, y[1] = first;
}

extern "C" __global__ void reduce_raking(const int *x, int *y) {
  reduce<cub::BLOCK_REDUCE_RAKING>(x, y);
}
extern "C" __global__ void reduce_warps(const int *x, int *y) {
  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, y);
}

extern "C" __global__ void histogram(const unsigned char *x, int *sorted, int *atomic) {
  using Sorted = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 256, cub::BLOCK_HISTO_SORT>;
  using Atomic = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ union {
    typename Sorted::TempStorage sorted;
    typename Atomic::TempStorage atomic;
  } storage;
  __shared__ int one[256], two[256];
  unsigned char v[ITEMS], w[ITEMS];
  for (int i = 0; i < ITEMS; i++) v[i] = w[i] = x[threadIdx.x * ITEMS + i];
  Sorted(storage.sorted).Histogram(v, one);
  __syncthreads();
  Atomic(storage.atomic).Histogram(w, two);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += THREADS) sorted[i] = one[i], atomic[i] = two[i];
}

struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};

extern "C" __global__ void neighbours(const int *x, int *heads, int *differences) {
  using Heads = cub::BlockDiscontinuity<int, THREADS>;
  using Difference = cub::BlockAdjacentDifference<int, THREADS>;
  __shared__ typename Heads::TempStorage one;
  __shared__ typename Difference::TempStorage two;
  int v[ITEMS], flags[ITEMS], minus[ITEMS];
  load(x, v);
  Heads(one).FlagHeads(flags, v, Differs());
  Difference(two).SubtractLeft(v, minus, Minus());
  store(heads, flags);
  store(differences, minus);
}

extern "C" __global__ void exchange(const int *x, int *y) {
  using Exchange = cub::BlockExchange<int, THREADS, ITEMS>;
  __shared__ typename Exchange::TempStorage storage;
  int v[ITEMS];
  for (int i = 0; i < ITEMS; i++) v[i] = x[threadIdx.x * ITEMS + i];
  Exchange(storage).BlockedToStriped(v, v);
  for (int i = 0; i < ITEMS; i++) y[threadIdx.x * ITEMS + i] = v[i];
}

struct Below {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

extern "C" __global__ void warps(const int *x, int *sums, int *largest, int *sorted) {
  using Scan = cub::WarpScan<int>;
  using Reduce = cub::WarpReduce<int, 16>;
  using Sort = cub::WarpMergeSort<int, 2>;
  __shared__ typename Scan::TempStorage one[THREADS / 32];
  __shared__ typename Reduce::TempStorage two[THREADS / 16];
  __shared__ typename Sort::TempStorage three[THREADS / 32];
  int t = threadIdx.x, v = x[t], sum, pair[2] = {x[2 * t], x[2 * t + 1]};
  Scan(one[t / 32]).InclusiveSum(v, sum);
  sums[t] = sum;
  int most = Reduce(two[t / 16]).Reduce(v, cuda::maximum<>{});
  if (t % 16 == 0) largest[t / 16] = most;
  Sort(three[t / 32]).Sort(pair, Below());
  sorted[2 * t] = pair[0], sorted[2 * t + 1] = pair[1];
}

extern "C" __global__ void groups(const int *x, int *tiles, int *scans, int *even, int *labels) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = x[block.thread_rank()];
  int sum = cg::reduce(tile, v, cg::plus<int>());
  if (tile.thread_rank() == 0) tiles[block.thread_rank() / 8] = sum;
  scans[block.thread_rank()] = cg::exclusive_scan(tile, v, cg::plus<int>());
  even[block.thread_rank()] = 0;
  if (v % 2 == 0) {
    auto active = cg::coalesced_threads();
    even[block.thread_rank()] = active.size() * 100 + active.thread_rank();
  }
  auto warp = cg::tiled_partition<32>(block);
  auto same = cg::labeled_partition(warp, v % 3);
  labels[block.thread_rank()] = cg::reduce(same, v, cg::greater<int>());
}

extern "C" __global__ void barrier(int *y, int *count) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int s[THREADS];
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    s[threadIdx.x] = threadIdx.x + round;
    b.arrive_and_wait();
    int v = s[THREADS - 1 - threadIdx.x];
    b.arrive_and_wait();
    y[round * THREADS + threadIdx.x] = v;
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> a(*count);
  a.fetch_add(1, cuda::memory_order_acq_rel);
}

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int *x, int n, int *y) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    int *to = cluster.map_shared_rank(s, (x[i] & 255) / 64);
    atomicAdd(to + x[i] % 64, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) y[cluster.block_rank() * 64 + i] = s[i];
}
