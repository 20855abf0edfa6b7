/* tcgen05.alloc, dealloc, relinquish_alloc_permit: columns of the SM's tensor memory.
 *
 * PTX ISA, tcgen05.alloc: it blocks while there is no room. Which columns it gives is not
 * specified; here the first that fit, aligned to their number. What they hold is undefined.
 */
#include "ptx_cta.h"
#include "ptx_warp.h"

Cta *tensor_peer(Wave *w, u32 instruction) {
  Group *g = w->group;
  u32 rank = w->cta->rank ^ 1;
  if (rank < g->cta_count && g->ctas[rank]->live) return g->ctas[rank];
  report_rule(w, instruction, w->active, RULE_NO_PEER, w->cta->rank, g->cta_count, 0);
  return 0;
}

int tensor_owned(Wave *w, const Cta *of, u32 instruction, u64 lanes, u32 column) {
  if (column >= TENSOR_COLUMNS) {
    report_rule(w, instruction, lanes, RULE_TENSOR_COLUMN, column, 0, 0);
    return 0;
  }
  const TensorUnit *u = &ptx_cta(of)->tensor->units[column / UNIT_COLUMNS];
  u64 me = cta_identity(of);
  if (u->owner == me) return 1;
  u32 rule = u->owner ? RULE_OTHER_CTA : u->last_owner == me ? RULE_DEALLOCATED : RULE_UNALLOCATED;
  report_rule(w, instruction, lanes, rule, column, 0, 0);
  return 0;
}

static int legal_columns(Wave *w, u32 instruction, u32 columns) {
  if (columns >= UNIT_COLUMNS && columns <= TENSOR_COLUMNS && !(columns & (columns - 1))) return 1;
  report_rule(w, instruction, w->active, RULE_ALLOC_COLUMNS, columns, 0, 0);
  return 0;
}

/* Discard the contents of the columns: their pages start undefined at the next access. */
static void make_undefined(TensorMemory *t, u32 first, u32 columns) {
  u32 from = first * COLUMN_BYTES / PAGE_BYTES, to = (first + columns) * COLUMN_BYTES / PAGE_BYTES;
  for (u32 page = from; page < to; page++) t->memory.pages[page] = 0;
}
_Static_assert(UNIT_COLUMNS *COLUMN_BYTES % PAGE_BYTES == 0, "units consist of pages");

static void allocate(Cta *c, u32 instruction, u32 wave, u32 first, u32 columns) {
  TensorMemory *t = ptx_cta(c)->tensor;
  for (u32 i = first / UNIT_COLUMNS; i < (first + columns) / UNIT_COLUMNS; i++) {
    TensorUnit *u = &t->units[i];
    u->owner = u->last_owner = cta_identity(c);
    u->first = first;
    u->columns = columns;
    u->instruction = instruction;
    u->wave = wave;
  }
  make_undefined(t, first, columns);
  ptx_cta(c)->columns = columns;
}

/* Does the warp know that the peer CTA runs: has it waited at the cluster barrier, or does it know
 * of anything that a warp of the peer did? */
static int peer_known(Wave *w, const Cta *peer) {
  const Group *g = w->group;
  if (round_met(w, 0)) return 1;
  for (u32 clock = 0; clock < g->clocks; clock++)
    for (u32 i = 0; i < peer->wave_count; i++)
      if (clock_of(g, w->member, clock)[peer->first_member + i]) return 1;
  return 0;
}

/* What a warp asks for together with a warp of the peer CTA, until both have. */
enum { ASKS_NOTHING = 0, ASKS_ALLOC = 1, ASKS_DEALLOC = 2 };

static u32 wait_for_columns(Wave *w, u32 block) {
  w->block = block;
  w->barrier = WAITS_FOR_COLUMNS;
  w->waiting = 1;
  return RUN_BARRIER;
}

/* Ask with the peer CTA: 0 until its warp asks for the same, then 1, for both of them. */
static int peer_asks(Wave *w, u32 instruction, Cta *peer, u32 kind, u32 value, u32 columns) {
  TensorAsk mine = {kind, value, columns, w->index, instruction, 0, 0},
            *theirs = &ptx_cta(peer)->ask;
  if (ptx_cta(w->cta)->ask.kind == ASKS_NOTHING) ptx_cta(w->cta)->ask = mine;
  if (ptx_cta(w->cta)->ask.wave != w->index || theirs->kind != kind || theirs->done) return 0;
  if (theirs->value != value || theirs->columns != columns)
    report_rule(w, instruction, w->active, RULE_PEER_DIFFERS, columns, theirs->columns, 0);
  return 1;
}

