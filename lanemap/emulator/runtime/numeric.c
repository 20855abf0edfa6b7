/* Functions of single lanes that LLVM has no instruction for. */
#include "narrow.h"

double exp2(double), log2(double), sqrt(double), sin(double), cos(double), floor(double);
double ldexp(double, int), tanh(double), fma(double, double, double);
float ldexpf(float, int), fmaf(float, float, float);

typedef union { float f; u32 u; } F32;
typedef union { double f; u64 u; } F64;

u32 format_bits(u32 format) {
  FloatShape s = float_shape(format);
  if (format == FORMAT_F64) return 64;
  if (format == FORMAT_I8 || format == FORMAT_U8 || format == FORMAT_E8M0) return 8;
  return 1 + s.exponent_bits + s.mantissa_bits;
}

static float power_of_two(int exponent) {
  F32 r;
  if (exponent >= -126) r.u = (u32)(exponent + 127) << 23;
  else r.u = exponent >= -149 ? 1u << (exponent + 149) : 0;
  return r.f;
}

float decode(u32 format, u32 code) {
  if (format == FORMAT_I8) return (float)(signed char)code;
  if (format == FORMAT_U8) return (float)(u8)code;
  F32 r = {.u = code};
  if (format == FORMAT_F32) return r.f;
  if (format == FORMAT_TF32) {
    r.u = code & ~0x1fffu;
    return r.f;
  }
  if (format == FORMAT_UE4M3) return decode(FORMAT_E4M3, code & 0x7f);
  if (format == FORMAT_BF16) {
    r.u = code << 16;
    return r.f;
  }
  if (format == FORMAT_E8M0) {
    r.u = 0x7fc00000;
    return code == 0xff ? r.f : power_of_two((int)code - 127);
  }
  FloatShape s = float_shape(format);
  u32 exponent_mask = (1u << s.exponent_bits) - 1, mantissa_mask = (1u << s.mantissa_bits) - 1;
  u32 exponent = code >> s.mantissa_bits & exponent_mask, mantissa = code & mantissa_mask;
  u32 sign = code >> (s.exponent_bits + s.mantissa_bits) & 1;
  if (exponent == exponent_mask && s.top != TOP_NUMBERS) {
    if (s.top == TOP_IEEE && mantissa == 0) {
      r.u = 0x7f800000 | sign << 31;
      return r.f;
    }
    if (s.top == TOP_IEEE || mantissa == mantissa_mask) {
      r.u = 0x7fc00000 | sign << 31 | (s.top == TOP_IEEE ? mantissa << (23 - s.mantissa_bits) : 0);
      return r.f;
    }
  }
  int scale = (exponent ? (int)exponent : 1) - (int)s.bias - (int)s.mantissa_bits;
  u32 whole = exponent ? mantissa | 1u << s.mantissa_bits : mantissa;
  float value = (float)whole * power_of_two(scale);
  return sign ? -value : value;
}

u32 encode(u32 format, float value, u32 saturate) {
  F32 in = {.f = value};
  if (format == FORMAT_F32) return in.u;
  FloatShape s = float_shape(format);
  u32 sign = in.u >> 31, magnitude = in.u & 0x7fffffff;
  u32 exponent_mask = (1u << s.exponent_bits) - 1, mantissa_mask = (1u << s.mantissa_bits) - 1;
  u32 sign_bit = sign << (s.exponent_bits + s.mantissa_bits);
  u32 infinity = exponent_mask << s.mantissa_bits;
  u32 largest = s.top == TOP_IEEE ? infinity - 1 : infinity | (mantissa_mask - (s.top == TOP_NAN));
  u32 nan = s.top == TOP_NAN ? infinity | mantissa_mask : infinity | 1u << (s.mantissa_bits - 1);
  if (magnitude > 0x7f800000) return s.top == TOP_NUMBERS ? largest : sign_bit | nan;
  int exponent = (int)(magnitude >> 23) - 127;
  u32 mantissa = magnitude & 0x7fffff;
  if (magnitude >> 23) mantissa |= 0x800000;
  else exponent = -126;
  /* keep mantissa_bits after the leading one, fewer below the smallest normal exponent */
  int drop = 23 - (int)s.mantissa_bits, smallest = 1 - (int)s.bias;
  if (exponent < smallest) drop += smallest - exponent;
  u32 code;
  if (drop > 25) {
    code = 0;
  } else {
    u32 kept = mantissa >> drop, rest = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
    /* a carry out of the mantissa moves into the exponent by itself */
    code = exponent < smallest ? kept
                               : kept + ((u32)(exponent - smallest) << s.mantissa_bits);
  }
  if (magnitude == 0x7f800000 || code > largest)
    code = saturate || s.top == TOP_NUMBERS ? largest : (s.top == TOP_IEEE ? infinity : nan);
  return sign_bit | code;
}

