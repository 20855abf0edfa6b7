/* Phases of mbarriers that a warp may miss, in strict mode (phases.c). */
#ifndef LANEMAP_PHASES_H
#define LANEMAP_PHASES_H
#include "objects.h"

/* A warp waits for a phase of an object, in strict mode; it has seen its end; an object
 * begins; a phase ends, by a lane of a warp. */
void phase_awaited(const Wave *w, u32 instruction, const Cta *owner, const Mbarrier *m);
void phase_seen(Wave *w, const Cta *owner, const Mbarrier *m);
void phases_begin(const Cta *owner, const Mbarrier *m);
void phase_ends(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* Warps of a warpgroup met at a product of theirs. Kernels rely on that before one of them
 * arrives for all, as CUTLASS has it: they have seen what any of them has. */
void phases_meet(const Wave *first, u32 count);
#endif
