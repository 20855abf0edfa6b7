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

static u32 field(const u8 *bytes, u32 bit, u32 bits) {
  u32 value = 0;
  for (u32 done = 0; done < bits; done += 8) value |= (u32)bytes[(bit + done) >> 3] << done;
  return bits < 8 ? value >> (bit & 7) & ((1u << bits) - 1) : value;
}

/* Where the first undefined bit of an element came from. */
static u32 chunk_origin(Wave *w, u32 instruction, u32 lane, u32 chunk, u32 from_bit,
                        const u8 *undefined) {
  u32 byte = from_bit >> 3;
  while (!undefined[byte]) byte++;
  u32 source = byte / chunk;
  u64 address = w->address[source] + byte % chunk;
  Place p;
  if (resolve(w, SPACE_SHARED, source, address, 1, &p) && p.origin && p.origin[0])
    return p.origin[0];
  return lm_origin(w, ORIGIN_MEMORY, instruction, lane, SPACE_SHARED, address);
}

/* Registers filled from chunks of shared memory: every lane's chunk of `chunk` bytes lies at its own
 * address. The table is the model's layout map: its first word is the width e of the elements that
 * it moves (1, 2, 4, 8, 16 or 32 bits), then for every lane, register and element of a register the
 * number of the element that it receives, lane * (chunk * 8 / e) + element, or -1 for undefined. */
void lm_gather_chunks(Wave *w, u32 instruction, u32 chunk, u32 registers, u32 align, u32 row,
                      u32 table_number) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits, lanes = w->launch->lanes;
  u8 data[MAX_LANES * 16 + 8] = {0}, undefined[MAX_LANES * 16 + 8] = {0};
  w->sequence[1]++;
  for (u32 lane = 0; lane < lanes; lane++) {
    u64 address = w->address[lane];
    Place p;
    if (!resolve(w, SPACE_SHARED, lane, address, chunk, &p)) {
      out_of_bounds(w, instruction, SPACE_SHARED, lane, address, chunk);
      continue;
    }
    if (address & (align - 1)) {
      misaligned(w, instruction, SPACE_SHARED, lane, address, align);
      continue;
    }
    order_access(w, instruction, lane, &p, chunk, ACCESS_LOAD, 0);
    copy_bytes(data + lane * chunk, p.data, chunk);
    copy_bytes(undefined + lane * chunk, p.undefined, chunk);
  }
  for (u32 lane = 0; lane < lanes; lane++)
    for (u32 r = 0; r < registers; r++) {
      u32 value = 0, unknown = 0, origin = 0;
      for (u32 i = 0; i < each; i++) {
        i32 from = *table++;
        if (from < 0) {
          unknown |= (bits == 32 ? ~0u : (1u << bits) - 1) << (i * bits);
          continue;
        }
        value |= field(data, (u32)from * bits, bits) << (i * bits);
        u32 bad = field(undefined, (u32)from * bits, bits);
        unknown |= bad << (i * bits);
        if (bad && !origin && w->launch->origins)
          origin = chunk_origin(w, instruction, lane, chunk, (u32)from * bits, undefined);
      }
      w->value[row + r][lane] = value;
      w->undefined[row + r][lane] = unknown;
      w->origin[row + r][lane] = origin;
      if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    }
}
