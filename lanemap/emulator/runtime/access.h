/* One lane's access, resolved to host bytes. */
#ifndef LANEMAP_ACCESS_H
#define LANEMAP_ACCESS_H
#include "runtime.h"

typedef struct {
  u8 *data, *undefined;
  u32 *origin;                /* of the first granule; null outside origin mode */
  Region *region;             /* null for shared and private memory */
  Cta *owner;                 /* of shared memory */
  u64 offset;                 /* in the region or in shared memory */
  u32 space;
} Place;

enum Access { ACCESS_LOAD = 1, ACCESS_STORE = 2, ACCESS_ATOMIC = 4, ACCESS_RELAXED = 8, ACCESS_NARROW = 16 };

/* Fill `place` for `size` bytes at `address`; 0 when out of bounds (the caller reports). */
int resolve(Wave *w, u32 space, u32 lane, u64 address, u64 size, Place *place);
/* Count an access before its lanes, so that all of them carry one sequence number. */
void next_access(Wave *w, u32 space);
void out_of_bounds(Wave *w, u32 instruction, u32 space, u32 lane, u64 address, u64 size);
void misaligned(Wave *w, u32 instruction, u32 space, u32 lane, u64 address, u64 size);

/* Check an access against those that it is not ordered after, and record it. `same` says that a
 * store writes what is there already, which no order can make visible. */
void order_access(Wave *w, u32 instruction, u32 lane, const Place *place, u64 size, u32 kind,
                  int same);
void order_async_read(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 offset, u64 size);
void order_object(Wave *w, u32 instruction, u32 lane, const Place *p, int writes);
#endif
