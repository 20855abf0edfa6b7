/* tcgen05.ld and tcgen05.st: registers of a warp and the cells of tensor memory that the model's layout
 * map gives them (lanemap/model/tcgen05_ldst.py), relative to taddr.
 */
#include "tensor.h"

/* What a warp accesses: lanes from `lane` of its quadrant, columns from `column`. */
typedef struct {
  Wave *w;
  TensorMemory *t;
  u32 instruction, lane, column;
} Access;

/* Lane of tensor memory of the lane `l` from taddr: the warp's quadrant, and there taddr's lane modulo
 * 32; `strict`: taddr must name that quadrant (see docs/emulator.md). */
static Access tensor_access(Wave *w, u32 instruction, u32 taddr, u32 strict) {
  Access a = {w, w->cta->tensor, instruction, (taddr >> 16) % WARP_LANES, taddr & 0xffff};
  u32 quadrant = w->index % 4, named = taddr >> 16;
  if (named >= TENSOR_LANES || (strict && named / WARP_LANES != quadrant))
    tensor_rule(w, instruction, w->active, RULE_QUADRANT, named, w->index, quadrant * WARP_LANES);
  return a;
}

/* The number of a cell, or TENSOR_CELLS after a hazard. */
static u32 cell_of(const Access *a, u32 lane, u32 column, u64 lanes) {
  if (a->lane + lane >= WARP_LANES) {
    tensor_rule(a->w, a->instruction, lanes, RULE_TENSOR_LANE, a->lane, a->lane + lane, 0);
    return TENSOR_CELLS;
  }
  if (!tensor_owned(a->w, a->w->cta, a->instruction, lanes, a->column + column)) return TENSOR_CELLS;
  return (a->column + column) * TENSOR_LANES + a->w->index % 4 * WARP_LANES + a->lane + lane;
}

static u32 low_bits(u32 bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

/* Where the undefined bits of a cell came from. */
static u32 tensor_origin(const Access *a, u32 cell, u32 lane) {
  if (a->t->origin[cell]) return a->t->origin[cell];
  return lm_origin(a->w, ORIGIN_MEMORY, a->instruction, lane, SPACE_TENSOR,
                   (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES);
}

/* Registers first .. first + count - 1 of `registers` into rows 0 .. ; the table has the bits of an
 * element, then for every thread, register and element the number of the element that it receives,
 * (lane * columns + column) * elements of a cell + element, or -1 for undefined. */
void lm_tensor_load(Wave *w, u32 instruction, u32 taddr, u32 table_number, u32 columns, u32 registers,
                    u32 first, u32 count, u32 strict) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits;
  Access a = tensor_access(w, instruction, taddr, strict);
  if (!first) tensor_begin(w, TENSOR_LOAD);
  for (u32 lane = 0; lane < WARP_LANES; lane++)
    for (u32 r = 0; r < count; r++) {
      const i32 *sources = table + (lane * registers + first + r) * each;
      u32 value = 0, unknown = 0, origin = 0;
      for (u32 i = 0; i < each; i++) {
        u32 from = (u32)sources[i], word = from / each, here = low_bits(bits) << (i * bits);
        u32 cell = sources[i] < 0 ? TENSOR_CELLS
                                  : cell_of(&a, word / columns, word % columns, 1ull << lane);
        if (sources[i] < 0) unknown |= here;
        if (cell == TENSOR_CELLS) continue;
        tensor_order(w, a.t, instruction, 1ull << lane, cell, TENSOR_LOAD, 0);
        u32 shift = from % each * bits, bad = a.t->undefined[cell] >> shift & low_bits(bits);
        value |= (a.t->data[cell] >> shift & low_bits(bits)) << (i * bits);
        unknown |= bad << (i * bits);
        if (bad && !origin && w->launch->origins) origin = tensor_origin(&a, cell, lane);
      }
      w->value[r][lane] = value;
      w->undefined[r][lane] = unknown;
      w->origin[r][lane] = origin;
      if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    }
}

/* One element of a store: bits from a register, or undefined ones. */
static void put_element(const Access *a, u32 cell, u32 place, u32 bits, i32 from, u32 registers, u32 first) {
  Wave *w = a->w;
  u32 mask = low_bits(bits) << place, value = 0, unknown = mask, origin = 0;
  if (from >= 0) {
    u32 each = 32 / bits, word = (u32)from / each, shift = (u32)from % each * bits;
    u32 lane = word / registers, row = word % registers - first;
    value = (w->value[row][lane] >> shift & low_bits(bits)) << place;
    unknown = (w->undefined[row][lane] >> shift & low_bits(bits)) << place;
    if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    origin = w->origin[row][lane];
  } else if (w->launch->origins) {
    origin = lm_origin(w, ORIGIN_LEFT, a->instruction, first_lane(w->active), SPACE_TENSOR,
                       (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES);
  }
  if (from >= 0) a->t->data[cell] = (a->t->data[cell] & ~mask) | value;
  a->t->undefined[cell] = (a->t->undefined[cell] & ~mask) | unknown;
  if (unknown) a->t->origin[cell] = origin;
}

/* Registers first .. first + count - 1 of `registers`, from rows 0 .. ; the table has the bits of an
 * element, then for every lane, column and element the number of the element that it receives,
 * (thread * registers + register) * elements of a register + element, -1 for undefined, or -2 for
 * unchanged. Cells are checked, and undefined elements left, with the first registers. */
void lm_tensor_store(Wave *w, u32 instruction, u32 taddr, u32 table_number, u32 lanes, u32 columns,
                     u32 registers, u32 first, u32 count, u32 strict) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits;
  Access a = tensor_access(w, instruction, taddr, strict);
  if (!first) tensor_begin(w, TENSOR_STORE);
  for (u32 lane = 0; lane < lanes; lane++)
    for (u32 column = 0; column < columns; column++) {
      const i32 *sources = table + (lane * columns + column) * each;
      u32 touched = 0, now = 0, thread = 0;
      for (u32 i = 0; i < each; i++) {
        if (sources[i] == -2) continue;
        touched = 1;
        if (sources[i] < 0) now |= !first;
        else {
          u32 word = (u32)sources[i] / each;
          thread = word / registers;
          now |= word % registers - first < count;
        }
      }
      if (!touched || !(now || !first)) continue;
      u32 cell = cell_of(&a, lane, column, 1ull << thread);
      if (cell == TENSOR_CELLS) continue;
      if (!first) tensor_order(w, a.t, instruction, 1ull << thread, cell, TENSOR_STORE, 1);
      for (u32 i = 0; i < each; i++) {
        u32 r = (u32)sources[i] / each % registers;
        if (sources[i] >= 0 ? r - first < count : sources[i] == -1 && !first)
          put_element(&a, cell, i * bits, bits, sources[i], registers, first);
      }
    }
}
