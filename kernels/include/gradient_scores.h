// S.T, P.T, dP.T and dS.T of 64 keys and a tile of queries, in the registers of a warpgroup in which
// wgmma leaves the ones and takes the others: attention's backward kernel. The source defines what
// gradient_work.h needs, and ROWS, keys of a warpgroup, before.
#pragma once
#include "gradient_work.h"
#include "hopper.h"

constexpr int STEP = 16;  // k of a wgmma

// Whether dS has P as it was before it was rounded: with more columns there are no registers for it
// while dV reads the rounded one.
constexpr bool EXACT = HEAD_DIM == 64;

using Scores = float[TILE_M / 2];
using Weights = unsigned[TILE_M / STEP][4];  // the same as A of a wgmma

// Which of a thread's two keys a register of S.T belongs to.
DEVICE constexpr int half_of(int reg) { return d_row(0, 0, reg, 0) != d_row(0, 0, 0, 0); }

// Registers 4 i to 4 i + 3 of S.T are two adjacent queries of one key, and the same of the other.
DEVICE constexpr bool scores_are_squares() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < TILE_M / 2; i += 4)
      for (int j = 0; j < 4; ++j)
        if (half_of(i + j) != j / 2 ||
            d_column(0, lane, i + j, 0) != d_column(0, lane, i, 0) + j % 2)
          return false;
  return true;
}
static_assert(scores_are_squares(), "registers of S.T are not squares");

// Two registers of S.T, from 2 (4 i + r) on, are register r of step i of A.
DEVICE constexpr bool weights_are_fragments() {
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      for (int half = 0; half < 2; ++half)
        if (d_row(0, lane, 2 * reg + half, 0) != fragment_row(0, lane, reg, half) ||
            d_column(0, lane, 2 * reg + half, 0) != fragment_k(0, lane, reg, half))
          return false;
  return true;
}
static_assert(weights_are_fragments(), "registers of S.T are not those of A");

// Rounds registers i to i + 3 of S.T to those of A.
DEVICE void convert(Weights &p, const Scores &s, int i) {
  p[i / 8][i % 8 / 2] = pack(s[i], s[i + 1]);
  p[i / 8][i % 8 / 2 + 1] = pack(s[i + 2], s[i + 3]);
}

// Under the swizzle, 16 columns further are where the bits of their bytes are flipped.
DEVICE constexpr bool columns_are_flips() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < TILE_M / 2; i += 8) {
      int row = d_row(0, lane, i, 0), unit = d_column(0, lane, 0, 0) / 8;
      int further = d_column(0, lane, i, 0) / 8;
      if (swizzle_line(row & 7, unit, 0, 0) != (row & 7) || row != d_row(0, lane, 0, 0) ||
          swizzle_unit(row & 7, further, 0, 0) !=
              (swizzle_unit(row & 7, unit, 0, 0) ^ d_column(0, 0, i, 0) / 8))
        return false;
    }
  return true;
}
static_assert(columns_are_flips(), "columns of dS.T are not where bits are flipped");

DEVICE void pin_weights(Weights &p) {
#pragma unroll
  for (int i = 0; i < TILE_M / STEP; ++i) pin(p[i]);
}

// What two adjacent queries have, of a tile's f32 in shared memory.
DEVICE void load_pair(float (&pair)[2], unsigned from, int warp, int lane, int reg) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(pair[0]), "=f"(pair[1])
               : "r"(from + d_column(warp, lane, reg, 0) * 4) : "memory");
}

// Hides keys, of which `key` is this consumer's first one, from the queries of a tile that do not
// see them. Past the last query no weight needs hiding, see `weigh`.
DEVICE void mask(Scores &s, const KeyWork &work, int tile, int key, int warp, int lane) {
  int query = tile * TILE_M;
  if (work.all_see(query, key)) return;
  query += d_column(0, lane, 0, 0);
  int first[2], end[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int mine = key + d_row(warp, lane, 2 * half, 0);
    first[half] = work.first_query(mine) - query;
    end[half] = (mine < work.keys ? work.end_query(mine) : 0) - query;
  }
#pragma unroll
  for (int i = 0; i < TILE_M / 2; ++i) {
    int half = half_of(i), column = d_column(0, 0, i, 0);
    if (column >= end[half] || (!SEES_RIGHT && column < first[half])) s[i] = minus_infinity();
  }
}

// Makes P.T of S.T. Queries without keys, or past the end, have a logarithm of +inf.
DEVICE void weigh(Weights &p, Scores &s, unsigned logarithms, float scale, int warp, int lane) {
#pragma unroll
  for (int i = 0; i < TILE_M / 2; i += 4) {
    float logarithm[2];
    load_pair(logarithm, logarithms, warp, lane, i);
#pragma unroll
    for (int j = 0; j < 4; ++j) s[i + j] = exp2_approx(fmaf(s[i + j], scale, -logarithm[j % 2]));
    convert(p, s, i);
  }
}

// Makes dS.T, without the scale, of dP.T and P.T, and writes it to this warp's rows of a tile. `s`
// has P before it was rounded, if it is kept so long.
DEVICE void differentiate(Weights &ds, Scores &dp, const Scores &s, const Weights &p, unsigned sums,
                          unsigned box, int warp, int lane) {
  int source = chunk_lane(lane, 0), part = 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
  box += swizzled(d_row(0, source, part, 0), d_column(0, source, part, 0) / 8);
#pragma unroll
  for (int i = 0; i < TILE_M / 2; i += 4) {
    float sum[2];
    load_pair(sum, sums, warp, lane, i);
#pragma unroll
    for (int j = 0; j < 4; ++j)
      dp[i + j] = (EXACT ? s[i + j] : unpack(p[i / 8][i % 8 / 2 + j / 2], j % 2)) *
                  (dp[i + j] - sum[j % 2]);
    convert(ds, dp, i);
    if (i % 8) stmatrix_x4(box ^ d_column(0, 0, i - 4, 0) * 2, ds[i / 8]);
  }
}
