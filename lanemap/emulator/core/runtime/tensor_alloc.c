/* tcgen05.alloc, dealloc, relinquish_alloc_permit: columns of the SM's tensor memory.
 *
 * PTX ISA, tcgen05.alloc: it blocks while there is no room. Which columns it gives is not specified;
 * here the first that fit, aligned to their number. What they hold is undefined.
 */
#include "tensor.h"
#include "ptx_warp.h"

#define GO_ON (~0u)           /* what a gate returns when the lanes go on: see ptx_lanes.c */

COLD void tensor_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b, u64 c) {
  HazardRecord *h = lm_hazard(w, HAZARD_RULE, instruction, lanes);
  h->detail = rule;
  h->info[0] = a;
  h->info[1] = b;
  h->info[2] = c;
}

Cta *tensor_peer(Wave *w, u32 instruction) {
  Group *g = w->group;
  u32 rank = w->cta->rank ^ 1;
  if (rank < g->cta_count && g->ctas[rank]->live) return g->ctas[rank];
  tensor_rule(w, instruction, w->active, RULE_NO_PEER, w->cta->rank, g->cta_count, 0);
  return 0;
}

int tensor_owned(Wave *w, const Cta *of, u32 instruction, u64 lanes, u32 column) {
  if (column >= TENSOR_COLUMNS) {
    tensor_rule(w, instruction, lanes, RULE_TENSOR_COLUMN, column, 0, 0);
    return 0;
  }
  const TensorUnit *u = &of->tensor->units[column / UNIT_COLUMNS];
  u64 me = cta_identity(of);
  if (u->owner == me) return 1;
  u32 rule = u->owner ? RULE_OTHER_CTA : u->last_owner == me ? RULE_DEALLOCATED : RULE_UNALLOCATED;
  tensor_rule(w, instruction, lanes, rule, column, 0, 0);
  return 0;
}

static int legal_columns(Wave *w, u32 instruction, u32 columns) {
  if (columns >= UNIT_COLUMNS && columns <= TENSOR_COLUMNS && !(columns & (columns - 1))) return 1;
  tensor_rule(w, instruction, w->active, RULE_ALLOC_COLUMNS, columns, 0, 0);
  return 0;
}

/* What nothing wrote: bits from the cell's number, so that runs repeat; all undefined. */
static void make_undefined(TensorMemory *t, u32 first, u32 columns) {
  for (u32 cell = first * TENSOR_LANES; cell < (first + columns) * TENSOR_LANES; cell++) {
    u32 bits = (cell + 1) * 0x9E3779B1u;
    t->data[cell] = bits ^ bits >> 15;
    t->undefined[cell] = ~0u;
    t->origin[cell] = 0;
    t->cells[cell] = (TensorCell){0};
  }
}

static u32 find_room(const TensorMemory *t, u32 units) {
  for (u32 first = 0; first + units <= TENSOR_UNITS; first += units) {
    u32 taken = 0;
    for (u32 i = 0; i < units; i++) taken |= t->units[first + i].owner != 0;
    if (!taken) return first;
  }
  return TENSOR_UNITS;
}

/* At the beginning of `block`: give the warp `columns` columns, their address in row 0; or let it
 * wait. `strict`: no allocation may be larger than the one before it. */
u32 lm_tensor_alloc(Wave *w, u32 instruction, u32 block, u32 columns, u32 strict) {
  Cta *c = w->cta;
  TensorMemory *t = c->tensor;
  if (c->tensor_relinquished) tensor_rule(w, instruction, w->active, RULE_ALLOC_RELINQUISHED, 0, 0, 0);
  if (strict && c->tensor_columns && columns > c->tensor_columns)
    tensor_rule(w, instruction, w->active, RULE_ALLOC_GROWS, columns, c->tensor_columns, 0);
  w->value[0][first_lane(w->active)] = w->undefined[0][first_lane(w->active)] = 0;
  if (!legal_columns(w, instruction, columns)) return GO_ON;
  u32 units = columns / UNIT_COLUMNS, first = find_room(t, units);
  if (first == TENSOR_UNITS) {
    w->block = block;
    w->barrier = WAITS_FOR_COLUMNS;
    w->waiting = 1;
    return RUN_BARRIER;
  }
  for (u32 i = first; i < first + units; i++) {
    TensorUnit *u = &t->units[i];
    u->owner = u->last_owner = cta_identity(w->cta);
    u->first = first * UNIT_COLUMNS;
    u->columns = columns;
    u->instruction = instruction;
    u->wave = w->index;
  }
  make_undefined(t, first * UNIT_COLUMNS, columns);
  c->tensor_columns = columns;
  w->value[0][first_lane(w->active)] = first * UNIT_COLUMNS;
  return GO_ON;
}

/* Waves that wait for columns try again. */
void retry_columns(Group *g) {
  for (u32 i = 0; i < g->member_count; i++) {
    Wave *w = g->members[i];
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != WAITS_FOR_COLUMNS) continue;
    w->status = RUN_ON;
    w->waiting = 0;
  }
}

int columns_awaited(const Group *g) {
  for (u32 i = 0; i < g->member_count; i++)
    if (g->members[i]->status == RUN_BARRIER && g->members[i]->barrier == WAITS_FOR_COLUMNS) return 1;
  return 0;
}

static void release(TensorMemory *t, u32 first, u32 columns) {
  for (u32 i = first / UNIT_COLUMNS; i < (first + columns) / UNIT_COLUMNS; i++) t->units[i].owner = 0;
}

void lm_tensor_dealloc(Wave *w, u32 instruction, u32 taddr, u32 columns) {
  TensorMemory *t = w->cta->tensor;
  u32 first = taddr & 0xffff, unit = first / UNIT_COLUMNS;
  if (!legal_columns(w, instruction, columns)) return;
  const TensorUnit *u = &t->units[unit < TENSOR_UNITS ? unit : 0];
  if (taddr >> 16 || unit >= TENSOR_UNITS || u->owner != cta_identity(w->cta) || u->first != first) {
    tensor_rule(w, instruction, w->active, RULE_DEALLOC_ADDRESS, taddr, 0, 0);
    return;
  }
  if (u->columns != columns) {
    tensor_rule(w, instruction, w->active, RULE_DEALLOC_SIZE, taddr, u->columns, columns);
    columns = u->columns;
  }
  release(t, first, columns);
  w->launch->changes++;
  retry_columns(w->group);
}

void lm_tensor_relinquish(Wave *w) { w->cta->tensor_relinquished = 1; }

void tensor_leave(Wave *w) {
  TensorMemory *t = w->cta->tensor;
  for (u32 i = 0; t && i < TENSOR_UNITS; i++) {
    const TensorUnit *u = &t->units[i];
    if (u->owner != cta_identity(w->cta)) continue;
    tensor_rule(w, u->instruction, w->full, RULE_LEAK, u->columns, u->first, u->wave);
    release(t, u->first, u->columns);
  }
}
