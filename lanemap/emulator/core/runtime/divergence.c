/* Lanes of one warp at different places (PTX): groups of lanes, and where they meet again.
 *
 * A branch on which lanes differ makes a meeting at its immediate post-dominator: lanes that get
 * there wait until all that left together have come (or ended). Independent thread scheduling
 * (PTX ISA, "Independent Thread Scheduling") lets lanes that wait for one another in a loop go on:
 * after SPINS back edges in a row another group runs, and where none can, those who wait at a
 * meeting stop waiting. Lanes at an aligned barrier are parked until the rest of the warp comes.
 */
#include "runtime.h"

#define SPINS 256
#define MEETINGS 64
enum { RUNNABLE = 1, PARKED = 2 };

typedef struct { u32 block, mask, meeting, state; } LaneGroup;
typedef struct { u32 block, expected, arrived, parent, used; } Meeting;
typedef struct {
  u32 meeting;                /* of the group that runs: number + 1, 0 for none */
  u32 spins;
  u32 alive_set, alive;       /* lanes that have not ended; alive is valid once alive_set */
  LaneGroup groups[MAX_LANES];
  Meeting meetings[MEETINGS];
} Divergence;

_Static_assert(sizeof(Divergence) <= sizeof(((Wave *)0)->front_end), "front_end is too small");

static Divergence *of(Wave *w) {
  Divergence *d = (Divergence *)w->front_end;
  if (!d->alive_set) {
    d->alive_set = 1;
    d->alive = (u32)w->full;
  }
  return d;
}

static void add_group(Divergence *d, u32 block, u32 mask, u32 meeting, u32 state) {
  for (u32 i = 0; i < MAX_LANES; i++) {
    LaneGroup *g = &d->groups[i];
    if (g->state == state && g->block == block && g->meeting == meeting) {
      g->mask |= mask;        /* the same place again: they go on together */
      return;
    }
  }
  for (u32 i = 0; i < MAX_LANES; i++)
    if (!d->groups[i].state) {
      d->groups[i] = (LaneGroup){block, mask, meeting, state};
      return;
    }
}

/* Everyone expected has come: they are a group again, on the way to the outer meeting. */
static void close_meeting(Divergence *d, u32 number) {
  Meeting *m = &d->meetings[number];
  m->used = 0;
  if (m->arrived) add_group(d, m->block, m->arrived, m->parent, RUNNABLE);
}

static void arrive(Divergence *d, u32 meeting, u32 mask) {
  Meeting *m = &d->meetings[meeting - 1];
  m->arrived |= mask;
  if (m->arrived == m->expected) close_meeting(d, meeting - 1);
}

static int run_group(Wave *w, Divergence *d, u32 i) {
  LaneGroup *g = &d->groups[i];
  w->active = g->mask;
  w->block = g->block;
  d->meeting = g->meeting;
  g->state = 0;
  /* a meeting at this very place inside another one: arrive there at once */
  return 1;
}

static u32 settle(Wave *w, Divergence *d);

/* Choose who runs next; the wave's own group has gone (arrived, ended, parked or put aside). */
static u32 pick(Wave *w, Divergence *d) {
  for (u32 i = 0; i < MAX_LANES; i++)
    if (d->groups[i].state == RUNNABLE) {
      run_group(w, d, i);
      return settle(w, d);
    }
  for (u32 i = 0; i < MEETINGS; i++) {
    Meeting *m = &d->meetings[i];
    if (!m->used || !m->arrived) continue;
    u32 mask = m->arrived;
    m->expected &= ~mask;
    m->arrived = 0;
    if (!m->expected) m->used = 0;
    w->active = mask;
    w->block = m->block;
    d->meeting = m->parent;
    return settle(w, d);
  }
  u32 parked = 0;
  for (u32 i = 0; i < MAX_LANES; i++)
    if (d->groups[i].state == PARKED) parked |= d->groups[i].mask;
  w->active = 0;
  return parked ? RUN_BARRIER : RUN_END;
}

/* The running group stands at w->block: is that where it is to meet others? */
static u32 settle(Wave *w, Divergence *d) {
  if (d->meeting && d->meetings[d->meeting - 1].block == w->block) {
    arrive(d, d->meeting, (u32)w->active);
    return pick(w, d);
  }
  return RUN_ON;
}

