// Units of rows (output.h) that stmatrix writes, eight at once. The map is that of layouts.h.
#pragma once
#include "output.h"

DEVICE void stmatrix_x4(unsigned address, const unsigned (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}

// stmatrix writes 8 elements of a row of C at an address: its map and that of the accumulator's
// registers, `row(lane, i)` and `column(lane, i)`, must say so together.
template <typename Row, typename Column>
DEVICE constexpr bool stmatrix_writes_rows(Row row, Column column) {
  for (int lane = 0; lane < 32; ++lane)
    for (int half = 0; half < 8; ++half) {
      int from = chunk_lane(lane, half), i = 2 * chunk_reg(lane, half) + chunk_half(lane, half);
      int first = chunk_lane(lane, 0), j = 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
      if (row(from, i) != row(first, j) || column(from, i) != column(first, j) + half) return false;
    }
  return true;
}
