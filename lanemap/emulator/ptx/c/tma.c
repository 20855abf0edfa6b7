/* cp.async.bulk.tensor, cp.reduce.async.bulk.tensor: boxes between global and shared memory
 * (tma.h). */
#include "tma.h"
#include "completion.h"
#include "ptx_mbarrier.h"

/* Rows of a box that are staged together. */
static u32 rows_of_piece(const Box *b) { return PIECE_BYTES / b->pitch; }

/* The bit of the staged rows that shared memory holds at a bit of the rows from `address` on;
 * -1: none. */
static i32 held_at(const Box *b, u64 address, u32 bit, u32 size) {
  u64 place = address * 8 + bit;
  i32 from = b->swizzle[1 + place % SWIZZLE_BITS];
  u64 source = place - place % SWIZZLE_BITS + (u64)from - address * 8;
  return from < 0 || source >= size * 8 || source / 8 % b->pitch >= b->row_bytes ? -1 : (i32)source;
}

static void move_bytes(const Wave *w, const Piece *from, u32 source, Piece *to, u32 at, u32 bytes) {
  copy_bytes(to->data + at, from->data + source, bytes);
  if (!w->launch->precise) return;
  copy_bytes(to->undefined + at, from->undefined + source, bytes);
  copy_bytes((u8 *)(to->origin + at), (const u8 *)(from->origin + source), bytes * sizeof(u32));
}

static void move_bit(const Wave *w, const Piece *from, u32 source, Piece *to, u32 at) {
  u32 there = at / 8, here = source / 8, bit = 1u << at % 8;
  to->data[there] =
      (u8)((to->data[there] & ~bit) | (u32)(from->data[here] >> source % 8 & 1) << at % 8);
  if (!w->launch->precise) return;
  to->undefined[there] = (u8)((to->undefined[there] & ~bit) |
                              (u32)(from->undefined[here] >> source % 8 & 1) << at % 8);
  to->origin[there] = from->origin[here];
}

/* Move a unit of 16 bytes between staged rows and what shared memory holds (`back`: from there). */
static void move_unit(const Wave *w, const Box *b, Piece *rows, Piece *shared, u64 address, u32 at,
                      u32 size, int back) {
  if (b->swizzle[0] == SWIZZLE_UNITS) {
    i32 source = held_at(b, address, at * 8, size);
    if (source < 0) return;
    if (back) move_bytes(w, shared, at, rows, (u32)source / 8, TMA_ALIGN);
    else move_bytes(w, rows, (u32)source / 8, shared, at, TMA_ALIGN);
    return;
  }
  for (u32 bit = at * 8; bit < (at + TMA_ALIGN) * 8; bit++) {
    i32 source = held_at(b, address, bit, size);
    if (source >= 0 && back) move_bit(w, shared, bit, rows, (u32)source);
    else if (source >= 0) move_bit(w, rows, (u32)source, shared, bit);
  }
}

/* Does shared memory hold anything of a row in this unit? */
static int holds_any(const Box *b, u64 address, u32 at, u32 size) {
  u32 each = b->swizzle[0] == SWIZZLE_UNITS ? TMA_ALIGN * 8 : 1;
  for (u32 bit = at * 8; bit < (at + TMA_ALIGN) * 8; bit += each)
    if (held_at(b, address, bit, size) >= 0) return 1;
  return 0;
}

/* Move all units at once in fast code, where rows without gaps are swizzled among themselves; 0
 * where they are not, and what `to` holds is of no use. */
static int move_units(const Wave *w, const Box *b, const Piece *from, Piece *to, u64 address,
                      u32 size) {
  enum { UNITS = SWIZZLE_BITS / 8 / TMA_ALIGN };
  u32 source[UNITS], start = (u32)(address % (SWIZZLE_BITS / 8));
  if (b->swizzle[0] != SWIZZLE_UNITS || b->pitch != b->row_bytes || w->launch->precise ||
      address % TMA_ALIGN)
    return 0;
  for (u32 i = 0; i < UNITS; i++) source[i] = (u32)b->swizzle[1 + i * TMA_ALIGN * 8] / 8;
  u32 whole = start ? 0 : size - size % (SWIZZLE_BITS / 8); /* patterns from the first byte on */
  for (u32 at = 0; at < whole; at += SWIZZLE_BITS / 8)
    for (u32 i = 0; i < UNITS; i++)
      copy_bytes(to->data + at + i * TMA_ALIGN, from->data + at + source[i], TMA_ALIGN);
  for (u32 at = whole; at < size; at += TMA_ALIGN) {
    u32 place = start + at, within = place % (SWIZZLE_BITS / 8);
    u32 other = place - within + source[within / TMA_ALIGN] - start;
    if (other >= size) return 0;
    copy_bytes(to->data + at, from->data + other, TMA_ALIGN);
  }
  return 1;
}

