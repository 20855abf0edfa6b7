/* Running waves: from block to block, and the waves of a group in turn. */
#include "mbarrier.h"

void lm_join(Cta *c, u32 waves);
void lm_leave(Wave *ending);

typedef u32 (*Block)(Wave *);

static u32 run_wave(Wave *w) {
  Launch *l = w->launch;
  for (;;) {
    if (l->interrupted) return RUN_INTERRUPTED;
    u32 status = ((Block)l->blocks[w->block])(w);
    if (w->stop) return RUN_HAZARD;
    /* a wave's accesses leave half of a stamp's numbers to the groups before it in shared memory */
    if (w->executed > l->limit || (w->sequence[0] | w->sequence[1]) > SEQUENCE_MASK / 2)
      return RUN_LIMIT;
    if (status) return status;
  }
}

/* A block that is not compiled yet. */
u32 lm_uncompiled(Wave *w) {
  (void)w;
  return RUN_COMPILE;
}

/* One barrier for all waves that have not ended (s_barrier; an ended wave counts as arrived). */
static int release_barrier(Cta *c) {
  Wave **waves = c->group->members + c->first_member;
  u32 here = 0;
  for (u32 i = 0; i < c->wave_count; i++) {
    if (waves[i]->status == RUN_END) continue;
    if (waves[i]->status != RUN_BARRIER || waves[i]->waiting) return 0;
    here |= 1u << i;
  }
  if (!here) return 0;
  lm_join(c, here);
  for (u32 i = 0; i < c->wave_count; i++)
    if (here >> i & 1) waves[i]->status = RUN_ON;
  return 1;
}

static int release_barriers(Group *g) {
  int any = 0;
  for (u32 i = 0; i < g->cta_count; i++) any |= release_barrier(g->ctas[i]);
  return any;
}

#define MOST_POLLS 64         /* rounds of polls, though something changed, before other groups run */

/* A round ended in which all waves that run only polled: should other groups run? Yes if nothing
 * changed, so that only they can end this, or if it lasts. */
static int stalled(Group *g, u64 changes, u64 executed) {
  Launch *l = g->launch;
  int quiet = changes == l->changes;
  if (l->idle_changes != l->changes) {
    l->idle_changes = l->changes;
    l->idle = 0;
  }
  if (quiet) l->idle += executed;
  if (!quiet && ++g->polls < MOST_POLLS) return 0;
  g->polls = 0;
  return 1;
}

/* Run a group until it ends (RUN_END), only polls (RUN_YIELD), or something needs the host: then
 * `current` is the wave. */
u32 lm_run_group(Group *g) {
  retry_columns(g);
  for (;;) {
    u32 live = 0, progress = 0, polls = 1;
    u64 changes = g->launch->changes, executed = 0;
    for (u64 turn = 0; turn < g->member_count; turn++) {
      Wave *w = g->members[g->current];
      if (w->status == RUN_ON) {
        progress = 1;
        w->busy = 0;
        executed -= w->executed;
        u32 status = run_wave(w);
        executed += w->executed;
        if (status == RUN_END || status == RUN_BARRIER) w->status = status;
        else if (status != RUN_YIELD) return status;
        if (status != RUN_YIELD || w->busy) polls = 0;
        if (status == RUN_END && !--w->cta->live) {
          lm_leave(w);
          tensor_leave(w);
          if (w->stop) return RUN_HAZARD;
        }
      }
      g->current = (g->current + 1) % g->member_count;
    }
    for (u32 i = 0; i < g->cta_count; i++) live += g->ctas[i]->live;
    if (!live) return RUN_END;
    if (release_barriers(g)) continue;
    if (!progress) {
      if (mbarrier_give_up(g)) continue;
      return columns_awaited(g) ? RUN_YIELD : RUN_DEADLOCK;
    }
    if (!polls) g->polls = 0;
    else if (stalled(g, changes, executed)) return RUN_YIELD;
  }
}
