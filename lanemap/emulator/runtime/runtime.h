/* Structures shared by generated code and the scheduler: waves, groups, memories, hazards.
 *
 * `make runtime` writes the structures, numbers and functions as Python, abi.py. In headers a
 * named enum becomes an IntEnum, whose members begin with one word; members of an enum without a
 * name become plain numbers. Everything has a fixed width and no structure is passed by value,
 * so that the compiled IR does not depend on the processor it was made on.
 */
#ifndef LANEMAP_RUNTIME_H
#define LANEMAP_RUNTIME_H
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

enum {
  MAX_LANES = 64,
  MAX_WAVES = 32, /* of one CTA */
  MAX_CTAS = 16,  /* CTAs of one cluster */
  MAX_MEMBERS = MAX_WAVES * MAX_CTAS,
  SCRATCH_ROWS = 136,  /* 32-bit rows through which generated code and helpers exchange lanes */
  QUEUE = 256,         /* outstanding asynchronous operations of one wave */
  PENDING_WORDS = 160, /* 64 tracked registers each */
  MAX_BARRIERS = 16    /* named barriers of one CTA */
};

/* Spaces that an access may name: SHARED is the CTA's own shared memory, CLUSTER that of every
 * CTA of its cluster, ENGINE the private memory of an engine. Bits 24 and up of a shared address
 * are the CTA's rank. */
enum Space {
  SPACE_GLOBAL = 0,
  SPACE_SHARED = 1,
  SPACE_PRIVATE = 2,
  SPACE_GENERIC = 3,
  SPACE_CLUSTER = 4,
  SPACE_ENGINE = 5
};
/* High 32 bits of generic addresses of shared and private memory; no other memory has them. */
enum { SHARED_APERTURE = 0x10000, PRIVATE_APERTURE = 0x20000 };
enum { RANK_SHIFT = 24 };

/* Reason for which a wave (or the group) returned to the scheduler. */
enum Run {
  RUN_ON = 0,
  RUN_END = 1,
  RUN_BARRIER = 2,
  RUN_YIELD = 3,
  RUN_COMPILE = 4,
  RUN_HOST = 5,
  RUN_HAZARD = 6,
  RUN_LIMIT = 7,
  RUN_DEADLOCK = 8,
  RUN_TRAP = 9,
  RUN_INTERRUPTED = 10,
  RUN_PAUSE = 11
};

/* Hazards; names and sentences live in lanemap/emulator/host/hazards.py, of the last two in the
 * front end: ENGINE, an access of an engine or of its memory in no order; HANDED, an engine
 * reads what was not handed to it; ASYNC, an access in no order after an asynchronous one. */
enum Hazard {
  HAZARD_OUT_OF_BOUNDS = 1,
  HAZARD_MISALIGNED = 2,
  HAZARD_UNDEFINED = 3,
  HAZARD_PENDING = 4,
  HAZARD_ORDER = 5,
  HAZARD_RULE = 6,
  HAZARD_READ_ONLY = 7,
  HAZARD_QUEUE = 8,
  HAZARD_ENDED = 9,
  HAZARD_ENGINE = 10,
  HAZARD_HANDED = 11,
  HAZARD_ASYNC = 12
};

/* HAZARD_ENDED: a CTA may end before another one accesses its shared memory, or before an
 * asynchronous operation has written it; or it has ended when that is accessed; or it may end
 * before another one arrives at a barrier object there. */
enum Ended { ENDED_EARLY, ENDED_UNFINISHED, ENDED_BEFORE, ENDED_ARRIVAL };

/* Why `stop` is set. Code is first compiled on the assumption that every loaded bit is defined; a
 * load that finds one that is not stops the launch, which begins again with precise code. */
enum Stop { STOP_HAZARD = 1, STOP_IMPRECISE = 2, STOP_MEMORY = 3 };

/* What undefined bits decide; named in lanemap/emulator/codegen/checks.py. */
enum Decides {
  DECIDES_ADDRESS,
  DECIDES_BRANCH,
  DECIDES_EXECUTION,
  DECIDES_BARRIER,
  DECIDES_MATRIX,
  DECIDES_OPERAND,
  DECIDES_GUARD,
  DECIDES_MEMORY
};

/* The last accesses to the bytes that a record covers. */
typedef struct Line { u64 write, read; } Line;
enum { LINE_BYTES = 128, PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, PAGE_TAG_SHIFT = 4 };
/* A page's state lies below the tag of the launch (or CTA) that touched it last. FILLED: its
 * bytes have contents; DEFINED: all of them are defined, whatever the bits say; SAVED: this
 * launch may write it. */
