/* Phases of mbarriers that a warp may miss, in strict mode (phases.c). */
#ifndef LANEMAP_PHASES_H
#define LANEMAP_PHASES_H
#include "objects.h"

/* A warp waits for a phase of an object, in strict mode; lanes of it (a mask) have seen its end; an
 * object begins; a phase ends, by a lane of a warp. */
void phase_awaited(const Wave *w, u32 instruction, const Cta *owner, const Mbarrier *m);
void phase_seen(Wave *w, u64 lanes, const Cta *owner, const Mbarrier *m);
void phases_begin(const Cta *owner, const Mbarrier *m);
void phase_ends(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* Lanes of a warp have met, arrived or ended. Once all that waited have, what any lane does next
 * comes after what they have seen. One lane that waits alone needs nobody. */
void phases_passed(Wave *w, u64 lanes);
/* Warps of a warpgroup met at a product of theirs. Kernels rely on that before one of them
 * arrives for all, as CUTLASS has it: they have seen what any of them has. */
void phases_meet(const Wave *first, u32 count);
#endif
