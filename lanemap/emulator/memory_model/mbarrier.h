/* mbarrier objects (PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier).
 *
 * An object lies in 8 bytes of shared memory, but what it counts is kept beside them: its
 * contents are opaque, and every ordinary access of the bytes is a hazard. An arrival with
 * release semantics passes on the clock of its warp; an acquiring wait that sees the phase
 * complete receives it.
 */
#ifndef LANEMAP_MBARRIER_H
#define LANEMAP_MBARRIER_H
#include "objects.h"

/* The object at an address, and its CTA; null after a hazard. */
Mbarrier *mbarrier_find(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, Cta **owner);
/* The number of the object at an offset of a CTA's shared memory, from 1; 0: there is none. */
u32 mbarrier_number(const Cta *owner, u64 offset);
/* A lane begins an object, or ends it. */
void mbarrier_init(Wave *w, u32 instruction, u32 lane, u32 space, u64 address, u32 count);
void mbarrier_inval(Wave *w, u32 instruction, u32 lane, u32 space, u64 address);
/* What the wave learns of a phase that is complete; `relaxed`: from its next acquiring fence on. */
void mbarrier_learn_phase(Wave *w, u64 lanes, Cta *owner, const Mbarrier *m, u32 relaxed);
/* `count` arrivals; `change` bytes more (less) are expected. Completing a phase wakes its
 * waiters. */
void mbarrier_arrive(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, u32 count);
/* Before an instruction's arrivals: they are a warp's next access. And of each one: is it
 * ordered after those of the phase before? */
void mbarrier_begin_arrivals(Wave *w);
void mbarrier_check_phase(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* Observers are told what lanes, or an engine for them, do at an object: enum Act. */
void mbarrier_told(const Wave *w, u32 instruction, u64 lanes, const Cta *owner, const Mbarrier *m,
                   u32 act, u64 amount, u64 phase);
void mbarrier_transact(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m, i64 change);
/* A clock of the warp, by enum FenceClock. */
u64 *fence_clock(Wave *w, u32 which);
/* The async proxy signals an object: was its beginning fenced for that? */
int mbarrier_begun(const Wave *w, const Cta *owner, const Mbarrier *m);
/* A CTA begins: it has no objects. And the last warp of one ended: arrivals at its objects from
 * other CTAs must come before that. */
void mbarriers_begin(Cta *c);
void mbarriers_leave(Wave *last);
#endif
