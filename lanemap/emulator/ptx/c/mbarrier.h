/* mbarrier objects (PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier).
 *
 * An object lies in 8 bytes of shared memory, but what it counts is kept beside them: its
 * contents are opaque, and every ordinary access of the bytes is a hazard. An arrival with
 * release semantics passes on the clock of its warp; an acquiring wait that sees the phase
 * complete receives it.
 */
#ifndef LANEMAP_MBARRIER_H
#define LANEMAP_MBARRIER_H
#include "tensor.h"

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

/* A place of mbarriers at which asynchronous operations complete (AGENT_BARRIER). Stamps count
 * the phases of all objects that lay there: those of the present one from `base` on.
 * `operations`: in the last phase. */
typedef struct AsyncSlot {
  u64 base, last;
  u32 cta, offset, operations, unused;
} AsyncSlot;

/* A tensor map that was modified, as the tensormap proxy of a CTA sees it: which write was the
 * last. */
typedef struct MapSeen { u64 address, stamp; } MapSeen;
enum { MOST_MAPS = 64 };

/* What is kept for a CTA of a kernel that has mbarriers or tensor memory (Cta.extension). */
typedef struct PtxCta {
  u16 *mbarrier_at; /* for each 8 bytes of shared memory: number of the mbarrier there, from 1 */
  Mbarrier *mbarriers;
  u64 *mbarrier_clocks;
  u64 *fence_clocks;         /* of each wave, by enum FenceClock */
  PhaseSeen *seen;           /* of each mbarrier and wave, in strict mode */
  TensorMemory *tensor;      /* that of its SM; null where the kernel has no tcgen05 */
  u32 relinquished, columns; /* it allocates no more; columns of its last allocation */
  TensorAsk ask;
  TensorStored stored;
  Collected collected[COLLECTORS];
  AsyncSlot *slots; /* of the cluster; null where the kernel has no asynchronous operations */
  struct AsyncGroups *groups; /* of each wave, likewise */
  MapSeen maps[MOST_MAPS];
  u64 refusal;                  /* stamp of a response that no cluster could be canceled */
  struct Warpgroup *warpgroups; /* null where the kernel has no wgmma */
  u32 tracked, unused;          /* registers of wgmma that it tracks in each warp */
} PtxCta;
static inline PtxCta *ptx_cta(const Cta *c) { return c->extension; }

/* What a wave waits for, for the report of a deadlock: a phase of the object at an address, by
 * parity or by its number; and how far the object is. */
typedef struct {
  u64 address, by_parity, value;
  u64 phase, pending, expected;
  i64 transactions;
} Awaited;

/* The object at an address, and its CTA; null after a hazard. */
Mbarrier *mbarrier_find(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, Cta **owner);
/* Clocks of the arrivals so far (gathering), and of those in completed phases (gathered). */
u64 *mbarrier_gathering(const Cta *owner, const Mbarrier *m);
u64 *mbarrier_gathered(const Cta *owner, const Mbarrier *m);
/* `count` arrivals; `change` bytes more (less) are expected. Completing a phase wakes its
 * waiters. */
void mbarrier_arrive(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, u32 count);
/* Before an instruction's arrivals: they are a warp's next access. And of each one: is it
 * ordered after those of the phase before? */
void mbarrier_begin_arrivals(Wave *w);
void mbarrier_check_phase(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
void mbarrier_transact(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, i64 change);
/* What a warp's fences released, of CTA scope at least or of cluster scope, which its relaxed
 * arrivals pass on; and what its relaxed waits have seen, which its next acquiring fence takes. */
enum FenceClock { FENCE_IN_CTA, FENCE_IN_CLUSTER, FENCE_SEEN, FENCE_CLOCKS };
u64 *fence_clock(Wave *w, u32 which);
/* The async proxy signals an object: was its beginning fenced for that? */
void mbarrier_check_begun(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* phases.c: a warp waits for a phase of an object, in strict mode; it has seen its end; an object
 * begins; a phase ends, by a lane of a warp. */
void phase_awaited(const Wave *w, u32 instruction, const Cta *owner, const Mbarrier *m);
void phase_seen(Wave *w, const Cta *owner, const Mbarrier *m);
void phases_begin(const Cta *owner, const Mbarrier *m);
void phase_ends(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* Warps of a warpgroup met at wgmma.mma_async. Kernels rely on that before one of them arrives for
 * all, as CUTLASS has it: for the rule of phases.c they have seen what any of them has. */
void phases_meet(const Wave *first, u32 count);
/* A phase of an object is complete, and with it the asynchronous operations that completed its
 * bytes. */
void complete_transactions(const Wave *w, Cta *owner, const Mbarrier *m);
/* A CTA begins: its waves have no asynchronous operations. */
void async_begin(Cta *c);
/* A CTA ends with its last wave: nothing may still read its shared memory. */
void async_leave(Wave *last);
/* A CTA begins: it has no objects. */
void mbarriers_begin(Cta *c);
/* No wave of the group can go on: let waits that may time out do so, a bounded number of times. */
int mbarrier_give_up(Group *g);
#endif
