/* Narrow floating-point formats, decoded to and encoded from f32.
 *
 * OCP 8-bit Floating Point Specification (E4M3 without infinities, E5M2) and OCP Microscaling
 * Formats (E2M3, E3M2, E2M1, E8M0), both from the Open Compute Project; f16 and bf16 are IEEE 754
 * binary16 and the upper half of binary32. TF32 is binary32 without its 13 low bits, UE4M3 is E4M3
 * whose sign bit is ignored, as scales of blocks have it. FNUZ: LLVM, APFloat, Float8E4M3FNUZ and
 * Float8E5M2FNUZ.
 */
#ifndef LANEMAP_NARROW_H
#define LANEMAP_NARROW_H
#include "runtime.h"

enum Format {
  FORMAT_F32,
  FORMAT_F16,
  FORMAT_BF16,
  FORMAT_E4M3,
  FORMAT_E5M2,
  FORMAT_E2M3,
  FORMAT_E3M2,
  FORMAT_E2M1,
  FORMAT_I8,
  FORMAT_F64,
  FORMAT_E8M0,
  FORMAT_U8,
  FORMAT_TF32,
  FORMAT_UE4M3,
  FORMAT_I4,
  FORMAT_U4,
  FORMAT_B1,
  FORMAT_E4M3_FNUZ,
  FORMAT_E5M2_FNUZ
};

/* What the largest exponent of a format means: infinities and NaN as in IEEE 754, NaN where all
 * bits are ones, or ordinary numbers; and ordinary numbers where the only NaN is what would be -0
 * (FNUZ). */
enum Top { TOP_IEEE, TOP_NAN, TOP_NUMBERS, TOP_ONE_NAN };
typedef struct FloatShape { u32 exponent_bits, mantissa_bits, bias, top; } FloatShape;

/* Exponent and mantissa of a floating-point format; those of f32 for every other format. */
static inline FloatShape float_shape(u32 format) {
  switch (format) {
  case FORMAT_F16: return (FloatShape){5, 10, 15, TOP_IEEE};
  case FORMAT_BF16: return (FloatShape){8, 7, 127, TOP_IEEE};
  case FORMAT_E4M3:
  case FORMAT_UE4M3: return (FloatShape){4, 3, 7, TOP_NAN};
  case FORMAT_E5M2: return (FloatShape){5, 2, 15, TOP_IEEE};
  case FORMAT_E4M3_FNUZ: return (FloatShape){4, 3, 8, TOP_ONE_NAN};
  case FORMAT_E5M2_FNUZ: return (FloatShape){5, 2, 16, TOP_ONE_NAN};
  case FORMAT_E2M3: return (FloatShape){2, 3, 1, TOP_NUMBERS};
  case FORMAT_E3M2: return (FloatShape){3, 2, 3, TOP_NUMBERS};
  case FORMAT_E2M1: return (FloatShape){2, 1, 1, TOP_NUMBERS};
  default: return (FloatShape){8, 23, 127, TOP_IEEE};
  }
}

u32 format_bits(u32 format);
/* The value of a code as f32 (exact for every format but F64 and the integers). */
float decode(u32 format, u32 code);
/* Round to nearest even; too large becomes the largest finite value if `saturate`, else the
 * format's infinity or NaN. */
u32 encode(u32 format, float value, u32 saturate);
#endif