/* After a back edge: let others run now and then. */
static u32 turn(Wave *w, Divergence *d, u32 back) {
  if (!back || ++d->spins < SPINS) return settle(w, d);
  d->spins = 0;
  u32 others = 0;
  for (u32 i = 0; i < MAX_LANES; i++) others |= d->groups[i].state == RUNNABLE;
  for (u32 i = 0; i < MEETINGS && !others; i++)
    others |= d->meetings[i].used && d->meetings[i].arrived;
  if (!others) {
    u32 status = settle(w, d);
    return status ? status : RUN_YIELD;   /* other warps may be what it waits for */
  }
  LaneGroup aside = {w->block, (u32)w->active, d->meeting, RUNNABLE};
  u32 status = pick(w, d);
  add_group(d, aside.block, aside.mask, aside.meeting, RUNNABLE);
  if (status != RUN_ON && status != RUN_YIELD) return pick(w, d);
  return RUN_YIELD;
}

/* All running lanes go to `target`; `back`: against the order of blocks. */
u32 lm_goto(Wave *w, u32 target, u32 back) {
  w->block = target;
  return turn(w, of(w), back);
}

/* Lanes of `taken` go to `then`, the others that run to `otherwise`; both meet at `meet`
 * (~0: nowhere before they end). Bits of `back`: 1 for then, 2 for otherwise. */
u32 lm_branch(Wave *w, u64 taken, u32 then, u32 otherwise, u32 meet, u32 back) {
  Divergence *d = of(w);
  u32 yes = (u32)(taken & w->active), no = (u32)w->active & ~yes;
  if (!no || !yes) {
    w->block = yes ? then : otherwise;
    return turn(w, d, back >> (yes ? 0 : 1) & 1);
  }
  u32 meeting = d->meeting;
  if (meet != ~0u && !(meeting && d->meetings[meeting - 1].block == meet)) {
    u32 i = 0;
    while (i < MEETINGS - 1 && d->meetings[i].used) i++;
    d->meetings[i] = (Meeting){meet, yes | no, 0, meeting, 1};
    meeting = i + 1;
  }
  d->meeting = meeting;
  /* the forward side first; lanes that already stand at the meeting arrive there */
  u32 first = back & 1 ? otherwise : then, second = back & 1 ? then : otherwise;
  u32 first_mask = back & 1 ? no : yes, second_mask = back & 1 ? yes : no;
  if (meeting && second == d->meetings[meeting - 1].block) arrive(d, meeting, second_mask);
  else add_group(d, second, second_mask, meeting, RUNNABLE);
  w->active = first_mask;
  w->block = first;
  return turn(w, d, back != 0);
}

static void leave_meetings(Divergence *d, u32 lanes) {
  d->alive &= ~lanes;
  for (u32 i = 0; i < MEETINGS; i++) {
    Meeting *m = &d->meetings[i];
    if (!m->used || !(m->expected & lanes)) continue;
    m->expected &= ~lanes;
    if (!m->expected) m->used = 0;
    else if (m->arrived == m->expected) close_meeting(d, i);
  }
}

/* The lanes that run end. */
u32 lm_exit(Wave *w) {
  Divergence *d = of(w);
  leave_meetings(d, (u32)w->active);
  return pick(w, d);
}

/* The lanes that run reach a barrier and go on at `block` afterwards. RUN_BARRIER once every lane
 * of the warp that has not ended is there. */
u32 lm_park(Wave *w, u32 block) {
  Divergence *d = of(w);
  if ((u32)w->active == d->alive) {
    w->block = block;
    return RUN_BARRIER;
  }
  add_group(d, block, (u32)w->active, d->meeting, PARKED);
  return pick(w, d);
}

/* The barrier opened: whoever was parked runs again. */
void lm_unpark(Wave *w) {
  Divergence *d = of(w);
  for (u32 i = 0; i < MAX_LANES; i++)
    if (d->groups[i].state == PARKED) d->groups[i].state = RUNNABLE;
  if (w->active) settle(w, d);
  else pick(w, d);
}
