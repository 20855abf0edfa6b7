/* Conversions of binary16 that LLVM calls by these names where an x86-64 processor has no F16C.
 * They give the bits of F16C's instructions: to nearest even, and NaN keeps its upper bits. */
#include "floats.h"

typedef union F16 {
  unsigned short u;
  _Float16 f;
} F16;

_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
float __extendhfsf2(_Float16 value);

_Float16 __truncsfhf2(float value) {
  F32 in = {.f = value};
  u32 sign = in.u >> 16 & 0x8000, bits = in.u & 0x7fffffff, code;
  if (bits > 0x7f800000) {
    code = 0x7e00 | (bits >> 13 & 0x1ff);
  } else if (bits >= 0x47800000) { /* 2^16 */
    code = 0x7c00;
  } else if (bits >= 0x38800000) { /* 2^-14; a carry may reach the exponent, and infinity */
    code = ((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10);
  } else { /* the last bit of numbers near 0.5 is 2^-24, the least half */
    F32 near = {.u = bits};
    near.f += 0.5f;
    code = near.u - 0x3f000000;
  }
  return (F16){.u = (unsigned short)(sign | code)}.f;
}

/* Rounded to odd before, so that the second rounding sees whether the first one was exact. */
_Float16 __truncdfhf2(double value) {
  F32 odd = {.f = (float)value};
  double back = odd.f;
  int larger = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  if (back != value && value == value && !(odd.u & 1)) odd.u += larger ? -1 : 1;
  return __truncsfhf2(odd.f);
}

float __extendhfsf2(_Float16 value) {
  u32 code = (F16){.f = value}.u;
  u32 sign = (code & 0x8000) << 16, exponent = code >> 10 & 31, mantissa = code & 0x3ff;
  F32 out;
  if (exponent == 31) out.u = 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0);
  else if (exponent) out.u = (exponent + 112) << 23 | mantissa << 13;
  else out.f = (float)mantissa * 0x1p-24f;
  out.u |= sign;
  return out.f;
}
