/* Reciprocals, roots and elementary functions of lanes.
 *
 * Hardware approximates these within a published bound. Here they are correctly rounded, which
 * every bound allows. Eight lanes are computed together in f64 by polynomials whose error is below
 * 2^-45 of the result (minimax by mpmath, and a few roundings). Where 2^-42 of the result more or
 * less would round to another f32, and where an argument is outside the polynomials' range, the C
 * library's f64 function computes the lane, and where that could round to another f32, a table
 * holds the result. SIN_TURNS and COS_TURNS take their argument in turns, SIN and COS in radians.
 */
#include "floats.h"
#include "narrow_vectors.h"

enum Function {
  FUNCTION_EXP2,
  FUNCTION_LOG2,
  FUNCTION_RCP,
  FUNCTION_RSQ,
  FUNCTION_SQRT,
  FUNCTION_SIN_TURNS,
  FUNCTION_COS_TURNS,
  FUNCTION_SIN,
  FUNCTION_COS,
  FUNCTION_TANH
};

/* Processors that multiply and add in one step may: the bound of the error holds for both. */
#pragma clang fp contract(fast)

/* Added to a small number, and subtracted again, it leaves the nearest integer. */
static const double to_integer = 0x1.8p52;

static Double8 magnitude(Double8 x) { return (Double8)((Long8)x & ~(1ull << 63)); }

static Float8 magnitude_of(Float8 x) { return (Float8)((Word8)x & ~(1u << 31)); }

static Double8 wide(Float8 x) { return __builtin_convertvector(x, Double8); }

/* 2^r for |r| <= 1/2. */
static Double8 power_of_fraction(Double8 r) {
  Double8 r2 = r * r, r4 = r2 * r2;
  Double8 low = (0x1.0000000000039p+0 + 0x1.62e42fefa3752p-1 * r) +
                (0x1.ebfbdff81570ep-3 + 0x1.c6b08d70d1fbfp-5 * r) * r2;
  Double8 middle = (0x1.3b2ab72a10831p-7 + 0x1.5d87fd901a263p-10 * r) +
                   (0x1.43088fcabfce9p-13 + 0x1.ffce2449f0d29p-17 * r) * r2;
  Double8 high = 0x1.63edf0df267aep-20 + 0x1.b3f436ab86cb1p-24 * r;
  return low + (middle + high * r4) * r4;
}

/* 2^x for -1000 < x < 1000. */
static Double8 power(Double8 x) {
  Double8 shifted = x + to_integer;
  Double8 r = x - (shifted - to_integer);
  Long8 scale = ((Long8)shifted + 1023) << 52;
  return power_of_fraction(r) * (Double8)scale;
}

static Double8 exp2_of(Float8 x, Word8 *special) {
  *special = (Word8)(x != x);
  /* Beyond these every result rounds to 0 or infinity. */
  x = x < -160.0f ? (Float8)-160.0f : x;
  x = x > 130.0f ? (Float8)130.0f : x;
  return power(wide(x));
}

static Double8 log2_of(Float8 argument, Word8 *special) {
  *special = ~(Word8)(argument > 0) | (Word8)(argument > 0x1.fffffep127f);
  Double8 x = wide(argument);
  /* x = 2^k m, m from sqrt(1/2) to sqrt(2); k + 1024 is the shifted integer. */
  Long8 biased = ((Long8)x - 0x3fe6a09e667f3bcdull + (1024ull << 52)) >> 52;
  Double8 m = (Double8)((Long8)x - ((biased - 1024) << 52));
  Double8 k = (Double8)(biased | 0x4330000000000000ull) - (0x1p52 + 1024);
  Double8 s = (m - 1) / (m + 1), z = s * s, z2 = z * z;
  Double8 q =
      (0x1.71547652b82ffp+1 + 0x1.ec709dc39c9e6p-1 * z) +
      (0x1.2776c516a93fdp-1 + 0x1.a617567724ffap-2 * z) * z2 +
      ((0x1.484fac1f4591dp-2 + 0x1.0bb7bdfe3724fp-2 * z) + 0x1.f184c4209b8a5p-3 * z2) * (z2 * z2);
  return k + s * q;
}

/* sin(r) where `quadrant` is even, cos(r) where it is odd, negated where its bit 1 is set;
 * |r| <= pi/4. */
