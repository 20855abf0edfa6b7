/* Lanes that read one another's values. */
#include "lanes.h"

/* out row <- value row `source` of the lane that row `index` names (modulo the lanes); a lane
 * that is not in `mask` gives zero (ds_bpermute_b32). `defined`: the source has no undefined bits,
 * and none are written. */
void lm_gather(Wave *w, u64 mask, u32 source, u32 index, u32 out, u32 defined) {
  u32 lanes = w->launch->lanes, from[MAX_LANES], value[MAX_LANES];
  for (u32 lane = 0; lane < lanes; lane += 8) {
    EightLanes lane_of = LOAD(EightLanes, &w->value[index][lane]) & (lanes - 1);
    STORE(from + lane, lane_of);
    STORE(value + lane, chosen_of_64(w->value[source], lane_of));
  }
  if (mask != w->full)
    for (u32 lane = 0; lane < lanes; lane++) value[lane] &= -(u32)(mask >> from[lane] & 1);
  __builtin_memcpy(w->value[out], value, sizeof value);
  if (defined) return;
  u32 undefined[MAX_LANES], origin[MAX_LANES];
  for (u32 lane = 0; lane < lanes; lane++) {
    int have = mask >> from[lane] & 1;
    undefined[lane] = have ? w->undefined[source][from[lane]] : 0;
    origin[lane] = have ? w->origin[source][from[lane]] : 0;
  }
  __builtin_memcpy(w->undefined[out], undefined, sizeof undefined);
  __builtin_memcpy(w->origin[out], origin, sizeof origin);
}

/* The other way: lane l sends to lane index[l] (ds_permute_b32); the highest lane wins. */
void lm_scatter(Wave *w, u64 mask, u32 source, u32 index, u32 out, u32 defined) {
  u32 lanes = w->launch->lanes, value[MAX_LANES] = {0};
  for (u32 lane = 0; lane < lanes; lane++)
    if (mask >> lane & 1) value[w->value[index][lane] & (lanes - 1)] = w->value[source][lane];
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
