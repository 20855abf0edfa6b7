/* mbarrier: arrivals, transactions and waits (mbarrier.h). */
#include "mbarrier.h"
#include "clocks.h"
#include "lane_order.h"
#include "memory_model.h"
#include "ptx_warp.h"

u64 *mbarrier_gathering(const Cta *owner, const Mbarrier *m) {
  return ptx_cta(owner)->mbarrier_clocks +
         2 * (u64)(m - ptx_cta(owner)->mbarriers) * clock_words(owner->group);
}

u64 *mbarrier_gathered(const Cta *owner, const Mbarrier *m) {
  return mbarrier_gathering(owner, m) + clock_words(owner->group);
}

u64 *fence_clock(Wave *w, u32 which) {
  u64 words = clock_words(w->group),
      *clock = ptx_cta(w->cta)->fence_clocks + (w->index * FENCE_CLOCKS + which) * words;
  Warp *s = warp_of(w);
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

static u32 number_at(const Cta *owner, u64 offset) {
  return ptx_cta(owner)->mbarrier_at[offset / MBARRIER_BYTES];
}

Mbarrier *mbarrier_find(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, Cta **owner) {
  u64 offset;
  Access a = object_access(w, instruction, space, 0);
  Memory *m = object_at(&a, lane, address, &offset);
  if (!m) return 0;
  *owner = m->owner;
  u32 number = number_at(m->owner, offset);
  if (!number) {
    report_rule(w, instruction, 1ull << lane, RULE_NO_MBARRIER, address, 0, 0);
    return 0;
  }
  /* ordered after mbarrier.init, as every access is after a store */
  order_only(&a, lane, m, offset, MBARRIER_BYTES);
  return &ptx_cta(m->owner)->mbarriers[number - 1];
}

static void mark_object(Memory *m, u64 offset, int live) {
  u64 bit = offset / MBARRIER_BYTES, mask = 1ull << (bit & 63);
  m->objects[bit >> 6] = live ? m->objects[bit >> 6] | mask : m->objects[bit >> 6] & ~mask;
}

/* Let lanes that wait for an object test it again. */
static void wake_waiting(Group *g, u32 give_up) {
  for (u32 i = 0; i < g->member_count; i++) {
    Wave *w = g->members[i];
    Warp *s = warp_of(w);
    u32 any = 0;
    for (u32 j = 0; j < LANES; j++)
      if (s->groups[j].state == AWAITING) {
        s->groups[j].state = READY;
        any |= s->groups[j].mask;
      }
    if (!any) continue;
    if (give_up) s->give_up |= any;
    s->refused = 0;
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != WAITS_FOR_MBARRIER) continue;
    w->status = RUN_ON;
    w->waiting = 0;
    choose(w, s);
  }
}

#define MOST_REFUSALS 64 /* waits that give up in a row although nothing changes */

int mbarrier_give_up(Group *g) {
  u64 *seen = &g->front_end[1], *tries = &g->front_end[2];
  u32 waiting = 0;
  for (u32 i = 0; i < g->member_count; i++)
    if (g->members[i]->status == RUN_BARRIER && g->members[i]->barrier == WAITS_FOR_MBARRIER)
      waiting = 1;
  if (!waiting) return 0;
  *tries = *seen == g->launch->changes ? *tries + 1 : 1;
  *seen = g->launch->changes;
  if (*tries > MOST_REFUSALS) return 0;
  wake_waiting(g, 1);
  return 1;
}

/* What passes along any dependency, even one that orders no memory. */
static void advance_arrivals(const Group *g, u64 *clock, const u64 *from) {
  lm_advance(clock_part(g, clock, CLOCK_ARRIVED), clock_part(g, (u64 *)from, CLOCK_ARRIVED),
             g->member_count);
  lm_advance(clock_part(g, clock, CLOCK_SEEN), clock_part(g, (u64 *)from, CLOCK_SEEN),
             g->member_count);
}

/* What the wave learns of a phase that is complete. */
static void learn_phase(Wave *w, Cta *owner, const Mbarrier *m, u32 relaxed) {
  warp_of(w)->waited = 1;
  advance_arrivals(w->group, times_of(w), mbarrier_gathered(owner, m));
  if (w->launch->strict) phase_seen(w, owner, m);
  if (relaxed) {
    receive_fenced(w, mbarrier_gathered(owner, m));
    lm_advance(fence_clock(w, FENCE_SEEN), mbarrier_gathered(owner, m), clock_words(w->group));
  } else lm_learn(w, mbarrier_gathered(owner, m)), lanes_meet(w, w->full);
}

/* What lanes wait for: an object, from 1, and whether they acquire. */
static u32 wait_code(const Cta *c, const Mbarrier *m, u32 relaxed) {
  return (u32)(m - ptx_cta(c)->mbarriers + 1) << 1 | relaxed;
}