enum PageState { PAGE_FILLED = 1, PAGE_DEFINED = 2, PAGE_SAVED = 4, PAGE_STATES = 15 };

/* Addressable bytes and their shadow state. All but the data is allocated at the first access. */
typedef struct Memory {
  u64 base, size; /* the addresses base .. base + size - 1 */
  u8 *data;
  u64 *defined;      /* one bit per byte, set if all its bits are defined */
  u8 *partial;       /* defined bits of the other bytes; null in fast code */
  u32 *origin;       /* of each byte; null in fast code */
  Line *lines;       /* one for each LINE_BYTES; null where no order is kept */
  u32 *pages;        /* one for each PAGE_BYTES */
  u64 *objects;      /* a bit for each 8 bytes of an object; null where there are none */
  struct Cta *owner; /* of shared memory */
  u32 tag, space, read_only, seed;
} Memory;

typedef struct {
  u32 kind, instruction, wave, detail;
  u64 group, lanes, address, size;
  u64 info[4];
  u32 origin, space, count, lane;
  u32 earlier;            /* of a conflict: number of the earlier instruction, from 1; 0: unknown */
  u32 use, decides;       /* of a race: what used the value, from 1, and what that decided, */
  u32 use_wave, use_lane; /* where */
  u32 earlier_lane;       /* of a conflict: lane of the earlier access, from 1; 0: unknown */
  u32 note, unused;       /* which note this is, from 1; 0: a hazard */
} HazardRecord;
/* What no instruction set guarantees, but hardware or its assembler provides, is a note by
 * default and a hazard in strict mode (docs/emulator-order.md). Notes have numbers, those of the
 * core and then a front end's; a launch keeps the first of each number. */
enum { MOST_NOTES = 32, NOTE_REPLICAS = 0, OWN_NOTES = 1 };

typedef struct {
  u32 kind, instruction, wave, lane;
  u64 group, address;
  u32 space, unused;
} Origin;
/* A store's origin keeps that of what it stored as its address, a race's its number. LANES:
 * lanes of one wave stored different values at once. That of an absent lane, from which another
 * one asked for a value, has the lane as its address and why as its space. */
enum OriginKind {
  ORIGIN_MEMORY = 1,
  ORIGIN_REGISTER = 2,
  ORIGIN_STORE = 3,
  ORIGIN_LEFT = 4,
  ORIGIN_RACE = 5,
  ORIGIN_ABSENT = 6,
  ORIGIN_LANES = 7
};
enum Absent { ABSENT_ENDED, ABSENT_EXCLUDED, ABSENT_ELSEWHERE };

/* Origins are stored in chunks of this many, allocated on demand. */
enum { ORIGIN_CHUNK_BITS = 12, ORIGIN_CHUNK = 1 << ORIGIN_CHUNK_BITS };

/* Registers that one segment of code accesses, as (word, mask) pairs: see pending.c. */
typedef struct { u64 word, mask; } SegmentWord;
typedef struct {
  const SegmentWord *words;
  u64 count;
} Segment;

/* Where a CTA is in the grid, and its cluster among the clusters; a register that says so lies at
 * `offset` of the wave. */
enum Position {
  POSITION_CTA_X = 0,
  POSITION_CTA_Y = 1,
  POSITION_CTA_Z = 2,
  POSITION_CLUSTER_X = 3,
  POSITION_CLUSTER_Y = 4,
  POSITION_CLUSTER_Z = 5
};
enum { POSITIONS = 6 };
typedef struct { u32 offset, position; } Placed;

/* Nodes of stamps (stamps.c): chunks with nodes in use, others, free nodes by kind, the rest of
 * a chunk; and times of flags by address (releases.c). */
typedef struct Pool {
  void *chunks, *spare, *free[4];
  u64 left;
  u8 *next;
} Pool;
typedef struct Times {
  u64 *keys, *times;
  u64 count, capacity;
} Times;

struct Group;
struct Cta;
struct Wave;
struct Touch;

/* Callbacks of a front end; null if it has none. */
typedef struct FrontEnd {
  void (*begin)(struct Group *g);   /* a group began */
  void (*leave)(struct Wave *last); /* the last wave of a CTA ended */
  void (*resume)(struct Group *g);  /* new turn: others may have changed what it waits for */
  /* no wave can go on: RUN_ON if one may now, RUN_YIELD if others must */
  u32 (*stalled)(struct Group *g);
  /* a phase of a barrier object of the CTA ended: its number, from 1 */
  void (*phase)(struct Cta *owner, u32 number);
  void (*flag)(struct Wave *w); /* a store to global memory comes that carries a release */
  /* are two accesses atomic to each other, of which one at most says that it is atomic? */
  u32 (*meets)(const struct Touch *t, u64 earlier, u32 read);
  /* describes a conflict: is it a hazard whatever the value decides? Or is it only noted? */
  u32 (*conflict)(struct Touch *t, HazardRecord *h, u64 earlier);
  /* a register that it holds pending (Wave.held) is touched: by `instruction`, or in the segment */
  void (*pending)(struct Wave *w, u32 segment, u32 instruction, u32 reg);
} FrontEnd;

