// The softmax of 128 rows, of which a thread has one, between S and P in tensor memory. The source
// includes blackwell.h before, and defines TILE_N and ROWS; macros:
//   RESCALE_BITS  how far exponents may grow before O is rescaled
//   POLYNOMIAL    of 16 weights so many are a polynomial instead of ex2.approx
#pragma once
#include "attention.h"
#include "output.h"

// Columns of tensor memory that 16 keys of P take.
constexpr int KEYS_STEP = weight_place_column(0, 14, 0) - weight_place_column(0, 0, 0) + 1;

// A load has half of a row of S, as many registers as ptxas gives an instruction of 512 threads.
constexpr int LOADED = TILE_N / 2;

// Column of tensor memory, and key, of a register of S.
DEVICE constexpr int logit_place(int lane, int i) {
  return logit_column(lane, i % LOADED, 0) + i / LOADED * LOADED;
}
DEVICE constexpr int logit_key(int lane, int i) {
  return accumulator_column(logit_lane(lane, i % LOADED, 0), logit_place(lane, i), 0);
}

// A thread has the row of S of its own number, and the registers of S are in order those of P.
DEVICE constexpr bool logits_are_weights() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < TILE_N; ++i) {
      int from = logit_lane(lane, i % LOADED, 0);
      int to = weight_lane(lane, i / 2, 0), column = weight_column(lane, i / 2, 0);
      int key = weight_source_k(to, column % KEYS_STEP, i % 2) + column / KEYS_STEP * 16;
      if (accumulator_row(from, logit_place(lane, i), 0) != lane ||
          weight_source_row(to, column % KEYS_STEP, i % 2) != lane || key != logit_key(lane, i))
        return false;
    }
  return true;
}
static_assert(logits_are_weights(), "registers of S are not those of P");

// The warps of a warpgroup have 32 rows each, in lanes of tensor memory of the same numbers.
DEVICE constexpr bool rows_are_lanes() {
  for (int row = 0; row < ROWS; ++row)
    if (accumulator_row(row, 0, 0) != row || weight_source_row(row, 0, 0) != row) return false;
  return true;
}
static_assert(rows_are_lanes(), "rows of S, O and P are not lanes of tensor memory");

using Logits = unsigned[TILE_N];

DEVICE void load_logits(Logits &s, unsigned address) {
  tcgen05_ld_32x32b_x64(reinterpret_cast<unsigned(&)[LOADED]>(s[0]), address);
  tcgen05_ld_32x32b_x64(reinterpret_cast<unsigned(&)[LOADED]>(s[LOADED]), address + LOADED);
  tcgen05_wait_ld(s);
}

// Hides the keys of a tile that a query does not see.
DEVICE void mask(Logits &s, const Work &work, int query, int tile, int lane) {
  int first = work.first_key(query) - tile * TILE_N, end = work.end_key(query) - tile * TILE_N;
#pragma unroll
  for (int i = 0; i < TILE_N; ++i)
    if (logit_key(lane, i) >= end || (!SEES_LEFT && logit_key(lane, i) < first))
      s[i] = __float_as_uint(minus_infinity());
}

DEVICE float largest(const Logits &s, float so_far) {
  float most[4] = {so_far, so_far, so_far, so_far};
#pragma unroll
  for (int i = 0; i < TILE_N; ++i) most[i % 4] = fmaxf(most[i % 4], __uint_as_float(s[i]));
  return fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
}

// 2^x without the special function unit, to less than 2^-18 of it; 0 below 2^-126, NaN of NaN.
DEVICE float exp2_polynomial(float x) {
  // Its last bit is 1, and its lower bits are the bias of an exponent.
  constexpr float magic = 12582912 + 127;
  asm("max.NaN.f32 %0, %0, 0fC2FE0000;" : "+f"(x));  // -127
  float floor = __fadd_rd(x, magic), f = x - (floor - magic);
  // Least relative error of 2^f - 1 without a constant term, so that 2^0 is 1, on [0, 1).
  float p = fmaf(fmaf(0.01342670f, f, 0.05224245f), f, 0.24128021f);
  p = fmaf(fmaf(p, f, 0.69304484f), f, 1);
  return p * __int_as_float(__float_as_int(floor) << 23);
}

// The weight of a register of S: both ways are spread evenly, so that both units have work.
DEVICE float weight(int i, float x) {
  return i * POLYNOMIAL % 16 < POLYNOMIAL ? exp2_polynomial(x) : exp2_approx(x);
}

// One query: what is subtracted from its logits, and the sum of its weights so far.
struct Softmax {
  float maximum, sum;

  // Takes a new maximum only where exponents would grow by more than RESCALE_BITS; a smaller one
  // leaves the weights above 1, in O and in the sum alike. Returns the factor of both.
  __device__ __forceinline__ float update(float most, float scale) {
    float change = (maximum - most) * scale;
    // A row without a key so far has a sum and an O of zero; -inf + inf is not less.
    float factor = maximum == minus_infinity() ? 1 : exp2_approx(change);
    bool far = change < -RESCALE_BITS;
    factor = far ? factor : 1;
    maximum = far ? most : maximum;
    return factor;
  }

  // Makes P of S, and adds it up.
  __device__ __forceinline__ void weigh(unsigned (&p)[TILE_N / 2], const Logits &s, float factor,
                                        float scale) {
    float base = maximum == minus_infinity() ? 0 : maximum * scale;
    float sums[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < TILE_N; i += 2) {
      float low = weight(i, fmaf(__uint_as_float(s[i]), scale, -base));
      float high = weight(i + 1, fmaf(__uint_as_float(s[i + 1]), scale, -base));
      sums[i % 4] += low;
      sums[i % 4 + 1] += high;
      p[i / 2] = pack(low, high);
    }
    sum = fmaf(sum, factor, (sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
};
