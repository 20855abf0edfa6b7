// Accumulators in tensor memory that take turns, each with two mbarriers. A source defines before:
// ACCUMULATORS, how many there are; TILE_N, the columns of one; ACCUMULATOR_BARRIERS, the offset of
// their mbarriers in shared memory.
#pragma once

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