/* A page that a worker has found ready, by its place in Memory.pages, and the state that it had
 * then. The state itself lies beside those of other pages, which other workers change. */
typedef struct Ready {
  const u32 *page;
  u64 state;
} Ready;
enum { READY_PAGES = 64 };

/* One worker's part of a launch. What several workers share is constant while they run, but for the
 * blocks that are compiled meanwhile and `next`. */
typedef struct {
  Memory *memories; /* global memory, by address */
  u64 memory_count;
  HazardRecord *hazards;
  u64 hazard_count, hazard_capacity;
  Origin **origins; /* chunks; null outside origin mode */
  u64 origin_count, origin_room;
  u64 first_origin;          /* origins below this one belong to earlier launches */
  u64 (*more_origins)(void); /* makes a chunk; the room that there is then, 0 for no more */
  Segment *segments;
  void **blocks;
  void **bytecode; /* of each block whose code is lm_interpret */
  i64 *runs_left;  /* of each block, before its unit is compiled again; this worker's own */
  u64 first_group; /* groups below this one belong to earlier launches */
  u64 limit;       /* instructions that one wave may execute */
  u32 report, lanes;
  u64 precise; /* undefined bits of loads are tracked; else they stop the launch */
  i32 **tables;
  u64 synchronous;        /* accesses are complete when issued; else by waits */
  u64 changes;            /* of memory that others may poll: counted by whoever makes one */
  u64 idle, idle_changes; /* instructions of rounds in which all polled and nothing changed */
  /* for each group, what it released to the whole GPU and when, see releases.c */
  u64 *releases;
  u64 release_words, release_depth, release_time;
  u64 *next;               /* number of the cluster that begins next */
  u64 clusters;            /* how many there are, or begin before the host is asked */
  u32 grid[3], cluster[3]; /* clusters of the grid, CTAs of a cluster */
  const Placed *placed;
  u64 placed_count;
  u64 start_bytes;          /* of a wave's slots: those that something may read before it writes */
  u64 pace, turns;          /* turns of waves after which the host is asked (0: never), and since */
  HazardRecord overflow;    /* where hazards go that are not kept */
  HazardRecord *notes;      /* MOST_NOTES, by number; `count` is 0 where none was met */
  volatile u64 interrupted; /* set by another thread: a signal arrived, so return to the host */
  u64 strict;               /* restrictions over which sources disagree are held */
  u64 at_once;              /* every race is a hazard, whatever its value decides */
  u64 lane_order;           /* whether order between lanes of a wave is held: enum LaneOrders */
  u64 lanes_part;           /* lanes of a wave are in no order where they do not meet */
  struct LaneOrder *lane_orders; /* all that there are */
  struct Shared *shared;         /* what the workers of a launch share: pages.c */
  Pool pool;                     /* of nodes: stamps.c */
  void *chunks;                  /* of all pools */
  u64 chunk_count;
  Times times;         /* of flags: releases.c */
  struct Races *races; /* loads whose values others write unordered: races.c; null in fast code */
  struct Log *log;     /* which instruction made an access; null in fast code */
  u64 object_rule;     /* the rule that an ordinary access of an object breaks */
  FrontEnd front_end;
  struct Events *events; /* what subscribers count: events.h; null without any */
  u64 worker;            /* its number */
  Ready ready[READY_PAGES];
} Launch;

/* Free memory of a device, reused by its launches, since new memory costs more than what is done
 * with it: buffers for saved pages, and large chunks of nodes (nodes.c); at most this many. */
enum { POOL_PAGES = 128 * 1024 * 1024 / PAGE_BYTES, POOL_CHUNKS = 64 };
typedef struct PagePool {
  struct Saved *batches;
  void *chunks;
  u32 count, chunk_count, lock, unused;
} PagePool;

/* The pages that some workers of a launch have saved, and buffers for more, both as lists of
 * batches (pages.c). Each has a cache line of the processor for itself. */
typedef struct Journal {
  struct Saved *saved, *spare;
  u32 lock, unused[27];
} Journal;
enum { JOURNALS = 32 };

