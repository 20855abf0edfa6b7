/* What is kept of mbarrier objects and of asynchronous operations, for a CTA and for a warp. */
#ifndef LANEMAP_OBJECTS_H
#define LANEMAP_OBJECTS_H
#include "stamp.h"

enum { WARP_LANES = 32 };
enum { MBARRIER_BYTES = 8, MOST_MBARRIERS = 512 }; /* objects of one CTA */
#define MOST_COUNT ((1 << 20) - 1)                 /* PTX ISA, Contents of the mbarrier object */

typedef struct Mbarrier {
  u64 phase;                    /* how many phases are complete */
  i64 transactions;             /* bytes that are expected and have not come */
  u32 expected, pending;        /* arrivals of a phase; of this phase those that have not come */
  u32 offset, live;             /* in the shared memory of its CTA */
  u32 slot, unused;             /* from 1; 0: no asynchronous operation has completed bytes there */
  u32 initializer, initialized; /* the warp, and the number of its access */
  u64 completer; /* the arrival that ended the last phase: warp, number of its access */
} Mbarrier;

/* That a warp saw the end of an object's last phase: how many ends it had seen by then, 0 if it
 * has not seen it; and its wait for that. And its last wait for the object. */
typedef struct PhaseSeen { u32 number, instruction, last_wait; } PhaseSeen;

/* A warp's last arrival at an object: the number of its access, the phase that it is for, from 1,
 * the first arrival of its run (mbarrier_begin_arrivals), that of the arrival before, and who it
 * is. And its last commit there, which arrives when operations of the engine are over: the number
 * of its access, up to which operation, and who it is. */
typedef struct Arrival {
  u32 access, phase;
  u64 run, before, operations;
  u32 commit, lanes[2], instructions[2], unused;
} Arrival;

/* A place of mbarriers at which asynchronous operations complete (AGENT_BARRIER). Stamps count
 * the phases of all objects that lay there: those of the present one from `base` on.
 * `operations`: in the last phase. */
typedef struct AsyncSlot {
  u64 base, last;
  u32 cta, offset, operations, unused;
} AsyncSlot;

/* Of copies, or of bulk operations, that a lane can leave outstanding. */
enum { MOST_GROUPS = 64 };

/* Groups that each lane of a wave committed, by numbers of the wave's operations, which begin at
 * 1. Of copies: how many, of which so many are complete; the first operation of each (0: it is
 * empty), and of those that are in no group yet. Of bulk operations: how many, and the last
 * operation before each one's end; and where the wave's last one was issued. Of tensor loads:
 * which maps they read, and in which bulk group they would be. */
typedef struct MapUse {
  u64 address, stamp;
  u32 lane, group, instruction, unused;
} MapUse;
enum { MOST_USES = 64 };
typedef struct AsyncGroups {
  u32 copies[WARP_LANES], complete[WARP_LANES], uncommitted[WARP_LANES], bulks[WARP_LANES];
  u32 bulk_instruction, bulk_lane, uses, unused;
  u32 begins[WARP_LANES][MOST_GROUPS];
  u32 ends[WARP_LANES][MOST_GROUPS];
  MapUse used[MOST_USES];
} AsyncGroups;

/* What a warp's fences released, of CTA scope at least or of cluster scope, which its relaxed
 * arrivals pass on; and what its relaxed waits have seen, which its next acquiring fence takes. */
enum FenceClock { FENCE_IN_CTA, FENCE_IN_CLUSTER, FENCE_SEEN, FENCE_CLOCKS };

/* Of a CTA: Cta.extension begins with it. */
typedef struct Objects {
  u16 *mbarrier_at; /* for each 8 bytes of shared memory: number of the mbarrier there, from 1 */
  Mbarrier *mbarriers;
  u64 *mbarrier_clocks;
  u64 *fence_clocks;   /* of each wave, by enum FenceClock */
  Arrival *arrivals;   /* of each mbarrier, and of each wave of the cluster */
  PhaseSeen *seen;     /* of each mbarrier and wave, in strict mode */
  AsyncSlot *slots;    /* of the cluster; null where the kernel has no asynchronous operations */
  AsyncGroups *groups; /* of each wave, likewise */
} Objects;
static inline Objects *objects_of(const Cta *c) { return c->extension; }
static inline AsyncGroups *groups_of(const Wave *w) {
  return &objects_of(w->cta)->groups[w->index];
}

/* Clocks of the arrivals at an mbarrier so far (gathering), and of those in completed phases
 * (gathered). */
static inline u64 *mbarrier_gathering(const Cta *owner, const Mbarrier *m) {
  return objects_of(owner)->mbarrier_clocks +
         2 * (u64)(m - objects_of(owner)->mbarriers) * clock_words(owner->group);
}

static inline u64 *mbarrier_gathered(const Cta *owner, const Mbarrier *m) {
  return mbarrier_gathering(owner, m) + clock_words(owner->group);
}

static inline Arrival *mbarrier_arrivals(const Cta *owner, const Mbarrier *m) {
  return objects_of(owner)->arrivals +
         (u64)(m - objects_of(owner)->mbarriers) * owner->group->member_count;
}

/* Of a warp: Wave.front_end begins with it. */
typedef struct WarpOrder {
  u32 waited;        /* it waited since its last arrival at an mbarrier */
  u32 fence_clocks;  /* which it has */
  u32 phases_seen;   /* ends of phases of mbarriers that it has seen, in strict mode */
  u32 waiters;       /* lanes that saw one of them together, and have not met or arrived since */
  u64 arrivals_end;  /* what it had done when it arrived last, */
  u64 first_arrival; /* and the first of the arrivals that it belongs to */
} WarpOrder;
static inline WarpOrder *warp_order(Wave *w) { return (WarpOrder *)w->front_end; }
#endif
