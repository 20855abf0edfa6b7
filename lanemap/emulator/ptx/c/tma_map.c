/* Tensor maps in memory: decoding, what makes one invalid, and their proxy (tma.h). */
#include "lane_order.h"
#include "ptx_cta.h"
#include "stamps.h"
#include "tma.h"

/* A field of a map, of those of dimensions number i. */
static u64 map_field(const u8 *map, MapField f, u32 i) {
  u64 word = 0;
  u32 bit = f.bit + i * f.step;
  for (u32 k = 0; k < 8 && bit / 8 + k < MAP_BYTES; k++) word |= (u64)map[bit / 8 + k] << (8 * k);
  return f.width == 64 ? word : word >> bit % 8 & ((1ull << f.width) - 1);
}

static i32 sign_extended(u64 value, u32 width) {
  return (i32)((u32)value << (32 - width)) >> (32 - width);
}

static void decode_box(const u8 *map, TensorMap *t) {
  for (u32 i = 0; i < MAP_DIMS; i++) {
    t->dims[i] = map_field(map, MAP_FIELD_SIZE, i) + 1;
    t->steps[i] = (u32)map_field(map, MAP_FIELD_STEP, i) + 1;
    t->box[i] = (u32)map_field(map, MAP_FIELD_BOX, i) + 1;
    if (!i) continue;
    u64 high = map_field(map, MAP_FIELD_STRIDE_HIGH, i - 1) << MAP_FIELD_STRIDE.width;
    t->strides[i] = (map_field(map, MAP_FIELD_STRIDE, i - 1) | high) << 4;
  }
  if (!t->im2col) return;
  MapField lower = t->rank == 3   ? MAP_FIELD_LOWER_3
                   : t->rank == 4 ? MAP_FIELD_LOWER_4
                                  : MAP_FIELD_LOWER_5;
  MapField upper = t->rank == 3   ? MAP_FIELD_UPPER_3
                   : t->rank == 4 ? MAP_FIELD_UPPER_4
                                  : MAP_FIELD_UPPER_5;
  for (u32 i = 0; i + 2 < t->rank; i++) {
    t->lower[i] = sign_extended(map_field(map, lower, i), lower.width);
    t->upper[i] = sign_extended(map_field(map, upper, i), upper.width);
  }
  t->pixels = (u32)map_field(map, MAP_FIELD_PIXELS, 0) + 1;
}

static void decode_map(const u8 *map, TensorMap *t) {
  *t = (TensorMap){0};
  t->address = map_field(map, MAP_FIELD_ADDRESS, 0);
  t->im2col = (u32)map_field(map, MAP_FIELD_IM2COL, 0);
  t->rank = (u32)map_field(map, MAP_FIELD_RANK, 0) + 1;
  t->type = (u32)map_field(map, MAP_FIELD_TYPE, 0);
  t->bits = t->type < sizeof TYPE_BITS ? TYPE_BITS[t->type] : 0;
  t->interleave = (u32)map_field(map, MAP_FIELD_INTERLEAVE, 0);
  t->swizzle = (u32)map_field(map, MAP_FIELD_SWIZZLE, 0);
  t->fill = (u32)map_field(map, MAP_FIELD_FILL, 0);
  t->rounds = (u32)map_field(map, MAP_FIELD_ROUNDS, 0);
  t->atom = (u32)map_field(map, MAP_FIELD_ATOMICITY, 0);
  if (t->rank <= MAP_DIMS) decode_box(map, t);
  t->strides[0] = 16 * t->interleave;
}

static int bad_field(Wave *w, u32 instruction, u32 lane, u32 rule, u64 value) {
  report_rule(w, instruction, 1ull << lane, rule, value, 0, 0);
  return 0;
}

/* Elements of 4 or 6 bits that shared memory has in units of 16 bytes (CUDA Driver API,
 * cuTensorMapEncodeTiled: 16U4_ALIGN16B, 16U6_ALIGN16B). */
