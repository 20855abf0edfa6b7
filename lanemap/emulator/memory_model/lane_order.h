/* Order between lanes of one wave (lane_order.c). */
#ifndef LANEMAP_LANE_ORDER_H
#define LANEMAP_LANE_ORDER_H
#include "memory_model.h"

/* An operation of one lane or, where no one can say which of several lanes makes it, of all of them
 * reads asynchronously: its order with accesses of other lanes. */
void lanes_read(const Access *a, u64 lanes, u64 address, u32 size);
void lanes_meet(Wave *w, u64 lanes);
/* One of the lanes that release what their wave did (a mask): only what it is ordered after is
 * released. And is such an access of another wave that this one meets among what was not? Then
 * that is a hazard. */
void lane_releases(Wave *w, u32 lane, u64 lanes);
void meet_unreleased(Touch *t);
#endif
