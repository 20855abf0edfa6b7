/* Counts and traces for subscribers of a launch. Without subscribers Launch.events is null, and
 * generated code has no calls to lm_count_block, lm_count_lanes and lm_trace. */
#ifndef LANEMAP_EVENTS_H
#define LANEMAP_EVENTS_H
#include "runtime.h"

enum Direction { DIRECTION_LOAD, DIRECTION_STORE, DIRECTION_ATOMIC };
enum { DIRECTIONS = 3, SPACES = 6, MOST_PHASES = 8, MOST_BANKS = 64 };

/* Why a wave waits: it polled and lets others run; a counter of asynchronous operations; or what
 * Wave.barrier names. */
enum Reason { REASON_POLL = 0, REASON_COUNTER = 1, REASON_BARRIER = 16 };
enum { REASONS = 48 };

/* Accesses of one operation to one space in one direction. `bytes`: those that the lanes ask for.
 * `sectors`, `blocks`: aligned pieces of global memory of SECTOR_BYTES and BLOCK_BYTES that each access
 * touches, summed. `judged`: accesses that a bank rule exists for; `passes`: what these need;
 * `least`: what they would need if no two of their words shared a bank. */
typedef struct Traffic { u64 accesses, bytes, sectors, blocks, judged, passes, least; } Traffic;
enum { SECTOR_SHIFT = 5, BLOCK_SHIFT = 7 };

/* Lanes of a phase read or write at once, if they need no two words of one bank (lanemap/model/banks.py).
 * A rule is for accesses of `least` to `most` bytes a lane; `element_bits`: of transposing reads and of
 * loads and stores of matrices; 0: of others. `idle`: an access takes at least as many passes as there
 * are phases; else a phase without an active lane takes none. `joining`: bit m is set if phases 2i and
 * 2i + 1 are served together where every lane and lane XOR m agree. */
typedef struct BankRule {
  u32 direction, least, most, element_bits, banks, phases, idle;
  u64 joining, lanes[MOST_PHASES];
} BankRule;

/* One operation that a wave executed, with its access if it made one. A further access of the operation
 * is a further event. */
typedef struct Event {
  u64 group, lanes, first, end;      /* first .. end - 1: addresses of the access */
  u64 bytes;
  u32 member, operation;
  u32 accessed, space, direction;    /* accessed: the five fields of the access are set */
  u32 judged, passes, least;
} Event;

/* One worker's counts; a launch's are the sums. */
typedef struct Events {
  u64 *blocks, *block_lanes;         /* of each block: executions, and lanes that then executed */
  i64 *lanes;                        /* of each operation: how many more or fewer lanes than its block's */
  Traffic *traffic;                  /* [operation][space][direction] */
  u64 *products;                     /* of each operation: multiplications that its text does not tell */
  u64 *waits, *turns;                /* [reason]: waits, and turns of waves that passed meanwhile */
  const BankRule *rules;
  u64 rule_count;
  Event *trace;                      /* null: not traced */
  u64 trace_count, trace_room, trace_most;   /* the host empties it once it has more than trace_room */
  u64 trace_lost;
} Events;

void count_access(Wave *w, u32 operation, u32 space, u64 mask, u32 size, u32 direction, u32 element_bits);
void count_bytes(Wave *w, u32 operation, u32 space, u64 lanes, u64 bytes, u32 direction);
void count_products(const Wave *w, u32 operation, u64 products);
void count_wait(const Wave *w, u32 reason);
void count_turn(const Wave *w, u32 begins);

/* Lanes of `mask` access `size` bytes each, at Wave.address. */
static inline void note_access(Wave *w, u32 operation, u32 space, u64 mask, u32 size, u32 direction) {
  if (__builtin_expect(w->launch->events != 0, 0))
    count_access(w, operation, space, mask, size, direction, 0);
}
#endif
