/* Tensor memory and the order of what tcgen05 does with it.
 *
 * PTX ISA, Memory Consistency Model for 5th generation of TensorCore operations: ld, st and what a
 * thread hands to the tensor core (mma, cp, shift) are asynchronous. A warp learns that its own ld
 * and st are complete at tcgen05.wait, that its tensor-core operations are at the mbarrier of
 * tcgen05.commit; what one warp knows reaches another one through fence::before_thread_sync, a
 * barrier or mbarrier, and fence::after_thread_sync. Only strict asks for the two fences where the
 * warps meet by release and acquire.
 */
#ifndef LANEMAP_TENSOR_H
#define LANEMAP_TENSOR_H
#include "objects.h"
#include "proxies.h"
#include "rule_numbers.h" /* written from rules.tsv and notes.tsv (lower/facts.py) */
#include "rules.h"
#include "tables.h"

/* Columns of 128 cells of 32 bits; allocations consist of units of 32 columns. */
enum {
  TENSOR_LANES = 128,
  TENSOR_COLUMNS = 512,
  TENSOR_BYTES = TENSOR_LANES * TENSOR_COLUMNS * 4,
  UNIT_COLUMNS = 32,
  TENSOR_UNITS = TENSOR_COLUMNS / UNIT_COLUMNS
};

/* What tcgen05.wait waits for. */
enum Tensor { TENSOR_LOAD = 0, TENSOR_STORE = 1 };
/* What clocks count: loads, stores and tensor-core operations known to be complete, and
 * tensor-core operations known to be issued, which come first in the pipeline. Accesses have the
 * classes of their agents: AGENT_LOAD, AGENT_STORE, and AGENT_ENGINE for what a thread hands to
 * the tensor core. */
enum TensorClock { CLOCK_LOAD = 0, CLOCK_STORE = 1, CLOCK_DONE = 2, CLOCK_ISSUED = 3 };

/* A unit of tensor memory: whose it is, and was, by CTA identity; 0 for nobody. */
typedef struct {
  u64 owner, last_owner;
  u32 first, columns;    /* of the allocation that it belongs to */
  u32 instruction, wave; /* who allocated it */
} TensorUnit;

/* The place of a bit of a column and lane: bits from the beginning of a tensor memory. */
#define TENSOR_PLACE(lane, column, bit) (((column) * TENSOR_LANES + (lane)) * 32 + (bit))

/* The tensor memory of one SM, zero at first. */
typedef struct TensorMemory {
  Memory memory;
  TensorUnit units[TENSOR_UNITS];
  u64 defined[TENSOR_BYTES / 64];
  Line lines[TENSOR_BYTES / LINE_BYTES];
  u32 pages[TENSOR_BYTES / PAGE_BYTES];
  u8 data[TENSOR_BYTES], partial[TENSOR_BYTES];
  u32 origin[TENSOR_BYTES];
} TensorMemory;
#define COLUMN_BYTES (TENSOR_LANES * 4)

/* The collector buffers of tcgen05.mma: one of A, four of B with .ws. What fills one: the
 * operand, by its descriptor or address, where a later use may read it. */
enum { COLLECTORS = 5 };
typedef struct Collected {
  u64 operand;
  u32 valid, unused;
} Collected;

/* A tcgen05.alloc or dealloc that waits for the peer CTA, see tensor_alloc.c. */
typedef struct TensorAsk { u32 kind, value, columns, wave, instruction, done, result; } TensorAsk;

/* Where tcgen05.alloc stored an address last: by which access of which member, and the round of
 * the cluster barrier in which that warp arrives next. */
typedef struct TensorStored {
  u64 round, sequence;
  u32 member, unused;
} TensorStored;

/* Clock [other] of one kind that a member knows, or has in one of its two sets. */
static inline u64 *tensor_known(Group *g, u32 member, u32 clock) {
  return clock_of(g, member, CLOCK_FENCED + clock);
}
static inline u64 *tensor_fenced(const Group *g, u32 member, u32 set, u32 clock) {
  return fenced_set(g, member, set) + (u64)clock * g->member_count;
}
/* A CTA's number among all of all launches, from 1. */
static inline u64 cta_identity(const Cta *c) { return c->group->number * MAX_CTAS + c->rank + 1; }

/* A group begins; a CTA's last wave ended. */
void tensor_enter(Group *g);
void tensor_leave(Wave *w);
/* Retry waiting tcgen05.alloc instructions; does any wave of the group still wait? */
void retry_columns(Group *g);
int columns_awaited(const Group *g);
/* An access of tensor memory by an agent, numbered before its cells; `next`: another than the
 * last. */
Access tensor_access(Wave *w, TensorMemory *t, u32 instruction, u32 agent, u32 kind, int next);
/* A lane has handed the last operation to the tensor core, which may be a tcgen05.cp. And a lane
 * commits: up to which operation of the warp. */
void tensor_issued(Wave *w, u32 lane, u32 copies);
u64 tensor_committed(Wave *w, u32 lane);
/* A table's runs of cells, from (lane, column) on, as ranges of `m`: 0 after a hazard. */
int access_runs(const Access *a, const Cta *of, const Table *t, u32 lane, u32 column,
                u32 most_lanes, u32 first_lane, Moved *m);
/* A hazard unless every access to the columns, which are deallocated, happens before that. */
void tensor_over(Wave *w, const Cta *of, u32 instruction, u32 first, u32 columns);
/* A lane shifts 32 lanes of some columns from (first, column) on: a hazard if a copy to them
 * that the warp itself has issued is not known to be over, as these two form no pipeline (PTX
 * ISA, Pipelined tcgen05 Instructions). */
void tensor_after_copies(Wave *w, const Cta *of, u32 instruction, u32 lane, u32 first, u32 column,
                         u32 columns);
/* Is the column the CTA's? Otherwise a hazard, and 0. */
int tensor_owned(Wave *w, const Cta *of, u32 instruction, u64 lanes, u32 column);
/* The other CTA of the pair (PTX ISA, Peer CTA: ranks that differ in the last bit); null after a
 * hazard. */
Cta *tensor_peer(Wave *w, u32 instruction);
#endif
