/* PTX: divergence and reconvergence of the lanes of a warp, and warp-wide synchronization.
 *
 * Lanes of a warp are in groups, each at the beginning of a block. The group at the lowest block
 * runs: blocks are numbered in topological order, loops whole, callees before callers, so lanes
 * reconverge at the earliest block that all of them reach (Diamos et al., "SIMD Re-Convergence At
 * Thread Frontiers", MICRO 2011). Lanes that wait for one another in a loop go on because a group
 * that went round often enough lets another one run (PTX ISA, Independent Thread Scheduling).
 */
#include "access.h"
#include "lane_order.h"
#include "phases.h"
#include "ptx_warp.h"

#define ROUNDS 4096 /* back edges of one group before another one runs .. */
#define POLLS 8     /* .. fewer where it polls memory */
#define TURN 512    /* blocks that the other one may run */

Warp *warp_of(Wave *w) {
  Warp *s = (Warp *)w->front_end;
  if (!s->begun) {
    s->begun = 1;
    s->alive = (u32)w->full;
  }
  return s;
}

void put(Warp *s, u32 block, u32 mask, u32 state, u32 barrier) {
  if (!mask) return;
  for (u32 left = s->others; left; left &= left - 1) {
    Lanes *g = group_of(s, left);
    if (g->state == state && g->block == block && g->barrier == barrier) {
      g->mask |= mask;
      return;
    }
  }
  u32 empty = ~s->others & (s->others + 1); /* the lowest */
  *group_of(s, empty) = (Lanes){block, mask, state, barrier};
  s->others |= empty;
}

static void remove_group(Warp *s, Lanes *g) {
  g->state = 0;
  s->others &= ~(1u << (g - s->groups));
}

static void take(Wave *w, Warp *s, Lanes *g) {
  w->active = g->mask;
  w->block = g->block;
  remove_group(s, g);
}

/* Choose the group that runs next; the last one has been put back, has ended or waits. */
u32 choose(Wave *w, Warp *s) {
  Lanes *best = 0;
  for (u32 left = s->others; left; left &= left - 1) {
    Lanes *g = group_of(s, left);
    if (g->state == READY && (!best || g->block < best->block)) best = g;
  }
  if (best) {
    take(w, s, best);
    return RUN_ON;
  }
  w->active = 0;
  if (!s->others) return RUN_END;
  u32 waiting = 0, awaiting = 0;
  for (u32 left = s->others; left; left &= left - 1) {
    waiting |= group_of(s, left)->state == GATED;
    awaiting |= group_of(s, left)->state == AWAITING;
  }
  if (awaiting && (!waiting || s->refused > LANES)) {
    w->barrier = WAITS_FOR_MBARRIER;
    w->waiting = 1;
    return RUN_BARRIER;
  }
  if (!waiting) return arrive_whole(w, s);
  /* whoever a gate waits for may have ended: try again, once for each change */
  if (s->refused > LANES) return RUN_DEADLOCK;
  for (u32 left = s->others; left; left &= left - 1)
    if (group_of(s, left)->state == GATED) group_of(s, left)->state = READY;
  return choose(w, s);
}

/* Another group than the one that was just put back, in turn. */
static u32 rotate(Wave *w, Warp *s) {
  s->rounds = 0;
  s->turn = TURN;
  for (u32 i = 0; i < LANES; i++) {
    s->next = (s->next + 1) % LANES;
    Lanes *g = &s->groups[s->next];
    if (g->state == READY && !(g->block == w->block && g->mask == w->active)) {
      take(w, s, g);
      return RUN_ON;
    }
  }
  s->turn = 0;
  return choose(w, s);
}

u32 go(Wave *w, Warp *s, u32 block, u32 back) {
  w->block = block;
  u32 too_long = 0;
  if (back && ++s->rounds >= (s->polls ? POLLS : ROUNDS)) {
    too_long = 1;
    w->busy = !s->polls;
    s->rounds = s->polls = 0;
  }
  if (!s->others) return too_long ? RUN_YIELD : RUN_ON;
  put(s, block, (u32)w->active, READY, 0);
  if (too_long) {
    u32 status = rotate(w, s);
    return status ? status : RUN_YIELD;
  }
  if (s->turn) {
    s->turn--;
    for (u32 left = s->others; left; left &= left - 1) {
      Lanes *g = group_of(s, left);
      if (g->state == READY && g->block == block) {
        take(w, s, g);
        return RUN_ON;
      }
    }
  }
  return choose(w, s);
}