/* A lock for some neighboring lines of memory. Those of a page share a cache line of the processor,
 * which a worker that walks through the page then has for itself, and so do not those of two
 * pages; no more do the locks of neighboring pages. */
enum { LOCKS_OF_PAGE = 16, LOCKED_PAGES = 1024, LOCK_LINES = 4 };
enum { PAGE_LOCKS = 1024, LINE_LOCKS = LOCKED_PAGES * LOCKS_OF_PAGE };

/* State shared by the workers of a launch. */
typedef struct Shared {
  u32 threads, unused;
  PagePool *spare;
  u64 failed;     /* no memory was left */
  u64 padding[6]; /* separates the cache lines of fields that every access reads */
  Journal journals[JOURNALS];
  u32 page_locks[PAGE_LOCKS], line_locks[LINE_LOCKS];
} Shared;

typedef struct {
  u32 counter, instruction, first_register, register_count;
  u64 sequence;            /* of the access that it completes */
  u32 space, out_of_order; /* space: of that access; ISSUED_COPY: it is a copy (ACCESS_COPY);
                              ISSUED_APART: it went another way (ACCESS_APART) */
} Outstanding;
enum { ISSUED_COPY = 6, ISSUED_APART = 7 };

/* Operations in a row, by their numbers, that one lane handed to an engine. The completion that
 * another lane asks for does not stand for them: they are over once number `over` is, which is 0
 * until their own lane has asked. */
typedef struct { u32 lane, first, last, over; } EngineRun;
enum { MOST_RUNS = 32 };

typedef struct Wave {
  /* set once for a launch */
  struct Group *group;
  struct Cta *cta;
  Launch *launch;
  u32 index, member; /* its number in its CTA, and in the group */
  u64 full;          /* lanes that exist */
  Memory private;    /* words of all lanes side by side: access.h */
  u64 private_size;  /* bytes a lane */
  const u8 *start;   /* what the first start_bytes of its slots hold at the beginning */
  void *kept;        /* memory of a front end's own that no address names */
  /* zero at the beginning, up to `queue` */
  u32 block, status;
  u64 active; /* lanes of the group of lanes that runs now */
  u64 executed;
  u32 stop, busy;        /* busy: it yields, but not because it polls */
  u32 gives_way, parted; /* gives_way: others take their turns first; parted:
                            lanes went different ways, and have not all met since */
  u32 host_instruction, barrier;
  u64 last_region;
  u64 sequence[2];  /* accesses issued: [0] global, [1] shared */
  u64 completed[2]; /* of which these are guaranteed complete */
  u32 queue_count, waiting;
  u64 held; /* whether the front end itself has marked registers as pending */
  u64 pending[PENDING_WORDS];
  u64 front_end[320];     /* a front end's own state */
  u32 engine_sequence[6]; /* asynchronous accesses issued, by agent from AGENT_LOAD on */
  u64 apart_kept;         /* of those apart, the first that a cache keeps from memory; 0: none */
  u32 run_count, asked;   /* asked: up to which number a lane has asked for completion */
  EngineRun runs[MOST_RUNS];
  /* written before it is read */
  Outstanding queue[QUEUE];
  u64 padding[2]; /* what follows is 64-byte aligned */
  u64 address[MAX_LANES];
  u32 value[SCRATCH_ROWS][MAX_LANES];
  u32 undefined[SCRATCH_ROWS][MAX_LANES];
  u32 origin[SCRATCH_ROWS][MAX_LANES];
  /* slots of registers follow, 64-byte aligned */
} Wave;
_Static_assert(__builtin_offsetof(Wave, address) % 64 == 0, "rows of a wave are 64-byte aligned");
#define SLOTS ((sizeof(Wave) + 63) / 64 * 64)

/* One workgroup or CTA: state shared by its waves alone. */
typedef struct Cta {
  struct Group *group;
  u32 rank, wave_count;   /* rank: its number in the group */
  u32 first_member, live; /* its first wave's number in the group; waves that have not ended */
  Memory shared;
  struct LaneOrder *lane_order; /* of its shared memory, see lane_order.c; null until used */
  /* Last accesses of other CTAs' waves (lm_leave): [member], [slot]; then flags that they set,
   * [member], and the offsets of those, [member]. */
  u64 *visits;
  /* for front ends: clocks of what was released, and of those that arrived at each of MAX_BARRIERS
   * barriers */
  u64 *published, *arrivals;
  u64 front_end[96]; /* a front end's own state, zero when the CTA begins; */
  void *extension;   /* and what it keeps beside; null where the kernel needs nothing */
} Cta;

