/* Clocks: what a wave knows of how far others have got, and how it passes that on. Each wave numbers its
 * accesses in each space; `clock[me][space][other]` is how many accesses of `other` are ordered before
 * what `me` does next. */
#include "access.h"

void lm_advance(u64 *clock, const u64 *from, u64 count);

/* How far a wave has got for others of its group. On gfx950 global memory needs no wait for that: waves of a
 * workgroup share a CU, which keeps their vector accesses in order (LLVM, AMDGPUUsage, "Memory Model
 * gfx942", threadgroup split mode off; clang waits for LDS alone before s_barrier). */
static u64 reached(const Wave *w, u32 space) {
  int ordered = w->launch->synchronous || space == CLOCK_GLOBAL;
  return ordered ? w->sequence[space] : w->completed[space];
}

/* The last wave of a CTA ended: whoever accessed its shared memory must have done so before. */
void lm_leave(Wave *ending) {
  Cta *c = ending->cta;
  Group *g = c->group;
  for (u32 other = 0; g->cta_count > 1 && other < g->member_count; other++) {
    u64 last = c->visits[other] & 0xffffffff, known = 0;
    for (u32 i = 0; i < c->wave_count; i++) {
      u64 got = clock_of(g, c->first_member + i, 1)[other];
      if (got > known) known = got;
    }
    if (last <= known) continue;
    HazardRecord *h = lm_hazard(ending, HAZARD_ENDED, (u32)(c->visits[other] >> 32),
                                g->members[other]->full);
    h->wave = other;
    h->info[0] = c->rank;
  }
}

/* fence.proxy.async: of the spaces asked for (bits), what the wave did and knows goes to the async proxy. */
void lm_proxy_fence(Wave *w, u64 mask, u32 spaces) {
  Group *g = w->group;
  g->handed |= mask != 0;
  for (u32 space = CLOCK_GLOBAL; mask && space <= CLOCK_SHARED; space++) {
    if (!(spaces >> space & 1)) continue;
    u64 *handed = clock_of(g, w->member, space + CLOCK_PROXY_GLOBAL);
    lm_advance(handed, clock_of(g, w->member, space), g->member_count);
    if (handed[w->member] < reached(w, space)) handed[w->member] = reached(w, space);
  }
}

/* Each of `count` clocks is as far as that in `from`, at least. */
void lm_advance(u64 *clock, const u64 *from, u64 count) {
  for (u64 i = 0; i < count; i++)
    if (from[i] > clock[i]) clock[i] = from[i];
}

/* What lies between the fences of an engine: see FENCED sets in runtime.h. */
void tensor_publish(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  if (g->fenced)
    lm_advance(clock + general_words(g), fenced_set(g, w->member, PUBLISHED), TENSOR_CLOCKS * (u64)g->member_count);
}

void tensor_receive(Wave *w, const u64 *clock) {
  const Group *g = w->group;
  if (g->fenced)
    lm_advance(fenced_set(g, w->member, RECEIVED), clock + general_words(g), TENSOR_CLOCKS * (u64)g->member_count);
}

/* The general part of a clock; that of the async proxy is empty before the first proxy fence, that of
 * tensor memory where the kernel has no tcgen05. */
static void advance_general(const Group *g, u64 *clock, const u64 *from) {
  u64 count = g->member_count, times = CLOCK_TENSOR * count;
  lm_advance(clock, from, (g->handed || g->fenced ? CLOCK_TENSOR : CLOCK_PROXY_GLOBAL) * count);
  lm_advance(clock + times, from + times, CLOCK_EXTRA);
}

/* Add what a wave knows, and how far it has got itself, to a clock [CLOCK_..][other]. */
void lm_publish(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  u64 count = g->member_count;
  advance_general(g, clock, clock_of(g, w->member, 0));
  for (u32 space = CLOCK_GLOBAL; space <= CLOCK_SHARED; space++) {
    u64 own = reached(w, space);
    if (own > clock[space * count + w->member]) clock[space * count + w->member] = own;
  }
  tensor_publish(w, clock);
}

/* The wave learns what a clock [CLOCK_..][other] holds. */
void lm_learn(Wave *w, const u64 *clock) {
  advance_general(w->group, clock_of(w->group, w->member, 0), clock);
  tensor_receive(w, clock);
}

/* All waves (a mask) of a CTA met: what each had completed, and what it knew, is ordered before all. */
void lm_join(Cta *c, u32 waves) {
  Group *g = c->group;
  u64 joined[CLOCKS * MAX_MEMBERS + CLOCK_EXTRA];
  for (u32 i = 0; i < clock_words(g); i++) joined[i] = 0;
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_publish(g->members[c->first_member + i], joined);
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_learn(g->members[c->first_member + i], joined);
}