static Double8 circular(Double8 r, Long8 quadrant) {
  Double8 z = r * r, z2 = z * z, z4 = z2 * z2;
  Double8 sine = (0x1.fffffffffffd7p-1 - 0x1.5555555550c6ep-3 * z) +
                 (0x1.1111110bbd45ap-7 - 0x1.a019f87c859abp-13 * z) * z2 +
                 (0x1.71d7201dd09a6p-19 - 0x1.a94add88ee0d2p-26 * z) * z4;
  Double8 cosine =
      (0x1.fffffffffffffp-1 - 0x1.fffffffffff67p-2 * z) +
      (0x1.555555554dd89p-5 - 0x1.6c16c1633737cp-10 * z) * z2 +
      ((0x1.a019f78eebc36p-16 - 0x1.27df18652f8cap-22 * z) + 0x1.1b804a474b629p-29 * z2) * z4;
  Double8 found = blend((Long8)((quadrant & 1) != 0), cosine, r * sine);
  return (Double8)((Long8)found ^ (quadrant & 2) << 62);
}

/* Of radians. pi/2 is the sum of three parts, of which the first two times an integer below 2^20
 * are exact. */
static Double8 circular_of_radians(Float8 argument, Word8 *special, u64 quadrants) {
  *special = ~(Word8)(magnitude_of(argument) < 0x1p20f);
  Double8 x = wide(argument);
  Double8 shifted = x * 0x1.45f306dc9c883p-1 + to_integer;
  Double8 k = shifted - to_integer;
  Double8 r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  return circular(r, (Long8)shifted + quadrants);
}

static Double8 sin_of(Float8 x, Word8 *special) { return circular_of_radians(x, special, 0); }

static Double8 cos_of(Float8 x, Word8 *special) { return circular_of_radians(x, special, 1); }

/* Of turns: what is left of a quarter is exact. Adding 0 makes -0 a 0. */
static Double8 circular_of_turns(Float8 argument, Word8 *special, u64 quadrants) {
  *special = ~(Word8)(magnitude_of(argument) < 0x1p40f);
  Double8 x = wide(argument);
  Double8 shifted = 4 * x + to_integer;
  Double8 r = x - (shifted - to_integer) * 0.25;
  return circular(r * 0x1.921fb54442d18p+2, (Long8)shifted + quadrants) + 0.0;
}

static Double8 sin_of_turns(Float8 x, Word8 *special) { return circular_of_turns(x, special, 0); }

static Double8 cos_of_turns(Float8 x, Word8 *special) { return circular_of_turns(x, special, 1); }

/* Where |x| is below 2^-5. */
static Double8 tanh_near(Double8 x) {
  Double8 z = x * x;
  return x * ((0x1.0000000000000p+0 - 0x1.5555555555547p-2 * z) +
              ((0x1.11111110d8656p-3 - 0x1.ba1b97cf03f4dp-5 * z) + 0x1.65f49516697cdp-6 * (z * z)) *
                  (z * z));
}

/* 1 - 2 / (e^2x + 1) elsewhere; from 20 on it rounds to 1. */
static Double8 tanh_far(Double8 x) {
  Double8 size = magnitude(x);
  size = size > 20.0 ? (Double8)20.0 : size;
  Double8 far = 1 - 2 / (power(size * 0x1.71547652b82fep+1) + 1);
  return (Double8)((Long8)far | ((Long8)x & 1ull << 63));
}

static Double8 tanh_of(Float8 argument, Word8 *special) {
  Int8 near = magnitude_of(argument) < 0x1p-5f;
  *special = (Word8)(argument != argument);
  Double8 x = wide(argument);
  if (__builtin_reduce_and(near)) return tanh_near(x);
  if (!__builtin_reduce_or(near)) return tanh_far(x);
  return magnitude(x) < 0x1p-5 ? tanh_near(x) : tanh_far(x);
}

/* An f32, and a step of Newton's method. */
static Double8 rsq_of(Float8 argument, Word8 *special) {
  *special = ~(Word8)(argument > 0) | (Word8)(argument > 0x1.fffffep127f);
  Double8 y = wide(1.0f / __builtin_elementwise_sqrt(argument));
  Double8 error = 1 - wide(argument) * y * y;
  return y + y * error * (0.5 + 0.375 * error);
}

#pragma clang fp contract(off)

/* By the C library. */
static double turned(double x, u32 quadrants) {
  const double two_pi = 0x1.921fb54442d18p+2;
  double quarter = floor(4 * x + 0.5), r = (x - quarter * 0.25) * two_pi;
  double left = quarter - 4 * floor(quarter * 0.25);
  u32 quadrant = left == left ? (u32)left + quadrants & 3 : 0;
  double found = quadrant & 1 ? cos(r) : sin(r);
  return (quadrant & 2 ? -found : found) + 0.0;
}

static double library_function(u32 which, double x) {
  switch (which) {
  case FUNCTION_EXP2: return exp2(x);
  case FUNCTION_LOG2: return log2(x);
  case FUNCTION_RCP: return 1.0 / x;
  case FUNCTION_RSQ: return 1.0 / sqrt(x);
  case FUNCTION_SQRT: return sqrt(x);
  case FUNCTION_SIN_TURNS: return turned(x, 0);
  case FUNCTION_COS_TURNS: return turned(x, 1);
  case FUNCTION_SIN: return sin(x);
  case FUNCTION_COS: return cos(x);
  default: return tanh(x);
  }
}

