/* Reciprocals, roots and elementary functions of lanes.
 *
 * Hardware approximates these within a published bound. Here they are correctly rounded, which
 * every bound allows. Sixteen lanes are computed together in f64 by polynomials whose error is
 * below 2^-39 of the result (minimax by mpmath, and a few roundings). Where 2^-38 of the result
 * more or less would round to another f32, and where an argument is outside the polynomials' range,
 * the C library's f64 function computes the lane, and where that could round to another f32, a
 * table holds the result. SIN_TURNS and COS_TURNS take their argument in turns, SIN and COS in
 * radians.
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

static Doubles magnitude(Doubles x) { return (Doubles)((Longs)x & ~(1ll << 63)); }

static Floats magnitude_of(Floats x) { return (Floats)((Words)x & ~(1u << 31)); }

static Doubles wide(Floats x) { return __builtin_convertvector(x, Doubles); }

/* A polynomial of coefficients from the highest power down: those of even and of odd powers apart,
 * in two chains, so that a processor need not wait for one. */
#define POLYNOMIAL(x, ...)                                                                         \
  ({                                                                                               \
    static const double of_[] = {__VA_ARGS__};                                                     \
    enum { count_ = sizeof of_ / sizeof(double) };                                                 \
    Doubles square_ = (x) * (x), sums_[2] = {(Doubles)of_[0], (Doubles)of_[1]};                    \
    _Pragma("clang loop unroll(full)") for (u32 i = 2; i < count_; i++) sums_[i & 1] =             \
        sums_[i & 1] * square_ + of_[i];                                                           \
    sums_[count_ & 1] * (x) + sums_[~count_ & 1];                                                  \
  })

/* 2^x for -1000 < x < 1000: the fraction is at most 1/2. */
static Doubles power(Doubles x) {
  Doubles shifted = x + to_integer;
  Doubles r = x - (shifted - to_integer);
  Doubles y = POLYNOMIAL(r, 0x1.61afceb912baap-20, 0x1.00dad2505f66fp-16, 0x1.430acca3496f2p-13,
                         0x1.5d87483855829p-10, 0x1.3b2ab5c529244p-7, 0x1.c6b08dd46d393p-5,
                         0x1.ebfbdff9319e2p-3, 0x1.62e42fef8615ep-1, 0x1.ffffffffff7a3p-1);
  return (Doubles)((Longs)y + ((Longs)shifted << 52));
}

static Doubles exp2_of(Floats x, Words *special) {
  *special = (Words)(x != x);
  /* Beyond these every result rounds to 0 or infinity. */
  x = x < -160.0f ? (Floats)-160.0f : x;
  x = x > 130.0f ? (Floats)130.0f : x;
  return power(wide(x));
}

/* x = 2^k m with m from sqrt(1/2) to sqrt(2), and log2(m) by powers of (m - 1) / (m + 1). m - 1 is
 * exact in f32. */
static Doubles log2_of(Floats x, Words *special) {
  const u32 least = 0x3f3504f3;
  *special = (Words)((Words)x - 0x00800000 >= 0x7f000000); /* no positive normal number */
  Words above = (Words)x - least;
  Doubles k = __builtin_convertvector((Ints)above >> 23, Doubles);
  Doubles d = wide((Floats)((above & 0x7fffff) + least) - 1), s = d / (d + 2);
  Doubles y = POLYNOMIAL(s * s, 0x1.21b38e6b8c443p-2, 0x1.47952968f0d6cp-2, 0x1.a61a2fd08bca4p-2,
                         0x1.2776c29208dd1p-1, 0x1.ec709dc53d617p-1, 0x1.71547652b8251p+1);
  return k + s * y;
}

/* sin(r) where `quadrant` is even, cos(r) where it is odd, negated where its bit 1 is set;
 * |r| <= pi/4. */
