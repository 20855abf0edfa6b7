/* mbarrier objects: arrivals, transactions and phases (mbarrier.h). */
#include "mbarrier.h"
#include "clocks.h"
#include "completion.h"
#include "events.h"
#include "lane_order.h"
#include "mbarrier_rules.h"
#include "memory_model.h"
#include "phases.h"
#include "rules.h"

u64 *fence_clock(Wave *w, u32 which) {
  u64 words = clock_words(w->group),
      *clock = objects_of(w->cta)->fence_clocks + (w->index * FENCE_CLOCKS + which) * words;
  WarpOrder *s = warp_order(w);
  if (!(s->fence_clocks >> which & 1)) fill_bytes((u8 *)clock, 0, 8 * words);
  s->fence_clocks |= 1u << which;
  return clock;
}

/* The bytes of an object: in shared memory, aligned. Null after a hazard. */
static Memory *object_at(const Access *a, u32 lane, u64 address, u64 *offset) {
  Memory *m = memory_at(a->w, a->space, address, MBARRIER_BYTES, offset);
  if (!m || m->space != SPACE_SHARED) {
    Access shared = *a;
    shared.space = SPACE_SHARED;
    out_of_bounds(&shared, lane, address, MBARRIER_BYTES);
    return 0;
  }
  if (!(*offset % MBARRIER_BYTES)) return m;
  Access shared = *a;
  shared.space = SPACE_SHARED;
  misaligned(&shared, lane, address, MBARRIER_BYTES);
  return 0;
}

/* An operation on an object must be ordered after its initialization. Its initialization and
 * invalidation (`writes`) must be ordered after all earlier accesses. */
static Access object_access(Wave *w, u32 instruction, u32 space, int writes) {
  u32 kind = ACCESS_OBJECT | (writes ? ACCESS_STORE : ACCESS_LOAD);
  u64 stamp = stamp_of(w, AGENT_SHARED, w->sequence[1]);
  if (w->launch->log) log_access(w, stamp, instruction);
  return (Access){w, instruction, space, kind, 1, {0, stamp}, 0};
}

u32 mbarrier_number(const Cta *owner, u64 offset) {
  return objects_of(owner)->mbarrier_at[offset / MBARRIER_BYTES];
}

Mbarrier *mbarrier_find(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, Cta **owner) {
  u64 offset;
  Access a = object_access(w, instruction, space, 0);
  Memory *m = object_at(&a, lane, address, &offset);
  if (!m) return 0;
  *owner = m->owner;
  u32 number = mbarrier_number(m->owner, offset);
  if (!number) {
    report_rule(w, instruction, 1ull << lane, MBARRIER_MISSING, address, 0, 0);
    return 0;
  }
  /* ordered after its initialization, as every access is after a store */
  order_only(&a, lane, m, offset, MBARRIER_BYTES);
  return &objects_of(m->owner)->mbarriers[number - 1];
}

static void mark_object(Memory *m, u64 offset, int live) {
  u64 bit = offset / MBARRIER_BYTES, mask = 1ull << (bit & 63);
  m->objects[bit >> 6] = live ? m->objects[bit >> 6] | mask : m->objects[bit >> 6] & ~mask;
}

/* What passes along any dependency, even one that orders no memory. */
static void advance_arrivals(const Group *g, u64 *clock, const u64 *from) {
  lm_advance(clock_part(g, clock, CLOCK_ARRIVED), clock_part(g, (u64 *)from, CLOCK_ARRIVED),
             g->member_count);
  lm_advance(clock_part(g, clock, CLOCK_SEEN), clock_part(g, (u64 *)from, CLOCK_SEEN),
             g->member_count);
}

/* What the wave learns of a phase that is complete. */
void mbarrier_learn_phase(Wave *w, u64 lanes, Cta *owner, const Mbarrier *m, u32 relaxed) {
  warp_order(w)->waited = 1;
  advance_arrivals(w->group, times_of(w), mbarrier_gathered(owner, m));
  if (w->launch->strict) phase_seen(w, lanes, owner, m);
  if (relaxed) {
    receive_fenced(w, mbarrier_gathered(owner, m));
    lm_advance(fence_clock(w, FENCE_SEEN), mbarrier_gathered(owner, m), clock_words(w->group));
  } else lm_learn(w, mbarrier_gathered(owner, m)), lanes_meet(w, w->full);
}