/* What is scheduled as one: the CTAs of a cluster; a CTA alone is a cluster of one.
 * Its waves are its members, CTA by CTA. */
typedef struct Group {
  u64 number; /* unique over launches */
  u32 member_count, cta_count;
  Wave **members;
  Cta **ctas;
  Launch *launch;
  u64 running;        /* it has begun and not ended */
  u64 current, polls; /* polls: rounds in a row in which all waves did nothing else */
  u64 idle_turns;     /* turns that ended with polling since other groups could run */
  u64 unreleased;     /* releases by one lane that others were not ordered before: lane_order.c */
  u64 turn, progress, busy; /* of this round: waves that had a turn; did any run; one not poll */
  u64 changes, executed;    /* Launch.changes as the round began; instructions since then */
  u64 first_changes;        /* Launch.changes as the group began */
  u64 clocks;               /* PLAIN_CLOCKS; ENGINE_CLOCKS where an engine works for the waves;
                               ASYNC_CLOCKS where waves also copy asynchronously */
  u64 slots, slots_used;    /* of barrier objects (AGENT_BARRIER): there is room for; given */
  u64 clock_words;          /* of a clock, see below */
  u64 *clock;               /* of each member: accesses ordered before what it does next */
  u64 *fenced;              /* see fenced_set; null where there is no engine */
  Pool pool;                /* of nodes for its shared memory */
  /* for front ends: clocks of what was released to the whole group, of those that arrived at its
   * barrier so far, and of those of the last round */
  u64 *published, *gathering, *gathered;
  u64 front_end[8]; /* a front end's own state */
} Group;

#define COLD __attribute__((noinline, cold))
#define INLINE static inline __attribute__((always_inline))
u32 lm_origin(Wave *w, u32 kind, u32 instruction, u32 lane, u32 space, u64 address);
HazardRecord *lm_hazard(Wave *w, u32 kind, u32 instruction, u64 lanes);
/* The same for a note; in strict mode it is a hazard. */
HazardRecord *lm_note(Wave *w, u32 note, u32 kind, u32 instruction, u64 lanes);
/* Undefined bits decide something: `bits` of lanes; of a row in scratch; of a uniform value. */
void lm_undefined(Wave *w, u32 instruction, u64 lanes, u32 detail, u32 bits, u32 origin);
void lm_undefined_row(Wave *w, u32 instruction, u64 mask, u32 row, u32 detail);
void lm_undefined_uniform(Wave *w, u32 instruction, u32 detail, u64 undefined, u32 origin);
/* The same as lm_hazard or lm_note with all that is known. */
void report(Wave *w, const HazardRecord *h);
/* Take the number of the next cluster that has not begun: ~0 if there is none. */
u64 take_cluster(const Launch *l);
/* Where the CTA `rank` of a cluster is, by enum Position. */
void cta_position(const Launch *l, u64 number, u64 rank, u32 *position);
static inline u32 first_lane(u64 lanes) {
  u32 lane = 0;
  while (lane < MAX_LANES - 1 && !(lanes >> lane & 1)) lane++;
  return lane;
}

static inline void copy_bytes(u8 *to, const u8 *from, u64 n) { __builtin_memcpy(to, from, n); }

static inline void fill_bytes(u8 *to, u8 value, u64 n) { __builtin_memset(to, value, n); }

typedef u64 Words8 __attribute__((vector_size(64), aligned(1)));

/* Of two vectors of 16: the elements with even numbers, or odd ones; the first halves dealt out in
 * turns, or the last ones. */
#define EVENS(a, b)                                                                                \
  __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b)                                                                                 \
  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define DEALT_FIRST(a, b)                                                                          \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define DEALT_LAST(a, b)                                                                           \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

static inline int same_contents(const u8 *a, const u8 *b, u64 n) {
  u64 i = 0, differ = 0;
  for (; i + 64 <= n; i += 64) {
    Words8 x, y;
    __builtin_memcpy(&x, a + i, 64);
    __builtin_memcpy(&y, b + i, 64);
    x ^= y;
    differ |= x[0] | x[1] | x[2] | x[3] | x[4] | x[5] | x[6] | x[7];
    if (differ) return 0;
  }
  for (; i + 8 <= n; i += 8) {
    u64 x, y;
    __builtin_memcpy(&x, a + i, 8);
    __builtin_memcpy(&y, b + i, 8);
    differ |= x ^ y;
  }
  for (; i < n; i++) differ |= (u64)(a[i] ^ b[i]);
  return !differ;
}
#endif