/* Access the staged rows in shared memory, in runs of units that belong to rows. */
static int access_shared(const Access *a, const Box *b, Piece *piece, u32 lane, u64 address,
                         u32 rows) {
  u32 size = rows * b->pitch, writes = a->kind & ACCESS_STORE, first = 0;
  Piece moved;
  if (b->swizzle[0] == SWIZZLE_STILL && b->pitch == b->row_bytes) {
    Range r = range_in(a->w, piece, 0, lane, address, size);
    return writes ? access(a, &r) : read_bulk(a, &r);
  }
  if (writes && move_units(a->w, b, piece, &moved, address, size)) {
    Range r = range_in(a->w, &moved, 0, lane, address, size);
    return access(a, &r);
  }
  for (u32 at = 0; at <= size; at += TMA_ALIGN) {
    if (at < size && holds_any(b, address, at, size)) {
      if (writes) move_unit(a->w, b, piece, &moved, address, at, size, 0);
      continue;
    }
    if (at > first) {
      Range r = range_in(a->w, &moved, first, lane, address + first, at - first);
      if (!(writes ? access(a, &r) : read_bulk(a, &r))) return 0;
      for (u32 i = first; !writes && i < at; i += TMA_ALIGN)
        move_unit(a->w, b, piece, &moved, address, i, size, 1);
    }
    first = at + TMA_ALIGN;
  }
  return 1;
}

/* The elements that are not in the tensor: zeros, or an H200's NaN, which has the same 16 bits
 * twice. */
static void fill_outside(const TensorMap *t, u8 *data, u32 from, u32 to) {
  if (!t->fill) {
    fill_bytes(data + from, 0, to - from);
    return;
  }
  for (u32 i = from; i < to; i++) data[i] = i & 1 ? 0x7f : 0xf7;
}

/* Types tf32: to the nearest with 10 bits of mantissa, ties to even; of NaNs one (observed on an
 * H200). */
