/* Vector clocks of a group: what is ordered before what a member does next (order.c). */
#ifndef LANEMAP_CLOCK_H
#define LANEMAP_CLOCK_H
#include "runtime.h"

/* A clock says, for each of these and each wave of the group, how many accesses are ordered
 * before now: accesses to global and shared memory; and where an engine works for the waves, of
 * them those that were handed to it; accesses of its own memory that are over, by their classes
 * (those of agents from AGENT_LOAD on); and by the same classes what orders its operations,
 * which passes only through fences, at last those that were issued. Where waves copy
 * asynchronously, also how many copies are complete, and of them those whose writes were handed
 * over; how many bulk operations are complete, or have at least read their source; the last
 * arrival at a barrier object that came before by any dependency, even one that orders no
 * memory, such as a copy's arrival; likewise, how many ends of phases the wave had seen; and up to
 * which access to shared memory barrier objects were begun that a fence for just these released. */
enum Clock {
  CLOCK_GLOBAL = 0,
  CLOCK_SHARED = 1,
  CLOCK_HANDED_GLOBAL = 2,
  CLOCK_HANDED_SHARED = 3,
  CLOCK_OVER = 4,
  CLOCK_FENCED = 7,
  CLOCK_COPY = 11,
  CLOCK_HANDED_COPY = 12,
  CLOCK_BULK = 13,
  CLOCK_BULK_READ = 14,
  CLOCK_ARRIVED = 15,
  CLOCK_SEEN = 16,
  CLOCK_BEGUN = 17
};
enum {
  PLAIN_CLOCKS = CLOCK_SHARED + 1,
  FENCED_CLOCKS = 4,
  ENGINE_CLOCKS = CLOCK_FENCED + FENCED_CLOCKS,
  ASYNC_CLOCKS = CLOCK_BEGUN + 1
};
/* What a release to the GPU makes known of each wave where waves copy asynchronously: accesses
 * to global memory, those handed over, copies, bulk operations, and those that have read their
 * source. */
enum { RELEASED_PARTS = 5 };
/* Barrier objects that asynchronous accesses complete at: CTAs of a cluster have room for so
 * many each. */
enum { CTA_SLOTS = 128, MOST_SLOTS = MAX_MEMBERS };

/* A clock has these, times of releases to the GPU (releases.c), then [CLOCK_..][other], accesses
 * of every member that are ordered before something; then [slot], sequences of barrier objects
 * whose phases are known to be complete, and the time up to which releases are handed over to
 * engines; at last, where an engine works for the waves, [rank - 1][other], what
 * CLOCK_HANDED_SHARED says, for the shared memory of each CTA but the first. */
enum { ACQUIRED, FENCED, PENDING, CLOCK_TIMES };
enum {
  MOST_CLOCK_WORDS = CLOCK_TIMES + (ASYNC_CLOCKS + MAX_CTAS - 1) * MAX_MEMBERS + MOST_SLOTS + 1
};

static inline u64 clock_words(const Group *g) { return g->clock_words; }

/* The part `which` (CLOCK_..) of a clock. */
static inline u64 *clock_part(const Group *g, u64 *clock, u32 which) {
  return clock + CLOCK_TIMES + (u64)which * g->member_count;
}

/* The part with the sequences of slots. */
static inline u64 *clock_slots(const Group *g, u64 *clock) {
  return clock_part(g, clock, (u32)g->clocks);
}

/* The last part, and its words. */
static inline u64 handed_words(const Group *g) {
  return g->clocks > PLAIN_CLOCKS ? (u64)(g->cta_count - 1) * g->member_count : 0;
}
static inline u64 *clock_handed(const Group *g, u64 *clock) {
  return clock + g->clock_words - handed_words(g);
}

/* Which accesses to the shared memory of a CTA were handed to engines. */
static inline u64 *handed_shared(const Group *g, u64 *clock, u32 rank) {
  return rank ? clock_handed(g, clock) + (u64)(rank - 1) * g->member_count
              : clock_part(g, clock, CLOCK_HANDED_SHARED);
}

/* How far `member` of the group knows `other` to have got. */
static inline u64 *clock_of(const Group *g, u32 member, u32 which) {
  return clock_part(g, g->clock + member * clock_words(g), which);
}

static inline u64 *times_of(const Wave *w) {
  return w->group->clock + w->member * clock_words(w->group);
}

/* Beside what a member knows of an engine's accesses, in Group.fenced: what it published at its
 * last fence before a meeting, and what it received, which it knows from its next fence after
 * one on. */
enum { PUBLISHED = 0, RECEIVED = 1, FENCED_SETS = 2 };
static inline u64 *fenced_set(const Group *g, u32 member, u32 set) {
  return g->fenced + ((u64)member * FENCED_SETS + set) * FENCED_CLOCKS * g->member_count;
}
#endif
