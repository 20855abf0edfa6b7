// How elements of an accumulator become 16-byte units of rows of the output in a box of shared
// memory, for every target: rounding and the 128-byte swizzle. The maps are those of layouts.h.
#pragma once
#include "async.h"
#include "layouts.h"

// A box has 128 bytes of each row.
constexpr int OUTPUT_BYTES = OUTPUT_F32 ? 4 : 2;
constexpr int BOX_COLUMNS = 128 / OUTPUT_BYTES;

// Two elements of the 16-bit type of the output; `low` has the lower column.
DEVICE unsigned pack(float low, float high) {
  unsigned both;
#if OUTPUT_F16
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#else
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#endif
  return both;
}

// Four elements of e4m3, the first in the lowest byte.
DEVICE unsigned pack_e4m3(float a, float b, float c, float d) {
  unsigned all;
  asm("{\n"
      ".reg .b16 low, high;\n"
      "cvt.rn.satfinite.e4m3x2.f32 low, %2, %1;\n"
      "cvt.rn.satfinite.e4m3x2.f32 high, %4, %3;\n"
      "mov.b32 %0, {low, high};\n"
      "}" : "=r"(all) : "f"(a), "f"(b), "f"(c), "f"(d));
  return all;
}

// The inverse: the element with the lower column, or the other one.
DEVICE float unpack(unsigned both, int high) {
#if OUTPUT_F16
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<unsigned short>(both >> 16 * high)));
  return value;
#else
  return __int_as_float(high ? both & 0xffff0000u : both << 16);
#endif
}

// Place of a 16-byte unit of a row of 128 bytes in a box with the 128-byte swizzle.
DEVICE unsigned swizzled(int line, int unit) {
  return (line & ~7) * 128 + swizzle_line(line & 7, unit, 0, 0) * 128 +
         swizzle_unit(line & 7, unit, 0, 0) * 16;
}

DEVICE void store_unit(unsigned to, const unsigned (&unit)[4]) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
               ::"r"(to), "r"(unit[0]), "r"(unit[1]), "r"(unit[2]), "r"(unit[3]) : "memory");
}
