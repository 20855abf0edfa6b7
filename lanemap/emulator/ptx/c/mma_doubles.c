/* Products of f64 by one warp, whose operands are read where they lie in registers.
 *
 * A register of a fragment is 8 x 4 doubles in the order of lanes: of A and C a line of rows, of B
 * one of columns. C has the even columns of 8 rows in one register and the odd ones in the next
 * (PTX ISA, Matrix fragments for mma.m16n8k16 with .f64), which is the order of columns here. */
#include "mma.h"
#include "sums.h"

typedef double Double4 __attribute__((ext_vector_type(4)));
enum {
  LANE_BYTES = 8,
  QUAD_BYTES = 4 * LANE_BYTES,
  REGISTER_BYTES = 2 * MAX_LANES * 4,
  MOST_DEPTH_OF_DOUBLES = 16
};

/* Columns 0, 2, 4, 6 or 1, 3, 5, 7 of four k from every other line of a register. */
static inline void take_columns(const u8 *lines, double *to) {
  Double4 x[4], low[2], high[2];
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 4; i++) x[i] =
      LOAD(Double4, lines + 2 * i * QUAD_BYTES);
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 2; i++) {
    low[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 4, 2, 6);
    high[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 1, 5, 3, 7);
  }
  STORE(to, (__builtin_shufflevector(low[0], low[1], 0, 1, 4, 5)));
  STORE(to + PANEL_LINES, (__builtin_shufflevector(high[0], high[1], 0, 1, 4, 5)));
  STORE(to + 2 * PANEL_LINES, (__builtin_shufflevector(low[0], low[1], 2, 3, 6, 7)));
  STORE(to + 3 * PANEL_LINES, (__builtin_shufflevector(high[0], high[1], 2, 3, 6, 7)));
}

/* Where row `row` of A has its element k. */
static inline const u8 *element_of(const u8 *a, u32 halves, u32 row, u32 k) {
  return a + (k / 4 * halves + row / 8) * REGISTER_BYTES + row % 8 * QUAD_BYTES +
         k % 4 * LANE_BYTES;
}

/* Add the products of a row of A to c where a result is NaN: that of B, else of the sum, else of A,
 * as an H200 gives it. */
static COLD void row_of_nan(const u8 *a, u32 halves, u32 row, const double *columns, u32 depth,
                            Double8 *c) {
  for (u32 k = 0; k < depth; k++) {
    Double8 x = LOAD(double, element_of(a, halves, row, k)),
            y = LOAD(Double8, columns + k * PANEL_LINES), sum = fused(x, y, *c);
    Long8 code = sum != sum ? (Long8)(0x1fffull << 51) : (Long8)sum;
    *c = (Double8)nan_codes(y, nan_codes(*c, nan_codes(x, code)));
  }
}

void multiply_doubles(const Mma *m, const u8 *a, const u8 *b, const u8 *c, u8 *d) {
  double columns[MOST_DEPTH_OF_DOUBLES * PANEL_LINES] __attribute__((aligned(64)));
  u32 depth = m->depth, halves = m->rows / 8;
  for (u32 k = 0; k < depth; k += 4, b += REGISTER_BYTES) {
    take_columns(b, columns + k * PANEL_LINES);
    take_columns(b + QUAD_BYTES, columns + k * PANEL_LINES + 4);
  }
  for (u32 i = 0; i < m->rows; i += BLOCK_ROWS) {
    u32 at = i / 8 * 2 * REGISTER_BYTES + i % 8 * QUAD_BYTES;
    Double8 first[BLOCK_ROWS], sum[BLOCK_ROWS];
    EACH_ROW {
      const u8 *row = c + at + r * QUAD_BYTES;
      sum[r] = first[r] = __builtin_shufflevector(
          LOAD(Double4, row), LOAD(Double4, row + REGISTER_BYTES), 0, 1, 2, 3, 4, 5, 6, 7);
    }
    for (u32 k = 0; k < depth; k += 4)
      _Pragma("clang loop unroll(full)") for (u32 t = 0; t < 4; t++) {
        const u8 *row = element_of(a, halves, i, k) + t * LANE_BYTES;
        Double8 column = LOAD(Double8, columns + (k + t) * PANEL_LINES);
        EACH_ROW sum[r] = fused((Double8)LOAD(double, row + r * QUAD_BYTES), column, sum[r]);
      }
    if (some_nan(sum)) EACH_ROW {
        sum[r] = first[r];
        row_of_nan(a, halves, i + r, columns, depth, &sum[r]);
      }
    EACH_ROW {
      u8 *row = d + at + r * QUAD_BYTES;
      STORE(row, (__builtin_shufflevector(sum[r], sum[r], 0, 1, 2, 3)));
      STORE(row + REGISTER_BYTES, (__builtin_shufflevector(sum[r], sum[r], 4, 5, 6, 7)));
    }
  }
}
