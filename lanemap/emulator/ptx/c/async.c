/* What completes asynchronous operations, and who knows that (async.h). */
#include "async.h"
#include "clocks.h"
#include "events.h"
#include "happens_before.h"
#include "lane_order.h"
#include "memory_model.h"

/* -- operations -------------------------------------------------------------------------------- */

static u64 remembered(Wave *w, u64 stamp, u32 instruction) {
  if (w->launch->log) log_access(w, stamp, instruction);
  return stamp;
}

AsyncGroups *groups_of(const Wave *w) { return &ptx_cta(w->cta)->groups[w->index]; }

static u64 next_of(Wave *w, u32 instruction, u32 agent) {
  return remembered(w, stamp_of(w, agent, ++w->engine_sequence[agent - AGENT_LOAD]), instruction);
}

u64 next_copy(Wave *w, u32 instruction) { return next_of(w, instruction, AGENT_COPY); }

u64 next_bulk(Wave *w, u32 instruction, u32 lane) {
  groups_of(w)->bulk_instruction = instruction;
  groups_of(w)->bulk_lane = lane;
  return next_of(w, instruction, AGENT_BULK);
}

/* The slot of an object. Objects that lie in the same place one after the other have the same. */
static AsyncSlot *slot_of(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  Group *g = w->group;
  AsyncSlot *slots = ptx_cta(owner)->slots;
  if (m->slot) return &slots[m->slot - 1];
  u64 number = 0;
  while (number < g->slots_used &&
         (slots[number].cta != owner->rank || slots[number].offset != m->offset))
    number++;
  if (number == g->slots) {
    report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_SLOTS, g->slots, 0, 0);
    return 0;
  }
  if (number == g->slots_used) {
    g->slots_used++;
    slots[number] = (AsyncSlot){.cta = owner->rank, .offset = m->offset};
  }
  /* phases of an earlier object in this place are all over */
  slots[number].base = slots[number].last;
  m->slot = (u32)number + 1;
  return &slots[number];
}

u64 next_transaction(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  AsyncSlot *s = slot_of(w, instruction, lane, owner, m);
  if (!s) return stamp_of(w, AGENT_SHARED, w->sequence[1]);
  u64 phase = s->base + m->phase + 1;
  if (phase > s->last) s->last = phase, s->operations = 0;
  if (phase >> (SEQUENCE_BITS - PHASE_SHIFT))
    report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_PHASES,
                1ull << (SEQUENCE_BITS - PHASE_SHIFT), 0, 0);
  u64 sequence = (phase << PHASE_SHIFT | s->operations) & SEQUENCE_MASK;
  if (s->operations < PHASE_OPERATIONS - 1) s->operations++;
  u64 stamp = stamp_of(w, AGENT_BARRIER, sequence) & ~((u64)MEMBER_MASK << MEMBER_SHIFT);
  return remembered(w, stamp | (u64)(m->slot - 1) << MEMBER_SHIFT, instruction);
}

void complete_transactions(const Wave *w, Cta *owner, const Mbarrier *m) {
  if (!m->slot) return;
  AsyncSlot *s = &ptx_cta(owner)->slots[m->slot - 1];
  u64 phase = s->base + m->phase;
  if (phase > s->last) s->last = phase, s->operations = 0;
  u64 last = phase << PHASE_SHIFT | (PHASE_OPERATIONS - 1);
  clock_slots(owner->group, mbarrier_gathered(owner, m))[m->slot - 1] = last;
  if (w->launch->events) completion_told(w, AGENT_BARRIER, m->slot, last, DIRECTION_STORE);
}

void needs_cluster(Wave *w, u32 instruction, u64 lanes) {
  if (lanes && w->group->cta_count < 2) report_rule(w, instruction, lanes, RULE_ALONE, 0, 0, 0);
}

Mbarrier *mbarrier_of(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u64 to, u32 size,
                      Cta **owner) {
  u64 offset;
  Mbarrier *m = mbarrier_find(w, instruction, lane, space, address, owner);
  const Memory *there = m ? memory_at(w, space, to, size, &offset) : 0;
  if (there && there->owner && there->owner != *owner)
    report_rule(w, instruction, 1ull << lane, RULE_BULK_MBARRIER, (*owner)->rank,
                there->owner->rank, 0);
  return m;
}

Access async_access(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align) {
  return (Access){w, instruction, space, kind, align, {stamp, stamp}, 0};
}

Access begin_engine(Wave *w, u32 instruction, u64 stamp, u32 space, u32 kind, u32 align, u32 lane,
                    u64 bytes) {
  Access a = async_access(w, instruction, stamp, space, kind, align);
  tell_bytes(&a, 1ull << lane, bytes);
  return a;
}

int read_bulk(const Access *a, const Range *r) {
  if (a->w->launch->lane_order) lane_reads(a, r->lane, r->address, r->size);
  return access(a, r);
}