/* Warps that wait for the phase that has just ended see that, even if the next one ends before
 * their turn. */
static void grant_phase(Cta *owner, const Mbarrier *m) {
  for (u32 i = 0; i < owner->wave_count; i++) {
    Wave *w = owner->group->members[owner->first_member + i];
    Warp *s = warp_of(w);
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != WAITS_FOR_MBARRIER) continue;
    for (u32 j = 0; j < LANES; j++) {
      const Lanes *lanes = &s->groups[j];
      if (lanes->state != AWAITING || lanes->barrier >> 1 != wait_code(owner, m, 0) >> 1) continue;
      s->granted |= lanes->mask;
      learn_phase(w, owner, m, lanes->barrier & 1);
    }
  }
}

static void complete_phase(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  if (m->pending || m->transactions) return;
  if (w->launch->strict) phase_ends(w, instruction, lane, owner, m);
  m->phase++;
  m->pending = m->expected;
  lm_advance(mbarrier_gathered(owner, m), mbarrier_gathering(owner, m), clock_words(owner->group));
  complete_transactions(w, owner, m);
  grant_phase(owner, m);
  wake_waiting(owner->group, 0);
  w->gives_way = 1;
}

/* The phase comes after all arrivals that the wave comes after, whether its own orders memory or
 * not. */
static void pass_arrivals(const Wave *w, const Cta *owner, const Mbarrier *m) {
  advance_arrivals(w->group, mbarrier_gathering(owner, m), times_of(w));
}

void mbarrier_arrive(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, u32 count) {
  if (count > m->pending) {
    report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_OVERFLOW, count, m->pending, m->phase);
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
  w->launch->changes++;
  pass_arrivals(w, owner, m);
  m->transactions += change;
  /* One operation of more bytes ends an H200's kernel, whatever the sum. */
  i64 beyond = change > MOST_COUNT || change < -MOST_COUNT ? change : m->transactions;
  if (beyond > MOST_COUNT || beyond < -MOST_COUNT)
    report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_TRANSACTIONS,
                (u64)(beyond < 0 ? -beyond : beyond), 0, 0);
  complete_phase(w, instruction, lane, owner, m);
}

void mbarriers_begin(Cta *c) {
  async_begin(c);
  c->group->launch->object_rule = RULE_MBARRIER_TOUCHED;
  for (u32 i = 0; i < MOST_MBARRIERS; i++) {
    Mbarrier *m = &ptx_cta(c)->mbarriers[i];
    if (m->live) {
      ptx_cta(c)->mbarrier_at[m->offset / MBARRIER_BYTES] = 0;
      mark_object(&c->shared, m->offset, 0);
    }
    m->live = 0;
  }
}

/* -- instructions: each lane's address in `address`, operands in rows from `row` --------------- */

void lm_mbarrier_init(Wave *w, u32 instruction, u32 space, u64 mask, u32 row) {
  w->sequence[1]++;
  for (u32 lane = 0; lane < LANES; lane++) {
    u64 offset;
    u32 count = w->value[row][lane];
    if (!(mask >> lane & 1)) continue;
    Access a = object_access(w, instruction, space, 1);
    Memory *m = object_at(&a, lane, w->address[lane], &offset);
    if (!m) continue;
    Cta *c = m->owner;
    u64 bit = 1ull << lane;
    if (!count || count > MOST_COUNT)
      report_rule(w, instruction, bit, RULE_MBARRIER_COUNT, count, 0, 0);
    if (number_at(c, offset)) {
      report_rule(w, instruction, bit, RULE_MBARRIER_TWICE, w->address[lane], 0, 0);
      continue;
    }
    order_only(&a, lane, m, offset, MBARRIER_BYTES);
    u32 number = 0;
    while (number < MOST_MBARRIERS && ptx_cta(c)->mbarriers[number].live) number++;
    if (number == MOST_MBARRIERS) {
      report_rule(w, instruction, bit, RULE_MBARRIER_MANY, MOST_MBARRIERS, 0, 0);
      continue;
    }
    ptx_cta(c)->mbarriers[number] = (Mbarrier){.expected = count,
                                               .pending = count,
                                               .offset = (u32)offset,
                                               .live = 1,
                                               .initializer = w->member,
                                               .initialized = (u32)w->sequence[1]};
    mark_object(m, offset, 1);
    ptx_cta(c)->mbarrier_at[offset / MBARRIER_BYTES] = (u16)(number + 1);
    fill_bytes((u8 *)mbarrier_gathering(c, &ptx_cta(c)->mbarriers[number]), 0,
               16 * clock_words(c->group));
    phases_begin(c, &ptx_cta(c)->mbarriers[number]);
  }
}

