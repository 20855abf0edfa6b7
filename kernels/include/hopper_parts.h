// Products of a stage with both operands in shared memory, of a whole tile or of PART_N of its columns.
#pragma once
#include "hopper_gemm.h"

#if A_TRANSPOSED
#define WGMMA wgmma_ss_transposed
#else
#define WGMMA wgmma_ss
#endif

#if A_TRANSPOSED || B_TRANSPOSED
// Descriptor of an operand whose rows are adjacent, in boxes of 64 rows x TILE_K: to the next box
// (LBO), and to the next 8 k (SBO).
DEVICE unsigned long long transposed_descriptor(unsigned address) {
  unsigned long long box = TILE_K * 128, eight = adjacent_byte(0, 8, 0) - adjacent_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | box >> 4 << 16 | eight >> 4 << 32 | 1ull << 62;
}
#endif

// Descriptor of an operand in a stage, and what a step of `elements` along k adds to it.
template <bool transposed>
DEVICE unsigned long long descriptor(unsigned address) {
#if A_TRANSPOSED || B_TRANSPOSED
  if constexpr (transposed) return transposed_descriptor(address);
#endif
  return operand_descriptor(address);
}

template <bool transposed>
DEVICE unsigned long long step_along_k(int elements) {
#if A_TRANSPOSED || B_TRANSPOSED
  if constexpr (transposed)
    return elements / 8 * (adjacent_byte(0, 8, 0) - adjacent_byte(0, 0, 0)) >> 4;
#endif
  return descriptor_step(elements);
}

// Waits for a stage; returns the descriptor of the consumer's rows of A.
DEVICE unsigned long long wait_for_rows(const Pipeline &pipe, unsigned consumer) {
  mbarrier_wait(pipe.full(), pipe.parity);
  return descriptor<A_TRANSPOSED>(pipe.a() + consumer * ROWS * 128);
}

// Begins D = A @ B.T of a stage, or D += with `add`.
template <int registers>
DEVICE void multiply(float (&d)[BLOCKS][registers], unsigned long long a, unsigned long long b,
                     bool add) {
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step) {
    unsigned long long a_step = step_along_k<A_TRANSPOSED>(step * STEP);
    unsigned long long b_step = step_along_k<B_TRANSPOSED>(step * STEP);
#pragma unroll
    for (int i = 0; i < BLOCKS; ++i)
      WGMMA(d[i], a + i * descriptor_block() + a_step, b + b_step, add || step > 0);
  }
  wgmma_commit();
}

#if TWO_LEVEL
constexpr int PARTS = TILE_N / PART_N, PART_REGISTERS = PART_N / 2;

// Registers of a part must be those of the tile, PART_N columns further.
DEVICE constexpr bool parts_are_those_of_the_tile() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < PARTS * PART_REGISTERS; ++i) {
      int in_part = i % PART_REGISTERS, first = i / PART_REGISTERS * PART_N;
      if (d_row(0, lane, i, 0) != part_row(0, lane, in_part, 0) ||
          d_column(0, lane, i, 0) != part_column(0, lane, in_part, 0) + first)
        return false;
    }
  return true;
}
static_assert(parts_are_those_of_the_tile(), "D of fewer columns does not begin as that of more");
#endif
