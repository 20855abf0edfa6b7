/* PTX ISA, Memory Consistency Model: the happens-before of release and acquire.
 *
 * Within a CTA or a cluster a release is remembered for the whole of it, and an acquire learns of every
 * release so far in its scope, whichever flag carried it: that misses some races and invents none.
 * Between groups flags count: releases.c. */
#include "access.h"
#include "ptx_warp.h"

enum Scope { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

/* Executed by the lanes of `mask`, which a guard may leave empty. */
void lm_ptx_release(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lm_publish(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_publish(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_release_all(w, w->sequence[0]);
}

/* An acquire by a lane of the same warp acquires the releases of all its lanes. */
void lm_ptx_acquire(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lanes_meet(w, w->full);
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_acquire_all(w);
}