static Doubles circular(Doubles r, Longs quadrant) {
  Doubles z = r * r;
  Doubles sine =
      POLYNOMIAL(z, -0x1.a94afee7148eap-26, 0x1.71d7207af5223p-19, -0x1.a019f87d39984p-13,
                 0x1.1111110bbdd1ap-7, -0x1.5555555550c78p-3, 0x1.fffffffffffd7p-1);
  Doubles cosine =
      POLYNOMIAL(z, -0x1.23b6c5c56844ap-22, 0x1.a00e3995807fcp-16, -0x1.6c16b209ccf1cp-10,
                 0x1.555555430ea7fp-5, -0x1.ffffffffdff30p-2, 0x1.ffffffffffdb1p-1);
  /* Bit 0 of the quadrant as the sign of a number, which chooses. */
  Doubles found = quadrant << 63 < 0 ? cosine : r * sine;
  return (Doubles)((Longs)found ^ (quadrant & 2) << 62);
}

/* Of radians. pi/2 is the sum of three parts, of which the first two times an integer below 2^20
 * are exact. */
static Doubles circular_of_radians(Floats argument, Words *special, i64 quadrants) {
  *special = ~(Words)(magnitude_of(argument) < 0x1p20f);
  Doubles x = wide(argument);
  Doubles shifted = x * 0x1.45f306dc9c883p-1 + to_integer;
  Doubles k = shifted - to_integer;
  Doubles r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  return circular(r, (Longs)shifted + quadrants);
}

static Doubles sin_of(Floats x, Words *special) { return circular_of_radians(x, special, 0); }

static Doubles cos_of(Floats x, Words *special) { return circular_of_radians(x, special, 1); }

/* Of turns: what is left of a quarter is exact. Adding 0 makes -0 a 0. */
static Doubles circular_of_turns(Floats argument, Words *special, i64 quadrants) {
  *special = ~(Words)(magnitude_of(argument) < 0x1p40f);
  Doubles x = wide(argument);
  Doubles shifted = 4 * x + to_integer;
  Doubles r = x - (shifted - to_integer) * 0.25;
  return circular(r * 0x1.921fb54442d18p+2, (Longs)shifted + quadrants) + 0.0;
}

static Doubles sin_of_turns(Floats x, Words *special) { return circular_of_turns(x, special, 0); }

static Doubles cos_of_turns(Floats x, Words *special) { return circular_of_turns(x, special, 1); }

/* Where |x| is below 1/4, beyond which the difference of tanh_far loses few bits. */
static Doubles tanh_near(Doubles x) {
  Doubles z = x * x;
  return x * POLYNOMIAL(z, -0x1.0d5fa69b5ba40p-7, 0x1.6594b2b85d69dp-6, -0x1.ba18a1829adcep-5,
                        0x1.11110e43d49bap-3, -0x1.555555536aa5bp-2, 0x1.ffffffffffc99p-1);
}

/* 1 - 2 / (e^2x + 1) elsewhere; from 20 on it rounds to 1. */
static Doubles tanh_far(Doubles x) {
  Doubles size = magnitude(x);
  size = size > 20.0 ? (Doubles)20.0 : size;
  Doubles far = 1 - 2 / (power(size * 0x1.71547652b82fep+1) + 1);
  return (Doubles)((Longs)far | ((Longs)x & 1ll << 63));
}

static Doubles tanh_of(Floats argument, Words *special) {
  Ints near = magnitude_of(argument) < 0.25f;
  *special = (Words)(argument != argument);
  Doubles x = wide(argument);
  if (__builtin_reduce_and(near)) return tanh_near(x);
  if (!__builtin_reduce_or(near)) return tanh_far(x);
  return magnitude(x) < 0.25 ? tanh_near(x) : tanh_far(x);
}

/* An estimate of f32, which a processor may have an instruction for: within 2^-21 of that of a
 * positive normal number. Of others there is none. */
static Floats rsq_estimate(Floats x) {
#pragma float_control(precise, off)
  return 1.0f / __builtin_elementwise_sqrt(x);
}

