/* PTX: named barriers of a CTA and the cluster barrier (PTX ISA, barrier and barrier.cluster). */
#include "access.h"
#include "clocks.h"
#include "events.h"
#include "lane_order.h"
#include "phases.h"
#include "ptx_warp.h"
#include "rules.h"
#include "tensor.h"
#include "wgmma.h"

/* A barrier of the CTA: threads come in whole warps. `reduces`: by bar.red. */
typedef struct { u32 expected, arrived, waves, count, all, any, reduces; } Barrier;

/* In Cta.front_end: numbered barriers, then results of reductions. */
enum { CLUSTER = MAX_BARRIERS, RESULTS = 60 };
_Static_assert(MAX_BARRIERS * sizeof(Barrier) <= RESULTS * 8, "barriers overlap results");
_Static_assert((RESULTS + 2 * MAX_BARRIERS) * 8 <= sizeof(((Cta *)0)->front_end),
               "front_end is too small");

/* In Group.front_end. */
typedef struct { u64 round; } ClusterBarrier;

static Barrier *barrier_of(Cta *c, u32 number) { return (Barrier *)c->front_end + number; }

/* Clock of those that arrived at a barrier since it last completed. */
static u64 *arrivals_of(Cta *c, u32 number) { return c->arrivals + number * clock_words(c->group); }

static void clear(Group *g, u64 *clock) {
  fill_bytes((u8 *)clock, 0, sizeof(u64) * clock_words(g));
}

static void free_lanes(Warp *s, u32 number) {
  for (u32 left = s->others; left; left &= left - 1) {
    Lanes *g = group_of(s, left);
    if (g->state == AT_BARRIER && (g->barrier & 31) == number) g->state = READY;
  }
}

static void set_free(Wave *w, u32 number) {
  Warp *s = warp_of(w);
  free_lanes(s, number);
  choose(w, s);
}

static void wake(Wave *w, u32 number) {
  w->status = RUN_ON;
  w->waiting = 0;
  set_free(w, number);
}

/* All expected threads have arrived: waiting waves go on, with the results of a reduction. Waves
 * that only arrived do not acquire anything. */
static void complete(Cta *c, u32 number, Wave *last) {
  Barrier *b = barrier_of(c, number);
  u64 *arrivals = arrivals_of(c, number);
  if (last) lm_learn(last, arrivals);
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = c->group->members[c->first_member + i];
    if (!(b->waves >> i & 1) || w->status != RUN_BARRIER || w->barrier != number) continue;
    lm_learn(w, arrivals);
    wake(w, number);
  }
  clear(c->group, arrivals);
  c->front_end[RESULTS + number * 2] = b->count | (u64)b->all << 32;
  c->front_end[RESULTS + number * 2 + 1] = b->any;
  *b = (Barrier){0};
}

static u32 threads_left(Cta *c) {
  u32 threads = 0;
  for (u32 i = 0; i < c->wave_count; i++)
    if (c->group->members[c->first_member + i]->status != RUN_END) threads += LANES;
  return threads;
}

/* A barrier's number, after a hazard for one that no CTA has (PTX ISA, barrier: 0 to 15). */
static u32 number_of(Wave *w, u32 instruction, u32 number) {
  if (number >= MAX_BARRIERS) lm_rule(w, instruction, w->active, RULE_BARRIER_NUMBER, number);
  return number % MAX_BARRIERS;
}

/* A thread count, or all threads of the CTA after a hazard for a count that the ISA forbids or
 * that can never be reached. All warps of one phase must give the same count. */
static u32 count_of(Wave *w, u32 instruction, u32 number, u32 expected, u32 reduces) {
  const Barrier *b = barrier_of(w->cta, number);
  u32 threads = w->cta->wave_count * LANES, others = b->expected ? b->expected : threads;
  u32 rule = expected % LANES                                          ? RULE_BARRIER_COUNT
             : expected > threads                                      ? RULE_BARRIER_THREADS
             : b->arrived && others != (expected ? expected : threads) ? RULE_BARRIER_DIFFERS
             : b->arrived && b->reduces != reduces                     ? RULE_BARRIER_MIXED
                                                                       : ~0u;
  if (rule == ~0u) return expected;
  report_rule(w, instruction, w->active, rule, expected,
              rule == RULE_BARRIER_DIFFERS ? others : threads, number);
  return rule == RULE_BARRIER_MIXED ? expected : 0;
}

/* Count a warp; have all expected threads arrived? */
static int come(Wave *w, u32 number, u32 expected) {
  Barrier *b = barrier_of(w->cta, number);
  b->expected = expected;
  b->arrived += LANES;
  lm_publish(w, arrivals_of(w->cta, number));
  return b->arrived >= (expected ? expected : threads_left(w->cta));
}

/* Behind the members' fenced sets, those of the cluster barrier: what relaxed arrivals of this
 * round published, and those of the last one. It passes through the fences of an engine alone. */
