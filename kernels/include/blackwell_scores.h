// S.T, P.T, dP.T and dS.T of 128 keys, of which a thread has one, and GROUP queries, between tensor
// memory and shared memory: attention's backward kernel on Blackwell. The source includes blackwell.h
// before, and defines what gradient_work.h needs, ROWS and GROUP.
#pragma once
#include "gradient_work.h"
#include "output.h"

// Columns of tensor memory that 16 queries of P.T take.
constexpr int QUERIES_STEP = weight_place_column(0, 14, 0) - weight_place_column(0, 0, 0) + 1;

// Registers of a load are columns of the thread's row, in order.
DEVICE constexpr bool loads_are_rows() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 32; ++i) {
      int from = score_lane(lane, i, 0), column = score_column(lane, i, 0);
      if (accumulator_row(from, column, 0) != lane || accumulator_column(from, column, 0) != i)
        return false;
    }
  return true;
}
static_assert(loads_are_rows(), "tcgen05.ld does not give an accumulator row by row");

// Pairs of registers of S.T are, in order, registers of P.T as A of a product, of 16 queries each.
DEVICE constexpr bool scores_are_weights() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < GROUP; ++i) {
      int to = weight_lane(lane, i / 2, 0), column = weight_column(lane, i / 2, 0);
      if (weight_source_row(to, column % QUERIES_STEP, i % 2) != lane ||
          weight_source_k(to, column % QUERIES_STEP, i % 2) + column / QUERIES_STEP * 16 != i)
        return false;
    }
  return true;
}
static_assert(scores_are_weights(), "registers of S.T are not those of P.T");

// Four adjacent queries' f32 in shared memory.
DEVICE void load_four(float (&four)[4], unsigned from) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(four[0]), "=f"(four[1]), "=f"(four[2]), "=f"(four[3]) : "r"(from)
               : "memory");
}

using Scores = float[GROUP];

// Loads 32 columns of this thread's row of an accumulator.
DEVICE void load_row(unsigned (&d)[32], unsigned address) {
  tcgen05_ld_32x32b_x32(d, address);
  tcgen05_wait_ld(d);
}

// Hides the key from the queries that do not see it, from `query` on. Past the last query no weight
// needs hiding, see `weigh`.
DEVICE void mask(Scores &s, const KeyWork &work, int key, int query) {
  int first = work.first_query(key) - query;
  int end = (key < work.keys ? work.end_query(key) : 0) - query;
#pragma unroll
  for (int i = 0; i < GROUP; ++i)
    if (i >= end || (!SEES_RIGHT && i < first)) s[i] = minus_infinity();
}

// Makes P.T of S.T. Queries without keys, or past the end, have a logarithm of +inf.
DEVICE void weigh(unsigned (&p)[GROUP / 2], Scores &s, unsigned logarithms, float scale) {
#pragma unroll
  for (int i = 0; i < GROUP; i += 4) {
    float logarithm[4];
    load_four(logarithm, logarithms + i * 4);
#pragma unroll
    for (int j = 0; j < 4; ++j) s[i + j] = exp2_approx(fmaf(s[i + j], scale, -logarithm[j]));
    p[i / 2] = pack(s[i], s[i + 1]);
    p[i / 2 + 1] = pack(s[i + 2], s[i + 3]);
  }
}

// Makes dS.T, without the scale, of dP.T and P.T, and writes it to this thread's row of a tile.
DEVICE void differentiate(const Scores &p, unsigned dp, unsigned sums, unsigned tile, int row) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    unsigned d[32], r[4];
    load_row(d, dp + half * 32);
#pragma unroll
    for (int i = 0; i < 32; i += 4) {
      float sum[4], ds[4];
      load_four(sum, sums + (half * 32 + i) * 4);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        ds[j] = p[half * 32 + i + j] * (__uint_as_float(d[i + j]) - sum[j]);
      r[i % 8 / 2] = pack(ds[0], ds[1]);
      r[i % 8 / 2 + 1] = pack(ds[2], ds[3]);
      if (i % 8) store_unit(tile + swizzled(row, half * 4 + i / 8), r);
    }
  }
}

// 32 columns of an accumulator, times a factor, into this thread's row of a box with the swizzle.
DEVICE void write_row(unsigned box, const unsigned (&d)[32], int row, int first_unit,
                      float factor) {
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    unsigned r[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      r[j] = pack(__uint_as_float(d[i + 2 * j]) * factor,
                  __uint_as_float(d[i + 2 * j + 1]) * factor);
    store_unit(box + swizzled(row, first_unit + i / 8), r);
  }
}
