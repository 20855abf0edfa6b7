/* PTX ISA, Memory Consistency Model: what release and acquire make known.
 *
 * A release is remembered for its whole warp; an acquire learns of every release so far in its scope,
 * whichever flag carried it: that misses some races and invents none. */
#include "ptx_warp.h"

enum { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

void lm_ptx_release(Wave *w, u32 scope) {
  lm_publish(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_publish(w, w->group->published);
}

void lm_ptx_acquire(Wave *w, u32 scope) {
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU) warp_of(w)->acquired = 1;
}

/* May what other groups did before be seen? They ran before this one. */
int lm_ptx_acquired(const Wave *w) {
  return w->launch->synchronous && ((const Warp *)w->front_end)->acquired;
}
