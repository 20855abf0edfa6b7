/* The happens-before of release and acquire (PTX ISA, Memory Consistency Model).
 *
 * Within a CTA or a cluster a release is remembered for the whole of it, and an acquire learns
 * of every release so far in its scope, whichever flag carried it: that misses some races and
 * invents none. Between groups flags count: releases.c. */
#include "access.h"
#include "clocks.h"
#include "lane_order.h"
#include "mbarrier.h"
#include "objects.h"

enum Scope { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

/* What the wave did, and the next `global` accesses of global and `shared` of shared memory. */
static void publish_with(const Wave *w, u64 *clock, u32 global, u32 shared) {
  lm_publish(w, clock);
  if (global) clock_part(w->group, clock, CLOCK_GLOBAL)[w->member] = w->sequence[0] + global;
  if (shared) clock_part(w->group, clock, CLOCK_SHARED)[w->member] = w->sequence[1] + shared;
}

/* Executed by the lanes of `mask`, which a guard may leave empty. A release pattern synchronizes
 * as a whole (PTX ISA, Memory synchronization), so a releasing access is itself released:
 * whoever acquires it is ordered after its write, too. `global` and `shared`: how many accesses
 * it makes there, none for a fence. */
void lm_release(Wave *w, u64 mask, u32 scope, u32 global, u32 shared) {
  if (!mask) return;
  publish_with(w, w->cta->published, global, shared);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1)
    publish_with(w, w->group->published, global, shared);
  if (scope >= SCOPE_GPU) lm_release_all(w, w->sequence[0] + global);
}

/* An acquire by a lane of the same warp acquires the releases of all its lanes. */
void lm_acquire(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lanes_meet(w, w->full);
  warp_order(w)->waited = 1;
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_acquire_all(w);
}

/* What a fence does: it releases, acquires; it releases only beginnings of mbarriers that its
 * own threads made; only accesses to shared memory count. */
enum Fence { FENCE_RELEASES = 1, FENCE_ACQUIRES = 2, FENCE_BEGINNINGS = 4, FENCE_SHARED = 8 };

/* What a clock says of shared memory. */
static void advance_shared(const Group *g, u64 *clock, const u64 *from) {
  static const u32 parts[] = {CLOCK_SHARED,      CLOCK_HANDED_SHARED, CLOCK_COPY,
                              CLOCK_HANDED_COPY, CLOCK_BULK_READ,     CLOCK_BEGUN};
  lm_advance(clock_handed(g, clock), clock_handed(g, (u64 *)from), handed_words(g));
  for (u32 i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] < g->clocks)
      lm_advance(clock_part(g, clock, parts[i]), clock_part(g, (u64 *)from, parts[i]),
                 g->member_count);
  if (g->slots) lm_advance(clock_slots(g, clock), clock_slots(g, (u64 *)from), g->slots_used);
}

static void publish_part(const Wave *w, u64 *clock, u32 what) {
  const Group *g = w->group;
  if (!(what & (FENCE_BEGINNINGS | FENCE_SHARED))) {
    lm_publish(w, clock);
    return;
  }
  if (what & FENCE_SHARED) advance_shared(g, clock, times_of(w));
  u32 part = what & FENCE_SHARED ? CLOCK_SHARED : CLOCK_BEGUN;
  if (part < g->clocks) clock_part(g, clock, part)[w->member] = w->sequence[1];
}

static void learn_part(Wave *w, const u64 *clock, u32 what) {
  if (what & FENCE_SHARED) advance_shared(w->group, times_of(w), clock);
  else lm_learn(w, clock);
}

/* A fence by the lanes of `mask`. */
void lm_fence(Wave *w, u64 mask, u32 scope, u32 what) {
  u64 *in_cta = w->cta->published,
      *in_cluster = scope >= SCOPE_CLUSTER && w->group->cta_count > 1 ? w->group->published : 0;
  const Objects *mbarriers = objects_of(w->cta);
  if (!mask) return;
  if (what & FENCE_RELEASES) {
    publish_part(w, in_cta, what);
    if (in_cluster) publish_part(w, in_cluster, what);
    if (what & FENCE_BEGINNINGS && mbarriers)
      clock_of(w->group, w->member, CLOCK_BEGUN)[w->member] = w->sequence[1];
    for (u32 i = FENCE_IN_CTA; mbarriers && i <= FENCE_IN_CLUSTER; i++)
      if (i == FENCE_IN_CTA || scope >= SCOPE_CLUSTER) publish_part(w, fence_clock(w, i), what);
    if (scope >= SCOPE_GPU) lm_release_all(w, w->sequence[0]);
  }
  if (!(what & FENCE_ACQUIRES)) return;
  lanes_meet(w, w->full);
  warp_order(w)->waited = 1;
  learn_part(w, in_cta, what);
  if (in_cluster) learn_part(w, in_cluster, what);
  if (mbarriers) learn_part(w, fence_clock(w, FENCE_SEEN), what);
  if (scope >= SCOPE_GPU) lm_acquire_all(w);
}