void lm_mbarrier_inval(Wave *w, u32 instruction, u32 space, u64 mask) {
  w->sequence[1]++;
  for (u32 lane = 0; lane < LANES; lane++) {
    Cta *owner;
    if (!(mask >> lane & 1)) continue;
    Mbarrier *m = mbarrier_find(w, instruction, lane, space, w->address[lane], &owner);
    if (!m) continue;
    Access a = object_access(w, instruction, space, 1);
    m->live = 0;
    ptx_cta(owner)->mbarrier_at[m->offset / MBARRIER_BYTES] = 0;
    mark_object(&owner->shared, m->offset, 0);
    order_only(&a, lane, &owner->shared, m->offset, MBARRIER_BYTES);
    undefine(&a, lane, &owner->shared, m->offset, MBARRIER_BYTES);
  }
}

void mbarrier_check_begun(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m) {
  const Group *g = w->group;
  if (m->initialized <= handed_shared(g, times_of(w), owner->rank)[m->initializer] ||
      m->initialized <= clock_of(g, w->member, CLOCK_BEGUN)[m->initializer])
    return;
  note_rule(w, NOTE_MBARRIER_BEGUN, instruction, 1ull << lane, RULE_MBARRIER_BEGUN,
            owner->shared.base + m->offset, 0, 0);
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
  Warp *s = warp_of(w);
  if (!s->first_arrival || done_so_far(w) != s->arrivals_end || s->waited)
    s->first_arrival = w->sequence[1] + 1;
  w->sequence[1]++;
  s->arrivals_end = done_so_far(w);
  s->waited = 0;
}

/* An arrival that does not come after those of the last phase counts in this phase or in that
 * one, as the schedule has it: too small a count lets several phases go by for one. */
void mbarrier_check_phase(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m) {
  const Group *g = owner->group;
  const u64 *arrived = clock_part(g, mbarrier_gathered(owner, m), CLOCK_ARRIVED);
  u64 *known = clock_of(g, w->member, CLOCK_ARRIVED);
  u32 rule = m->completer == ((u64)w->member << 32 | w->sequence[1]) ? RULE_MBARRIER_LANES
                                                                     : RULE_MBARRIER_UNORDERED;
  for (u32 i = 0; i < g->member_count; i++)
    if (i == w->member ? rule == RULE_MBARRIER_LANES : arrived[i] > known[i]) {
      report_rule(w, instruction, 1ull << lane, rule, m->phase, m->phase - 1, g->members[i]->index);
      return;
    }
  known[w->member] = warp_of(w)->first_arrival;
}

/* The lanes of a mask that arrive at the object of one of them: others arrive elsewhere, in
 * other CTAs perhaps. */
static u64 arrive_together(const Wave *w, u32 lane, u64 mask) {
  u64 together = 0;
  for (u64 left = mask; left; left &= left - 1)
    if (w->address[lowest(left)] == w->address[lane]) together |= 1ull << lowest(left);
  return together;
}

enum Arrive {
  ARRIVE_DROP = 1,
  ARRIVE_NO_COMPLETE = 2,
  ARRIVE_EXPECT = 4,
  ARRIVE_RELAXED = 8,
  ARRIVE_CTA = 16
};

/* mbarrier.arrive, arrive_drop: the count, or with ARRIVE_EXPECT the bytes, in row; the state (the
 * phase and what was pending in it) goes to rows row + 1 and row + 2. */
void lm_mbarrier_arrive(Wave *w, u32 instruction, u32 space, u64 mask, u32 row, u32 how) {
  mbarrier_begin_arrivals(w);
  for (u32 lane = 0; lane < LANES; lane++) {
    Cta *owner;
    if (!(mask >> lane & 1)) continue;
    Mbarrier *m = mbarrier_find(w, instruction, lane, space, w->address[lane], &owner);
    u32 operand = w->value[row][lane], count = how & ARRIVE_EXPECT ? 1 : operand;
    u64 state = m ? m->phase << 20 | m->pending : 0;
    w->value[row + 1][lane] = (u32)state;
    w->value[row + 2][lane] = (u32)(state >> 32);
    if (!m) continue;
    if (!count || count > MOST_COUNT)
      report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_COUNT, count, 0, 0);
    if (how & ARRIVE_CTA && owner != w->cta && w->launch->strict)
      report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_SCOPE, owner->rank, 0, 0);
    mbarrier_check_phase(w, instruction, lane, owner, m);
    lane_releases(w, lane, w->launch->lane_order ? arrive_together(w, lane, mask) : mask);
    if (how & ARRIVE_RELAXED) {
      publish_fenced(w, mbarrier_gathering(owner, m));
      lm_advance(mbarrier_gathering(owner, m),
                 fence_clock(w, owner == w->cta ? FENCE_IN_CTA : FENCE_IN_CLUSTER),
                 clock_words(w->group));
    } else lm_publish(w, mbarrier_gathering(owner, m));
    if (how & ARRIVE_EXPECT) mbarrier_transact(w, instruction, lane, owner, m, operand);
    if (how & ARRIVE_DROP) m->expected -= count < m->expected ? count : m->expected;
    u64 phase = m->phase;
    mbarrier_arrive(w, instruction, lane, owner, m, count);
    if (how & ARRIVE_NO_COMPLETE && m->phase != phase)
      report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_COMPLETES, 0, 0, 0);
  }
}

