/* Functions of single lanes that only AMDGCN has. */
#include "atomics.h"
#include "events.h"
#include "floats.h"
#include "narrow.h"

/* Division helpers (CDNA4 ISA, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP): wide selects f64. */
static int exponent_of(double x, u32 wide) {
  F64 d = {.f = x};
  F32 s = {.f = (float)x};
  return wide ? (int)(d.u >> 52 & 0x7ff) : (int)(s.u >> 23 & 0xff);
}

static double quotient(double a, double b, u32 wide) {
  return wide ? a / b : (float)((float)a / (float)b);
}

static int subnormal(double x, u32 wide) { return x != 0 && exponent_of(x, wide) == 0; }

static double scaled(double x, int by, u32 wide) {
  return wide ? ldexp(x, by) : ldexpf((float)x, by);
}

static double lane_float(const Wave *w, u32 row, u32 lane, u32 wide) {
  if (wide) return row_f64(w, row, lane);
  F32 r = {.u = w->value[row][lane]};
  return r.f;
}

static void set_lane_float(Wave *w, u32 row, u32 lane, u32 wide, double value) {
  F32 r = {.f = (float)value};
  if (wide) set_row_f64(w, row, lane, value);
  else w->value[row][lane] = r.u;
}

/* Rows: what to scale, denominator, numerator (two rows each if wide); out: the result, then a row
 * with VCC's bit of each lane. */
void lm_div_scale(Wave *w, u32 instruction, u64 mask, u32 row, u32 wide) {
  (void)instruction;
  u32 step = wide ? 2 : 1;
  int far = wide ? 768 : 96, by = wide ? 128 : 64, near = wide ? 53 : 23;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    double s0 = lane_float(w, row, lane, wide), s1 = lane_float(w, row + step, lane, wide);
    double s2 = lane_float(w, row + 2 * step, lane, wide), result = s0;
    u32 flag = 0;
    F64 nan = {.u = 0x7ff8000000000000ull};
    if (s2 == 0 || s1 == 0) {
      result = nan.f;
    } else if (exponent_of(s2, wide) - exponent_of(s1, wide) >= far) {
      flag = 1;
      if (s0 == s1) result = scaled(s0, by, wide);
    } else if (subnormal(s1, wide)) {
      result = scaled(s0, by, wide);
    } else if (subnormal(quotient(1, s1, wide), wide) && subnormal(quotient(s2, s1, wide), wide)) {
      /* Down, so that the reciprocal is normal: V_DIV_FMAS then undoes 2^by in the quotient. The
       * manual's pseudocode scales up, which leaves no finite denominator; the quotients of real
       * code, which are correctly rounded, need down. */
      flag = 1;
      if (s0 == s1) result = scaled(s0, -by, wide);
    } else if (subnormal(quotient(1, s1, wide), wide)) {
      result = scaled(s0, -by, wide);
    } else if (subnormal(quotient(s2, s1, wide), wide)) {
      flag = 1;
      if (s0 == s2) result = scaled(s0, by, wide);
    } else if (exponent_of(s2, wide) <= near) {
      result = scaled(s0, by, wide);
    }
    set_lane_float(w, row, lane, wide, result);
    w->value[row + step][lane] = flag;
  }
}

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
static double scaled_fma(double a, double b, double c, int by, u32 wide) {
  if (!wide) { /* the product of two f32 is exact in f64 */
    double product = a * b, sum = product + c, part = sum - product;
    double rest = (product - (sum - part)) + (c - part);
    F64 odd = {.f = sum};
    /* Round to odd: of the two neighbours of the exact sum the odd one, so that f32 rounds once. */
    if (rest != 0 && !(odd.u & 1)) odd.u += ((rest > 0) == (sum > 0)) ? 1 : -1;
    return (float)ldexp(odd.f, by);
  }
  double r = fma(a, b, c), result = ldexp(r, by), lost = r - ldexp(result, -by);
  if (by > 0) return result;
  int error = error_of_fma(a, b, c, r);
  double least = ldexp(1, -1074), half = ldexp(1, -1075 - by);
  if (lost == half && error > 0) result += least;
  if (lost == -half && error < 0) result -= least;
  return result;
}

