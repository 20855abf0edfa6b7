/* What the door to memory, the run loop and reports ask of the memory model, whose C is in
 * memory_model/. */
#ifndef LANEMAP_MEMORY_MODEL_H
#define LANEMAP_MEMORY_MODEL_H
#include "access.h"

/* What a plain access knows of others: order.h. `known`: how far its wave knows each member of the
 * group to have got; `copied`: and its copies to shared memory; null where there are none. */
typedef struct Order {
  u64 stamp;
  const u64 *known, *copied;
} Order;

/* Check an access of bytes from .. to - 1 against those that it is not ordered after, and record
 * it. `same`: a store writes what is there already, which no order can make visible. `again`: a
 * bulk store to global memory does, or a copy that a wave waits for, and counts as unfinished:
 * compilers let two waves that need one tile both bring or store it. */
typedef struct Touch {
  const Access *a;
  Memory *m;
  Order order;
  u64 stamp, from, to;
  u32 lane, same, again, quiet; /* quiet: `bad` tells of a conflict, nothing is reported */
  u32 bad, race;                /* race: number of the race in which a load is, from 1 */
  const u8 *data; /* of a plain store of a wave: the bytes from `from` on; else null */
} Touch;
void touch(Touch *t);
/* The same where each record of a line is like one that the access met; else 0, and some of them
 * may be touched. The bytes are those of one line, which is locked where other threads access it.
 */
int touch_again(const Access *a, Memory *m, u64 from, u64 to);
/* A record's readers: let the access be one, ask whether it is ordered after all, and forget
 * them. */
void add_reader(const Access *a, Memory *m, Line *r);
int after_readers(const Access *a, Memory *m, const Line *r);
void drop_readers(const Access *a, Memory *m, Line *r);

/* What a flag carries from one group to another: releases.c. */
void carry(Wave *w, u64 address, u64 size, u32 kind);

/* Precise code remembers which instruction made an access, for reports. */
void log_access(Wave *w, u64 stamp, u32 instruction);

/* Make the bytes of a load undefined because an unordered write races with it: races.c. */
void race_undefines(const Access *a, const Range *r, u32 race);
/* Undefined bits decide something: is a race where they come from? Then that is reported. */
int race_decides(Wave *w, u32 instruction, u32 lane, u32 origin, u32 decides);
/* The same where they are stored to global memory at an address: perhaps to where they were
 * read, by the same instruction that raced with the read. */
void race_stores(Wave *w, u32 instruction, u32 lane, u32 origin, u64 address);
/* May two stores be copies of one value, which rounding made differ? */
int one_value(const u8 *a, const u8 *b, u64 bytes);
/* The number of the race, from 1, in which undefined bits were read; 0 for others. */
int from_race(const Wave *w, u32 origin);
/* In the detail of a race's hazard: the value goes to where it was read, by the instruction of
 * the other side. */
enum { RACE_IN_PLACE = 1 << 16 };
/* Did this pass find a load that ran before the write with which it races? */
int races_again(const struct Races *races);

/* Of which waves a launch holds the order between lanes: of none, of those whose lanes parted and
 * have not all met since, of all. */
enum LaneOrders { LANES_IN_ORDER, LANES_AFTER_PARTING, LANES_ALWAYS };
static inline int lanes_followed(const Wave *w) {
  return w->launch->lane_order >= (w->parted ? LANES_AFTER_PARTING : LANES_ALWAYS);
}
/* Order between lanes of one wave, where a launch holds it: `size` bytes at each lane's address,
 * of a store from rows `row`..; `together`: lanes that access all of them as one, 0 for each its
 * own. */
void lanes_access(const Access *a, u64 mask, u32 size, u32 row, u64 together);

/* All waves (a mask) of a CTA met: what each had completed, and what it knew, is ordered before
 * all. And the last wave of a CTA ended: whoever accessed its shared memory must have done so
 * before. */
void lm_join(Cta *c, u32 waves);
void lm_leave(Wave *ending);
/* Reset the pool of a group that begins: no record links to its nodes any more. */
void empty_pool(Pool *pool);
#endif