/* The estimate, and a step of Newton's method. */
static Doubles rsq_of(Floats argument, Words *special) {
  *special = (Words)((Words)argument - 0x00800000 >= 0x7f000000); /* no positive normal number */
  argument = *special ? (Floats)1 : argument;
  Doubles y = wide(rsq_estimate(argument));
  Doubles error = 1 - wide(argument) * y * y;
  return y + y * error * 0.5;
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

typedef Doubles Function16(Floats x, Words *special);

/* Lanes whose result might round to another f32. */
static COLD void look_closely(const Doubles *y, const Words *special, u64 mask, u32 which,
                              u32 *place) {
  Floats x = LOAD(Floats, place);
  Words low = (Words) __builtin_convertvector(*y * (1 - 0x1p-38), Floats);
  Words high = (Words) __builtin_convertvector(*y * (1 + 0x1p-38), Floats);
  Words unsure = (Words)(low != high) | *special;
  STORE(place, low);
  for (u32 i = 0; i < 16; i++)
    if (unsure[i] && mask >> i & 1) place[i] = one_lane(which, x[i]);
}

/* 2^-37 of a number in [1, 2) in the last bits of its low word, from which the three bits that f32
 * has too are shifted out. */
enum { NEAR_MIDDLE = 1u << 15 << 3 };

/* Comparing with the least integer asks whether a word is one of the first, which AVX2 cannot. */
static const i32 least_integer = -1 - 0x7fffffff;

/* Words that are not 0 where some of 16 numbers lie near a middle of two f32. Their order is the
 * one that AVX2 gives in one instruction. */
static Words near_middles(Doubles y) {
  typedef u32 Halves __attribute__((ext_vector_type(32)));
  Halves all = (Halves)y;
  Words beyond =
      __builtin_shufflevector(all, all, 0, 2, 8, 10, 4, 6, 12, 14, 16, 18, 24, 26, 20, 22, 28, 30)
      << 3;
  return (Words)((Ints)(beyond + NEAR_MIDDLE) <= least_integer + 2 * NEAR_MIDDLE);
}

static Words subnormal(Words bits) {
  return (Words)((Ints)((bits << 1) + 0x7fffffff) < least_integer + 0xffffff);
}

/* All lanes of a row, sixteen at a time; lanes outside the mask get results that nobody reads.
 * Nearly always all of them lie far from a middle, and none is subnormal, which has its middles
 * elsewhere; `normal`: no result is. */
INLINE void each(Wave *w, u64 mask, u32 row, u32 which, Function16 *vectors, int normal) {
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16) {
    u32 *place = &w->value[row][lane];
    Words special;
    Doubles y = vectors(LOAD(Floats, place), &special);
    Words found = (Words) __builtin_convertvector(y, Floats);
    Words unsure = near_middles(y) | special;
    if (!normal) unsure |= subnormal(found);
    if (__builtin_reduce_or(unsure)) {
      Doubles whole = y; /* y itself stays in registers */
      Words apart = special;
      look_closely(&whole, &apart, mask >> lane, which, place);
    } else STORE(place, found);
  }
}

static Floats rcp_of(Floats x) { return 1.0f / x; }

static Floats sqrt_of(Floats x) { return __builtin_elementwise_sqrt(x); }

/* The same for what processors compute themselves, rounded correctly. */
INLINE void each_exact(Wave *w, u32 row, Floats (*vectors)(Floats)) {
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16)
    STORE(&w->value[row][lane], vectors(LOAD(Floats, &w->value[row][lane])));
}

void lm_function_f32(Wave *w, u32 instruction, u64 mask, u32 row, u32 which) {
  (void)instruction;
  switch (which) {
  case FUNCTION_EXP2: each(w, mask, row, which, exp2_of, 0); break;
  case FUNCTION_LOG2: each(w, mask, row, which, log2_of, 1); break;
  case FUNCTION_RCP: each_exact(w, row, rcp_of); break;
  case FUNCTION_RSQ: each(w, mask, row, which, rsq_of, 1); break;
  case FUNCTION_SQRT: each_exact(w, row, sqrt_of); break;
  case FUNCTION_SIN_TURNS: each(w, mask, row, which, sin_of_turns, 0); break;
  case FUNCTION_COS_TURNS: each(w, mask, row, which, cos_of_turns, 1); break;
  case FUNCTION_SIN: each(w, mask, row, which, sin_of, 0); break;
  case FUNCTION_COS: each(w, mask, row, which, cos_of, 1); break;
  default: each(w, mask, row, which, tanh_of, 0);
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
