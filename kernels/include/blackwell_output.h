// An accumulator's way to C: tensor memory, registers, then either shared memory and TMA, or memory
// at once. A warp of the epilogue has 32 rows; it takes 128 bytes of a row of C at a time.
#pragma once
#include "blackwell.h"
#include "stmatrix.h"

constexpr int BOX_BYTES = 32 * 128;
// A thread's registers of a part of an accumulator that fills a box.
using Box = unsigned[BOX_COLUMNS];
// Elements of C in 16 bytes.
constexpr int UNIT = 16 / OUTPUT_BYTES;
// stmatrix takes 16-bit elements as the 16-lane shape 16x256b loads them, lanes 0 to 15 first.
constexpr bool STMATRIX = TMA_STORE && !OUTPUT_F32;
constexpr int HALF = STMATRIX ? BOX_COLUMNS / 2 : BOX_COLUMNS;

// The registers that a warp of a CTA of the pair loads at once: from its 32 lanes of tensor memory
// and BOX_COLUMNS columns of the accumulator.
struct Part {
  int cta, warp, box;
};

// Row and column (of the tile) of a register: tcgen05.ld says from which cell of tensor memory it
// comes, and tcgen05.mma which element of C lies there.
DEVICE constexpr int cell_lane(const Part &part, int lane, int i) {
  return 32 * part.warp + d_lane(lane, i % HALF, 0) + i / HALF * 16;
}
DEVICE constexpr int cell_column(const Part &part, int lane, int i) {
  return BOX_COLUMNS * part.box + d_column(lane, i % HALF, 0);
}
#if CLUSTER_M == 2
#define PLACE_OF_C(part, lane, i) part.cta, cell_lane(part, lane, i), cell_column(part, lane, i), 0
#else
#define PLACE_OF_C(part, lane, i) cell_lane(part, lane, i), cell_column(part, lane, i), 0
#endif
DEVICE constexpr int output_row(const Part &part, int lane, int i) {
  return sum_row(PLACE_OF_C(part, lane, i));
}
DEVICE constexpr int output_column(const Part &part, int lane, int i) {
  return sum_column(PLACE_OF_C(part, lane, i));
}

// First row and column of the box of C that holds a part.
DEVICE constexpr int box_row(const Part &part) { return output_row(part, 0, 0) & ~31; }
DEVICE constexpr int box_column(const Part &part) {
  return output_column(part, 0, 0) & ~(BOX_COLUMNS - 1);
}

DEVICE void load_box(Box &d, unsigned address) {
#if OUTPUT_F32
  tcgen05_ld_32x32b_x32(d, address);
#elif TMA_STORE
  tcgen05_ld_2x16x256b_x8(d, address);
#else
  tcgen05_ld_32x32b_x64(d, address);
#endif
}

// 16 bytes of a row of C, from the accumulator's registers at `first`.
DEVICE void pack_unit(unsigned (&unit)[4], const Box &d, int first) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    unit[i] = OUTPUT_F32 ? d[first + i]
                         : pack(__uint_as_float(d[first + 2 * i]),
                                __uint_as_float(d[first + 2 * i + 1]));
}

constexpr Part FIRST = {0, 0, 0};
DEVICE constexpr int first_row(int lane, int i) { return output_row(FIRST, lane, i); }
DEVICE constexpr int first_column(int lane, int i) { return output_column(FIRST, lane, i); }

// What a thread stores at once must lie in one row of C, column by column.
DEVICE constexpr bool units_are_rows() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < BOX_COLUMNS; ++i) {
      int first = STMATRIX ? i - i % 2 : i - i % UNIT;
      if (first_row(lane, i) != first_row(lane, first) ||
          first_column(lane, i) != first_column(lane, first) + i - first)
        return false;
    }
  return true;
}
static_assert(units_are_rows(), "tcgen05.ld does not give C's elements row by row");

// A part must fill a box: 32 rows, and 128 bytes of each.
DEVICE constexpr bool in_box(const Part &part, int lane, int i) {
  return (output_row(part, lane, i) & ~31) == box_row(part) &&
         (output_column(part, lane, i) & ~(BOX_COLUMNS - 1)) == box_column(part);
}
DEVICE constexpr bool parts_are_boxes() {
  for (int cta = 0; cta < CLUSTER_M; ++cta)
    for (int warp = 0; warp < 4; ++warp)
      for (int box = 0; box < TILE_N / BOX_COLUMNS; ++box) {
        Part part = {cta, warp, box};
        for (int lane = 0; lane < 32; ++lane)
          if (!in_box(part, lane, 0) || !in_box(part, lane, BOX_COLUMNS - 1)) return false;
        for (int i = 0; i < BOX_COLUMNS; ++i)
          if (!in_box(part, 0, i)) return false;
      }
  return true;
}
static_assert(parts_are_boxes(), "tcgen05.mma does not put a box of C where a warp loads it");

#if TMA_STORE && !OUTPUT_F32
static_assert(stmatrix_writes_rows(first_row, first_column),
              "stmatrix does not take D's registers row by row");
#endif

// Place of the unit of 16 bytes that begins with a register, in its box of shared memory.
DEVICE unsigned unit_in_box(const Part &part, int lane, int i) {
  return swizzled(output_row(part, lane, i) & 31,
                  (output_column(part, lane, i) & (BOX_COLUMNS - 1)) / UNIT);
}

DEVICE void write_box(unsigned box, const Box &d, const Part &part, int lane) {
#pragma unroll
  for (int i = 0; i < BOX_COLUMNS; i += STMATRIX ? 8 : 4) {
    unsigned unit[4];
    pack_unit(unit, d, i);
#if OUTPUT_F32
    store_unit(box + unit_in_box(part, lane, i), unit);
#elif TMA_STORE
    // The 8 elements that lane l's address receives are those of these lanes and registers.
    int from = chunk_lane(lane, 0), first = i + 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
    stmatrix_x4(box + unit_in_box(part, from, first), unit);
#endif
  }
}

// Writes a box that a TMA store of this warp may read: the newest one reads the other box, and those
// before have read this one.
DEVICE void fill_box(unsigned box, const Box &d, const Part &part, int lane) {
  if (lane == 0) tma_store_wait_read<1>();
  __syncwarp();
  write_box(box, d, part, lane);
  fence_proxy_async();
  __syncwarp();
}

// C as the form without TMA needs it.
struct Output {
  unsigned char *begin;
  unsigned long long row_bytes;
  unsigned rows, columns;
};

// Stores a part of the tile that begins at (row, column) of C; what lies outside is left out.
DEVICE void store_part(const Output &c, const Box &d, const Part &part,
                       unsigned row, unsigned column, int lane) {
#pragma unroll
  for (int i = 0; i < BOX_COLUMNS; i += UNIT) {
    unsigned to_row = row + output_row(part, lane, i), unit[4];
    unsigned to_column = column + output_column(part, lane, i);
    pack_unit(unit, d, i);
    unsigned char *to = c.begin + to_row * c.row_bytes + to_column * OUTPUT_BYTES;
    if (to_row < c.rows && to_column < c.columns)
      asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
                   ::"l"(to), "r"(unit[0]), "r"(unit[1]), "r"(unit[2]), "r"(unit[3]) : "memory");
  }
}
