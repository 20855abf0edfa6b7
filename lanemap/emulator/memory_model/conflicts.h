/* Conflicts: two accesses in no order. A load that races is a hazard if its value decides
 * something. */
#ifndef LANEMAP_CONFLICTS_H
#define LANEMAP_CONFLICTS_H
#include "memory_model.h"

/* The access is not ordered after the one with the stamp `earlier`, of bytes from `at` on. */
void conflict(Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind);
/* A plain load races: the number under which it gives undefined bits, 0 if it is reported at
 * once. */
u32 race_of_load(Touch *t, const HazardRecord *h);
int race_of_store(Touch *t, const HazardRecord *h, u64 reader, u64 at, u64 bytes);
/* The number of the race in which a load is known to be; 0: in none. */
u32 race_known(const Touch *t);
/* The instruction that made an access, from 1; 0: it is not known. */
u32 logged(const Wave *w, u64 stamp);
#endif