static u64 *relaxed_set(const Group *g, u32 set) { return fenced_set(g, g->member_count, set); }

static u64 fenced_words(const Group *g) { return FENCED_CLOCKS * (u64)g->member_count; }

/* What a warp has seen of phases passes along relaxed arrivals, too, and along its end: it waits
 * for no more. */
static void publish_seen(const Wave *w) {
  const Group *g = w->group;
  if (g->clocks < ASYNC_CLOCKS) return;
  lm_advance(clock_part(g, g->gathering, CLOCK_SEEN), clock_of(g, w->member, CLOCK_SEEN),
             g->member_count);
}

static void publish_relaxed(const Wave *w) {
  const Group *g = w->group;
  publish_seen(w);
  for (u32 set = 0; g->fenced && set < FENCED_SETS; set++)
    lm_advance(relaxed_set(g, PUBLISHED), fenced_set(g, w->member, set), fenced_words(g));
}

/* What a warp learns of the round that ended last. */
static void learn_round(Wave *w) {
  const Group *g = w->group;
  lm_learn(w, g->gathered);
  if (g->fenced)
    lm_advance(fenced_set(g, w->member, RECEIVED), relaxed_set(g, RECEIVED), fenced_words(g));
}

static ClusterBarrier *cluster_barrier(Group *g) { return (ClusterBarrier *)g->front_end; }

/* Has the cluster barrier's round in which the warp arrived ended? Then the warp acquires. */
static int met(Wave *w, const Warp *s) {
  if (cluster_barrier(w->group)->round == s->round) return 0;
  lanes_meet(w, w->full);
  learn_round(w);
  return 1;
}

/* All lanes of the warp that have not ended are at barriers: the warp arrives. */
u32 arrive_whole(Wave *w, Warp *s) {
  u32 number = CLUSTER, expected = 0;
  for (u32 left = s->others; left; left &= left - 1) {
    const Lanes *g = group_of(s, left);
    if (g->state != AT_BARRIER || (g->barrier & 31) == CLUSTER) continue;
    number = g->barrier & 31;
    expected = g->barrier >> 5;
  }
  if (number != CLUSTER) lanes_meet(w, w->full);
  phases_passed(w, w->full);
  int passed = number == CLUSTER ? met(w, s) : come(w, number, expected);
  if (passed) {
    if (number != CLUSTER) complete(w->cta, number, w);
    set_free(w, number);
    return RUN_ON;
  }
  w->barrier = number;
  if (number != CLUSTER) barrier_of(w->cta, number)->waves |= 1u << w->index;
  w->waiting = 1;
  return RUN_BARRIER;
}

/* bar.sync and bar.red: the lanes that run wait at barrier `number` for `expected` threads (0:
 * all of the CTA) and go on at `block`. The warp arrives once all its lanes have. */
u32 lm_ptx_barrier(Wave *w, u32 instruction, u32 block, u32 number, u32 expected, u32 reduces) {
  Warp *s = warp_of(w);
  number = number_of(w, instruction, number);
  s->order.waited = 1;
  expected = count_of(w, instruction, number, expected, reduces);
  barrier_of(w->cta, number)->reduces = reduces;
  tell_act(w, instruction, w->active, (Acting){ACT_SYNC, expected, number, w->cta->rank, 0});
  put(s, block, (u32)w->active, AT_BARRIER, number | expected << 5);
  return choose(w, s);
}

/* bar.arrive, by the whole warp: counts and goes on. */
void lm_ptx_arrive(Wave *w, u32 instruction, u32 number, u32 expected) {
  number = number_of(w, instruction, number);
  if (!expected) lm_rule(w, instruction, w->active, RULE_BARRIER_NOBODY, 0);
  expected = count_of(w, instruction, number, expected, 0);
  tell_act(w, instruction, w->active, (Acting){ACT_SIGNAL, expected, number, w->cta->rank, 0});
  if (come(w, number, expected)) complete(w->cta, number, 0);
}

/* bar.red: the predicates of the whole warp join the reduction, before the warp waits. */
void lm_ptx_contribute(Wave *w, u32 number, u64 predicates) {
  Barrier *b = barrier_of(w->cta, number % MAX_BARRIERS);
  u32 active = (u32)w->active, yes = (u32)predicates & active;
  u32 bits = 0;
  for (u32 lane = 0; lane < LANES; lane++) bits += yes >> lane & 1;
  b->count += bits;
  b->all |= yes != active; /* some predicate is false */
  b->any |= yes != 0;
}

enum Reduced { REDUCED_COUNT, REDUCED_ALL, REDUCED_ANY };

