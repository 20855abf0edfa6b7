/* PTX ISA, Memory Consistency Model: the happens-before of release and acquire.
 *
 * Within a CTA or a cluster a release is remembered for the whole of it, and an acquire learns of every
 * release so far in its scope, whichever flag carried it: that misses some races and invents none.
 * Between groups flags count: releases.c. */
#include "access.h"
#include "ptx_warp.h"

enum Scope { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

/* What the wave did, and the next `global` accesses of global and `shared` of shared memory. */
static void publish_with(const Wave *w, u64 *clock, u32 global, u32 shared) {
  lm_publish(w, clock);
  if (global) clock_part(w->group, clock, CLOCK_GLOBAL)[w->member] = w->sequence[0] + global;
  if (shared) clock_part(w->group, clock, CLOCK_SHARED)[w->member] = w->sequence[1] + shared;
}

/* Executed by the lanes of `mask`, which a guard may leave empty. A release pattern synchronizes as a whole
 * (PTX ISA, Memory synchronization), so a releasing access is itself released: whoever acquires it is
 * ordered after its write, too. `global` and `shared`: how many accesses it makes there, none for a fence. */
void lm_ptx_release(Wave *w, u64 mask, u32 scope, u32 global, u32 shared) {
  if (!mask) return;
  publish_with(w, w->cta->published, global, shared);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) publish_with(w, w->group->published, global, shared);
  if (scope >= SCOPE_GPU) lm_release_all(w, w->sequence[0] + global);
}

/* An acquire by a lane of the same warp acquires the releases of all its lanes. */
void lm_ptx_acquire(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lanes_meet(w, w->full);
  warp_of(w)->waited = 1;
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_acquire_all(w);
}
