/* Lanes of a row: whether some hold undefined bits; lanes chosen by values. */
#ifndef LANEMAP_LANES_H
#define LANEMAP_LANES_H
#include "access.h"
#include "narrow_vectors.h"

/* Does some lane of a scratch row have undefined bits? */
static inline int row_undefined(const Wave *w, u32 row) {
  Words any = 0;
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16)
    any |= LOAD(Words, &w->undefined[row][lane]);
  return __builtin_reduce_or(any) != 0;
}

typedef u32 EightLanes __attribute__((ext_vector_type(8)));

/* What a bit of the indices chooses: as the sign of a number, by which AVX2 chooses. */
INLINE EightLanes chosen_by(u32 bit, EightLanes from, EightLanes zero, EightLanes one) {
  typedef i32 Signs __attribute__((ext_vector_type(8)));
  return (Signs)(from << (31 - bit)) < 0 ? one : zero;
}

/* The values that eight lanes choose of 8, 16, 32 or 64, by permutations of eight. LLVM finds them
 * in one basic block alone, and not in wider vectors. */
INLINE EightLanes chosen_of_8(const u32 *of, EightLanes from) {
  return __builtin_shufflevector(LOAD(EightLanes, of), from);
}

INLINE EightLanes chosen_of_16(const u32 *of, EightLanes from) {
  return chosen_by(3, from, chosen_of_8(of, from), chosen_of_8(of + 8, from));
}

INLINE EightLanes chosen_of_32(const u32 *of, EightLanes from) {
  return chosen_by(4, from, chosen_of_16(of, from), chosen_of_16(of + 16, from));
}

INLINE EightLanes chosen_of_64(const u32 *of, EightLanes from) {
  return chosen_by(5, from, chosen_of_32(of, from), chosen_of_32(of + 32, from));
}
#endif
