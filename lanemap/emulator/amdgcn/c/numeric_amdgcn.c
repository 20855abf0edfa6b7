/* Functions of single lanes that only AMDGCN has. */
#include "atomics.h"
#include "events.h"
#include "floats.h"
#include "narrow_vectors.h"

/* Sign of a * b + c - r, the error that rounding to r left. */
static int error_of_fma(double a, double b, double c, double r) {
  double product = a * b, low = fma(a, b, -product);
  double sum = product + c, part = sum - product;
  double rest = (product - (sum - part)) + (c - part); /* of the sum: Knuth's two-sum */
  double error = (sum - r) + (rest + low);
  return (error > 0) - (error < 0);
}

/* fma(a, b, c) * 2^by, rounded once: where the scaling itself must round, a tie goes to the side of
 * what the fma already lost. */
static double scaled_fma(double a, double b, double c, int by) {
  double r = fma(a, b, c), result = ldexp(r, by), lost = r - ldexp(result, -by);
  if (by > 0 || r - r != 0) return result;
  int error = error_of_fma(a, b, c, r);
  double least = ldexp(1, -1074), half = ldexp(1, -1075 - by);
  if (lost == half && error > 0) result += least;
  if (lost == -half && error < 0) result -= least;
  return result;
}

/* V_DIV_FMAS_F64. Rows: three factors of an fma in two rows each, then the lane's VCC bit. */
void lm_div_fmas(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    F64 a = {.f = row_f64(w, row, lane)}, b = {.f = row_f64(w, row + 2, lane)},
        c = {.f = row_f64(w, row + 4, lane)};
    int by = (c.u >> 52 & 0x7ff) > 1023 ? 128 : -128;
    int scales = w->value[row + 6][lane] != 0;
    set_row_f64(w, row, lane, scales ? scaled_fma(a.f, b.f, c.f, by) : fma(a.f, b.f, c.f));
  }
}

/* Sixteen finite values over 2^power, rounded by chance: the highest bits of the seed are added to
 * the bits of the mantissa that the format has no room for, which are then dropped. `source_bits`
 * is the mantissa of the type that the value had. Source: HIP, amd_hip_ocp_host.hpp,
 * from_float_sr. */
static Floats rounded_by_chance(FloatShape s, Floats values, Ints power, Words seeds,
                                u32 source_bits) {
  Words sign = (Words)values & 1u << 31;
  Floats size = (Floats)((Words)values ^ sign);
  Ints tiny = size < 0x1p-126f; /* subnormal: with 2^32 as a factor it is not */
  Words bits = (Words)(tiny ? size * 0x1p32f : size);
  Words mantissa = size == 0 ? (Words)0 : (Words)((bits & 0x7fffff) | 0x800000);
  Ints own = (Ints)(bits >> 23) - 127 - power - (tiny & 32), least = (Ints)(1 - (i32)s.bias);
  Ints exponent = own < least ? least : own;
  Words drop = (Words)(exponent - own) + (23 - source_bits);
  drop = drop > 31 ? (Words)31 : drop;
  u32 beyond = source_bits - s.mantissa_bits; /* bits that the format has no room for */
  Words whole = (mantissa >> drop) + (seeds >> (32 - beyond));
  Floats back = __builtin_convertvector((Ints)(whole >> beyond), Floats);
  back *= (Floats)((exponent + (127 - (i32)s.mantissa_bits)) << 23);
  back = exponent > 127 ? (Floats)0x1p127f : back; /* too large for all formats */
  return (Floats)((Words)back | sign);
}

/* Rows: an f32, a seed, an f32 of which the exponent is the scale. */
void lm_encode_by_chance(Wave *w, u32 instruction, u64 mask, u32 row, u32 format, u32 source_bits,
                         u32 saturate) {
  (void)instruction, (void)mask;
  FloatShape s = float_shape(format);
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16) {
    Floats given = LOAD(Floats, &w->value[row][lane]);
    Words seeds = LOAD(Words, &w->value[row + 1][lane]);
    Words scale = LOAD(Words, &w->value[row + 2][lane]) >> 23 & 255;
    Ints finite = given - given == 0;
    Floats numbers = (Floats)((Ints)given & finite);
    Floats rounded = rounded_by_chance(s, numbers, (Ints)scale - 127, seeds, source_bits);
    Words chosen = finite ? (Words)rounded : (Words)given;
    chosen = scale == 255 ? (Words)0x7fc00000 : chosen;
    STORE(&w->value[row][lane], encode_floats(s, (Floats)chosen, saturate));
  }
}

/* Two halves of a word at once: exact in f32, so that each is rounded once. */
static void add_halves(Exchange *x) {
  u32 sum = 0;
  for (u32 at = 0; at < 32; at += 16) {
    float a = decode(x->format, x->old[0] >> at & 0xffff),
          b = decode(x->format, x->operand[0] >> at & 0xffff);
    sum |= encode(x->format, a + b, 0) << at;
  }
  x->next[0] = sum;
}

/* Operand in row 0, where the old value is left. */
void lm_add_halves(Wave *w, u32 instruction, u32 space, u64 mask, u32 format, u32 kind) {
  if (!mask) return;
  Access a = begin_lanes(w, instruction, space, READ_MODIFY_WRITE | kind, 4, mask, 4);
  Exchange x = {.size = 4, .format = format};
  exchange(w, &a, mask, 0, 0, &x, add_halves, 0, 0);
}

/* 2 / pi from bit 1 after the point on. */
static const u32 TWO_BY_PI[37] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046,
};

static double two_by_pi_from(u32 bit, int by) {
  u32 word = bit >> 5, shift = bit & 31;
  if (word + 2 >= 37) return 0;
  u64 top = (u64)TWO_BY_PI[word] << 32 | TWO_BY_PI[word + 1];
  if (shift) top = top << shift | (u64)TWO_BY_PI[word + 2] >> (32 - shift);
  return ldexp((double)(top >> 11), by - 53 - (int)bit);
}

/* Rows: the number, the segment. */
void lm_trig_preop(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    F64 a = {.f = row_f64(w, row, lane)};
    u32 exponent = a.u >> 52 & 0x7ff, bit = (w->value[row + 2][lane] & 31) * 53;
    if (exponent > 1077) bit += exponent - 1077;
    double r = a.f != a.f ? a.f + a.f : two_by_pi_from(bit, exponent >= 1968 ? 128 : 0);
    set_row_f64(w, row, lane, r);
  }
}
