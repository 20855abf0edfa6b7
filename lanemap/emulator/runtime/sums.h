/* What the kernels of the matrix engine share: strips of C and D, and rounding. */
#ifndef LANEMAP_SUMS_H
#define LANEMAP_SUMS_H
#include "panel.h"

enum {
  BLOCK_ROWS = 4
}; /* rows of A that are multiplied side by side; a panel has multiples of them */
#define EACH_ROW _Pragma("clang loop unroll(full)") for (u32 r = 0; r < BLOCK_ROWS; r++)

static inline u32 result_bytes(const SumRule *rule) {
  return rule->result == RESULT_F64 ? 8 : rule->result == RESULT_F16 && !rule->words ? 2 : 4;
}

/* How many columns the strip from column j on has. */
static inline u32 strip_columns(const Panel *b, u32 j) {
  return b->lines - j < PANEL_LINES ? b->lines - j : PANEL_LINES;
}

/* A strip, or a copy with 16 columns where it has fewer. */
static inline const u8 *columns_of(const u8 *strip, u32 columns, u32 bytes, u8 *copy) {
  if (columns == PANEL_LINES) return strip;
  copy_bytes(copy, strip, columns * bytes);
  return copy;
}

static inline Floats load_floats(const u8 *strip, u32 columns, const SumRule *rule) {
  typedef u16 Halves __attribute__((ext_vector_type(16)));
  u8 copy[64] __attribute__((aligned(64))) = {0};
  if (rule->fresh) return (Floats)0;
  const u8 *from = columns_of(strip, columns, result_bytes(rule), copy);
  Floats values;
  if (rule->result == RESULT_F32) {
    values = LOAD(Floats, from);
  } else {
    Words codes = rule->words ? LOAD(Words, from) & 0xffff
                              : __builtin_convertvector(LOAD(Halves, from), Words);
    values = decode_floats(float_shape(FORMAT_F16), codes);
  }
  return rule->lower ? values * AS(Floats, (Words)((127 - rule->lower) << 23)) : values;
}

static inline Doubles load_doubles(const u8 *strip, u32 columns, const SumRule *rule) {
  return __builtin_convertvector(load_floats(strip, columns, rule), Doubles);
}

/* Codes of f32 that f16 holds exactly, or that are too large for it. */
static inline Words half_codes(Floats values, u32 nan) {
  Words bits = AS(Words, values), magnitude = bits & 0x7fffffff;
  Ints whole = __builtin_convertvector(AS(Floats, magnitude) * 0x1p24f, Ints);
  Words code = (magnitude >> 13) - (112 << 10);
  code = magnitude < 113 << 23 ? AS(Words, whole) : code;
  code = magnitude >= 143 << 23 ? (Words)0x7c00 : code;
  code |= bits >> 16 & 0x8000;
  return magnitude > 0x7f800000 ? (Words)nan : code;
}

static inline void store_floats(u8 *strip, u32 columns, const SumRule *rule, Floats values) {
  typedef u16 Halves __attribute__((ext_vector_type(16)));
  u8 copy[64] __attribute__((aligned(64)));
  if (rule->result == RESULT_F32) {
    if (columns == PANEL_LINES) {
      STORE(strip, values);
      return;
    }
    STORE(copy, values);
  } else if (rule->words) {
    STORE(copy, half_codes(values, rule->nan));
  } else {
    STORE(copy, __builtin_convertvector(half_codes(values, rule->nan), Halves));
  }
  copy_bytes(strip, copy, columns * result_bytes(rule));
}

/* Four rows of 16 columns, or of the first 8 of them, from registers of 16 lanes: every four lanes
 * have a row, and each lane of these a pair of columns in the first two registers, and another one,
 * 8 columns further, in the last two. */