/* The lanes that run go to `block`; `back`: along a back edge. */
u32 lm_ptx_goto(Wave *w, u32 block, u32 back) {
  if (!w->active) return lm_ptx_exit(w); /* all of them broke a rule */
  return go(w, warp_of(w), block, back);
}

/* Lanes of `taken` go to `then`, the others that run to `otherwise`. Bits of `back`: then 1,
 * otherwise 2. */
u32 lm_ptx_branch(Wave *w, u64 taken, u32 then, u32 otherwise, u32 back) {
  Warp *s = warp_of(w);
  u32 active = (u32)w->active, yes = (u32)taken & active, no = active & ~yes;
  if (!no) return go(w, s, then, back & 1);
  if (!yes) return go(w, s, otherwise, back >> 1);
  put(s, then, yes, READY, 0);
  w->parted = 1;
  w->active = no;
  return go(w, s, otherwise, back != 0);
}

/* At the beginning of `block`: go on if all lanes of `needed` that have not ended are here, else
 * wait for them. Lanes that waited here go on with those that come. */
static u32 gate(Wave *w, u32 block, u32 needed) {
  Warp *s = warp_of(w);
  for (u32 left = s->others; left; left &= left - 1) {
    Lanes *g = group_of(s, left);
    if ((g->state == GATED || g->state == READY) && g->block == block) {
      w->active |= g->mask;
      remove_group(s, g);
    }
  }
  if (!(needed & s->alive & ~(u32)w->active)) {
    s->refused = 0;
    phases_passed(w, w->active & needed);
    return (u32)GO_ON;
  }
  s->refused++;
  put(s, block, (u32)w->active, GATED, 0);
  return choose(w, s);
}

/* The member masks of the lanes that run are in row `row`; lanes without `guard` need nobody. */
u32 lm_ptx_gate(Wave *w, u32 block, u32 row) {
  Warp *s = warp_of(w);
  u32 needed = 0, here = (u32)w->active;
  for (u32 left = s->others; left; left &= left - 1) {
    const Lanes *g = group_of(s, left);
    if (g->state == GATED && g->block == block) here |= g->mask;
  }
  for (u32 lane = 0; lane < LANES; lane++)
    if (here >> lane & 1) needed |= w->value[row][lane];
  return gate(w, block, needed);
}

u32 lm_ptx_gate_mask(Wave *w, u32 block, u32 needed) { return gate(w, block, needed); }

/* bar.warp.sync, by lanes whose member masks are in row `row`: the members met, as far as they
 * have not ended. */
void lm_ptx_met(Wave *w, u32 row) {
  u32 ended = ~warp_of(w)->alive;
  for (u32 left = (u32)w->active; left;) {
    u32 mask = w->value[row][lowest(left)];
    lanes_meet(w, ((u32)w->active & mask) | ended);
    for (u32 lane = 0; lane < LANES; lane++)
      if (w->value[row][lane] == mask) left &= ~(1u << lane);
  }
}

/* The same for lanes that name the same members. */
void lm_ptx_met_alike(Wave *w, u32 members) {
  lanes_meet(w, ((u32)w->active & members) | ~warp_of(w)->alive);
}

/* All lanes of the warp (an instruction that is .aligned). */
u32 lm_ptx_gate_all(Wave *w, u32 block) { return gate(w, block, ~0u); }

/* The lanes that run end. */
u32 lm_ptx_exit(Wave *w) {
  Warp *s = warp_of(w);
  s->alive &= ~(u32)w->active;
  phases_passed(w, w->active);
  s->refused = 0;
  u32 status = choose(w, s);
  if (status == RUN_END) w->status = RUN_END;
  lanes_ended(w);
  return status;
}