/* mbarrier.expect_tx and complete_tx: bytes in row. */
void lm_mbarrier_transact(Wave *w, u32 instruction, u32 space, u64 mask, u32 row, u32 completes) {
  w->sequence[1]++;
  for (u32 lane = 0; lane < LANES; lane++) {
    Cta *owner;
    if (!(mask >> lane & 1)) continue;
    Mbarrier *m = mbarrier_find(w, instruction, lane, space, w->address[lane], &owner);
    if (m)
      mbarrier_transact(w, instruction, lane, owner, m,
                        completes ? -(i64)w->value[row][lane] : (i64)w->value[row][lane]);
  }
}

enum Wait { WAIT_PARITY = 1, WAIT_RELAXED = 2, WAIT_TRY = 4 };

/* Is the phase complete that the lane names by its state (rows row, row + 1) or its parity
 * (row)? */
static u32 is_complete(Wave *w, u32 instruction, u32 lane, u32 row, u32 how, const Mbarrier *m) {
  if (how & WAIT_PARITY) return (m->phase & 1) != (w->value[row][lane] & 1);
  u64 phase = (w->value[row][lane] | (u64)w->value[row + 1][lane] << 32) >> 20;
  if (phase > m->phase || phase + 1 < m->phase)
    report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_PHASE, phase, m->phase, 0);
  return phase < m->phase;
}

/* At the beginning of `block`: whether the phases are complete goes to row + 2. A try_wait waits
 * until they are, or nothing else in the group can go on. */
u32 lm_mbarrier_wait(Wave *w, u32 instruction, u32 block, u32 space, u64 mask, u32 row, u32 how) {
  Warp *s = warp_of(w);
  u32 complete = (u32)mask, granted = s->granted & (u32)mask, code = 0, alike = 1;
  u64 address = 0;
  s->granted &= ~granted;
  for (u32 lane = 0; lane < LANES; lane++) {
    Cta *owner;
    if (!(mask >> lane & 1)) continue;
    const Mbarrier *m = mbarrier_find(w, instruction, lane, space, w->address[lane], &owner);
    u32 seen = granted >> lane & 1,
        done = !m || seen || is_complete(w, instruction, lane, row, how, m);
    if (m && w->launch->strict) phase_awaited(w, instruction, owner, m);
    if (m && owner != w->cta)
      report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_REMOTE, owner->rank, 0, 0);
    w->value[row + 2][lane] = done;
    if (!done) {
      complete &= ~(1u << lane);
      address = w->address[lane];
      s->awaited_value = how & WAIT_PARITY ? w->value[row][lane] & 1 : m->phase;
      u32 own = wait_code(owner, m, (how & WAIT_RELAXED) != 0);
      alike &= !code || own == code;
      code = own;
    } else if (m && !seen) {
      learn_phase(w, owner, m, how & WAIT_RELAXED);
    }
  }
  if (complete == (u32)mask || !(how & WAIT_TRY) || s->give_up & (u32)mask) {
    s->give_up &= ~(u32)mask;
    if (how & WAIT_TRY)
      w->gives_way = 1; /* others see the same phase before this warp helps to end the next */
    return (u32)GO_ON;
  }
  s->awaited = address & 0xffffffff;
  s->awaited_parity = how & WAIT_PARITY;
  w->block = block;
  put(s, block, (u32)w->active, AWAITING, alike && !complete ? code : 0);
  return choose(w, s);
}

/* Does a wave wait for a phase of an mbarrier object, and for which? */
u32 lm_mbarrier_awaited(Wave *w, Awaited *out) {
  const Warp *s = warp_of(w);
  const Cta *c = w->cta;
  u64 offset = s->awaited - c->shared.base;
  if (w->status != RUN_BARRIER || w->barrier != WAITS_FOR_MBARRIER || offset >= c->shared.size)
    return 0;
  u32 number = number_at(c, offset);
  if (!number) return 0;
  const Mbarrier *m = &ptx_cta(c)->mbarriers[number - 1];
  *out = (Awaited){s->awaited, s->awaited_parity, s->awaited_value, m->phase,
                   m->pending, m->expected,       m->transactions};
  return 1;
}
