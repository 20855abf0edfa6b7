// How elements of an accumulator become 16-byte units of rows of C in a box of shared memory, for
// every target: rounding, stmatrix and the 128-byte swizzle. The maps are those of layouts.h.
#pragma once
#include "async.h"
#include "layouts.h"

// A box has 128 bytes of each row.
constexpr int OUTPUT_BYTES = OUTPUT_F32 ? 4 : 2;
constexpr int BOX_COLUMNS = 128 / OUTPUT_BYTES;

// Two elements of the 16-bit type of the output; `low` has the lower column.
DEVICE unsigned pack(float low, float high) {
  unsigned both;
#if OUTPUT_F16
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#else
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#endif
  return both;
}

DEVICE void stmatrix_x4(unsigned address, const unsigned (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}

// Place of a 16-byte unit of a row of 128 bytes in a box with the 128-byte swizzle.
DEVICE unsigned swizzled(int line, int unit) {
  return (line & ~7) * 128 + swizzle_line(line & 7, unit, 0, 0) * 128 +
         swizzle_unit(line & 7, unit, 0, 0) * 16;
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