static int is_padded(const TensorMap *t) {
  return t->type == MAP_B4X16_P64 || t->type == MAP_B6X16_P32;
}

/* The driver's rules, for maps that a kernel made or damaged, and what the emulator does not
 * know. */
static int is_valid(Wave *w, u32 i, u32 lane, const TensorMap *t) {
  static const u32 SPANS[] = {~0u, 32, 64, 128};
  u32 align = t->interleave == 2 || is_padded(t) ? 32 : 16, inner = t->box[0] * t->bits / 8;
  if (!t->bits) return bad_field(w, i, lane, RULE_MAP_TYPE, t->type);
  if (is_padded(t) && (t->box[0] != PADDED_ROW || t->dims[0] % PADDED_ROW))
    return bad_field(w, i, lane, RULE_MAP_BOX, inner);
  if (is_padded(t) && (t->im2col || t->interleave))
    return bad_field(w, i, lane, RULE_MAP_FIELD, t->im2col);
  if (is_padded(t) && t->swizzle && t->swizzle != 3)
    return bad_field(w, i, lane, RULE_MAP_SWIZZLE, t->swizzle);
  if (t->rank > MAP_DIMS || (t->rank < 3 && (t->interleave || t->im2col)))
    return bad_field(w, i, lane, RULE_MAP_DIMENSIONS, t->rank);
  if (t->interleave > 2 || (t->interleave && t->im2col))
    return bad_field(w, i, lane, RULE_MAP_INTERLEAVE, t->interleave);
  if (t->atom && (t->swizzle != 3 || (t->atom != 1 && t->atom != 3)))
    return bad_field(w, i, lane, RULE_MAP_SWIZZLE, t->atom);
  if (t->address % align) return bad_field(w, i, lane, RULE_MAP_ADDRESS, t->address);
  for (u32 d = 1; d < t->rank; d++)
    if (t->strides[d] % align) return bad_field(w, i, lane, RULE_MAP_STRIDE, t->strides[d]);
  if (!inner || inner % TMA_ALIGN || (!t->interleave && inner > SPANS[t->swizzle]))
    return bad_field(w, i, lane, RULE_MAP_BOX, inner);
  if (t->pixels > 1024) return bad_field(w, i, lane, RULE_MAP_PIXELS, t->pixels);
  for (u32 d = 0; t->im2col && d + 2 < t->rank; d++)
    if ((i64)t->dims[d + 1] + t->upper[d] <= t->lower[d])
      return bad_field(w, i, lane, RULE_MAP_CORNERS, d + 1);
  return 1;
}

/* -- the proxy of maps ------------------------------------------------------------------------- */

static int any_write(const Wave *w, u64 stamp) { return w && stamp; }

/* The last write to the bytes of a map in this launch; 0: as the host left them. */
static u64 written(Wave *w, Memory *m, u64 offset) {
  u64 place;
  return m->lines ? find_write(w, m, offset, offset + MAP_BYTES, any_write, &place) : 0;
}

/* fence.proxy.tensormap with acquire semantics: its CTA may use the map as it is now. */
void lm_tensormap_acquire(Wave *w, u64 mask) {
  PtxCta *c = ptx_cta(w->cta);
  for (u64 left = mask; left; left &= left - 1) {
    u64 offset, address = w->address[lowest(left)];
    Memory *m = memory_at(w, SPACE_GENERIC, address, MAP_BYTES, &offset);
    u64 stamp = m ? written(w, m, offset) : 0;
    u32 place = 0;
    if (!stamp) continue;
    while (place < MOST_MAPS - 1 && c->maps[place].address && c->maps[place].address != address)
      place++;
    if (place == MOST_MAPS - 1) /* the oldest makes room */
      for (u32 i = 1; i < MOST_MAPS; i++) c->maps[i - 1] = c->maps[i];
    c->maps[place] = (MapSeen){address, stamp};
  }
}

