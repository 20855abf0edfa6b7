/* The events of a launch, made in one place each, and who is told of them. Without observers
 * Launch.events is null, and generated code has no calls to lm_count_block, lm_count_lanes and
 * lm_tell_issue. */
#ifndef LANEMAP_EVENTS_H
#define LANEMAP_EVENTS_H
#include "access.h"
#include "event.h"

enum { DIRECTIONS = 3, SPACES = 6, MOST_PHASES = 8, MOST_BANKS = 64 };

/* Why a wave waits: it polled and lets others run; a counter of asynchronous operations; or what
 * Wave.barrier names. */
enum Reason { REASON_POLL = 0, REASON_COUNTER = 1, REASON_BARRIER = 16 };
enum { REASONS = 48 };

/* Accesses of one operation to one space in one direction. `bytes`: those that the lanes ask
 * for. `sectors`, `blocks`: aligned pieces of global memory of SECTOR_BYTES and BLOCK_BYTES that
 * each access touches, summed. `judged`: accesses that a bank rule exists for; `passes`: what
 * these need; `least`: what they would need if no two of their words shared a bank. */
typedef struct Traffic { u64 accesses, bytes, sectors, blocks, judged, passes, least; } Traffic;
enum { SECTOR_SHIFT = 5, BLOCK_SHIFT = 7 };

/* Lanes of a phase read or write at once, if they need no two words of one bank
 * (lanemap/model/banks.py). A rule is for accesses of `least` to `most` bytes a lane;
 * `element_bits`: of transposing reads and of loads and stores of matrices; 0: of others.
 * `idle`: an access takes at least as many passes as there are phases; else a phase without an
 * active lane takes none. `joining`: bit m is set if phases 2i and 2i + 1 are served together
 * where every lane and lane XOR m agree. */
typedef struct BankRule {
  u32 direction, least, most, element_bits, banks, phases, idle;
  u64 joining, lanes[MOST_PHASES];
} BankRule;

/* One worker's counts; a launch's are the sums. */
typedef struct Tally {
  u64 *blocks, *block_lanes; /* of each block: executions, and lanes that then executed */
  i64 *lanes;                /* of each operation: how many more or fewer lanes than its block's */
  Traffic *traffic;          /* [operation][space][direction] */
  u64 *products;             /* of each operation: multiplications that its text does not tell */
  u64 *waits, *turns;        /* [reason]: waits, and turns of waves that passed meanwhile */
} Tally;

typedef struct Observer {
  u64 watch;
  Observe observe;
  void *context;
} Observer;

/* Who is told what, of one worker. */
typedef struct Events {
  Tally tally;
  const BankRule *rules;
  u64 rule_count;
  const Observer *observers;
  u64 observer_count;
  u64 watch; /* bits of the happenings that are recorded */
  Event *records;
  u64 count, room, most; /* the host empties them once there are more than `room` */
  u64 *addresses;        /* MAX_LANES for each record; null if nobody asks for them */
  u64 lost;              /* there was no place for a record */
  u64 issued;            /* the operation that was issued last */
} Events;

void lanes_told(const Access *a, u64 mask, u32 size, u32 element_bits);
/* Lanes read `bytes` bytes in all at these addresses, which are not those of Wave.address. */
void reads_told(const Access *a, u64 lanes, const u64 *address, u64 bytes);
void bytes_told(const Access *a, u64 lanes, u64 bytes);
void completion_told(const Wave *w, u32 agent, u32 object, u64 sequence, u32 direction);
/* What happens at a barrier: Event.reason, first, end, bytes, sequence. */
typedef struct Acting {
  u32 act, amount;
  u64 place, rank, phase;
} Acting;
void act_told(const Wave *w, u32 operation, u64 lanes, Acting did);
void wait_told(const Wave *w, u32 reason);
void turn_told(const Wave *w, u32 begins);
void count_products(const Wave *w, u32 operation, u64 products);

/* -- the doors --------------------------------------------------------------------------------- */

/* Lanes of `mask` access `size` bytes each, at Wave.address. `element_bits`: BankRule. */
static inline void tell_lanes(const Access *a, u64 mask, u32 size, u32 element_bits) {
  if (__builtin_expect(a->w->launch->events != 0, 0)) lanes_told(a, mask, size, element_bits);
}

/* An access without lane addresses: by an engine, or to a memory with its own coordinates. */
static inline void tell_bytes(const Access *a, u64 lanes, u64 bytes) {
  if (__builtin_expect(a->w->launch->events != 0, 0)) bytes_told(a, lanes, bytes);
}

static inline void tell_reads(const Access *a, u64 lanes, const u64 *address, u64 bytes) {
  if (__builtin_expect(a->w->launch->events != 0, 0)) reads_told(a, lanes, address, bytes);
}

static inline Access begin_lanes(Wave *w, u32 instruction, u32 space, u32 kind, u32 align, u64 mask,
                                 u32 size) {
  Access a = begin_access(w, instruction, space, kind, align);
  tell_lanes(&a, mask, size, 0);
  return a;
}

/* Accesses of an agent up to `sequence` are over, as `done` remembers. `direction`:
 * DIRECTION_LOAD where they have only read their sources. */
static inline void complete_to(const Wave *w, u64 *done, u32 agent, u64 sequence, u32 direction) {
  if (sequence <= *done) return;
  *done = sequence;
  if (__builtin_expect(w->launch->events != 0, 0))
    completion_told(w, agent, 0, sequence, direction);
}

/* A wave waits, for `reason`. */
static inline void tell_wait(const Wave *w, u32 reason) {
  if (__builtin_expect(w->launch->events != 0, 0)) wait_told(w, reason);
}

/* Lanes act at a barrier. */
static inline void tell_act(const Wave *w, u32 operation, u64 lanes, Acting did) {
  if (__builtin_expect(w->launch->events != 0, 0)) act_told(w, operation, lanes, did);
}

/* A turn of a waiting wave: its first where it `begins`, else one that passed meanwhile. */
static inline void tell_turn(const Wave *w, u32 begins) {
  if (__builtin_expect(w->launch->events != 0, 0)) turn_told(w, begins);
}
#endif