Range range_in(const Wave *w, Piece *piece, u32 at, u32 lane, u64 address, u32 size) {
  Range r = {address, size, 0, lane, piece->data + at, 0, 0, 0};
  if (w->launch->precise) r.undefined = piece->undefined + at, r.origin = piece->origin + at;
  return r;
}

void async_begin(Cta *c) {
  ptx_cta(c)->refusal = 0;
  for (u32 i = 0; ptx_cta(c)->groups && i < c->wave_count; i++)
    fill_bytes((u8 *)&ptx_cta(c)->groups[i], 0, __builtin_offsetof(AsyncGroups, begins));
}

/* -- groups ------------------------------------------------------------------------------------ */

/* Of the wave's own operations those up to `until` are complete, or have read their source. */
static void advance_own(const Wave *w, u64 *clock, u32 which, u64 until) {
  u32 agent = which == CLOCK_COPY ? AGENT_COPY : AGENT_BULK;
  u32 direction = which == CLOCK_BULK_READ ? DIRECTION_LOAD : DIRECTION_STORE;
  complete_to(w, &clock_part(w->group, clock, which)[w->member], agent, until, direction);
}

void note_copy(Wave *w, u64 mask) {
  AsyncGroups *g = groups_of(w);
  for (u64 left = mask; left; left &= left - 1)
    if (!g->uncommitted[lowest(left)])
      g->uncommitted[lowest(left)] = w->engine_sequence[AGENT_COPY - AGENT_LOAD];
}

/* The first cp.async of a lane that it has not waited for; 0: none. */
static u32 outstanding(const AsyncGroups *g, u32 lane) {
  u32 count = g->copies[lane], from = g->complete[lane];
  if (count > from + MOST_GROUPS) from = count - MOST_GROUPS;
  for (u32 i = from; i < count; i++)
    if (g->begins[lane][i % MOST_GROUPS]) return g->begins[lane][i % MOST_GROUPS];
  return g->uncommitted[lane];
}

/* How many cp.async of the wave, in their order, are complete: all before the first that a lane
 * has not waited for. */
static u32 copies_complete(const Wave *w) {
  const AsyncGroups *g = groups_of(w);
  u32 until = w->engine_sequence[AGENT_COPY - AGENT_LOAD];
  for (u32 lane = 0; lane < WARP_LANES; lane++) {
    u32 first = outstanding(g, lane);
    if (first && first <= until) until = first - 1;
  }
  return until;
}

/* cp.async.commit_group, cp.async.bulk.commit_group by the lanes of a mask. */
void lm_async_commit(Wave *w, u64 mask, u32 agent) {
  AsyncGroups *g = groups_of(w);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    if (agent == AGENT_BULK) {
      g->ends[lane][g->bulks[lane]++ % MOST_GROUPS] = w->engine_sequence[AGENT_BULK - AGENT_LOAD];
    } else {
      g->begins[lane][g->copies[lane]++ % MOST_GROUPS] = g->uncommitted[lane];
      g->uncommitted[lane] = 0;
    }
  }
}

/* cp.async.wait_group: all groups of the lanes of a mask but the last `allowed` ones are
 * complete. */
void lm_copies_wait(Wave *w, u64 mask, u32 allowed) {
  AsyncGroups *g = groups_of(w);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), count = g->copies[lane];
    if (count > allowed && g->complete[lane] < count - allowed) g->complete[lane] = count - allowed;
  }
  if (mask) advance_own(w, times_of(w), CLOCK_COPY, copies_complete(w));
}

/* cp.async.bulk.wait_group, likewise; `reads`: they have read their sources. Lanes of a warp may
 * copy for themselves, so what one of them waited for counts, whatever the others did. */
void lm_bulks_wait(Wave *w, u64 mask, u32 allowed, u32 reads) {
  const AsyncGroups *g = groups_of(w);
  u32 until = 0;
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), count = g->bulks[lane];
    if (count <= allowed) continue;
    u32 end = g->ends[lane][(count - allowed - 1) % MOST_GROUPS];
    if (end > until) until = end;
  }
  advance_own(w, times_of(w), CLOCK_BULK_READ, until);
  maps_read(w, mask, allowed);
  if (!reads) advance_own(w, times_of(w), CLOCK_BULK, until);
}

/* Nothing of the lanes of a mask is outstanding. */
static void forget(AsyncGroups *g, u64 mask) {
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    g->complete[lane] = g->copies[lane];
    g->uncommitted[lane] = 0;
  }
}

/* cp.async.wait_all: as if all had been committed. */
void lm_async_wait_all(Wave *w, u64 mask) {
  forget(groups_of(w), mask);
  if (mask) advance_own(w, times_of(w), CLOCK_COPY, copies_complete(w));
}

/* cp.async.mbarrier.arrive: the arrival comes when the lane's cp.async so far are complete. It
 * knows nothing else. Without `counted` it raises the count that is pending first (PTX ISA:
 * .noinc). From then on the mbarrier stands for these operations. */
