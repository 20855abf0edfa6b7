/* Groups of threads that act together (HIP documentation, "Cooperative groups"): a block, and
 * tiles of a power of two of its threads, up to a wave. Groups of a whole grid are not here. */
#pragma once
#include <hip/hip_runtime.h>

namespace cooperative_groups {

/* Any of the groups below, passed by value. */
class thread_group {
 public:
  __device__ unsigned size() const { return threads_; }
  __device__ unsigned num_threads() const { return threads_; }
  __device__ unsigned thread_rank() const { return rank_; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const {
    if (of_wave_) __syncwarp();
    else __syncthreads();
  }

 protected:
  __device__ thread_group(unsigned threads, unsigned rank, bool of_wave)
      : threads_(threads), rank_(rank), of_wave_(of_wave) {}
  unsigned threads_, rank_;
  bool of_wave_;
};

__LANEMAP_DEVICE unsigned __lanemap_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

class thread_block : public thread_group {
 public:
  __device__ thread_block()
      : thread_group(blockDim.x * blockDim.y * blockDim.z, __lanemap_rank(), false) {}
  __device__ static void sync() { __syncthreads(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static dim3 group_dim() { return blockDim; }
};
__LANEMAP_DEVICE thread_block this_thread_block() { return thread_block(); }

/* N consecutive threads of a block, N a power of two up to a wave. */
template <unsigned N, class Parent = thread_block> class thread_block_tile : public thread_group {
  static_assert(N && !(N & (N - 1)) && N <= 64, "a tile has a power of two of threads, up to 64");

 public:
  __device__ thread_block_tile() : thread_group(N, __lanemap_rank() & (N - 1), true) {}
  __device__ static constexpr unsigned size() { return N; }
  __device__ static constexpr unsigned num_threads() { return N; }
  __device__ unsigned meta_group_rank() const { return __lanemap_rank() / N; }
  __device__ unsigned meta_group_size() const {
    return (blockDim.x * blockDim.y * blockDim.z + N - 1) / N;
  }
  __device__ void sync() const { __syncwarp(); }
  template <class T> __device__ T shfl(T x, int from) const { return __shfl(x, from, N); }
  template <class T> __device__ T shfl_up(T x, unsigned by) const { return __shfl_up(x, by, N); }
  template <class T> __device__ T shfl_down(T x, unsigned by) const {
    return __shfl_down(x, by, N);
  }
  template <class T> __device__ T shfl_xor(T x, unsigned mask) const {
    return __shfl_xor(x, (int)mask, N);
  }
  __device__ unsigned long long ballot(int predicate) const {
    return __ballot(predicate) >> (__lane_id() & ~(N - 1)) & (~0ull >> (64 - N));
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(!predicate) == 0; }
};
template <unsigned N, class Parent>
__LANEMAP_DEVICE thread_block_tile<N, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<N, Parent>();
}

template <class Group> __LANEMAP_DEVICE void sync(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
