/* Sixteen narrow floats at a time: the same values and codes as narrow.h's functions give. */
#ifndef LANEMAP_NARROW_VECTORS_H
#define LANEMAP_NARROW_VECTORS_H
#include "narrow.h"

typedef float Floats __attribute__((ext_vector_type(16)));
typedef i32 Ints __attribute__((ext_vector_type(16)));
typedef u32 Words __attribute__((ext_vector_type(16)));
typedef double Doubles __attribute__((ext_vector_type(16)));
typedef i64 Longs __attribute__((ext_vector_type(16)));

#define LOAD(type, from)                                                                           \
  ({                                                                                               \
    type loaded_;                                                                                  \
    __builtin_memcpy(&loaded_, from, sizeof loaded_);                                              \
    loaded_;                                                                                       \
  })
#define STORE(to, vector)                                                                          \
  ({                                                                                               \
    __typeof__(vector) stored_ = (vector);                                                         \
    __builtin_memcpy(to, &stored_, sizeof stored_);                                                \
  })
/* Reinterpret a vector as another of the same size. */
#define AS(type, vector) ((type)(vector))

/* Infinities and NaN. */
static inline Ints is_odd(Floats values) { return (AS(Ints, values) & 0x7f800000) == 0x7f800000; }

/* 16 codes as f32; the same values as `decode` gives (narrow.h). */
static inline Floats decode_floats(FloatShape s, Words codes) {
  u32 magnitude_bits = s.exponent_bits + s.mantissa_bits, shift = 23 - s.mantissa_bits;
  Words magnitude = codes & ((1u << magnitude_bits) - 1);
  Words sign = codes >> magnitude_bits << 31, moved = magnitude << shift;
  /* With the exponent of the smallest normal number, a subnormal is larger by just that number. */
  u32 borrowed = (128 - s.bias) << 23;
  Floats smallest = AS(Floats, (Words)borrowed);
  Words subnormal = AS(Words, AS(Floats, moved + borrowed) - smallest);
  Words normal = moved + ((127 - s.bias) << 23);
  Words value = magnitude < (1u << s.mantissa_bits) ? subnormal : normal;
  u32 infinity = ((1u << s.exponent_bits) - 1) << s.mantissa_bits, quiet = 0x7fc00000;
  if (s.top == TOP_IEEE) {
    Words nan = moved | quiet, infinite = (Words)0x7f800000;
    value = magnitude > infinity ? nan : magnitude == infinity ? infinite : value;
  } else if (s.top == TOP_NAN) {
    value = magnitude == (1u << magnitude_bits) - 1 ? (Words)quiet : value;
  } else if (s.top == TOP_ONE_NAN) {
    value = codes == 1u << magnitude_bits ? (Words)quiet : value;
  }
  return AS(Floats, value | sign);
}

/* The nearest codes, to even; too large as in `encode`. */
static inline Words encode_floats(FloatShape s, Floats values, u32 saturate) {
  u32 magnitude_bits = s.exponent_bits + s.mantissa_bits, shift = 23 - s.mantissa_bits;
  Ints bits = AS(Ints, values), magnitude = bits & 0x7fffffff;
  i32 infinity = ((1 << s.exponent_bits) - 1) << s.mantissa_bits;
  i32 mantissa_mask = (1 << s.mantissa_bits) - 1;
  /* Half a place, and what makes ties even. A carry moves into the exponent by itself. */
  Words raised = AS(Words, magnitude + (magnitude >> shift & 1)) + ((1u << (shift - 1)) - 1);
  Ints normal = AS(Ints, raised >> shift) - ((127 - (i32)s.bias) << s.mantissa_bits);
  /* The last place of this number is that of the format's subnormals. */
  i32 ruler = (151 - (i32)s.bias - (i32)s.mantissa_bits) << 23;
  Floats sum = AS(Floats, magnitude) + AS(Floats, (Ints)ruler);
  Ints code = magnitude < (128 - (i32)s.bias) << 23 ? AS(Ints, sum) - ruler : normal;
  i32 largest = infinity | (mantissa_mask - (s.top == TOP_NAN));
  if (s.top == TOP_IEEE) largest = infinity - 1;
  i32 nan = s.top == TOP_NAN ? infinity | mantissa_mask : infinity | 1 << (s.mantissa_bits - 1);
  if (s.top == TOP_ONE_NAN) nan = 1 << magnitude_bits;
  i32 beyond = s.top == TOP_IEEE ? infinity : nan;
  if (saturate || s.top == TOP_NUMBERS) beyond = largest;
  Ints no_number = (Ints)(s.top == TOP_NUMBERS ? largest : nan), beyond_all = (Ints)beyond;
  code = magnitude == 0x7f800000 || code > largest ? beyond_all : code;
  code = magnitude > 0x7f800000 ? no_number : code;
  Ints sign = AS(Ints, AS(Words, bits) >> 31 << magnitude_bits);
  if (s.top == TOP_NUMBERS) sign &= magnitude <= 0x7f800000; /* of no NaN */
  if (s.top == TOP_ONE_NAN) sign &= code != 0;               /* which has no -0 */
  return AS(Words, code | sign);
}
#endif
