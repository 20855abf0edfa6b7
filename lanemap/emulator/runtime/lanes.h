/* Lanes chosen by values. */
#ifndef LANEMAP_LANES_H
#define LANEMAP_LANES_H
#include "access.h"
#include "narrow_vectors.h"

typedef u32 EightLanes __attribute__((ext_vector_type(8)));

/* Elements of eight that 16 lanes choose by the last bits of their indices: AVX2 permutes eight. */
INLINE Words chosen_of_8(EightLanes of, Words from) {
  EightLanes low = __builtin_shufflevector(from, from, 0, 1, 2, 3, 4, 5, 6, 7);
  EightLanes high = __builtin_shufflevector(from, from, 8, 9, 10, 11, 12, 13, 14, 15);
  low = __builtin_shufflevector(of, low);
  high = __builtin_shufflevector(of, high);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* The values that 16 lanes choose. They go from loads into a vector: one that reads what was stored
 * by the word waits for all of it. */
INLINE Words chosen_lanes(const u32 *of, const u32 *from) {
  Words found = 0;
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 16; i++) found[i] = of[from[i]];
  return found;
}
#endif
