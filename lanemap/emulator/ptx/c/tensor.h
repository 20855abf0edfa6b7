/* Tensor memory and the order of what tcgen05 does with it.
 *
 * PTX ISA, Memory Consistency Model for 5th generation of TensorCore operations: ld, st and what a
 * thread hands to the tensor core (mma, cp, shift) are asynchronous. A warp learns that its own ld
 * and st are complete at tcgen05.wait, that its tensor-core operations are at the mbarrier of
 * tcgen05.commit; what one warp knows reaches another one through fence::before_thread_sync, a
 * barrier or mbarrier, and fence::after_thread_sync.
 */
#ifndef LANEMAP_TENSOR_H
#define LANEMAP_TENSOR_H
#include "access.h"
#include "rules.h"

enum {
  TENSOR_LANES = 128,
  TENSOR_COLUMNS = 512,
  TENSOR_CELLS = TENSOR_LANES * TENSOR_COLUMNS,
  UNIT_COLUMNS = 32,          /* of which allocations consist */
  TENSOR_UNITS = TENSOR_COLUMNS / UNIT_COLUMNS,
  WARP_LANES = 32
};

/* Classes of accesses. ASYNC is what a thread hands to the tensor core. */
enum Tensor { TENSOR_LOAD = 0, TENSOR_STORE = 1, TENSOR_ASYNC = 2 };
enum { TENSOR_CLASSES = 3 };
/* What clocks count: loads, stores and tensor-core operations known to be complete, and tensor-core
 * operations known to be issued, which come first in the pipeline. */
enum TensorClock { CLOCK_LOAD = 0, CLOCK_STORE = 1, CLOCK_DONE = 2, CLOCK_ISSUED = 3 };
/* What a warp knows lies in the group's clocks from CLOCK_TENSOR on. Beside it, in `fenced`: what it knew
 * at its last fence::before_thread_sync, and what it received from others, which it knows from its next
 * fence::after_thread_sync on. */
enum { PUBLISHED = 0, RECEIVED = 1, FENCED_SETS = 2 };

/* An access of a cell: from the top, 21 bits instruction, 2 bits class, 9 bits member of the group, 32
 * bits sequence, which begins at 1. Two readers are kept: the last one and the last other one. */
typedef struct { u64 write, read, other_read; } TensorCell;
#define STAMP_INSTRUCTION 43
#define STAMP_CLASS 41
#define STAMP_MEMBER 32

/* 32 columns: whose they are, and were, by CTA identity; 0 for nobody. */
typedef struct {
  u64 owner, last_owner;
  u32 first, columns;         /* of the allocation that it belongs to */
  u32 instruction, wave;      /* who allocated it */
} TensorUnit;

/* The tensor memory of one SM. A cell's number is column * 128 + lane. */
typedef struct TensorMemory {
  u32 data[TENSOR_CELLS], undefined[TENSOR_CELLS], origin[TENSOR_CELLS];
  TensorCell cells[TENSOR_CELLS];
  TensorUnit units[TENSOR_UNITS];
} TensorMemory;

/* The detail of HAZARD_TENSOR: what is missing (enum Misses), and these. WROTE: the earlier access. */
enum Detail {
  DETAIL_MISSING = 0xff, DETAIL_WRITES = 0x100, DETAIL_WROTE = 0x200, DETAIL_GIVES_BACK = 0x400
};

/* Clock [other] of one kind that a member knows, or has in one of its two sets. */
static inline u64 *tensor_known(Group *g, u32 member, u32 clock) {
  return clock_of(g, member, 0) + general_words(g) + (u64)clock * g->member_count;
}
static inline u64 *tensor_fenced(const Group *g, u32 member, u32 set, u32 clock) {
  return g->fenced + (((u64)member * FENCED_SETS + set) * TENSOR_CLOCKS + clock) * g->member_count;
}
static inline u64 tensor_stamp(const Wave *w, u32 instruction, u32 class) {
  return w->tensor_sequence[class] | (u64)w->member << STAMP_MEMBER | (u64)class << STAMP_CLASS |
         (u64)instruction << STAMP_INSTRUCTION;
}
static inline void note_tensor_read(TensorCell *c, u64 stamp) {
  const u64 who = 0x7ffull << STAMP_MEMBER;   /* member and class */
  if ((c->read & who) != (stamp & who)) c->other_read = c->read;
  c->read = stamp;
}
/* A CTA's number among all of all launches, from 1. */
static inline u64 cta_identity(const Cta *c) { return c->group->number * MAX_CTAS + c->rank + 1; }

/* The parts of lm_publish and lm_learn that are tensor memory's; tensor_enter: a group begins;
 * tensor_leave: a CTA's last wave ended. */
void tensor_publish(const Wave *w, u64 *clock);
void tensor_receive(Wave *w, const u64 *clock);
void tensor_enter(Group *g);
void tensor_leave(Wave *w);
void lm_advance(u64 *clock, const u64 *from, u64 count);
/* tcgen05.alloc waits for room: try again; does any wave of the group wait so? */
void retry_columns(Group *g);
int columns_awaited(const Group *g);
/* A broken rule with up to three numbers for its sentence. */
void tensor_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b, u64 c);
/* Number an access of the class before its cells. */
void tensor_begin(Wave *w, u32 class);
/* Check the access of a cell against those before it, and record it. */
void tensor_order(Wave *w, TensorMemory *t, u32 instruction, u64 lanes, u32 cell, u32 class,
                  int writes);
/* Columns are given back: every access of them must be over, and the wave know that. */
void tensor_over(Wave *w, const Cta *of, u32 instruction, u32 first, u32 columns);
/* Is the column the CTA's? Otherwise a hazard, and 0. */
int tensor_owned(Wave *w, const Cta *of, u32 instruction, u64 lanes, u32 column);
/* The other CTA of the pair (PTX ISA, Peer CTA: ranks that differ in the last bit); null after a hazard. */
Cta *tensor_peer(Wave *w, u32 instruction);
/* The async proxy reads bytes of shared memory, until the tensor core has done it. */
void async_read(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 offset, u64 size);
/* A generic store to granule `i` of shared memory that the tensor core may still read is a hazard. */
void async_unread(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 i);
#endif
