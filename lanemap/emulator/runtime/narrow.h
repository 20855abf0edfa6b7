/* Narrow floating-point formats, decoded to and encoded from f32.
 *
 * OCP 8-bit Floating Point Specification (E4M3 without infinities, E5M2) and OCP Microscaling
 * Formats (E2M3, E3M2, E2M1, E8M0), both from the Open Compute Project; f16 and bf16 are IEEE 754
 * binary16 and the upper half of binary32.
 */
#ifndef LANEMAP_NARROW_H
#define LANEMAP_NARROW_H
#include "runtime.h"

enum Format {
  FORMAT_F32, FORMAT_F16, FORMAT_BF16, FORMAT_E4M3, FORMAT_E5M2, FORMAT_E2M3, FORMAT_E3M2,
  FORMAT_E2M1, FORMAT_I8, FORMAT_F64, FORMAT_E8M0, FORMAT_U8
};

u32 format_bits(u32 format);
/* The value of a code as f32 (exact for every format but F64 and the integers). */
float decode(u32 format, u32 code);
/* Round to nearest even; too large becomes the largest finite value if `saturate`, else the
 * format's infinity or NaN. */
u32 encode(u32 format, float value, u32 saturate);
#endif
