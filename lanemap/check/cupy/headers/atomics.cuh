// Atomics that CUDA does not have: the least and the greatest of floating-point numbers.
#pragma once

#define LANEMAP_ATOMIC(name, type, word, to_word, from_word, better)          \
  __device__ inline type name(type *address, type value) {                    \
    word *place = (word *)address, before = *place, assumed;                  \
    do {                                                                      \
      assumed = before;                                                       \
      if (!(value better from_word(assumed))) break;                          \
      before = atomicCAS(place, assumed, to_word(value));                     \
    } while (assumed != before);                                              \
    return from_word(before);                                                 \
  }

LANEMAP_ATOMIC(atomicMin, float, unsigned, __float_as_uint, __uint_as_float, <)
LANEMAP_ATOMIC(atomicMax, float, unsigned, __float_as_uint, __uint_as_float, >)
LANEMAP_ATOMIC(atomicMin, double, unsigned long long, __double_as_longlong, __longlong_as_double, <)
LANEMAP_ATOMIC(atomicMax, double, unsigned long long, __double_as_longlong, __longlong_as_double, >)

#undef LANEMAP_ATOMIC
