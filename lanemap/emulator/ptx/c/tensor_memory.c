/* tcgen05.ld and tcgen05.st: registers of a warp and the cells of tensor memory that the model's layout
 * map gives them (lanemap/model/tcgen05_ldst.py), relative to taddr.
 */
#include "tensor.h"

/* What a warp accesses: lanes from `lane` of its quadrant, columns from `column`. What holds for all cells
 * of the access is worked out once. */
typedef struct {
  Wave *w;
  TensorMemory *t;
  u32 instruction, lane, column, class;
  u32 first_lane;             /* of the quadrant, in tensor memory */
  u32 owned;                  /* units of the CTA, a mask */
  u64 stamp;
  const u64 *known[TENSOR_CLASSES];   /* by the class of the earlier access: tensor_order.c */
} Access;

/* Lane of tensor memory of the lane `l` from taddr: the warp's quadrant, and there taddr's lane modulo
 * 32; `strict`: taddr must name that quadrant (see docs/emulator.md). */
static void tensor_access(Access *a, Wave *w, u32 instruction, u32 taddr, u32 class, u32 strict) {
  u32 quadrant = w->index % 4, named = taddr >> 16;
  *a = (Access){.w = w, .t = w->cta->tensor, .instruction = instruction, .lane = named % WARP_LANES,
                .column = taddr & 0xffff, .class = class, .first_lane = quadrant * WARP_LANES};
  if (named >= TENSOR_LANES || (strict && named / WARP_LANES != quadrant))
    tensor_rule(w, instruction, w->active, RULE_QUADRANT, named, w->index, quadrant * WARP_LANES);
  for (u32 i = 0; i < TENSOR_UNITS; i++)
    a->owned |= (u32)(a->t->units[i].owner == cta_identity(w->cta)) << i;
  a->stamp = tensor_stamp(w, instruction, class);
  a->known[TENSOR_LOAD] = tensor_known(w->group, w->member, CLOCK_LOAD);
  a->known[TENSOR_STORE] = tensor_known(w->group, w->member, CLOCK_STORE);
  a->known[TENSOR_ASYNC] = tensor_known(w->group, w->member, CLOCK_DONE);
}

/* The number of a cell, or TENSOR_CELLS after a hazard. */
static inline u32 cell_of(const Access *a, u32 lane, u32 column, u32 thread) {
  u32 at = a->column + column, l = a->lane + lane;
  if (l < WARP_LANES && at < TENSOR_COLUMNS && a->owned >> at / UNIT_COLUMNS & 1)
    return at * TENSOR_LANES + a->first_lane + l;
  if (l >= WARP_LANES)
    tensor_rule(a->w, a->instruction, 1ull << thread, RULE_TENSOR_LANE, a->lane, l, 0);
  else tensor_owned(a->w, a->w->cta, a->instruction, 1ull << thread, at);
  return TENSOR_CELLS;
}

static inline int known_before(const Access *a, u64 stamp) {
  return (u32)stamp <= a->known[stamp >> STAMP_CLASS & 3][stamp >> STAMP_MEMBER & 511];
}

/* Check the access of a cell, and record it. */
static inline void touch(const Access *a, u32 cell, u32 thread, int writes) {
  TensorCell *c = &a->t->cells[cell];
  if (!known_before(a, c->write) ||
      (writes && !(known_before(a, c->read) && known_before(a, c->other_read)))) {
    tensor_order(a->w, a->t, a->instruction, 1ull << thread, cell, a->class, writes);
    return;
  }
  if (writes) *c = (TensorCell){.write = a->stamp};
  else note_tensor_read(c, a->stamp);
}

/* A number divided by a divisor that is mostly a power of two. */
typedef struct { u32 by, shift; } Divisor;

static Divisor divisor(u32 by) {
  Divisor d = {by, 32};
  for (u32 shift = 0; shift < 32; shift++)
    if (1u << shift == by) d.shift = shift;
  return d;
}

static inline u32 divided(u32 n, Divisor d) { return d.shift < 32 ? n >> d.shift : n / d.by; }

