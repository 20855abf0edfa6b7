/* What gfx950 releases to the agent (LLVM, AMDGPUUsage, "Memory Model gfx942"), and its copies to LDS. */
#include "access.h"

/* In Wave.front_end: accesses to global memory before the last buffer_wbl2 sc1. */
typedef struct { u64 accesses; } WrittenBack;

/* buffer_wbl2 sc1 begins a release to the agent. What it writes back is released once a wait says that it is
 * complete: at the next flag. */
void lm_write_back(Wave *w) { ((WrittenBack *)w->front_end)->accesses = w->sequence[0]; }

void lm_release_written(Wave *w) {
  u64 written = ((WrittenBack *)w->front_end)->accesses;
  if (written) lm_release_all(w, written < w->completed[0] ? written : w->completed[0]);
}

/* FrontEnd.conflict: a copy to LDS is the wave's own access. Its bytes are pending until the wave waits for
 * it; to others it is a plain write. */
u32 lm_copy_conflict(Touch *t, HazardRecord *h, u64 earlier) {
  const Wave *w = t->a->w;
  if (stamp_agent(earlier) != AGENT_COPY || h->info[1] != w->member || !h->info[2]) return 0;
  if (w->launch->synchronous) return 0;
  for (u32 q = 0; q < w->queue_count; q++) {
    const Outstanding *o = &w->queue[q];
    if (o->space != ISSUED_COPY || o->sequence != (earlier & SEQUENCE_MASK)) continue;
    h->kind = HAZARD_PENDING;
    h->info[1] = o->counter;
    return 1;
  }
  return 0;
}
