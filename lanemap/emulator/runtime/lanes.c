/* Lanes that read one another's values. */
#include "access.h"

/* out row <- value row `source` of the lane that row `index` names (modulo the lanes); a lane
 * that is not in `mask` gives zero (ds_bpermute_b32). */
void lm_gather(Wave *w, u64 mask, u32 source, u32 index, u32 out) {
  u32 lanes = w->launch->lanes, from[MAX_LANES], value[MAX_LANES], unknown = 0;
  for (u32 lane = 0; lane < lanes; lane++) {
    from[lane] = w->value[index][lane] % lanes;
    value[lane] = w->value[source][from[lane]];
    unknown |= w->undefined[source][lane];
  }
  if (unknown == 0 && mask == w->full) { /* the common case */
    __builtin_memcpy(w->value[out], value, lanes * sizeof(u32));
    __builtin_memset(w->undefined[out], 0, lanes * sizeof(u32));
    return;
  }
  u32 undefined[MAX_LANES], origin[MAX_LANES];
  for (u32 lane = 0; lane < lanes; lane++) {
    int have = mask >> from[lane] & 1;
    value[lane] = have ? value[lane] : 0;
    undefined[lane] = have ? w->undefined[source][from[lane]] : 0;
    origin[lane] = have ? w->origin[source][from[lane]] : 0;
  }
  for (u32 lane = 0; lane < lanes; lane++)
    if (mask >> lane & 1) {
      w->value[out][lane] = value[lane];
      w->undefined[out][lane] = undefined[lane];
      w->origin[out][lane] = origin[lane];
    }
}

/* The other way: lane l sends to lane index[l] (ds_permute_b32); the highest lane wins. */
void lm_scatter(Wave *w, u64 mask, u32 source, u32 index, u32 out) {
  u32 lanes = w->launch->lanes, from[MAX_LANES], value[MAX_LANES], undefined[MAX_LANES];
  for (u32 lane = 0; lane < lanes; lane++) from[lane] = ~0u;
  for (u32 lane = 0; lane < lanes; lane++) {
    value[lane] = w->value[source][lane];
    undefined[lane] = w->undefined[source][lane];
    if (mask >> lane & 1) from[w->value[index][lane] % lanes] = lane;
  }
  for (u32 lane = 0; lane < lanes; lane++)
    if (mask >> lane & 1) {
      w->value[out][lane] = from[lane] == ~0u ? 0 : value[from[lane]];
      w->undefined[out][lane] = from[lane] == ~0u ? 0 : undefined[from[lane]];
      w->origin[out][lane] = from[lane] == ~0u ? 0 : w->origin[source][from[lane]];
    }
}
