/* mbarrier: instructions, and lanes that wait for phases of objects (memory_model/mbarrier.h). */
#include "ptx_mbarrier.h"
#include "clocks.h"
#include "events.h"
#include "lane_order.h"
#include "mbarrier_rules.h"
#include "phases.h"
#include "ptx_warp.h"
#include "rule_numbers.h"
#include "rules.h"

void check_begun(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m) {
  if (!mbarrier_begun(w, owner, m))
    note_rule(w, NOTE_MBARRIER_BEGUN, instruction, 1ull << lane, RULE_MBARRIER_BEGUN,
              owner->shared.base + m->offset, 0, 0);
}

/* Let lanes that wait for an object test it again. */
static void wake_waiting(Group *g, u32 give_up) {
  for (u32 i = 0; i < g->member_count; i++) {
    Wave *w = g->members[i];
    Warp *s = warp_of(w);
    u32 any = 0;
    for (u32 left = s->others; left; left &= left - 1) {
      Lanes *lanes = group_of(s, left);
      if (lanes->state != AWAITING) continue;
      lanes->state = READY;
      any |= lanes->mask;
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

/* What lanes wait for: an object, from 1, and whether they acquire. */
static u32 wait_code(const Cta *c, const Mbarrier *m, u32 relaxed) {
  return (u32)(m - objects_of(c)->mbarriers + 1) << 1 | relaxed;
}

/* FrontEnd.phase: warps that wait for the phase that has just ended see that, even if the next one
 * ends before their turn. */
void lm_ptx_phase(Cta *owner, u32 number) {
  const Mbarrier *m = &objects_of(owner)->mbarriers[number - 1];
  for (u32 i = 0; i < owner->wave_count; i++) {
    Wave *w = owner->group->members[owner->first_member + i];
    Warp *s = warp_of(w);
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != WAITS_FOR_MBARRIER) continue;
    for (u32 left = s->others; left; left &= left - 1) {
      const Lanes *lanes = group_of(s, left);
      if (lanes->state != AWAITING || lanes->barrier >> 1 != wait_code(owner, m, 0) >> 1) continue;
      s->granted |= lanes->mask;
      mbarrier_learn_phase(w, lanes->mask, owner, m, lanes->barrier & 1);
    }
  }
  wake_waiting(owner->group, 0);
}

/* -- instructions: each lane's address in `address`, operands in rows from `row` --------------- */

void lm_mbarrier_init(Wave *w, u32 instruction, u32 space, u64 mask, u32 row) {
  w->sequence[1]++;
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    mbarrier_init(w, instruction, lane, space, w->address[lane], w->value[row][lane]);
  }
}

void lm_mbarrier_inval(Wave *w, u32 instruction, u32 space, u64 mask) {
  w->sequence[1]++;
  for (u64 left = mask; left; left &= left - 1)
    mbarrier_inval(w, instruction, lowest(left), space, w->address[lowest(left)]);
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
  phases_passed(w, mask);
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
      report_rule(w, instruction, 1ull << lane, MBARRIER_COUNT, count, 0, 0);
    if (how & ARRIVE_CTA && owner != w->cta && w->launch->strict)
      report_rule(w, instruction, 1ull << lane, RULE_MBARRIER_SCOPE, owner->rank, 0, 0);
    mbarrier_check_phase(w, instruction, lane, owner, m);
    lane_releases(w, lane,
                  w->launch->lane_order == LANES_ALWAYS ? arrive_together(w, lane, mask) : mask);
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

/* How many phases had to be over for a lane to go on that sees its phase complete. */
static u64 phases_awaited(const Wave *w, u32 lane, u32 row, u32 how, const Mbarrier *m) {
  if (how & WAIT_PARITY) return m->phase - ((m->phase & 1) == (w->value[row][lane] & 1));
  return ((w->value[row][lane] | (u64)w->value[row + 1][lane] << 32) >> 20) + 1;
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
    if (done && m)
      mbarrier_told(w, instruction, 1ull << lane, owner, m, ACT_PASS, 0,
                    phases_awaited(w, lane, row, how, m));
    w->value[row + 2][lane] = done;
    if (!done) {
      complete &= ~(1u << lane);
      address = w->address[lane];
      s->awaited_value = how & WAIT_PARITY ? w->value[row][lane] & 1 : m->phase;
      u32 own = wait_code(owner, m, (how & WAIT_RELAXED) != 0);
      alike &= !code || own == code;
      code = own;
    } else if (m && !seen) {
      mbarrier_learn_phase(w, mask, owner, m, how & WAIT_RELAXED);
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
  u32 number = mbarrier_number(c, offset);
  if (!number) return 0;
  const Mbarrier *m = &objects_of(c)->mbarriers[number - 1];
  *out = (Awaited){s->awaited, s->awaited_parity, s->awaited_value, m->phase,
                   m->pending, m->expected,       m->transactions};
  return 1;
}
