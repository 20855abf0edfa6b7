/* Lanes that wait for phases of mbarriers. */
#ifndef LANEMAP_PTX_MBARRIER_H
#define LANEMAP_PTX_MBARRIER_H
#include "mbarrier.h"

/* What a wave waits for, for the report of a deadlock: a phase of the object at an address, by
 * parity or by its number; and how far the object is. */
typedef struct {
  u64 address, by_parity, value;
  u64 phase, pending, expected;
  i64 transactions;
} Awaited;

/* The async proxy signals an object: a note, unless its beginning was fenced for that. */
void check_begun(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m);
/* No wave of the group can go on: let waits that may time out do so, a bounded number of times. */
int mbarrier_give_up(Group *g);
#endif