static int is_fenced(Wave *w, Memory *m, u64 offset, u64 address) {
  const PtxCta *c = ptx_cta(w->cta);
  u64 stamp = written(w, m, offset);
  for (u32 i = 0; stamp && i < MOST_MAPS && c->maps[i].address; i++)
    if (c->maps[i].address == address && c->maps[i].stamp == stamp) return 1;
  return !stamp;
}

/* The bytes of the map at an address, whose undefined bits are a hazard; 0 after one. */
static int read_map(Wave *w, u32 instruction, u32 lane, u64 address, u8 *map) {
  u8 undefined[MAP_BYTES];
  u32 origin[MAP_BYTES];
  u64 offset;
  Access a = begin_access(w, instruction, SPACE_GENERIC, ACCESS_LOAD, MAP_ALIGN);
  Range r = {address, MAP_BYTES, 0, lane, map, 0, 0, 0};
  if (w->launch->precise) r.undefined = undefined, r.origin = origin;
  Memory *m = memory_at(w, SPACE_GENERIC, address, MAP_BYTES, &offset);
  if (m && m->space != SPACE_GLOBAL) {
    report_rule(w, instruction, 1ull << lane, RULE_MAP_SPACE, address, 0, 0);
    return 0;
  }
  if (!access(&a, &r)) return 0;
  for (u32 i = 0; r.undefined && i < MAP_SAYS; i++)
    if (undefined[i]) {
      lm_undefined(w, instruction, 1ull << lane, DECIDES_OPERAND, undefined[i], origin[i]);
      return 0;
    }
  if (is_fenced(w, m, offset, address)) return 1;
  report_rule(w, instruction, 1ull << lane, RULE_MAP_UNFENCED, address, 0, 0);
  return 0;
}

int tma_map(Wave *w, u32 instruction, u32 lane, u32 mode, u32 rank, u32 row, u32 table,
            TensorMap *t) {
  u8 map[MAP_BYTES] = {0};
  u32 at = row + TMA_ROW_MAP;
  u64 address = w->value[at][lane] | (u64)w->value[at + 1][lane] << 32;
  if (!read_map(w, instruction, lane, address, map)) return 0;
  decode_map(map, t);
  t->place = address;
  if (!w->launch->tables[table][0]) t->atom = 0;
  if (t->rank != rank) {
    report_rule(w, instruction, 1ull << lane, RULE_MAP_RANK, t->rank, rank, 0);
    return 0;
  }
  if (t->im2col != (mode == TMA_IM2COL))
    return bad_field(w, instruction, lane, RULE_MAP_FIELD, t->im2col);
  return is_valid(w, instruction, lane, t);
}

/* -- maps in use ------------------------------------------------------------------------------- */

/* The memory of a map that somebody may overwrite; else null. */
static Memory *writable_map(Wave *w, u64 address, u64 *offset) {
  Memory *m = memory_at(w, SPACE_GENERIC, address, MAP_BYTES, offset);
  return m && m->lines && !m->read_only ? m : 0;
}

/* What orders a map before its use is its own fence, so nothing need be handed to the async
 * proxy. */
void tma_uses(Wave *w, u32 instruction, u32 lane, const TensorMap *t, u64 stamp, int loads) {
  u64 offset;
  Memory *m = writable_map(w, t->place, &offset);
  if (!m) return;
  Access a =
      async_access(w, instruction, stamp, SPACE_GENERIC, ACCESS_LOAD | ACCESS_DIRECT, MAP_ALIGN);
  order_only(&a, lane, m, offset, MAP_BYTES);
  if (!loads) return;
  AsyncGroups *g = groups_of(w);
  u32 i = 0;
  while (i < g->uses && (g->used[i].address != t->place || g->used[i].lane != lane ||
                         (g->used[i].stamp ^ stamp) >> MEMBER_SHIFT))
    i++;
  if (i == MOST_USES) /* the oldest makes room */
    for (i = 0; i < MOST_USES - 1; i++) g->used[i] = g->used[i + 1];
  g->used[i] = (MapUse){t->place, stamp, lane, g->bulks[lane], instruction, 0};
  if (i == g->uses) g->uses++;
}