/* Has the peer's warp done what this one asked for? */
static int done_by_peer(Wave *w, u32 *result) {
  TensorAsk *ask = &ptx_cta(w->cta)->ask;
  if (ask->kind == ASKS_NOTHING || ask->wave != w->index || !ask->done) return 0;
  *result = ask->result;
  *ask = (TensorAsk){0};
  return 1;
}

static void check_alloc(Wave *w, u32 instruction, u32 columns, u32 strict) {
  const Cta *c = w->cta;
  if (ptx_cta(c)->relinquished)
    report_rule(w, instruction, w->active, RULE_ALLOC_RELINQUISHED, 0, 0, 0);
  if (strict && ptx_cta(c)->columns && columns > ptx_cta(c)->columns)
    report_rule(w, instruction, w->active, RULE_ALLOC_GROWS, columns, ptx_cta(c)->columns, 0);
}

/* The first room for `units` units in a tensor memory, or in both of a pair; TENSOR_UNITS for
 * none. */
static u32 find_room(const TensorMemory *t, const TensorMemory *other, u32 units) {
  for (u32 first = 0; first + units <= TENSOR_UNITS; first += units) {
    u32 taken = 0;
    for (u32 i = first; i < first + units; i++)
      taken |= t->units[i].owner != 0 || (other && other->units[i].owner != 0);
    if (!taken) return first;
  }
  return TENSOR_UNITS;
}

/* At the beginning of `block`: give the warp `columns` columns, of both CTAs of a pair where
 * `pair` says so, their address in row 0; or let it wait. `strict`: no allocation may be larger
 * than the last. */
u32 lm_tensor_alloc(Wave *w, u32 instruction, u32 block, u32 columns, u32 pair, u32 strict) {
  Cta *c = w->cta, *peer = 0;
  u32 *result = &w->value[0][first_lane(w->active)], given = 0;
  *result = w->undefined[0][first_lane(w->active)] = 0;
  if (done_by_peer(w, &given)) {
    *result = given;
    return (u32)GO_ON;
  }
  check_alloc(w, instruction, columns, strict);
  if (!legal_columns(w, instruction, columns)) return (u32)GO_ON;
  if (pair) {
    peer = tensor_peer(w, instruction);
    if (!peer) return w->launch->report ? GO_ON : RUN_YIELD;
    if (!ptx_cta(c)->columns && ptx_cta(c)->ask.kind == ASKS_NOTHING && !peer_known(w, peer))
      report_rule(w, instruction, w->active, RULE_PEER_UNKNOWN, peer->rank, 0, 0);
    if (!peer_asks(w, instruction, peer, ASKS_ALLOC, 0, columns)) return wait_for_columns(w, block);
  }
  const TensorMemory *theirs = peer ? ptx_cta(peer)->tensor : 0;
  u32 first = find_room(ptx_cta(c)->tensor, theirs, columns / UNIT_COLUMNS) * UNIT_COLUMNS;
  if (first == TENSOR_COLUMNS) return wait_for_columns(w, block);
  allocate(c, instruction, w->index, first, columns);
  *result = first;
  w->launch->changes++;
  if (!peer) return (u32)GO_ON;
  allocate(peer, ptx_cta(peer)->ask.instruction, ptx_cta(peer)->ask.wave, first, columns);
  ptx_cta(peer)->ask.done = 1;
  ptx_cta(peer)->ask.result = first;
  ptx_cta(c)->ask = (TensorAsk){0};
  retry_columns(w->group);
  return (u32)GO_ON;
}

/* tcgen05.alloc has stored. Nothing says through which proxy it does, and Triton lets TMA
 * overwrite the place without fence.proxy.async: it needs none unless other accesses of the warp
 * before it still do. */
void lm_tensor_stored(Wave *w) {
  ptx_cta(w->cta)->stored = (TensorStored){round_to_come(w), w->sequence[1], w->member, 0};
  u64 *handed = handed_shared(w->group, times_of(w), w->cta->rank);
  if (handed[w->member] + 1 == w->sequence[1]) handed[w->member]++;
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
    if (g->members[i]->status == RUN_BARRIER && g->members[i]->barrier == WAITS_FOR_COLUMNS)
      return 1;
  return 0;
}

static void release(TensorMemory *t, u32 first, u32 columns) {
  for (u32 i = first / UNIT_COLUMNS; i < (first + columns) / UNIT_COLUMNS; i++)
    t->units[i].owner = 0;
}

