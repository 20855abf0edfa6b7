/* What gfx950 releases to the agent (LLVM, AMDGPUUsage, "Memory Model gfx942"), and its copies
 * to LDS. */
#include "access.h"
#include "amdgcn_rules.h" /* written from rules.tsv (lower/facts.py) */
#include "clocks.h"
#include "memory_model.h"
#include "pending.h"
#include "rules.h"

/* In Wave.front_end: accesses to global memory before the last buffer_wbl2 sc1, or before the last
 * wait for all of them where that releases; the line of the first scalar store that the scalar
 * cache keeps. */
typedef struct { u64 accesses, line; } OwnState;

static OwnState *own_state(const Wave *w) { return (OwnState *)w->front_end; }

/* buffer_wbl2 sc1 begins a release to the agent. What it writes back is released once a wait
 * says that it is complete: at the next flag. */
void lm_write_back(Wave *w) { own_state(w)->accesses = w->sequence[0]; }

void lm_release_written(Wave *w) {
  u64 written = own_state(w)->accesses;
  if (written) lm_release_all(w, written < w->completed[0] ? written : w->completed[0]);
}

/* Stores of a target whose accesses name no scope do not say whether they are atomic. One is taken
 * for atomic where it meets an atomic access or a load of a flag, not where it meets another. */
u32 lm_store_meets(const Touch *t, u64 earlier, u32 read) {
  if (t->m->space != SPACE_GLOBAL || stamp_agent(earlier) > AGENT_SHARED) return 0;
  return scope_of(t->a->kind) ? !read : t->a->kind & ACCESS_STORE && stamp_scope(earlier);
}

/* A scalar store of `parts` accesses stays in the scalar cache until s_dcache_wb. */
void lm_keep_scalar(Wave *w, u32 parts, u32 line) {
  if (w->apart_kept) return;
  w->apart_kept = w->engine_sequence[AGENT_BULK - AGENT_LOAD] - parts + 1;
  own_state(w)->line = line;
}

/* s_dcache_wb: memory gets what the scalar cache keeps. A store that no wait has completed yet
 * counts too, as LLVM has it, which puts s_dcache_wb before the end without a wait
 * (SIInsertWaitcnts). */
void lm_write_back_scalar(Wave *w) {
  w->apart_kept = 0;
  lm_finish_apart(w, 0);
}

/* The wave ends: nobody will write back what it left in the scalar cache. */
void lm_end_scalar(Wave *w, u32 instruction) {
  if (w->apart_kept)
    report_rule(w, instruction, w->full, AMDGCN_SCALAR_CACHE, own_state(w)->line, 0, 0);
}

/* Is what a wave stored by scalar stores known to this one, but for the scalar cache, which
 * keeps it? */
static u32 kept_from(const Wave *w, HazardRecord *h, u64 sequence) {
  const Wave *owner = w->group->members[h->info[1]];
  if (sequence > clock_of(w->group, w->member, CLOCK_BULK_READ)[h->info[1]]) return 0;
  state_rule(h, AMDGCN_SCALAR_CACHE, own_state(owner)->line, 0, 0);
  return 1;
}

/* FrontEnd.conflict: a copy to LDS and a scalar store are the wave's own accesses, pending until
 * the wave waits for them; to others they are plain writes. */
u32 lm_own_conflict(Touch *t, HazardRecord *h, u64 earlier) {
  const Wave *w = t->a->w;
  u32 agent = stamp_agent(earlier);
  u64 sequence = earlier & SEQUENCE_MASK;
  if ((agent != AGENT_COPY && agent != AGENT_BULK) || !h->info[2] || w->launch->synchronous)
    return 0;
  for (u32 q = 0; h->info[1] == w->member && q < w->queue_count; q++) {
    const Outstanding *o = &w->queue[q];
    if (agent == AGENT_COPY ? o->space != ISSUED_COPY || o->sequence != sequence
                            : o->space != ISSUED_APART || o->sequence < sequence)
      continue;
    h->kind = HAZARD_PENDING;
    h->info[1] = o->counter;
    return 1;
  }
  return agent == AGENT_BULK && kept_from(w, h, sequence);
}
