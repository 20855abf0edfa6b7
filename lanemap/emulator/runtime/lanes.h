/* Lanes chosen by values. */
#ifndef LANEMAP_LANES_H
#define LANEMAP_LANES_H
#include "access.h"
#include "narrow_vectors.h"

/* The values that 16 lanes choose. They go from loads into a vector: one that reads what was stored
 * by the word waits for all of it. */
INLINE Words chosen_lanes(const u32 *of, const u32 *from) {
  Words found = 0;
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 16; i++) found[i] = of[from[i]];
  return found;
}
#endif