/* The arrivals of completed phases are those of the phase that has just ended, too, but for the
 * warps that arrived ahead: those arrivals are for the next phase. */
static void gather_phase(Cta *owner, const Mbarrier *m) {
  const Group *g = owner->group;
  const Arrival *arrivals = mbarrier_arrivals(owner, m);
  u64 *arrived = clock_part(g, mbarrier_gathered(owner, m), CLOCK_ARRIVED);
  lm_advance(mbarrier_gathered(owner, m), mbarrier_gathering(owner, m), clock_words(g));
  for (u32 i = 0; i < g->member_count; i++)
    if (arrivals[i].phase > m->phase && arrived[i] > arrivals[i].before)
      arrived[i] = arrivals[i].before;
}

static void complete_phase(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  if (m->pending || m->transactions) return;
  if (w->launch->strict) phase_ends(w, instruction, lane, owner, m);
  m->phase++;
  m->pending = m->expected;
  gather_phase(owner, m);
  complete_transactions(w, owner, m);
  w->launch->front_end.phase(owner, (u32)(m - objects_of(owner)->mbarriers) + 1);
  w->gives_way = 1;
}

/* The phase comes after all arrivals that the wave comes after, whether its own orders memory or
 * not. */
static void pass_arrivals(const Wave *w, const Cta *owner, const Mbarrier *m) {
  advance_arrivals(w->group, mbarrier_gathering(owner, m), times_of(w));
}

void mbarrier_told(const Wave *w, u32 instruction, u64 lanes, const Cta *owner, const Mbarrier *m,
                   u32 act, u64 amount, u64 phase) {
  tell_act(w, instruction, lanes, (Acting){act, (u32)amount, m->offset, owner->rank, phase});
}

void mbarrier_arrive(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, u32 count) {
  mbarrier_told(w, instruction, 1ull << lane, owner, m, ACT_ARRIVE, count, m->phase);
  if (count > m->pending) {
    report_rule(w, instruction, 1ull << lane, MBARRIER_OVERFLOW, count, m->pending, m->phase);
    count = m->pending;
  }
  w->launch->changes++;
  pass_arrivals(w, owner, m);
  m->pending -= count;
  u64 phase = m->phase;
  complete_phase(w, instruction, lane, owner, m);
  if (m->phase != phase) m->completer = (u64)w->member << 32 | w->sequence[1];
}

void mbarrier_transact(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, i64 change) {
  mbarrier_told(w, instruction, 1ull << lane, owner, m, change < 0 ? ACT_COME : ACT_EXPECT,
                (u64)(change < 0 ? -change : change), m->phase);
  w->launch->changes++;
  pass_arrivals(w, owner, m);
  m->transactions += change;
  /* One operation of more bytes ends an H200's kernel, whatever the sum. */
  i64 beyond = change > MOST_COUNT || change < -MOST_COUNT ? change : m->transactions;
  if (beyond > MOST_COUNT || beyond < -MOST_COUNT)
    report_rule(w, instruction, 1ull << lane, MBARRIER_TRANSACTIONS,
                (u64)(beyond < 0 ? -beyond : beyond), 0, 0);
  complete_phase(w, instruction, lane, owner, m);
}

void mbarriers_begin(Cta *c) {
  c->group->launch->object_rule = MBARRIER_TOUCHED;
  for (u32 i = 0; i < MOST_MBARRIERS; i++) {
    Mbarrier *m = &objects_of(c)->mbarriers[i];
    if (m->live) {
      objects_of(c)->mbarrier_at[m->offset / MBARRIER_BYTES] = 0;
      mark_object(&c->shared, m->offset, 0);
    }
    m->live = 0;
  }
}