/* The allocation of a CTA that an address names; null if it names none. */
static const TensorUnit *allocation_at(const Cta *c, u32 taddr) {
  u32 first = taddr & 0xffff, unit = first / UNIT_COLUMNS;
  if (taddr >> 16 || unit >= TENSOR_UNITS) return 0;
  const TensorUnit *u = &ptx_cta(c)->tensor->units[unit];
  return u->owner == cta_identity(c) && u->first == first ? u : 0;
}

/* Give an allocation back, if it is one. */
static void deallocate(Wave *w, Cta *c, u32 instruction, u32 taddr, u32 columns) {
  const TensorUnit *u = allocation_at(c, taddr);
  if (!u) {
    report_rule(w, instruction, w->active, RULE_DEALLOC_ADDRESS, taddr, 0, 0);
    return;
  }
  if (u->columns != columns) {
    report_rule(w, instruction, w->active, RULE_DEALLOC_SIZE, taddr, u->columns, columns);
    columns = u->columns;
  }
  tensor_over(w, c, instruction, u->first, columns);
  release(ptx_cta(c)->tensor, u->first, columns);
  w->launch->changes++;
}

/* The peer's warp asked first. It may not have been made to wait (PTX ISA, Issue Granularity:
 * dealloc "may or may not block"), so accesses of both CTAs must be over for it, too. */
static void check_first(Wave *w, const Cta *peer, u32 taddr) {
  const Cta *both[2] = {w->cta, peer};
  Wave *first = w->group->members[peer->first_member + ptx_cta(peer)->ask.wave];
  for (u32 i = 0; i < 2; i++) {
    const TensorUnit *u = allocation_at(both[i], taddr);
    if (u) tensor_over(first, both[i], ptx_cta(peer)->ask.instruction, u->first, u->columns);
  }
  if (first->stop) w->stop = first->stop; /* the run loop looks at the wave that runs */
}

/* At the beginning of `block`; with `pair` both CTAs give the same columns back, and wait for
 * each other. */
u32 lm_tensor_dealloc(Wave *w, u32 instruction, u32 block, u32 taddr, u32 columns, u32 pair) {
  u32 ignored;
  if (done_by_peer(w, &ignored) || !legal_columns(w, instruction, columns)) return (u32)GO_ON;
  Cta *peer = pair ? tensor_peer(w, instruction) : 0;
  if (pair && !peer) return w->launch->report ? GO_ON : RUN_YIELD;
  if (pair && !peer_asks(w, instruction, peer, ASKS_DEALLOC, taddr, columns))
    return wait_for_columns(w, block);
  if (pair) check_first(w, peer, taddr);
  deallocate(w, w->cta, instruction, taddr, columns);
  if (pair) {
    deallocate(w, peer, instruction, taddr, columns);
    ptx_cta(peer)->ask.done = 1;
    ptx_cta(w->cta)->ask = (TensorAsk){0};
  }
  retry_columns(w->group);
  return (u32)GO_ON;
}

void lm_tensor_relinquish(Wave *w) { ptx_cta(w->cta)->relinquished = 1; }

/* The memory of an SM that no CTA has used yet in this launch. */
static void make_memory(const Launch *l, TensorMemory *t) {
  if (t->memory.data) return;
  t->memory = (Memory){.size = TENSOR_BYTES,
                       .data = t->data,
                       .defined = t->defined,
                       .lines = t->lines,
                       .pages = t->pages,
                       .tag = 1,
                       .space = SPACE_ENGINE,
                       .seed = 0x7e50,
                       .partial = l->precise ? t->partial : 0,
                       .origin = l->precise ? t->origin : 0};
}

void tensor_enter(Group *g) {
  u64 fenced = (u64)FENCED_SETS * FENCED_CLOCKS * (g->member_count + 1) * g->member_count;
  if (!g->fenced) return;
  fill_bytes((u8 *)g->fenced, 0, 8 * fenced);
  for (u32 i = 0; i < g->cta_count; i++) {
    Cta *c = g->ctas[i];
    ptx_cta(c)->relinquished = ptx_cta(c)->columns = 0;
    fill_bytes((u8 *)ptx_cta(c)->collected, 0, sizeof ptx_cta(c)->collected);
    ptx_cta(c)->ask = (TensorAsk){0};
    make_memory(g->launch, ptx_cta(c)->tensor);
  }
}

void tensor_leave(Wave *w) {
  TensorMemory *t = ptx_cta(w->cta)->tensor;
  for (u32 i = 0; t && i < TENSOR_UNITS; i++) {
    const TensorUnit *u = &t->units[i];
    if (u->owner != cta_identity(w->cta)) continue;
    report_rule(w, u->instruction, w->full, RULE_LEAK, u->columns, u->first, u->wave);
    release(t, u->first, u->columns);
  }
}