/* A load's completion is that of its mbarrier. But CUTLASS, before it overwrites a map, commits
 * a bulk group after the loads that used it, and waits until the group has read
 * (cute/arch/copy_sm90_tma.hpp, tma_desc_wait_group). */
void maps_read(Wave *w, u64 mask, u32 allowed) {
  AsyncGroups *g = groups_of(w);
  u32 left = 0;
  for (u32 i = 0; i < g->uses; i++) {
    MapUse use = g->used[i];
    u64 offset;
    if (!(mask >> use.lane & 1) || use.group + allowed >= g->bulks[use.lane]) {
      g->used[left++] = use;
      continue;
    }
    Memory *m = writable_map(w, use.address, &offset);
    Access a = begin_access(w, use.instruction, SPACE_GLOBAL, ACCESS_LOAD, MAP_ALIGN);
    if (m) stand_for_reader(&a, m, offset, offset + MAP_BYTES, use.stamp);
  }
  g->uses = left;
}

/* -- instructions on maps ---------------------------------------------------------------------- */

/* tensormap.replace: `width` bits from bit `bit` of the map at each lane's address on become the
 * value in rows row and row + 1; further bits of a stride at `high`. The object is read and
 * written as a whole. */
void lm_tensormap_replace(Wave *w, u32 instruction, u32 space, u64 mask, u32 row, u32 bit,
                          u32 width, u32 high) {
  if (!mask) return;
  Access from = begin_access(w, instruction, space, ACCESS_LOAD, MAP_ALIGN), to = from;
  to.kind = ACCESS_STORE;
  for (u64 left = mask; left; left &= left - 1) {
    u8 map[MAP_BYTES], undefined[MAP_BYTES];
    u32 origin[MAP_BYTES], lane = lowest(left);
    u64 value = w->value[row][lane] | (u64)w->value[row + 1][lane] << 32;
    Range r = {w->address[lane], MAP_BYTES, 0, lane, map, 0, 0, 0};
    if (w->launch->precise) r.undefined = undefined, r.origin = origin;
    if (lanes_followed(w) && space == SPACE_SHARED)
      lanes_access(&to, 1ull << lane, MAP_BYTES, 0, 1ull << lane);
    if (!access(&from, &r)) continue;
    for (u32 i = 0; i < width + (high ? MAP_FIELD_STRIDE_HIGH.width : 0); i++) {
      u32 at = i < width ? bit + i : high + i - width;
      map[at / 8] = (u8)((map[at / 8] & ~(1u << at % 8)) | (u32)(value >> i & 1) << at % 8);
      if (r.undefined) undefined[at / 8] &= (u8) ~(1u << at % 8);
    }
    access(&to, &r);
  }
}

/* tensormap.cp_fenceproxy: 128 bytes of shared memory to global memory, once for the warp; the
 * addresses in `address` and rows row and row + 1. Its .sync makes lanes wait for each other, and
 * orders no memory, as bar.warp.sync does (PTX ISA, tensormap.cp_fenceproxy, bar.warp.sync). */
void lm_tensormap_copy(Wave *w, u32 instruction, u64 mask, u32 row) {
  u8 map[MAP_BYTES], undefined[MAP_BYTES];
  u32 origin[MAP_BYTES];
  if (!mask) return;
  u32 lane = lowest(mask);
  Access from = begin_access(w, instruction, SPACE_SHARED, ACCESS_LOAD, MAP_ALIGN);
  Access to = begin_access(w, instruction, SPACE_GLOBAL, ACCESS_STORE, MAP_ALIGN);
  Range r = {
      w->value[row][lane] | (u64)w->value[row + 1][lane] << 32, MAP_BYTES, 0, lane, map, 0, 0, 0};
  if (w->launch->precise) r.undefined = undefined, r.origin = origin;
  if (lanes_followed(w)) lanes_read(&from, mask, r.address, MAP_BYTES);
  if (!access(&from, &r)) return;
  r.address = w->address[lane];
  access(&to, &r);
}