void lm_async_arrive(Wave *w, u32 instruction, u32 space, u64 mask, u32 counted) {
  mbarrier_begin_arrivals(w);
  forget(groups_of(w), mask);
  u32 until = copies_complete(w);
  for (u64 left = mask; left; left &= left - 1) {
    Cta *owner;
    u32 lane = lowest(left);
    Mbarrier *m = mbarrier_find(w, instruction, lane, space, w->address[lane], &owner);
    if (!m) continue;
    advance_own(w, mbarrier_gathering(owner, m), CLOCK_COPY, until);
    if (counted) mbarrier_check_phase(w, instruction, lane, owner, m);
    else m->pending++;
    mbarrier_arrive(w, instruction, lane, owner, m, 1);
  }
}

/* A CTA's shared memory ends with it, so what reads it must be over by then. Sources disagree
 * over whether a store needs a wait for that (docs/emulator-order.md). */
void async_leave(Wave *last) {
  const Cta *c = last->cta;
  const Group *g = last->group;
  if (!ptx_cta(c)->groups || !last->launch->strict) return;
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = g->members[c->first_member + i];
    const AsyncGroups *bulk = groups_of(w);
    if (w->engine_sequence[AGENT_BULK - AGENT_LOAD] <=
        clock_of(g, w->member, CLOCK_BULK_READ)[w->member])
      continue;
    report_rule(w, bulk->bulk_instruction, 1ull << bulk->bulk_lane, RULE_BULK_UNREAD, 0, 0, 0);
    if (w->stop) last->stop = w->stop; /* the run loop looks at the wave that ended last */
  }
}

/* -- hazards ----------------------------------------------------------------------------------- */

/* Has anybody waited for the earlier operation: for the wave that issued it, or for the object's
 * phase? */
static int waited_for(const Touch *t, u64 earlier, u32 which) {
  const Group *g = t->a->w->group;
  u64 sequence = earlier & SEQUENCE_MASK;
  u32 member = stamp_member(earlier);
  if (stamp_agent(earlier) != AGENT_BARRIER) return sequence <= clock_of(g, member, which)[member];
  for (u32 i = 0; i < g->member_count; i++)
    if (sequence <= clock_of(g, i, (u32)g->clocks)[member]) return 1;
  return 0;
}

int proxy_conflict(Touch *t, HazardRecord *h, u64 earlier, int read) {
  Wave *w = t->a->w;
  u32 agent = stamp_agent(earlier), member = stamp_member(earlier), clock = agent;
  u64 sequence = earlier & SEQUENCE_MASK;
  if (!needs_handing(t, read) || (agent > AGENT_SHARED && agent != AGENT_COPY)) return 0;
  int same_group = stamp_group(earlier) == stamp_group(t->stamp), ordered;
  if (agent == AGENT_COPY) clock = CLOCK_COPY;
  if (same_group) ordered = sequence <= clock_of(w->group, w->member, clock)[member];
  else ordered = learned(w, earlier, 0, read);
  if (agent == AGENT_COPY && !ordered) return 0;
  h->kind = HAZARD_HANDED;
  h->info[0] = member;
  h->info[1] = ordered || (same_group && member == w->member);
  h->info[3] = 0;
  for (u32 rank = 0; same_group && agent == AGENT_SHARED && rank < w->group->cta_count; rank++)
    h->info[3] |=
        sequence <= handed_shared(w->group, times_of(w), rank)[member]; /* by too narrow a fence */
  return 1;
}

void async_conflict(Touch *t, HazardRecord *h, u64 earlier) {
  const Wave *w = t->a->w;
  u32 agent = stamp_agent(earlier), member = stamp_member(earlier);
  u32 earlier_wrote = (h->detail >> 8 & ACCESS_STORE) != 0;
  u32 which = agent == AGENT_COPY ? CLOCK_COPY : earlier_wrote ? CLOCK_BULK : CLOCK_BULK_READ;
  int same_group = stamp_group(earlier) == stamp_group(t->stamp);
  h->kind = HAZARD_ASYNC;
  h->detail = agent | (t->a->kind & ACCESS_STORE ? DETAIL_WRITES : 0) |
              (earlier_wrote ? DETAIL_WROTE : 0) |
              (same_group && waited_for(t, earlier, which) ? DETAIL_WAITED : 0) |
              (same_group ? 0 : DETAIL_ELSEWHERE);
  h->info[1] = member;
  if (agent != AGENT_BARRIER || !same_group) return;
  const AsyncSlot *s = &ptx_cta(w->cta)->slots[member];
  h->info[1] = w->member;
  h->info[2] = w->group->ctas[s->cta]->shared.base + s->offset;
  h->info[3] = ((earlier & SEQUENCE_MASK) >> PHASE_SHIFT) - 1 - s->base;
}