static inline void load_quad(u8 *const *strip, u32 across, u32 columns, Floats *rows) {
  Floats pairs[2][2] = {{0}};
  for (u32 i = 0; i < columns / 8; i++) {
    Floats even = LOAD(Floats, strip[2 * i * across]),
           odd = LOAD(Floats, strip[(2 * i + 1) * across]);
    pairs[i][0] = DEALT_FIRST(even, odd);
    pairs[i][1] = DEALT_LAST(even, odd);
  }
  for (u32 r = 0; r < 4; r += 2) {
    rows[r] = __builtin_shufflevector(pairs[0][r / 2], pairs[1][r / 2], 0, 1, 2, 3, 4, 5, 6, 7, 16,
                                      17, 18, 19, 20, 21, 22, 23);
    rows[r + 1] = __builtin_shufflevector(pairs[0][r / 2], pairs[1][r / 2], 8, 9, 10, 11, 12, 13,
                                          14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  }
}

static inline void store_quad(u8 *const *strip, u32 across, u32 columns, const Floats *rows) {
  Floats pairs[2][2];
  for (u32 r = 0; r < 4; r += 2) {
    pairs[0][r / 2] = __builtin_shufflevector(rows[r], rows[r + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17,
                                              18, 19, 20, 21, 22, 23);
    pairs[1][r / 2] = __builtin_shufflevector(rows[r], rows[r + 1], 8, 9, 10, 11, 12, 13, 14, 15,
                                              24, 25, 26, 27, 28, 29, 30, 31);
  }
  for (u32 i = 0; i < columns / 8; i++) {
    STORE(strip[2 * i * across], (EVENS(pairs[i][0], pairs[i][1])));
    STORE(strip[(2 * i + 1) * across], (ODDS(pairs[i][0], pairs[i][1])));
  }
}

/* Round to the significant bits of the result. */
static inline Doubles rounded_normal(Doubles values, const SumRule *rule) {
  u32 drop = 53 - rule->bits;
  Longs bits = AS(Longs, values), kept = -1ll << drop;
  if (rule->nearest) bits += (1ll << (drop - 1)) - 1 + (bits >> drop & 1);
  return AS(Doubles, bits & kept);
}

/* The same where the result may be subnormal, which has fewer bits. */
static inline Doubles rounded(Doubles values, const SumRule *rule) {
  i64 digits = (i64)rule->bits - 1 - rule->smallest_exponent;
  Longs up = (digits + 1023) << 52, down = (1023 - digits) << 52;
  Longs least = (i64)(rule->smallest_exponent + 1023) << 52;
  Doubles scaled = values * AS(Doubles, up), whole;
  const double round = 0x1.8p52;
  /* Lanes beyond an int's range are not subnormal: what they convert to is not used. */
  if (rule->nearest) whole = scaled + round - round;
  else whole = __builtin_convertvector(__builtin_convertvector(scaled, Ints), Doubles);
  Longs subnormal = (AS(Longs, values) & 0x7fffffffffffffff) < least;
  return subnormal ? whole * AS(Doubles, down) : rounded_normal(values, rule);
}

/* 2 to the power of each, as f64; powers are in its range. */
static inline Doubles powers(Ints exponents) {
  return AS(Doubles, __builtin_convertvector(exponents + 1023, Longs) << 52);
}

/* C, with the exponent of the smallest normal number where it is subnormal. */
typedef struct {
  Floats significand;
  Ints exponent, odd;
} Addend;

static inline void split_addend(Addend *out, Floats c, const SumRule *rule) {
  i32 smallest = rule->smallest_exponent;
  Ints bits = AS(Ints, c), field = bits >> 23 & 255;
  Ints subnormal = field - 127 < smallest, zero = (bits & 0x7fffffff) == 0;
  u32 room = (u32)(127 - smallest) << 23;
  Floats normal = AS(Floats, (bits & (i32)0x807fffff) | 127 << 23);
  out->odd = field == 255;
  out->significand = subnormal ? c * AS(Floats, (Words)room) : normal;
  out->exponent = __builtin_elementwise_max(field - 127, (Ints)smallest);
  out->exponent = zero ? (Ints)rule->zero_exponent : out->exponent;
}

/* The code of a NaN where sums are kept as f32; those of f16 have theirs when they are stored. */
static inline Floats with_odd(Floats values, Floats odd, const SumRule *rule) {
  Words magnitude = AS(Words, odd) & 0x7fffffff;
  u32 nan = rule->result == RESULT_F16 ? 0x7fffffff : rule->nan;
  values = magnitude >= 0x7f800000 ? odd : values;
  return magnitude > 0x7f800000 ? AS(Floats, (Words)nan) : values;
}

/* Sums of f16 are kept as f32: those that are too large become infinite before the next is
 * added. */
static inline Floats overflowed(Floats values, const SumRule *rule) {
  Words bits = AS(Words, values);
  if (rule->result != RESULT_F16) return values;
  bits = (bits & 0x7fffffff) >= 143 << 23 ? (bits & 0x80000000) | 0x7f800000 : bits;
  return AS(Floats, bits);
}

/* The quiet codes of NaN, and elsewhere what was found. */
static inline Long8 nan_codes(Double8 values, Long8 found) {
  return values != values ? (Long8)values | 1ull << 51 : found;
}

/* Is some of BLOCK_ROWS sums NaN? Perhaps it says so of infinities, too. */
static inline int some_nan(const Double8 *sums) {
  typedef double Double4 __attribute__((ext_vector_type(4)));
  Double8 all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  Double4 half =
      __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
  return __builtin_reduce_or(half != half) != 0;
}

void sum_steps(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips);
void sum_trees(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips);
void sum_aligned(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips);
void sum_grouped(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips);
#endif