/* How far a CTA's warps know a member to have got, by one of the clocks. */
static u64 known_in(const Cta *c, u32 member, u32 clock) {
  u64 known = 0;
  for (u32 i = 0; i < c->wave_count; i++) {
    u64 own = clock_of(c->group, c->first_member + i, clock)[member];
    if (own > known) known = own;
  }
  return known;
}

/* An object of the CTA at which a member arrives, or (`commits`) its engine for it, and nothing
 * orders that before the CTA's end. */
static const Mbarrier *arrives_late(const Cta *c, u32 member, u32 *commits) {
  u64 arrived = known_in(c, member, CLOCK_ARRIVED), accesses = known_in(c, member, CLOCK_SHARED),
      over = known_in(c, member, CLOCK_OVER + AGENT_ENGINE - AGENT_LOAD);
  for (u32 i = 0; i < MOST_MBARRIERS; i++) {
    const Mbarrier *m = &objects_of(c)->mbarriers[i];
    if (!m->live) continue;
    const Arrival *last = &mbarrier_arrivals(c, m)[member];
    *commits = last->run <= arrived;
    if (!*commits || last->commit > accesses || last->operations > over) return m;
  }
  return 0;
}

void mbarriers_leave(Wave *last) {
  const Cta *c = last->cta;
  const Group *g = c->group;
  for (u32 member = 0; g->cta_count > 1 && member < g->member_count; member++) {
    const Wave *w = g->members[member];
    u32 commits;
    const Mbarrier *m = w->cta == c ? 0 : arrives_late(c, member, &commits);
    if (!m) continue;
    const Arrival *late = &mbarrier_arrivals(c, m)[member];
    HazardRecord *h =
        lm_hazard(last, HAZARD_ENDED, late->instructions[commits], late->lanes[commits]);
    h->wave = member;
    h->info[0] = c->rank;
    h->info[1] = ENDED_ARRIVAL;
    h->info[2] = c->shared.base + m->offset;
  }
}

int mbarrier_begun(const Wave *w, const Cta *owner, const Mbarrier *m) {
  const Group *g = w->group;
  return m->initialized <= handed_shared(g, times_of(w), owner->rank)[m->initializer] ||
         m->initialized <= clock_of(g, w->member, CLOCK_BEGUN)[m->initializer];
}

/* Everything that a warp does but wait has a number in one of these. */
static u64 done_so_far(const Wave *w) {
  u64 done = w->sequence[0] + w->sequence[1];
  for (u32 agent = AGENT_LOAD; agent <= AGENT_BULK; agent++)
    done += w->engine_sequence[agent - AGENT_LOAD];
  return done;
}

/* Arrivals of a warp with nothing between them release the same, so that CLOCK_ARRIVED counts
 * the first of them for all: who multicasts waits for its own object, to which a consumer
 * arrives before it arrives at those of other CTAs, and to be ordered after the first arrival is
 * enough for whoever arrives there next. */
void mbarrier_begin_arrivals(Wave *w) {
  WarpOrder *s = warp_order(w);
  if (!s->first_arrival || done_so_far(w) != s->arrivals_end || s->waited)
    s->first_arrival = w->sequence[1] + 1;
  w->sequence[1]++;
  s->arrivals_end = done_so_far(w);
  s->waited = 0;
}

/* The phase, from 1, that an instruction's arrivals at an object are for: the present one, but for
 * a later arrival of a run. Between two arrivals of a slow warp's run, a fast one that waits only
 * for an object of the first may come round and arrive a second time where the slow one has not
 * arrived yet. The fast one is ahead, and what it released comes after what the slow one does; so
 * the slow one, which counts in the next phase, is for the phase that ended without it. The fast
 * one comes round no further before the slow one's next run, so there is no such reading of an
 * arrival that two phases ended without. */
static u32 phase_meant(const Wave *w, u64 first, const Arrival *last, const Mbarrier *m, int late) {
  u32 present = (u32)m->phase + 1;
  if (first == w->sequence[1] || last->access >= first) return present;
  if (last->phase >= present) return present + 1;
  return present - (late && last->phase + 1 >= present - 1);
}