/* Rows: three factors of an fma, then the lane's VCC bit. */
void lm_div_fmas(Wave *w, u32 instruction, u64 mask, u32 row, u32 wide) {
  (void)instruction;
  u32 step = wide ? 2 : 1;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    double a = lane_float(w, row, lane, wide), b = lane_float(w, row + step, lane, wide);
    double c = lane_float(w, row + 2 * step, lane, wide);
    double r = wide ? fma(a, b, c) : fmaf((float)a, (float)b, (float)c);
    int finite = r - r == 0;
    if (w->value[row + 3 * step][lane]) {
      int up = exponent_of(c, wide) > (wide ? 1023 : 127), by = wide ? 128 : 64;
      by = up ? by : -by;
      r = finite ? scaled_fma(a, b, c, by, wide) : scaled(r, by, wide);
    }
    set_lane_float(w, row, lane, wide, r);
  }
}

static int is_nan(double x) { return x != x; }

static int is_infinite(double x) { return !is_nan(x) && is_nan(x - x); }

/* Rows: quotient, denominator, numerator. */
void lm_div_fixup(Wave *w, u32 instruction, u64 mask, u32 row, u32 wide) {
  (void)instruction;
  u32 step = wide ? 2 : 1;
  F64 nan = {.u = 0xfff8000000000000ull}, infinity = {.u = 0x7ff0000000000000ull};
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    double q = lane_float(w, row, lane, wide), d = lane_float(w, row + step, lane, wide);
    double n = lane_float(w, row + 2 * step, lane, wide);
    F64 sign_d = {.f = d}, sign_n = {.f = n}, magnitude = {.f = q};
    magnitude.u &= ~(1ull << 63);
    double r = magnitude.f;
    int spread = exponent_of(n, wide) - exponent_of(d, wide);
    if (is_nan(n) || is_nan(d)) {
      set_lane_float(w, row, lane, wide, is_nan(n) ? n + n : d + d);
      continue;
    }
    if ((n == 0 && d == 0) || (is_infinite(n) && is_infinite(d))) {
      set_lane_float(w, row, lane, wide, nan.f);
      continue;
    }
    if (d == 0 || is_infinite(n)) r = infinity.f;
    else if (is_infinite(d) || n == 0) r = 0;
    else if (spread < (wide ? -1075 : -150)) r = 0;
    else if (spread > (wide ? 1100 : 160)) r = infinity.f;
    set_lane_float(w, row, lane, wide, (sign_d.u ^ sign_n.u) >> 63 ? -r : r);
  }
}

/* A finite value over 2^power, rounded by chance: the highest bits of the seed are added to the
 * bits of the mantissa that the format has no room for, which are then dropped. `source_bits` is
 * the mantissa of the type that the value had. Source: HIP, amd_hip_ocp_host.hpp, from_float_sr. */
static float rounded_by_chance(u32 format, double value, int power, u32 seed, u32 source_bits) {
  FloatShape s = float_shape(format);
  F64 bits = {.f = value};
  u64 sign = bits.u >> 63;
  double magnitude = ldexp(sign ? -value : value, -power);
  bits.f = magnitude;
  int exponent = (int)(bits.u >> 52) - 1023, smallest = 1 - (int)s.bias;
  if (exponent < smallest) exponent = smallest;
  if (exponent > 127) return (float)(sign ? -ldexp(1, 127) : ldexp(1, 127)); /* too large for all */
  u32 dropped = source_bits - s.mantissa_bits;
  u32 whole = (u32)ldexp(magnitude, (int)source_bits - exponent) + (seed >> (32 - dropped));
  double result = ldexp(whole >> dropped, exponent - (int)s.mantissa_bits);
  return (float)(sign ? -result : result);
}

/* Rows: an f32, a seed, an f32 of which the exponent is the scale. */
void lm_encode_by_chance(Wave *w, u32 instruction, u64 mask, u32 row, u32 format, u32 source_bits,
                         u32 saturate) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    F32 value = {.u = w->value[row][lane]}, nan = {.u = 0x7fc00000};
    u32 scale = w->value[row + 2][lane] >> 23 & 255;
    if (scale == 255) value = nan;
    else if (value.f - value.f == 0)
      value.f = rounded_by_chance(format, value.f, (int)scale - 127, w->value[row + 1][lane],
                                  source_bits);
    w->value[row][lane] = encode(format, value.f, saturate);
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
  return scaled((double)(top >> 11), by - 53 - (int)bit, 1);
}

/* Rows: the number, the segment. */
void lm_trig_preop(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    F64 a = {.f = lane_float(w, row, lane, 1)};
    u32 exponent = a.u >> 52 & 0x7ff, bit = (w->value[row + 2][lane] & 31) * 53;
    if (exponent > 1077) bit += exponent - 1077;
    double r = is_nan(a.f) ? a.f + a.f : two_by_pi_from(bit, exponent >= 1968 ? 128 : 0);
    set_lane_float(w, row, lane, 1, r);
  }
}