/* Every argument whose result lies within 2^-51 (relatively) of a middle of two f32, where an
 * error of 2 ulp in f64 could decide; the results are mpmath's. All 2^32 arguments were searched.
 * Sines are odd, cosines even; no result of another function lies so near: log2 2^-51.4, tanh
 * 2^-50.3, and rsq 2^-51.7, whose two roundings err by at most 2^-52. */
static const struct Hard {
  u32 which, argument, result;
} hard_cases[] = {
    {FUNCTION_EXP2, 0x3a07857c, 0x3f800bbe},      {FUNCTION_EXP2, 0x3b429d37, 0x3f804385},
    {FUNCTION_EXP2, 0xb52d1f9a, 0x3f7ffff8},      {FUNCTION_EXP2, 0xb8d3d026, 0x3f7ffb69},
    {FUNCTION_EXP2, 0xbaec2b40, 0x3f7fae34},      {FUNCTION_EXP2, 0xbcf3a937, 0x3f7ac6b1},
    {FUNCTION_EXP2, 0xbe1f29de, 0x3f65da56},      {FUNCTION_SIN_TURNS, 0x34654db5, 0x35b41836},
    {FUNCTION_SIN_TURNS, 0x37eacaf6, 0x393867e5}, {FUNCTION_SIN_TURNS, 0x3d7d7f58, 0x3ec21dd8},
    {FUNCTION_SIN_TURNS, 0x3ee05015, 0x3ec21dd8}, {FUNCTION_COS_TURNS, 0x390721a7, 0x3f7ffffb},
    {FUNCTION_COS_TURNS, 0x3e40a02a, 0x3ec21dd8}, {FUNCTION_COS_TURNS, 0x3e9fafeb, 0xbec21dd8},
    {FUNCTION_SIN, 0x3dcf5597, 0x3dcefaf9},       {FUNCTION_SIN, 0x3ef3830f, 0x3eea6f45},
    {FUNCTION_SIN, 0x4371ade3, 0x3e62da56},       {FUNCTION_SIN, 0x45a8abb3, 0x3e51ade2},
    {FUNCTION_SIN, 0x46199998, 0xbeb1fa5d},       {FUNCTION_SIN, 0x4aa5a796, 0x3f7ff108},
    {FUNCTION_SIN, 0x4fb56937, 0xbf7ffcb7},       {FUNCTION_SIN, 0x55cafb2a, 0xbf7e7a17},
    {FUNCTION_SIN, 0x5dadd689, 0xbf74fc9e},       {FUNCTION_SIN, 0x5f208d82, 0x3f2c7688},
    {FUNCTION_SIN, 0x61dfc847, 0xbf0094df},       {FUNCTION_SIN, 0x6446cec0, 0xbf6995bd},
    {FUNCTION_SIN, 0x653cee8f, 0x3f30df39},       {FUNCTION_SIN, 0x67a9242b, 0xbf7fab81},
    {FUNCTION_SIN, 0x6a3f60ff, 0xbf79ee5f},       {FUNCTION_SIN, 0x6d734599, 0xbf5b5135},
    {FUNCTION_SIN, 0x73243f06, 0x3e943a84},       {FUNCTION_SIN, 0x79d1f6d3, 0xbf7a88ee},
    {FUNCTION_SIN, 0x7a5aacdb, 0x3eda83bb},       {FUNCTION_SIN, 0x7a817b08, 0x3e1b493e},
    {FUNCTION_COS, 0x39800000, 0x3f800000},       {FUNCTION_COS, 0x3a544395, 0x3f7ffffb},
    {FUNCTION_COS, 0x3c107fe6, 0x3f7ffd74},       {FUNCTION_COS, 0x424790ce, 0x3f6e4c01},
    {FUNCTION_COS, 0x52d9d3fe, 0xbf5e187b},       {FUNCTION_COS, 0x55e5235d, 0xbe83c11a},
    {FUNCTION_COS, 0x5922aa80, 0x3f08aebf},       {FUNCTION_COS, 0x59443c0a, 0x3f425f62},
    {FUNCTION_COS, 0x5f18b878, 0x3f7f14bb},       {FUNCTION_COS, 0x6115cb11, 0x3f78142f},
    {FUNCTION_COS, 0x61703976, 0x3edacc56},       {FUNCTION_COS, 0x7908cd73, 0x3f798bb5},
    {FUNCTION_COS, 0x7a38ab34, 0x3f7b3195},       {FUNCTION_COS, 0x7a4b1a27, 0x3f7c54da},
    {FUNCTION_COS, 0x7c69ae1e, 0xbf7ff9fe},
};