/* An arrival that does not come after those of the last phase counts in this phase or in that
 * one, as the schedule has it: too small a count lets several phases go by for one. */
void mbarrier_check_phase(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m) {
  const Group *g = owner->group;
  const u64 *arrived = clock_part(g, mbarrier_gathered(owner, m), CLOCK_ARRIVED);
  u64 *known = clock_of(g, w->member, CLOCK_ARRIVED), first = warp_order(w)->first_arrival;
  Arrival *last = &mbarrier_arrivals(owner, m)[w->member];
  u32 other = 0, lanes = m->completer == ((u64)w->member << 32 | w->sequence[1]);
  if (lanes) other = w->member;
  else
    while (other < g->member_count && (other == w->member || arrived[other] <= known[other]))
      other++;
  int unordered = other < g->member_count;
  if (last->access != w->sequence[1]) { /* else another lane has arrived */
    u32 phase = phase_meant(w, first, last, m, unordered && arrived[w->member] >= first);
    last->before = last->run;
    last->run = first;
    last->access = (u32)w->sequence[1];
    last->phase = phase;
    last->lanes[0] = 0;
    last->instructions[0] = instruction;
  }
  last->lanes[0] |= 1u << lane;
  if (lanes || (unordered && last->phase > m->phase))
    report_rule(w, instruction, 1ull << lane, lanes ? MBARRIER_LANES : MBARRIER_UNORDERED, m->phase,
                m->phase - 1, g->members[other]->index);
  known[w->member] = first;
}

/* -- objects begin and end --------------------------------------------------------------------- */

void mbarrier_init(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u32 count) {
  u64 offset, bit = 1ull << lane;
  Access a = object_access(w, instruction, space, 1);
  Memory *m = object_at(&a, lane, address, &offset);
  if (!m) return;
  Cta *c = m->owner;
  Objects *o = objects_of(c);
  if (!count || count > MOST_COUNT) report_rule(w, instruction, bit, MBARRIER_COUNT, count, 0, 0);
  if (mbarrier_number(c, offset)) {
    report_rule(w, instruction, bit, MBARRIER_TWICE, address, 0, 0);
    return;
  }
  order_only(&a, lane, m, offset, MBARRIER_BYTES);
  u32 number = 0;
  while (number < MOST_MBARRIERS && o->mbarriers[number].live) number++;
  if (number == MOST_MBARRIERS) {
    report_rule(w, instruction, bit, MBARRIER_MANY, MOST_MBARRIERS, 0, 0);
    return;
  }
  o->mbarriers[number] = (Mbarrier){.expected = count,
                                    .pending = count,
                                    .offset = (u32)offset,
                                    .live = 1,
                                    .initializer = w->member,
                                    .initialized = (u32)w->sequence[1]};
  mbarrier_told(w, instruction, bit, c, &o->mbarriers[number], ACT_BEGIN, count, 0);
  mark_object(m, offset, 1);
  o->mbarrier_at[offset / MBARRIER_BYTES] = (u16)(number + 1);
  fill_bytes((u8 *)mbarrier_gathering(c, &o->mbarriers[number]), 0, 16 * clock_words(c->group));
  fill_bytes((u8 *)mbarrier_arrivals(c, &o->mbarriers[number]), 0,
             c->group->member_count * sizeof(Arrival));
  phases_begin(c, &o->mbarriers[number]);
}

void mbarrier_inval(Wave *w, u32 instruction, u32 lane, u32 space, u64 address) {
  Cta *owner;
  Mbarrier *m = mbarrier_find(w, instruction, lane, space, address, &owner);
  if (!m) return;
  Access a = object_access(w, instruction, space, 1);
  m->live = 0;
  objects_of(owner)->mbarrier_at[m->offset / MBARRIER_BYTES] = 0;
  mark_object(&owner->shared, m->offset, 0);
  order_only(&a, lane, &owner->shared, m->offset, MBARRIER_BYTES);
  undefine(&a, lane, &owner->shared, m->offset, MBARRIER_BYTES);
}
