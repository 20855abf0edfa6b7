// Accumulators in tensor memory that take turns, each with two mbarriers: their sums over k, and
// their way to C. A source defines before: ACCUMULATORS, how many there are; TILE_N, the columns of
// one; ACCUMULATOR_BARRIERS, the offset of their mbarriers in shared memory.
#pragma once
#include "blackwell_output.h"

// The accumulator that comes next, and the parity of the phase that makes it full.
struct Accumulator {
  unsigned base, columns, index, parity;
  __device__ __forceinline__ unsigned address() const { return columns + index * TILE_N; }
  __device__ __forceinline__ unsigned full() const {
    return base + ACCUMULATOR_BARRIERS + index * 16;
  }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++index == ACCUMULATORS) index = 0, parity ^= 1;
  }
};

// Four warps of each CTA release an accumulator.
DEVICE void init_accumulators(unsigned base) {
  for (unsigned i = 0; i < ACCUMULATORS; ++i) {
    Accumulator sum = {base, 0, i, 0};
    mbarrier_init(sum.full(), 1);
    mbarrier_init(sum.empty(), 4 * CLUSTER_M);
  }
}

// Sums up a tile; `multiply(d, pipe, add)` issues the products of a stage.
template <typename Pipe, typename Multiply>
DEVICE void accumulate(Pipe &pipe, Accumulator &sum, unsigned k_blocks, Multiply multiply) {
  mbarrier_wait(sum.empty(), sum.parity ^ 1);
  tcgen05_fence_after_thread_sync();
  for (unsigned block = 0; block < k_blocks; ++block) {
    mbarrier_wait(pipe.full(), pipe.parity);
    multiply(sum.address(), pipe, block > 0);
    mma_commit(pipe.empty());
    pipe.advance();
  }
  mma_commit(sum.full());
  sum.advance();
}

// Takes a warp's 32 lanes of an accumulator to registers, a box at a time, and releases it when all
// are there. `store(d, part, turn)` takes them on; a warp's two boxes take turns, from tile to tile
// too. A source that keeps parts in registers unrolls the loop.
template <int unrolled = 1, typename Store>
DEVICE void finish(Accumulator &sum, unsigned cta, unsigned warp, unsigned lane, Store store) {
  mbarrier_wait(sum.full(), sum.parity);
  tcgen05_fence_after_thread_sync();
#pragma unroll unrolled
  for (unsigned i = 0; i < TILE_N / BOX_COLUMNS; ++i) {
    unsigned d[BOX_COLUMNS];
    load_box(d, sum.address() + i * BOX_COLUMNS + (32 * warp << 16));
    tcgen05_wait_ld(d);
    if (i + 1 == TILE_N / BOX_COLUMNS) {
      // All is in registers: the next sum may begin.
      tcgen05_fence_before_thread_sync();
      __syncwarp();
      if (lane == 0) mbarrier_arrive(sum.empty(), 0);
    }
    store(d, Part{int(cta), int(warp), int(i)}, (sum.index * (TILE_N / BOX_COLUMNS) + i) % 2);
  }
  sum.advance();
}