/* After the wait: how many, all or any of the predicates were true. */
u32 lm_ptx_reduced(Wave *w, u32 number, u32 what) {
  u64 first = w->cta->front_end[RESULTS + number % MAX_BARRIERS * 2];
  if (what == REDUCED_COUNT) return (u32)first;
  if (what == REDUCED_ALL) return !(first >> 32);
  return (u32)w->cta->front_end[RESULTS + number % MAX_BARRIERS * 2 + 1];
}

/* -- the cluster barrier ----------------------------------------------------------------------- */

/* Once every lane of the cluster that has not ended has arrived: the next round begins. */
static void meet(Group *g) {
  u32 any = 0;
  for (u32 i = 0; i < g->member_count; i++) {
    Wave *w = g->members[i];
    Warp *s = warp_of(w);
    if (w->status != RUN_END && s->alive & ~s->arrived) return;
    any |= s->arrived;
  }
  if (!any) return;
  copy_bytes((u8 *)g->gathered, (u8 *)g->gathering, sizeof(u64) * clock_words(g));
  clear(g, g->gathering);
  if (g->fenced) {
    copy_bytes((u8 *)relaxed_set(g, RECEIVED), (u8 *)relaxed_set(g, PUBLISHED),
               sizeof(u64) * fenced_words(g));
    fill_bytes((u8 *)relaxed_set(g, PUBLISHED), 0, sizeof(u64) * fenced_words(g));
  }
  cluster_barrier(g)->round++;
  for (u32 i = 0; i < g->member_count; i++) {
    Wave *w = g->members[i];
    warp_of(w)->arrived = 0;
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != CLUSTER) continue;
    learn_round(w);
    lanes_meet(w, w->full);
    wake(w, CLUSTER);
  }
}

/* Releases by fences before a relaxed arrival are acquired by the wait too. */
static void gather_released(Group *g, const Cta *c) {
  const u64 *released[2] = {c->published, g->cta_count > 1 ? g->published : c->published};
  for (u32 n = 0; n < 2; n++)
    for (u32 i = 0; i < clock_words(g); i++)
      if (released[n][i] > g->gathering[i]) g->gathering[i] = released[n][i];
}

/* barrier.cluster.arrive, by the lanes that run; `releases`: what they did is known after the
 * wait. */
void lm_ptx_cluster_arrive(Wave *w, u32 instruction, u32 releases) {
  Warp *s = warp_of(w);
  u32 lanes = (u32)w->active;
  lm_rule(w, instruction, s->owing & lanes, RULE_ARRIVED, 0);
  s->round = cluster_barrier(w->group)->round;
  s->arrived |= lanes;
  s->owing |= lanes;
  phases_passed(w, lanes);
  if (releases) lm_publish(w, w->group->gathering);
  else {
    gather_released(w->group, w->cta);
    publish_relaxed(w);
  }
  meet(w->group);
}

/* barrier.cluster.wait: go on at `block` once all lanes of the cluster have arrived. */
u32 lm_ptx_cluster_wait(Wave *w, u32 instruction, u32 block) {
  Warp *s = warp_of(w);
  u32 lanes = (u32)w->active;
  lm_rule(w, instruction, lanes & ~s->owing, RULE_WAITED, 0);
  s->owing &= ~lanes;
  s->order.waited = 1;
  if (met(w, s)) {
    /* Lanes of the warp that wait for the same round: it ended while these ran. */
    free_lanes(s, CLUSTER);
    return go(w, s, block, 0);
  }
  put(s, block, lanes, AT_BARRIER, CLUSTER);
  return choose(w, s);
}

u64 round_to_come(Wave *w) {
  const Warp *s = warp_of(w);
  u64 round = cluster_barrier(w->group)->round;
  return round + (s->owing && s->round == round);
}

int round_met(Wave *w, u64 round) {
  const Warp *s = warp_of(w);
  return !s->owing && s->round >= round && cluster_barrier(w->group)->round > s->round;
}

/* A warp that ends has arrived at the cluster barrier for good. What it knows to be over of
 * tensor memory is over for whoever waits there. */
static void publish_over(const Wave *w) {
  const Group *g = w->group;
  u64 parts = (u64)(CLOCK_FENCED - CLOCK_OVER) * g->member_count;
  lm_advance(clock_part(g, g->gathering, CLOCK_OVER), clock_of(g, w->member, CLOCK_OVER), parts);
}

/* Lanes ended: barriers for all threads may have been waiting only for them. */
void lanes_ended(Wave *w) {
  if (w->status == RUN_END) publish_seen(w);
  if (w->status == RUN_END && w->group->fenced) publish_over(w);
  for (u32 n = 0; w->status == RUN_END && n < MAX_BARRIERS; n++) {
    Barrier *b = barrier_of(w->cta, n);
    if (b->arrived && !b->expected && b->arrived >= threads_left(w->cta)) complete(w->cta, n, 0);
  }
  meet(w->group);
  if (w->status != RUN_END) return;
  warpgroup_left(w);
  retry_registers(w->cta);
}
