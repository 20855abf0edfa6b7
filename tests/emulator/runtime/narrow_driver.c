/* Vectors of narrow floats, for test_narrow_vectors.py: codes of f32 that follow each other by their bits. */
#include "narrow_vectors.h"

void encode_range(u32 format, u32 saturate, u32 first, u32 count, u8 *codes) {
  FloatShape s = float_shape(format);
  for (u32 at = 0; at < count; at += 16) {
    Words bits;
    for (u32 i = 0; i < 16; i++) bits[i] = first + at + i;
    bits = encode_floats(s, AS(Floats, bits), saturate);
    for (u32 i = 0; i < 16; i++) codes[at + i] = (u8)bits[i];
  }
}

void decode_range(u32 format, u32 *values) {
  for (u32 at = 0; at < 256; at += 16) {
    Words codes;
    for (u32 i = 0; i < 16; i++) codes[i] = at + i;
    STORE(values + at, decode_floats(float_shape(format), codes));
  }
}
