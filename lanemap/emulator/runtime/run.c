/* The run loop: block by block within a wave, and wave by wave within a group. */
#include "events.h"
#include "memory_model.h"
#include "runtime.h"

void lm_begin(Group *g, u64 number);

typedef u32 (*Block)(Wave *);

static u32 run_wave(Wave *w) {
  Launch *l = w->launch;
  for (;;) {
    if (l->interrupted) return RUN_INTERRUPTED;
    if (w->executed > l->limit || (w->sequence[0] | w->sequence[1]) > SEQUENCE_MASK - 1)
      return RUN_LIMIT;
    u32 block = w->block;
    if (--l->runs_left[block] < 0) return RUN_COMPILE;
    u32 status = ((Block)l->blocks[block])(w);
    if (w->stop) return RUN_HAZARD;
    if (status) return status;
    if (w->gives_way) {
      w->gives_way = 0;
      w->busy = 1;
      return RUN_YIELD;
    }
  }
}

/* A block that is not compiled yet. */
u32 lm_uncompiled(Wave *w) {
  (void)w;
  return RUN_COMPILE;
}

/* One barrier for all waves that have not ended: an ended wave counts as arrived. */
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

#define MOST_POLLS 64 /* rounds of polls, though something changed, before other groups run */

/* Whether other groups should run after a round in which all running waves only polled. They
 * should if nothing changed, because only they can end the polling, or if it has lasted for many
 * rounds. */
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

#define MOST_IDLE_TURNS 64 /* turns of polling, though other waves did more, before others run */

/* What to do after a round in which waves did more than poll. Where one of them polls in a loop
 * with a barrier, the others go round with it, and only other groups can end that. */
static u32 after_work(Group *g) {
  if (g->idle_turns < MOST_IDLE_TURNS) return RUN_ON;
  g->idle_turns = 0;
  return RUN_YIELD;
}

/* Run wave `current` for one turn; RUN_ON unless something needs the host. */
static u32 take_turn(Group *g) {
  Wave *w = g->members[g->current];
  if (w->status != RUN_ON) {
    if (w->status == RUN_BARRIER) tell_turn(w, 0);
    return RUN_ON;
  }
  g->progress = 1;
  w->busy = 0;
  u64 before = w->executed;
  u32 status = run_wave(w);
  g->executed += w->executed - before;
  if (status == RUN_END || status == RUN_BARRIER) w->status = status;
  else if (status != RUN_YIELD) return status;
  if (status != RUN_YIELD || w->busy) g->busy = 1;
  else {
    g->idle_turns++;
    tell_wait(w, REASON_POLL);
  }
  if (status == RUN_BARRIER) tell_turn(w, 1);
  if (status == RUN_END && !--w->cta->live) {
    lm_leave(w);
    if (w->launch->front_end.leave) w->launch->front_end.leave(w);
    if (w->stop) return RUN_HAZARD;
  }
  return RUN_ON;
}

/* Decide after a round: RUN_ON, or the reason why the group stops. */
static u32 end_round(Group *g) {
  u32 (*stall)(Group *) = g->launch->front_end.stalled;
  u64 progress = g->progress, busy = g->busy, changes = g->changes, executed = g->executed;
  u32 live = 0;
  g->progress = g->busy = g->executed = 0;
  for (u32 i = 0; i < g->cta_count; i++) live += g->ctas[i]->live;
  if (!live) return RUN_END;
  if (release_barriers(g)) return after_work(g);
  if (!progress) return stall ? stall(g) : RUN_DEADLOCK;
  if (busy) {
    g->polls = 0;
    return after_work(g);
  }
  if (stalled(g, changes, executed)) return RUN_YIELD;
  return RUN_ON;
}

/* Run a group until it ends (RUN_END), only polls (RUN_YIELD), or something needs the host: then
 * `current` is the wave. Where it stopped, the next call goes on. */
u32 lm_run_group(Group *g) {
  Launch *l = g->launch;
  if (!g->turn && l->front_end.resume) l->front_end.resume(g);
  for (;;) {
    if (!g->turn) g->changes = l->changes;
    while (g->turn < g->member_count) {
      u32 status = take_turn(g);
      if (status) return status;
      g->turn++;
      g->current = (g->current + 1) % g->member_count;
      if (l->pace && ++l->turns >= l->pace) {
        l->turns = 0;
        return RUN_PAUSE;
      }
    }
    g->turn = 0;
    u32 status = end_round(g);
    if (status == RUN_END) g->running = 0;
    if (status) return status;
  }
}

u64 take_cluster(const Launch *l) {
  u64 number = __atomic_load_n(l->next, __ATOMIC_RELAXED);
  do {
    if (number >= l->clusters) return ~0ull;
  } while (!__atomic_compare_exchange_n(l->next, &number, number + 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return number;
}

/* Run clusters in the memory of `g`, each to its end, until none is left (RUN_END) or the host is
 * needed: as lm_run_group. */
u32 lm_run_clusters(Group *g) {
  const Launch *l = g->launch;
  for (;;) {
    if (!g->running) {
      u64 number = take_cluster(l);
      if (number == ~0ull) return RUN_END;
      lm_begin(g, number);
    }
    u32 status = lm_run_group(g);
    if (status != RUN_END) return status;
  }
}
