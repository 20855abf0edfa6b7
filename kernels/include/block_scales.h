// Scales of FP8 matrices: one f32 for 128 elements of a row of A, and for 128 x 128 of B.
#pragma once
#include "async.h"

// Strides count f32: of rows of A or blocks of rows of B, and of blocks of 128 of k.
struct Scales {
  const float *a, *b;
  unsigned a_row, a_block, b_row, b_block;
  // Rows of A, and blocks of rows of B. What lies outside has any scale: its products are not stored.
  unsigned rows, column_blocks;
  __device__ __forceinline__ float of_a(unsigned row, unsigned block) const {
    unsigned long long at = min(row, rows - 1);
    return __ldg(a + at * a_row + static_cast<unsigned long long>(block) * a_block);
  }
  __device__ __forceinline__ float of_b(unsigned column, unsigned block) const {
    unsigned long long at = min(column / 128, column_blocks - 1);
    return __ldg(b + at * b_row + static_cast<unsigned long long>(block) * b_block);
  }
};
