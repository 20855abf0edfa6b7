// The softmax of 128 rows, of which a thread has one, between S and P in tensor memory. The source
// includes blackwell.h before, and defines TILE_N and ROWS; macros:
//   RESCALE_BITS  how far exponents may grow before O is rescaled
//   POLYNOMIAL    of 16 weights so many are a polynomial instead of ex2.approx
#pragma once
#include "attention.h"
#include "output.h"

// Keys of one product, columns of tensor memory that P of them takes, and weights in a column.
constexpr int STEP = 32 / ELEMENT_BYTES, WEIGHTS = 4 / ELEMENT_BYTES;
constexpr int KEYS_STEP =
    weight_place_column(0, STEP - WEIGHTS, 0) - weight_place_column(0, 0, 0) + 1;

// P of FP8 is multiplied by 2^8, so that its largest weight is 256 of the type's 448.
constexpr int WEIGHT_BITS = ELEMENT_BYTES == 1 ? 8 : 0;
static_assert(ELEMENT_BYTES == 2 || RESCALE_BITS == 0, "weights of FP8 have no room to grow");

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
      int to = weight_lane(lane, i / WEIGHTS, 0), column = weight_column(lane, i / WEIGHTS, 0);
      int key = weight_source_k(to, column % KEYS_STEP, i % WEIGHTS) + column / KEYS_STEP * STEP;
      if (accumulator_row(from, logit_place(lane, i), 0) != lane ||
          weight_source_row(to, column % KEYS_STEP, i % WEIGHTS) != lane ||
          key != logit_key(lane, i))
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
using Weights = unsigned[TILE_N / WEIGHTS];

DEVICE void store_weights(const Weights &p, unsigned address) {
#if ELEMENT_BYTES == 1
  tcgen05_st_32x32b_x32(p, address);
#else
  tcgen05_st_32x32b_x64(p, address);
#endif
  tcgen05_wait_st();
}

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

  // Makes P of S, times 2^WEIGHT_BITS, and adds it up.
  __device__ __forceinline__ void weigh(Weights &p, const Logits &s, float factor, float scale) {
    float base = (maximum == minus_infinity() ? 0 : maximum * scale) - WEIGHT_BITS;
    float sums[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < TILE_N; i += 4) {
      float four[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        four[j] = weight(i + j, fmaf(__uint_as_float(s[i + j]), scale, -base));
        sums[j] += four[j];
      }
      if constexpr (ELEMENT_BYTES == 1) {
        p[i / 4] = pack_e4m3(four[0], four[1], four[2], four[3]);
      } else {
        p[i / WEIGHTS] = pack(four[0], four[1]);
        p[i / WEIGHTS + 1] = pack(four[2], four[3]);
      }
    }
    sum = fmaf(sum, factor, (sums[0] + sums[1]) + (sums[2] + sums[3]));
  }

  // The natural logarithm of the sum of exponentials, -inf without any.
  __device__ __forceinline__ float log_sum(float scale) const {
    constexpr float ln2 = 0.693147180559945f;
    return sum == 0 ? minus_infinity()
                    : fmaf(maximum, scale, log2_approx(sum) - WEIGHT_BITS) * ln2;
  }
};
