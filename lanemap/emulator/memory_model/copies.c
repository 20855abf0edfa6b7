/* Groups of copies and of bulk operations, which lanes commit and wait for (copies.h). */
#include "copies.h"
#include "clock.h"
#include "events.h"
#include "mbarrier.h"
#include "rules.h"

void async_begin(Cta *c) {
  for (u32 i = 0; objects_of(c)->groups && i < c->wave_count; i++)
    fill_bytes((u8 *)&objects_of(c)->groups[i], 0, __builtin_offsetof(AsyncGroups, begins));
}

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

/* The first copy of a lane that it has not waited for; 0: none. */
static u32 outstanding(const AsyncGroups *g, u32 lane) {
  u32 count = g->copies[lane], from = g->complete[lane];
  if (count > from + MOST_GROUPS) from = count - MOST_GROUPS;
  for (u32 i = from; i < count; i++)
    if (g->begins[lane][i % MOST_GROUPS]) return g->begins[lane][i % MOST_GROUPS];
  return g->uncommitted[lane];
}

/* How many copies of the wave, in their order, are complete: all before the first that a lane
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

/* Lanes of a mask commit the group of their copies, or bulk operations, so far. */
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

/* All groups of the lanes of a mask but the last `allowed` ones are complete. */
void lm_copies_wait(Wave *w, u64 mask, u32 allowed) {
  AsyncGroups *g = groups_of(w);
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), count = g->copies[lane];
    if (count > allowed && g->complete[lane] < count - allowed) g->complete[lane] = count - allowed;
  }
  if (mask) advance_own(w, times_of(w), CLOCK_COPY, copies_complete(w));
}

/* The same for bulk groups; `reads`: they have read their sources. Lanes of a warp may
 * copy for themselves, so what one of them waited for counts, whatever the others did. */
void bulks_wait(Wave *w, u64 mask, u32 allowed, u32 reads) {
  const AsyncGroups *g = groups_of(w);
  u32 until = 0;
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left), count = g->bulks[lane];
    if (count <= allowed) continue;
    u32 end = g->ends[lane][(count - allowed - 1) % MOST_GROUPS];
    if (end > until) until = end;
  }
  advance_own(w, times_of(w), CLOCK_BULK_READ, until);
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

/* All are complete, as if all had been committed. */
void lm_async_wait_all(Wave *w, u64 mask) {
  forget(groups_of(w), mask);
  if (mask) advance_own(w, times_of(w), CLOCK_COPY, copies_complete(w));
}

/* An arrival at an mbarrier that comes when the lane's copies so far are complete. It knows
 * nothing else. Without `counted` it raises the count that is pending first. From then on the
 * mbarrier stands for these operations. */
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
void async_leave(Wave *last, u32 rule) {
  const Cta *c = last->cta;
  const Group *g = last->group;
  if (!objects_of(c)->groups || !last->launch->strict) return;
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = g->members[c->first_member + i];
    const AsyncGroups *bulk = groups_of(w);
    if (w->engine_sequence[AGENT_BULK - AGENT_LOAD] <=
        clock_of(g, w->member, CLOCK_BULK_READ)[w->member])
      continue;
    report_rule(w, bulk->bulk_instruction, 1ull << bulk->bulk_lane, rule, 0, 0, 0);
    if (w->stop) last->stop = w->stop; /* the run loop looks at the wave that ended last */
  }
}
