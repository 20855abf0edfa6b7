// D goes to memory as columns of C, a warpgroup's 64 rows at a time.
// Its index arithmetic is that of layouts.h, where `chunk` is the map of stmatrix with .trans.
#pragma once
#include "hopper.h"
#include "named_barriers.h"

// stmatrix writes 8 elements of a column of D at an address.
DEVICE constexpr int own_row(int lane, int i) { return d_row(0, lane, i, 0); }
DEVICE constexpr int own_column(int lane, int i) { return d_column(0, lane, i, 0); }
static_assert(stmatrix_writes_rows(own_column, own_row),
              "stmatrix does not take D's registers column by column");

DEVICE void stmatrix_x4_trans(unsigned address, const unsigned (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
               ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}

// Writes a warp's 16 rows of `rows` columns of D from `first` on, as columns and rows of a box whose
// rows have the 64 rows of D. Columns are written by sixteens, of which the last ones may be zeros.
template <int rows, int count>
DEVICE void write_transposed(unsigned box, const float (&d)[count], int first, int warp, int lane) {
  int source = chunk_lane(lane, 0), part = 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
  int row = d_row(warp, source, part, 0), column = d_column(warp, source, part, 0);
#pragma unroll
  for (int i = 0; i < rows; i += 16) {
    unsigned r[4] = {0, 0, 0, 0};
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (i + j / 2 * 8 < rows)
        r[j] = pack(d[(first + i) / 2 + 2 * j], d[(first + i) / 2 + 2 * j + 1]);
    stmatrix_x4_trans(box + swizzled(i + column, row / 8), r);
  }
}
