// The softmax of a warpgroup's 64 rows, in the registers in which wgmma leaves them. The source
// includes hopper.h before, and defines TILE_N, WEIGHT_BITS and SLACK_BITS.
#pragma once
#include "additions.h"

using Logits = float[TILE_N / 2];

// Which of a thread's two rows a register of D belongs to.
DEVICE constexpr int half_of(int reg) { return d_row(0, 0, reg, 0) != d_row(0, 0, 0, 0); }

// Of a thread's two rows: the maximum of the logits, and this thread's part of the sum of P.
struct Softmax {
  float maximum[2], sum[2];
  float shift[2];  // ALIBI: what is still to be added to all of this thread's logits of a tile

  __device__ __forceinline__ void start() {
    maximum[0] = maximum[1] = minus_infinity();
    sum[0] = sum[1] = 0;
  }

  // Makes P of S in place, times 2^WEIGHT_BITS; `factor` is what O must be multiplied by. Returns
  // whether a row's factor is not 1: the maximum is left behind while no weight passes
  // 2^(WEIGHT_BITS + SLACK_BITS).
  __device__ __forceinline__ bool step(Logits &s, float (&factor)[2], float scale) {
    constexpr int chains = 4;
    float most[2][chains];
#pragma unroll
    for (int i = 0; i < 2 * chains; ++i) most[i / chains][i % chains] = minus_infinity();
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) {
      float &m = most[half_of(i)][(i / 4 * 2 + i % 2) % chains];
      m = fmaxf(m, s[i]);
    }
    float base[2];
    bool moved = false;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float m = fmaxf(fmaxf(most[half][0], most[half][1]), fmaxf(most[half][2], most[half][3]));
      if constexpr (ALIBI) m += shift[half];
      // Four adjacent lanes have a row.
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 1));
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 2));
      float before = maximum[half];
      m = fmaxf(m, before);
      if ((m - before) * scale <= SLACK_BITS) m = before;
      maximum[half] = m;
      moved |= m != before;
      // A row without a key so far: exp2(-inf - 0) is 0, exp2(-inf + inf) is not.
      base[half] = m == minus_infinity() ? 0 : m * scale;
      factor[half] = m == before ? 1 : exp2_approx(fmaf(before, scale, -base[half]));
      if constexpr (WEIGHT_BITS > 0) base[half] -= WEIGHT_BITS;
      if constexpr (ALIBI) base[half] = fmaf(-shift[half], scale, base[half]);
    }
    float sums[2][2] = {{0, 0}, {0, 0}};
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) {
      s[i] = exp2_approx(fmaf(s[i], scale, -base[half_of(i)]));
      sums[half_of(i)][i % 2] += s[i];
    }
#pragma unroll
    for (int half = 0; half < 2; ++half)
      sum[half] = fmaf(sum[half], factor[half], sums[half][0] + sums[half][1]);
    return moved;
  }

  // Adds up the parts of the four lanes.
  __device__ __forceinline__ void finish() {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
      sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
    }
  }

  // Adds a weight without a key to the rows' sums: 2^`logit`. `factor` is what O must be multiplied
  // by. Returns the scale that `maximum` has from now on.
  __device__ __forceinline__ float sink(float logit, float (&factor)[2], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float before = maximum[half] * scale;
      maximum[half] = fmaxf(before, logit);
      float base = maximum[half] == minus_infinity() ? 0 : maximum[half];
      factor[half] = exp2_approx(before - base);
      sum[half] = fmaf(sum[half], factor[half], exp2_approx(logit - base + WEIGHT_BITS));
    }
    return 1;
  }

  // The natural logarithm of a row's sum of exponentials, -inf without any.
  __device__ __forceinline__ float log_sum(int half, float scale) const {
    constexpr float ln2 = 0.693147180559945f;
    float value = fmaf(maximum[half], scale, log2_approx(sum[half]) - WEIGHT_BITS);
    return sum[half] == 0 ? minus_infinity() : value * ln2;
  }
};

// Caps the logits, and adds what the distance of query and key costs; the warpgroup's first query is
// `row`. Where all keys of the tile are on one side of the queries' own, the cost is linear in the key,
// and what all of a thread's logits of a row have of it is left to the softmax, as `shift`.
DEVICE void add(Logits &s, float (&shift)[2], const HeadAdditions &additions, const Work &work,
                int row, int tile, int warp, int lane) {
  if constexpr (SOFTCAP) {
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) s[i] = tanh_approx(s[i] * additions.before_tanh);
  }
  if constexpr (ALIBI) {
    int first = tile * TILE_N;
    bool before = first + TILE_N - 1 <= work.own_key(row), after = first >= work.own_key(row + 63);
    float slope = after ? -additions.slope : additions.slope;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int own = work.own_key(row + d_row(warp, lane, 2 * half, 0));
      shift[half] = slope * (first + d_column(warp, lane, 0, 0) - own);
    }
    if (before || after) {
#pragma unroll
      for (int i = 0; i < TILE_N / 2; ++i) s[i] = fmaf(slope, d_column(0, 0, i, 0), s[i]);
    } else {
#pragma unroll
      for (int i = 0; i < TILE_N / 2; ++i)
        s[i] -= fabsf(fmaf(slope, d_column(0, 0, i, 0), shift[half_of(i)]));
      shift[0] = shift[1] = 0;
    }
  }
}

// Hides the keys that a query does not see; the warpgroup's first query is `row`.
DEVICE void mask(Logits &s, const Work &work, int row, int tile, int warp, int lane) {
  if (work.sees_all(row, row + 63, tile)) return;
  int key = tile * TILE_N + d_column(warp, lane, 0, 0);
  int first[2], end[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int query = row + d_row(warp, lane, 2 * half, 0);
    first[half] = work.first_key(query) - key;
    end[half] = work.end_key(query) - key;
  }
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i) {
    int column = d_column(0, 0, i, 0);
    if (column >= end[half_of(i)] || (!SEES_LEFT && column < first[half_of(i)]))
      s[i] = minus_infinity();
  }
}