static void round_elements(u8 *data, u32 from, u32 to) {
  for (u32 i = from; i + 4 <= to; i += 4) {
    u32 x;
    copy_bytes((u8 *)&x, data + i, 4);
    x = (x & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (x + 0xfff + (x >> 13 & 1)) & ~0x1fffu;
    copy_bytes(data + i, (const u8 *)&x, 4);
  }
}

/* Spread the bytes of a row over units of 16 bytes, each of which ends with padding. */
static void pad_row(const Box *b, Piece *piece, u32 at, int precise) {
  for (u32 unit = b->row_bytes / TMA_ALIGN; unit-- > 0;) {
    u32 from = at + unit * b->packed, to = at + unit * TMA_ALIGN;
    for (u32 i = TMA_ALIGN; i-- > 0;) {
      int padding = i >= b->packed;
      piece->data[to + i] = padding ? 0 : piece->data[from + i];
      if (!precise) continue;
      piece->undefined[to + i] = padding ? 0 : piece->undefined[from + i];
      piece->origin[to + i] = padding ? 0 : piece->origin[from + i];
    }
  }
}

/* No source says what the padding of the rows from `address` on has. */
static void forget_padding(const Access *a, const Box *b, u32 lane, u64 address, u32 size) {
  u64 offset;
  Memory *m = memory_at(a->w, SPACE_CLUSTER, address, size, &offset);
  for (u32 at = b->packed; m && at < size; at += TMA_ALIGN)
    undefine(a, lane, m, offset + at, TMA_ALIGN - b->packed);
}

/* Access a row like the one before; 0: nothing was read, and `access` must look. */
static int read_like(const Access *a, const Range *r) {
  u64 offset;
  Memory *m = memory_at(a->w, a->space, r->address, r->size, &offset);
  if (!m || r->address % a->align || !read_again(a, m, offset, r->size)) return 0;
  copy_bytes(r->data, m->data + offset, r->size);
  return 1;
}

/* One row of the tensor into the piece, from byte `at` on. */
static int read_row(const Access *a, Box *b, Piece *piece, u32 lane, u32 at) {
  const TensorMap *t = b->map;
  BoxRow row = next_row(b);
  u8 *data = piece->data + at;
  fill_outside(t, data, 0, row.from);
  fill_outside(t, data, row.to, tensor_bytes(b));
  if (a->w->launch->precise) fill_bytes(piece->undefined + at, 0, b->row_bytes);
  Range r = range_in(a->w, piece, at + row.from, lane, row.address, row.to - row.from);
  int good = row.from == row.to || read_like(a, &r) || access(a, &r);
  if (t->rounds) round_elements(data, row.from, row.to);
  if (b->packed) pad_row(b, piece, at, a->w->launch->precise != 0);
  return good;
}

/* A box of the tensor into shared memory; its rows begin at `to`. */
static void load_box(Access *source, Access *target, Box b, u32 lane, u64 to) {
  Piece piece;
  Alike read = {.known = 0}, written = {.known = 0};
  source->alike = &read;
  target->alike = &written;
  for (u32 row = 0, rows; row < b.rows; row += rows) {
    rows = b.rows - row < rows_of_piece(&b) ? b.rows - row : rows_of_piece(&b);
    for (u32 i = 0; i < rows; i++)
      if (!read_row(source, &b, &piece, lane, i * b.pitch)) return;
    if (!access_shared(target, &b, &piece, lane, to + row * b.pitch, rows)) return;
    if (b.packed) forget_padding(target, &b, lane, to + row * b.pitch, rows * b.pitch);
  }
}

/* A store writes whole units of 16 bytes where the tensor ends within one (observed on an H200). */
static u32 whole_units(u32 bytes) { return (bytes + TMA_ALIGN - 1) / TMA_ALIGN * TMA_ALIGN; }

/* Reduce a row into the tensor. */
static int reduce_row(const Access *a, const Range *r, const TensorMap *t, u32 operation) {
  Piece row;
  copy_bytes(row.data, r->data, r->size);
  if (r->undefined) {
    copy_bytes(row.undefined, r->undefined, r->size);
    copy_bytes((u8 *)row.origin, (const u8 *)r->origin, r->size * sizeof(u32));
  }
  return reduce_into(a, r->address, r->lane, &row, r->size, reduction_of(t, operation),
                     t->bits / 8);
}

/* A box of shared memory into the tensor: what lies outside of that is not written. */
static void store_box(const Access *source, const Access *target, Box b, u32 lane, u64 from,
                      u32 operation) {
  Piece piece;
  for (u32 row = 0, rows; row < b.rows; row += rows) {
    rows = b.rows - row < rows_of_piece(&b) ? b.rows - row : rows_of_piece(&b);
    if (!access_shared(source, &b, &piece, lane, from + row * b.pitch, rows)) return;
    for (u32 i = 0; i < rows; i++) {
      BoxRow to = next_row(&b);
      if (!operation) to.to = whole_units(to.to);
      u32 at = i * b.pitch + to.from;
      Range r = range_in(target->w, &piece, at, lane, to.address, to.to - to.from);
      if (!r.size) continue;
      if (operation ? !reduce_row(target, &r, b.map, operation) : !access(target, &r)) return;
    }
  }
}

static int aligned_place(Wave *w, u32 instruction, u32 lane, u64 address) {
  if (!(address % SHARED_ALIGN)) return 1;
  Access a = {w, instruction, SPACE_SHARED, 0, 1, {0, 0}, 0};
  misaligned(&a, lane, address, SHARED_ALIGN);
  return 0;
}

/* A box into the shared memory of one CTA, and the signal to an mbarrier: of that CTA, or of its
 * peer. Returns the operation's stamp, 0 after a hazard. */
static u64 load_to(Wave *w, u32 instruction, u32 lane, const Box *b, u64 to, u64 barrier,
                   u32 pair) {
  Cta *owner;
  Mbarrier *m = mbarrier_find(w, instruction, lane, SPACE_CLUSTER, barrier, &owner);
  if (!m) return 0;
  u32 there = (u32)(to >> RANK_SHIFT);
  if (owner->rank != there && !(pair && owner->rank == (there ^ 1)))
    report_rule(w, instruction, 1ull << lane, RULE_BULK_MBARRIER, owner->rank, there, 0);
  check_begun(w, instruction, lane, owner, m);
  u64 stamp = next_transaction(w, instruction, lane, owner, m);
  u64 bytes = box_bytes(b);
  Access source =
      begin_engine(w, instruction, stamp, SPACE_GLOBAL, ACCESS_LOAD, TMA_ALIGN, lane, bytes);
  Access target =
      begin_engine(w, instruction, stamp, SPACE_CLUSTER, ACCESS_STORE, TMA_ALIGN, lane, bytes);
  load_box(&source, &target, *b, lane, to);
  mbarrier_transact(w, instruction, lane, owner, m, -(i64)bytes);
  return stamp;
}

/* A load by each lane of a mask: destination in `address`, all else in scratch rows from `row`
 * on (enum TmaRow); only with TMA_MULTICAST is there a mask of CTAs. */
void lm_tma_load(Wave *w, u32 instruction, u64 mask, u32 row, u32 mode, u32 rank, u32 table,
                 u32 how) {
  Group *g = w->group;
  u32 in_cta = (1u << RANK_SHIFT) - 1;
  for (u64 left = mask; left; left &= left - 1) {
    TensorMap t;
    Box b;
    u32 lane = lowest(left);
    u64 to = w->address[lane] & 0xffffffff, barrier = w->value[row + TMA_ROW_BARRIER][lane];
    if (!tma_map(w, instruction, lane, mode, rank, row, table, &t)) continue;
    if (!tma_box(w, instruction, lane, mode, row, table, &t, &b)) continue;
    if (!aligned_place(w, instruction, lane, to)) continue;
    if (!(how & TMA_MULTICAST)) {
      u64 stamp = load_to(w, instruction, lane, &b, to, barrier, how & TMA_PAIR);
      if (stamp) tma_uses(w, instruction, lane, &t, stamp, 1);
      continue;
    }
    u64 used = 0; /* the map is read once: its own CTA's signal tells of that, else any */
    u32 ctas = w->value[row + TMA_ROW_CTAS][lane] & 0xffff, odd = (u32)(barrier >> RANK_SHIFT) & 1;
    if (!ctas || ctas >> g->cta_count)
      report_rule(w, instruction, 1ull << lane, RULE_BULK_CTAS, ctas, g->cta_count, 0);
    for (u32 i = 0; i < g->cta_count; i++) {
      u64 signal = how & TMA_PAIR ? (i & ~1u) | odd : i;
      if (!(ctas >> i & 1)) continue;
      u64 stamp = load_to(w, instruction, lane, &b, (to & in_cta) | (u64)i << RANK_SHIFT,
                          (barrier & in_cta) | signal << RANK_SHIFT, how & TMA_PAIR);
      if (!used || i == w->cta->rank) used = stamp;
    }
    if (used) tma_uses(w, instruction, lane, &t, used, 1);
  }
}

/* An H200 stops at a store that could begin or go on before the tensor; beyond its end it is
 * clipped. */
static int begins_inside(Wave *w, u32 instruction, u32 lane, const Box *b) {
  for (u32 d = 0; d < b->map->rank; d++) {
    i64 least = b->start[d];
    int spatial = b->mode == TMA_IM2COL && d && d + 1 < b->map->rank;
    if (spatial && b->map->lower[d - 1] < least) least = b->map->lower[d - 1];
    if (least >= 0) continue;
    report_rule(w, instruction, 1ull << lane, RULE_TMA_NEGATIVE, (u64)-least, d, 0);
    return 0;
  }
  return 1;
}

/* A store or reduction by each lane of a mask: source in `address`, the map and coordinates as
 * of a load. */
void lm_tma_store(Wave *w, u32 instruction, u64 mask, u32 row, u32 mode, u32 rank, u32 table,
                  u32 operation) {
  for (u64 left = mask; left; left &= left - 1) {
    TensorMap t;
    Box b;
    u32 lane = lowest(left);
    u64 from = w->address[lane] & 0xffffffff;
    if (!tma_map(w, instruction, lane, mode, rank, row, table, &t)) continue;
    if (operation && reduction_of(&t, operation) == NO_REDUCTION) {
      report_rule(w, instruction, 1ull << lane, RULE_TMA_REDUCES, t.type, 0, 0);
      continue;
    }
    if (!tma_box(w, instruction, lane, mode, row, table, &t, &b)) continue;
    if (b.packed) { /* no source tells what a store does with the padding */
      report_rule(w, instruction, 1ull << lane, RULE_MAP_TYPE, t.type, 0, 0);
      continue;
    }
    if (!begins_inside(w, instruction, lane, &b) || !aligned_place(w, instruction, lane, from))
      continue;
    u64 stamp = next_bulk(w, instruction, lane);
    tma_uses(w, instruction, lane, &t, stamp, 0);
    u32 kind = operation ? READ_MODIFY_WRITE : ACCESS_STORE;
    u64 bytes = box_bytes(&b);
    Access source =
        begin_engine(w, instruction, stamp, SPACE_SHARED, ACCESS_LOAD, TMA_ALIGN, lane, bytes);
    Access target = begin_engine(w, instruction, stamp, SPACE_GLOBAL, kind, TMA_ALIGN, lane, bytes);
    store_box(&source, &target, b, lane, from, operation);
  }
}

/* A prefetch: only the map and the coordinates are checked. */
void lm_tma_prefetch(Wave *w, u32 instruction, u64 mask, u32 row, u32 mode, u32 rank, u32 table) {
  for (u64 left = mask; left; left &= left - 1) {
    TensorMap t;
    Box b;
    if (tma_map(w, instruction, lowest(left), mode, rank, row, table, &t))
      tma_box(w, instruction, lowest(left), mode, row, table, &t, &b);
  }
}