/* Correctly rounded. */
static u32 one_lane(u32 which, float argument) {
  F32 x = {.f = argument};
  u32 sign = which == FUNCTION_EXP2 ? 0 : x.u & 1u << 31;
  for (u32 i = 0; i < sizeof hard_cases / sizeof *hard_cases; i++) {
    if (hard_cases[i].which != which || hard_cases[i].argument != (x.u ^ sign)) continue;
    int odd = which == FUNCTION_SIN || which == FUNCTION_SIN_TURNS;
    return hard_cases[i].result ^ (odd ? sign : 0);
  }
  F32 r = {.f = (float)library_function(which, argument)};
  return r.u;
}

typedef Double8 Function8(Float8 x, Word8 *special);

/* Lanes whose result might round to another f32. */
static COLD void look_closely(const Double8 *y, const Word8 *special, u64 mask, u32 which,
                              u32 *place) {
  Float8 x = LOAD(Float8, place);
  Word8 low = (Word8) __builtin_convertvector(*y * (1 - 0x1p-42), Float8);
  Word8 high = (Word8) __builtin_convertvector(*y * (1 + 0x1p-42), Float8);
  Word8 unsure = (Word8)(low != high) | *special;
  STORE(place, low);
  for (u32 i = 0; i < 8; i++)
    if (unsure[i] && mask >> i & 1) place[i] = one_lane(which, x[i]);
}

/* Bits of f64 beyond those of f32, of a number in the middle of two; 2^-42 of it. */
enum { MIDDLE = 1 << 28, NEAR_MIDDLE = 1 << 11 };

/* All lanes of a row, eight at a time; lanes outside the mask get results that nobody reads. Nearly
 * always all of them lie far from a middle, and none is subnormal, which has its middles
 * elsewhere. */
INLINE void each(Wave *w, u64 mask, u32 row, u32 which, Function8 *vectors) {
  for (u32 lane = 0; lane < w->launch->lanes; lane += 8) {
    u32 *place = &w->value[row][lane];
    Word8 special;
    Double8 y = vectors(LOAD(Float8, place), &special);
    Word8 found = (Word8) __builtin_convertvector(y, Float8);
    Word8 size = found & ~(1u << 31), subnormal = (Word8)(size - 1 < (1u << 23));
    Long8 beyond = ((Long8)y - (MIDDLE - NEAR_MIDDLE)) & (2 * MIDDLE - 1);
    SignedLong8 near = (SignedLong8)beyond <= 2 * NEAR_MIDDLE;
    if (__builtin_reduce_or(near) | (i64)__builtin_reduce_or(special | subnormal))
      look_closely(&y, &special, mask >> lane, which, place);
    else STORE(place, found);
  }
}

static Double8 rcp_of(Double8 x) { return 1.0 / x; }

static Double8 sqrt_of(Double8 x) { return __builtin_elementwise_sqrt(x); }

/* The same for what processors compute themselves, rounded correctly. */
INLINE void each_exact(Wave *w, u32 row, Double8 (*vectors)(Double8)) {
  for (u32 lane = 0; lane < w->launch->lanes; lane += 8) {
    Float8 *place = (Float8 *)&w->value[row][lane];
    *place = __builtin_convertvector(vectors(__builtin_convertvector(*place, Double8)), Float8);
  }
}

void lm_function_f32(Wave *w, u32 instruction, u64 mask, u32 row, u32 which) {
  (void)instruction;
  switch (which) {
  case FUNCTION_EXP2: each(w, mask, row, which, exp2_of); break;
  case FUNCTION_LOG2: each(w, mask, row, which, log2_of); break;
  case FUNCTION_RCP: each_exact(w, row, rcp_of); break;
  case FUNCTION_RSQ: each(w, mask, row, which, rsq_of); break;
  case FUNCTION_SQRT: each_exact(w, row, sqrt_of); break;
  case FUNCTION_SIN_TURNS: each(w, mask, row, which, sin_of_turns); break;
  case FUNCTION_COS_TURNS: each(w, mask, row, which, cos_of_turns); break;
  case FUNCTION_SIN: each(w, mask, row, which, sin_of); break;
  case FUNCTION_COS: each(w, mask, row, which, cos_of); break;
  default: each(w, mask, row, which, tanh_of);
  }
}

double row_f64(const Wave *w, u32 row, u32 lane) {
  F64 r = {.u = w->value[row][lane] | (u64)w->value[row + 1][lane] << 32};
  return r.f;
}

void set_row_f64(Wave *w, u32 row, u32 lane, double value) {
  F64 r = {.f = value};
  w->value[row][lane] = (u32)r.u;
  w->value[row + 1][lane] = (u32)(r.u >> 32);
}