static u32 low_bits(u32 bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

/* Where the undefined bits of a cell came from. */
static u32 tensor_origin(const Access *a, u32 cell, u32 lane) {
  if (a->t->origin[cell]) return a->t->origin[cell];
  return lm_origin(a->w, ORIGIN_MEMORY, a->instruction, lane, SPACE_TENSOR,
                   (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES);
}

/* One register of a thread, from the elements that the table names. */
static void load_register(const Access *a, const i32 *sources, Divisor each, Divisor columns, u32 thread,
                          u32 row) {
  Wave *w = a->w;
  u32 value = 0, unknown = 0, origin = 0, bits = 32 / each.by;
  for (u32 i = 0; i < each.by; i++) {
    u32 from = (u32)sources[i], word = divided(from, each), here = low_bits(bits);
    if (sources[i] < 0) {
      unknown |= here << (i * bits);
      continue;
    }
    u32 lane = divided(word, columns);
    u32 cell = cell_of(a, lane, word - lane * columns.by, thread);
    if (cell == TENSOR_CELLS) continue;
    touch(a, cell, thread, 0);
    u32 shift = (from - word * each.by) * bits, bad = a->t->undefined[cell] >> shift & here;
    value |= (a->t->data[cell] >> shift & here) << (i * bits);
    unknown |= bad << (i * bits);
    if (bad && !origin && w->launch->origins) origin = tensor_origin(a, cell, thread);
  }
  w->value[row][thread] = value;
  w->undefined[row][thread] = unknown;
  w->origin[row][thread] = origin;
  if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
}

/* Registers first .. first + count - 1 of `registers` into rows 0 .. ; the table has the bits of an
 * element, then for every thread, register and element the number of the element that it receives,
 * (lane * columns + column) * elements of a cell + element, or -1 for undefined. */
void lm_tensor_load(Wave *w, u32 instruction, u32 taddr, u32 table_number, u32 columns, u32 registers,
                    u32 first, u32 count, u32 strict) {
  const i32 *table = w->launch->tables[table_number];
  Divisor each = divisor(32 / (u32)*table++), by_columns = divisor(columns);
  Access a;
  if (!first) tensor_begin(w, TENSOR_LOAD);
  tensor_access(&a, w, instruction, taddr, TENSOR_LOAD, strict);
  for (u32 r = 0; r < count; r++)
    for (u32 thread = 0; thread < WARP_LANES; thread++)
      load_register(&a, table + (thread * registers + first + r) * each.by, each, by_columns, thread, r);
}

/* One element of a store: bits from a register, or undefined ones. */
static void put_element(const Access *a, u32 cell, u32 place, u32 bits, i32 from, Divisor each,
                        Divisor registers, u32 first) {
  Wave *w = a->w;
  u32 mask = low_bits(bits) << place, unknown = mask, origin = 0;
  if (from >= 0) {
    u32 word = divided((u32)from, each), shift = ((u32)from - word * each.by) * bits;
    u32 lane = divided(word, registers), row = word - lane * registers.by - first;
    u32 value = (w->value[row][lane] >> shift & low_bits(bits)) << place;
    unknown = (w->undefined[row][lane] >> shift & low_bits(bits)) << place;
    if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    origin = w->origin[row][lane];
    a->t->data[cell] = (a->t->data[cell] & ~mask) | value;
  } else if (w->launch->origins) {
    origin = lm_origin(w, ORIGIN_LEFT, a->instruction, first_lane(w->active), SPACE_TENSOR,
                       (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES);
  }
  a->t->undefined[cell] = (a->t->undefined[cell] & ~mask) | unknown;
  if (unknown) a->t->origin[cell] = origin;
}

/* A cell that is moved whole, from lane and register `word`. */
static inline void store_word(const Access *a, u32 word, u32 lane, u32 column, Divisor registers, u32 first,
                              u32 count) {
  Wave *w = a->w;
  u32 thread = divided(word, registers), row = word - thread * registers.by - first;
  if (first && row >= count) return;
  u32 cell = cell_of(a, lane, column, thread);
  if (cell == TENSOR_CELLS) return;
  if (!first) touch(a, cell, thread, 1);
  if (row >= count) return;
  a->t->data[cell] = w->value[row][thread];
  a->t->undefined[cell] = w->undefined[row][thread];
  if (!w->undefined[row][thread]) return;
  a->t->origin[cell] = w->origin[row][thread];
  if (!w->launch->precise) w->stop = STOP_IMPRECISE;
}

/* One cell, from the elements that the table names. It is checked, and what is undefined is left, with the
 * first registers. */
static void store_cell(const Access *a, const i32 *sources, u32 lane, u32 column, Divisor each,
                       Divisor registers, u32 first, u32 count) {
  u32 touched = 0, now = !first, thread = 0, bits = 32 / each.by;
  for (u32 i = 0; i < each.by; i++) {
    if (sources[i] == -2) continue;
    touched = 1;
    if (sources[i] < 0) continue;
    u32 word = divided((u32)sources[i], each);
    thread = divided(word, registers);
    now |= word - thread * registers.by - first < count;
  }
  if (!touched || !now) return;
  u32 cell = cell_of(a, lane, column, thread);
  if (cell == TENSOR_CELLS) return;
  if (!first) touch(a, cell, thread, 1);
  for (u32 i = 0; i < each.by; i++) {
    u32 word = divided((u32)sources[i], each), r = word - divided(word, registers) * registers.by;
    if (sources[i] >= 0 ? r - first < count : sources[i] == -1 && !first)
      put_element(a, cell, i * bits, bits, sources[i], each, registers, first);
  }
}

/* Registers first .. first + count - 1 of `registers`, from rows 0 .. ; the table has the bits of an
 * element, then for every lane, column and element the number of the element that it receives,
 * (thread * registers + register) * elements of a register + element, -1 for undefined, or -2 for
 * unchanged. */
void lm_tensor_store(Wave *w, u32 instruction, u32 taddr, u32 table_number, u32 lanes, u32 columns,
                     u32 registers, u32 first, u32 count, u32 strict) {
  const i32 *table = w->launch->tables[table_number];
  Divisor each = divisor(32 / (u32)*table++), by_registers = divisor(registers);
  Access a;
  if (!first) tensor_begin(w, TENSOR_STORE);
  tensor_access(&a, w, instruction, taddr, TENSOR_STORE, strict);
  for (u32 column = 0; column < columns; column++)
    for (u32 lane = 0; lane < lanes; lane++) {
      i32 from = table[(lane * columns + column) * each.by];
      if (each.by == 1 && from >= 0) {
        store_word(&a, (u32)from, lane, column, by_registers, first, count);
        continue;
      }
      store_cell(&a, table + (lane * columns + column) * each.by, lane, column, each, by_registers,
                 first, count);
    }
}
