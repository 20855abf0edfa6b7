/* Lanes that read one another's values, and the table-driven gather of the transposing loads. */
#include "access.h"

/* out row <- value row `source` of the lane that row `index` names (modulo the lanes); a lane that
 * is not in `sources` gives zero (ds_bpermute_b32) unless `keep`, where the reader keeps its own. */
void lm_gather(Wave *w, u64 mask, u64 sources, u32 source, u32 index, u32 out, u32 keep) {
  u32 lanes = w->launch->lanes, value[MAX_LANES], undefined[MAX_LANES], origin[MAX_LANES];
  for (u32 lane = 0; lane < lanes; lane++) {
    u32 from = w->value[index][lane] % lanes;
    int have = sources >> from & 1;
    if (!have && keep) from = lane, have = 1;
    value[lane] = have ? w->value[source][from] : 0;
    undefined[lane] = have ? w->undefined[source][from] : 0;
    origin[lane] = have ? w->origin[source][from] : 0;
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

/* Registers filled from chunks of shared memory: every lane's chunk of `chunk` bytes lies at its own
 * address; bit b of register r of lane l is bit table[(l * registers + r) * 32 + b], numbered
 * lane * chunk * 8 + bit, of those chunks. The table is the model's layout map. */
void lm_gather_chunks(Wave *w, u32 instruction, u32 space, u32 chunk, u32 registers, u32 align,
                      u32 row, u32 table_number) {
  const i32 *table = w->launch->tables[table_number];
  u8 data[MAX_LANES * 16] = {0}, undefined[MAX_LANES * 16] = {0};
  u32 lanes = w->launch->lanes;
  w->sequence[1]++;
  for (u32 lane = 0; lane < lanes; lane++) {
    u64 address = w->address[lane];
    Place p;
    if (!resolve(w, space, lane, address, chunk, &p)) {
      out_of_bounds(w, instruction, space, lane, address, chunk);
      continue;
    }
    if (address & (align - 1)) {
      misaligned(w, instruction, space, lane, address, align);
      continue;
    }
    order_access(w, instruction, lane, &p, chunk, ACCESS_LOAD, 0);
    copy_bytes(data + lane * chunk, p.data, chunk);
    copy_bytes(undefined + lane * chunk, p.undefined, chunk);
  }
  for (u32 lane = 0; lane < lanes; lane++)
    for (u32 r = 0; r < registers; r++) {
      u32 value = 0, unknown = 0, where = ~0u;
      for (u32 bit = 0; bit < 32; bit++) {
        i32 from = table[(lane * registers + r) * 32 + bit];
        if (from < 0) {
          unknown |= 1u << bit;
          continue;
        }
        value |= (u32)(data[from >> 3] >> (from & 7) & 1) << bit;
        u32 bad = undefined[from >> 3] >> (from & 7) & 1;
        unknown |= bad << bit;
        if (bad && where == ~0u) where = (u32)from >> 3;
      }
      w->value[row + r][lane] = value;
      w->undefined[row + r][lane] = unknown;
      if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
      u32 origin = 0;
      if (unknown && w->launch->origins && where != ~0u) {
        Place p;
        u32 source = where / chunk;
        u64 address = w->address[source] + where % chunk;
        if (resolve(w, space, source, address, 1, &p) && p.origin) origin = p.origin[0];
        if (!origin)
          origin = lm_origin(w, ORIGIN_MEMORY, instruction, lane, SPACE_SHARED, address);
      }
      w->origin[row + r][lane] = origin;
    }
}
