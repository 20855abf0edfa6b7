/* Functions of single lanes that LLVM has no instruction for. */
#include "floats.h"
#include "narrow_vectors.h"

u32 format_bits(u32 format) {
  FloatShape s = float_shape(format);
  if (format == FORMAT_F64) return 64;
  if (format == FORMAT_I8 || format == FORMAT_U8 || format == FORMAT_E8M0) return 8;
  if (format == FORMAT_I4 || format == FORMAT_U4) return 4;
  if (format == FORMAT_B1) return 1;
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
  if (s.top == TOP_ONE_NAN && (code & 0xff) == 0x80) {
    r.u = 0x7fc00000 | sign << 31;
    return r.f;
  }
  if (exponent == exponent_mask && (s.top == TOP_IEEE || s.top == TOP_NAN)) {
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
  if (s.top == TOP_ONE_NAN) nan = 1u << (s.exponent_bits + s.mantissa_bits);
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
    code = exponent < smallest ? kept : kept + ((u32)(exponent - smallest) << s.mantissa_bits);
  }
  if (magnitude == 0x7f800000 || code > largest)
    code = saturate || s.top == TOP_NUMBERS ? largest : (s.top == TOP_IEEE ? infinity : nan);
  return s.top == TOP_ONE_NAN && code == 0 ? 0 : sign_bit | code; /* which has no -0 */
}

/* Every lane of row: a code of at most 8 bits -> f32, or f32 -> code; lanes outside the mask get
 * results that nobody reads. */
void lm_decode(Wave *w, u32 instruction, u64 mask, u32 row, u32 format) {
  (void)instruction, (void)mask;
  FloatShape s = float_shape(format);
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16) {
    u32 *place = &w->value[row][lane];
    STORE(place, decode_floats(s, LOAD(Words, place)));
  }
}

void lm_encode(Wave *w, u32 instruction, u64 mask, u32 row, u32 format, u32 saturate) {
  (void)instruction, (void)mask;
  FloatShape s = float_shape(format);
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16) {
    u32 *place = &w->value[row][lane];
    STORE(place, encode_floats(s, LOAD(Floats, place), saturate));
  }
}