/* Each lane of row: code -> f32, or f32 -> code. */
void lm_decode(Wave *w, u32 instruction, u64 mask, u32 row, u32 format) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++)
    if (mask >> lane & 1) {
      F32 r = {.f = decode(format, w->value[row][lane])};
      w->value[row][lane] = r.u;
    }
}

void lm_encode(Wave *w, u32 instruction, u64 mask, u32 row, u32 format, u32 saturate) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++)
    if (mask >> lane & 1) {
      F32 r = {.u = w->value[row][lane]};
      w->value[row][lane] = encode(format, r.f, saturate);
    }
}

/* Approximated by hardware within 1 ulp (AMD CDNA4 ISA); here correctly rounded, which is one of
 * the results that the bound allows. Arguments of sin and cos are in turns. */
enum Function {
  FUNCTION_EXP2, FUNCTION_LOG2, FUNCTION_RCP, FUNCTION_RSQ, FUNCTION_SQRT, FUNCTION_SIN_TURNS,
  FUNCTION_COS_TURNS, FUNCTION_SIN, FUNCTION_COS, FUNCTION_TANH
};

static double hardware_function(u32 which, double x) {
  const double two_pi = 6.283185307179586476925286766559;
  switch (which) {
    case FUNCTION_EXP2: return exp2(x);
    case FUNCTION_LOG2: return log2(x);
    case FUNCTION_RCP: return 1.0 / x;
    case FUNCTION_RSQ: return 1.0 / sqrt(x);
    case FUNCTION_SQRT: return sqrt(x);
    case FUNCTION_SIN_TURNS: return sin((x - floor(x)) * two_pi);
    case FUNCTION_COS_TURNS: return cos((x - floor(x)) * two_pi);
    case FUNCTION_SIN: return sin(x);
    case FUNCTION_COS: return cos(x);
    default: return tanh(x);
  }
}

void lm_function_f32(Wave *w, u32 instruction, u64 mask, u32 row, u32 which) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++)
    if (mask >> lane & 1) {
      F32 r = {.u = w->value[row][lane]};
      r.f = (float)hardware_function(which, r.f);
      w->value[row][lane] = r.u;
    }
}

static double row_f64(const Wave *w, u32 row, u32 lane) {
  F64 r = {.u = w->value[row][lane] | (u64)w->value[row + 1][lane] << 32};
  return r.f;
}

static void set_row_f64(Wave *w, u32 row, u32 lane, double value) {
  F64 r = {.f = value};
  w->value[row][lane] = (u32)r.u;
  w->value[row + 1][lane] = (u32)(r.u >> 32);
}

void lm_function_f64(Wave *w, u32 instruction, u64 mask, u32 row, u32 which) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++)
    if (mask >> lane & 1) set_row_f64(w, row, lane, hardware_function(which, row_f64(w, row, lane)));
}

/* Division helpers (CDNA4 ISA, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP): wide selects f64. */
static int exponent_of(double x, u32 wide) {
  F64 d = {.f = x};
  F32 s = {.f = (float)x};
  return wide ? (int)(d.u >> 52 & 0x7ff) : (int)(s.u >> 23 & 0xff);
}

static double quotient(double a, double b, u32 wide) { return wide ? a / b : (float)((float)a / (float)b); }

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

/* Half-precision fma with one rounding: the product of two f16 is exact in f64, and where adding
 * the third loses bits the sum is rounded to odd first, so that rounding to f16 stays right. */
void lm_fma_f16(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    double p = (double)decode(FORMAT_F16, w->value[row][lane] & 0xffff) *
               decode(FORMAT_F16, w->value[row + 1][lane] & 0xffff);
    double c = decode(FORMAT_F16, w->value[row + 2][lane] & 0xffff);
    F64 sum = {.f = p + c};
    double back = sum.f - p, error = (p - (sum.f - back)) + (c - back);
    if (error != 0 && !(sum.u & 1) && !is_nan(sum.f) && !is_infinite(sum.f))
      sum.u += (error > 0) == (sum.f > 0) ? 1 : -1;
    /* f64 to f32 to odd likewise, then to f16 */
    F32 narrow = {.f = (float)sum.f};
    double lost = sum.f - narrow.f;
    if (lost != 0 && !(narrow.u & 1) && !is_infinite(narrow.f) && !is_nan(narrow.f))
      narrow.u += (lost > 0) == (sum.f > 0) ? 1 : -1;
    w->value[row][lane] = encode(FORMAT_F16, narrow.f, 0);
  }
}
