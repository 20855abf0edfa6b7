// An accumulator's way to C: tensor memory, registers, then either shared memory and TMA, or memory
// at once. A warp of the epilogue has 32 rows; it takes 128 bytes of a row of C at a time.
#pragma once
#include "blackwell.h"
#include "output.h"

constexpr int BOX_BYTES = 32 * 128;
// Elements of C in 16 bytes.
constexpr int UNIT = 16 / OUTPUT_BYTES;
// stmatrix takes 16-bit elements as the 16-lane shape 16x256b loads them, lanes 0 to 15 first.
constexpr bool STMATRIX = TMA_STORE && !OUTPUT_F32;
constexpr int HALF = STMATRIX ? BOX_COLUMNS / 2 : BOX_COLUMNS;

// Row (of a warp's 32) and column (of a box) of an accumulator's register.
DEVICE constexpr int output_row(int lane, int i) { return d_lane(lane, i % HALF, 0) + i / HALF * 16; }
DEVICE constexpr int output_column(int lane, int i) { return d_column(lane, i % HALF, 0); }

DEVICE void load_box(unsigned (&d)[BOX_COLUMNS], unsigned address) {
#if OUTPUT_F32
  tcgen05_ld_32x32b_x32(d, address);
#elif TMA_STORE
  tcgen05_ld_2x16x256b_x8(d, address);
#else
  tcgen05_ld_32x32b_x64(d, address);
#endif
}

// 16 bytes of a row of C, from the accumulator's registers at `first`.
DEVICE void pack_unit(unsigned (&unit)[4], const unsigned (&d)[BOX_COLUMNS], int first) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    unit[i] = OUTPUT_F32 ? d[first + i]
                         : pack(__uint_as_float(d[first + 2 * i]),
                                __uint_as_float(d[first + 2 * i + 1]));
}

// What a thread stores at once must lie in one row of C, column by column.
DEVICE constexpr bool units_are_rows() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < BOX_COLUMNS; ++i) {
      int first = STMATRIX ? i - i % 2 : i - i % UNIT;
      if (output_row(lane, i) != output_row(lane, first) ||
          output_column(lane, i) != output_column(lane, first) + i - first)
        return false;
    }
  return true;
}
static_assert(units_are_rows(), "tcgen05.ld does not give C's elements row by row");

#if TMA_STORE && !OUTPUT_F32
static_assert(stmatrix_writes_rows(output_row, output_column),
              "stmatrix does not take D's registers row by row");
#endif

DEVICE void write_box(unsigned box, const unsigned (&d)[BOX_COLUMNS], int lane) {
#pragma unroll
  for (int i = 0; i < BOX_COLUMNS; i += STMATRIX ? 8 : 4) {
    unsigned unit[4];
    pack_unit(unit, d, i);
#if OUTPUT_F32
    unsigned to = box + swizzled(output_row(lane, i), output_column(lane, i) / UNIT);
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
                 ::"r"(to), "r"(unit[0]), "r"(unit[1]), "r"(unit[2]), "r"(unit[3]) : "memory");
#elif TMA_STORE
    // The 8 elements that lane l's address receives are those of these lanes and registers.
    int from = chunk_lane(lane, 0), part = i + 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
    stmatrix_x4(box + swizzled(output_row(from, part), output_column(from, part) / UNIT), unit);
#endif
  }
}

// C as the form without TMA needs it.
struct Output {
  unsigned char *begin;
  unsigned long long row_bytes;
  unsigned rows, columns;
};

// Stores a box whose first element is (row, column) of C; what lies outside is left out.
DEVICE void store_box(const Output &c, const unsigned (&d)[BOX_COLUMNS], unsigned row,
                      unsigned column, int lane) {
#pragma unroll
  for (int i = 0; i < BOX_COLUMNS; i += UNIT) {
    unsigned unit[4], to_row = row + output_row(lane, i), to_column = column + output_column(lane, i);
    pack_unit(unit, d, i);
    unsigned char *to = c.begin + to_row * c.row_bytes + to_column * OUTPUT_BYTES;
    if (to_row < c.rows && to_column < c.columns)
      asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
                   ::"l"(to), "r"(unit[0]), "r"(unit[1]), "r"(unit[2]), "r"(unit[3]) : "memory");
  }
}
