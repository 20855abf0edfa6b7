/* PTX ISA, Memory Consistency Model: what release and acquire make known.
 *
 * Within a CTA or a cluster a release is remembered for the whole of it, and an acquire learns of every
 * release so far in its scope, whichever flag carried it: that misses some races and invents none.
 * Between groups flags count: releases.c. */
#include "access.h"
#include "ptx_warp.h"

enum Scope { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

/* By the lanes of `mask`: a guard may leave none. */
void lm_ptx_release(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lm_publish(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_publish(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_release_all(w, w->sequence[0]);
}

/* Which lane's release a lane of the same warp learns of is not kept: of all. */
void lm_ptx_acquire(Wave *w, u64 mask, u32 scope) {
  if (!mask) return;
  lanes_meet(w, w->full);
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU) lm_acquire_all(w);
}
