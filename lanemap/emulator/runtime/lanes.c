/* Lanes that read one another's values. */
#include "lanes.h"

/* out row, which is another one, <- value row `source` of the lane that row `index` names (modulo
 * the lanes); a lane that is not in `mask` gives zero (ds_bpermute_b32). `defined`: the source has
 * no undefined bits, and none are written. */
void lm_gather(Wave *w, u64 mask, u32 source, u32 index, u32 out, u32 defined) {
  u32 lanes = w->launch->lanes;
  for (u32 lane = 0; lane < lanes; lane += 8) {
    EightLanes from = LOAD(EightLanes, &w->value[index][lane]) & (lanes - 1);
    STORE(&w->value[out][lane], chosen_of_64(w->value[source], from));
  }
  if (defined && mask == w->full) return;
  for (u32 lane = 0; lane < lanes; lane++) {
    u32 from = w->value[index][lane] & (lanes - 1), have = mask >> from & 1;
    if (!have) w->value[out][lane] = 0;
    if (defined) continue;
    w->undefined[out][lane] = have ? w->undefined[source][from] : 0;
    w->origin[out][lane] = have ? w->origin[source][from] : 0;
  }
}

/* The other way: lane l sends to lane index[l] (ds_permute_b32); the highest lane wins. */
void lm_scatter(Wave *w, u64 mask, u32 source, u32 index, u32 out, u32 defined) {
  u32 lanes = w->launch->lanes, value[MAX_LANES] = {0};
  const u32 *to = w->value[index], *from = w->value[source];
  if (mask == w->full)
    _Pragma("clang loop unroll_count(16)") for (u32 lane = 0; lane < lanes; lane++)
        value[to[lane] & (lanes - 1)] = from[lane];
  else
    for (u32 lane = 0; lane < lanes; lane++)
      if (mask >> lane & 1) value[to[lane] & (lanes - 1)] = from[lane];
  __builtin_memcpy(w->value[out], value, sizeof value);
  if (defined) return;
  u32 undefined[MAX_LANES] = {0}, origin[MAX_LANES] = {0};
  for (u32 lane = 0; lane < lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u32 to = w->value[index][lane] & (lanes - 1);
    undefined[to] = w->undefined[source][lane];
    origin[to] = w->origin[source][lane];
  }
  __builtin_memcpy(w->undefined[out], undefined, sizeof undefined);
  __builtin_memcpy(w->origin[out], origin, sizeof origin);
}
