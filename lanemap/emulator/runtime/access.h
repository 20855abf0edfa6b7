/* The only path to memory. Every access passes its ranges to `access`, which checks bounds,
 * alignment, read-only memory, definedness and order, keeps what undoes it, and moves the bytes. */
#ifndef LANEMAP_ACCESS_H
#define LANEMAP_ACCESS_H
#include "clock.h"

/* LOAD of what is there, STORE, both for ATOMIC. RELAXED: it may race with atomic ones. NARROW:
 * it is atomic within its CTA alone; CLUSTER: within its cluster alone. TICKET: who loads what a
 * flag carries acquires it at once. OBJECT: it is an object's own. DIRECT: an asynchronous
 * access to which nothing need be handed over. COPY: a store to shared memory that a wait for
 * its counter completes, even for the wave. BLIND: nobody gets what an atomic access loads, so
 * that it observes nothing. APART: an access of global memory by another way than others, on
 * which a wait for its counter completes what it writes (AGENT_BULK). */
enum AccessKind {
  ACCESS_LOAD = 1,
  ACCESS_STORE = 2,
  ACCESS_ATOMIC = 4,
  ACCESS_RELAXED = 8,
  ACCESS_NARROW = 16,
  ACCESS_OBJECT = 32,
  ACCESS_DEFINED = 64,
  ACCESS_CLUSTER = 128,
  ACCESS_TICKET = 256,
  ACCESS_DIRECT = 512,
  ACCESS_COPY = 1024,
  ACCESS_BLIND = 2048,
  ACCESS_APART = 4096
};
enum { READ_MODIFY_WRITE = ACCESS_LOAD | ACCESS_STORE | ACCESS_ATOMIC };

typedef struct Access {
  Wave *w;
  u32 instruction, space, kind, align;
  u64 stamps[2];       /* in shared memory the second one */
  Memory *memory;      /* where it is known; else `space` and address say it */
  struct Alike *alike; /* of an access of many ranges of that memory; else null */
} Access;

/* The last record that an access of many ranges met, and what it left there: records of tiles
 * are mostly alike, and what an access makes of one follows from it and from the access alone.
 * In fast code only, where every conflict stops the launch. */
typedef struct Alike {
  Line met, left;
  u32 known, unused;
} Alike;

/* `size` bytes from `address` on, of one lane, or `each` bytes of every lane from `lane` on. A
 * load fills `data`, `undefined` and `origin` (one for each byte), a store takes from them;
 * without `undefined` all bits of a store are defined, and a load stops where some are not. */
typedef struct Range {
  u64 address;
  u32 size, each, lane;
  u8 *data, *undefined;
  u32 *origin;
  const i32 *lanes; /* whose each part is, where they are not in turn from `lane` on */
} Range;

static inline u32 lane_of(const Range *r, u32 byte) {
  u32 part = r->each ? byte / r->each : 0;
  return r->lanes ? (u32)r->lanes[part] : r->lane + part;
}

/* Number an access, so that all its ranges carry one stamp. */
Access begin_access(Wave *w, u32 instruction, u32 space, u32 kind, u32 align);
/* Access one range; 0 after a hazard: what a load could not read is zeros. */
int access(const Access *a, const Range *r);
/* The parts of an access for what reads and writes at once: checks and records it, null after a
 * hazard; then one lane's bytes are read, and written. */
Memory *exchange_at(const Access *a, const Range *r, u64 *offset);
void read_bytes(const Access *a, const Range *r, Memory *m, u64 offset);
void write_bytes(const Access *a, const Range *r, Memory *m, u64 offset);
/* The same for bytes of private memory, which lie where `private_place` says. */
void private_range(const Access *a, const Range *r, Memory *m, u64 place, int writes);
/* The same without moving bytes: what is undefined of those read; that written ones are defined. */
void check_defined(const Access *a, const Range *r, const Memory *m, u64 offset);
void define(Wave *w, Memory *m, u64 offset, u64 size);
/* The same of aligned words of which only the `used` bits matter: other bits may be undefined
 * when they are read, and bytes without used bits are undefined when they are written. */
void check_used(const Access *a, const Range *r, const Memory *m, u64 offset, u32 used);
void define_used(const Access *a, u32 lane, Memory *m, u64 offset, u64 size, u32 used);
/* The memory that holds `size` bytes at an address of a lane, and where in it; null if none
 * does. */
Memory *memory_at(Wave *w, u32 space, u64 address, u64 size, u64 *offset);
/* Only the order of an access: of an object, whose contents lie elsewhere. */
void order_only(const Access *a, u32 lane, Memory *m, u64 offset, u64 size);
/* The bytes hold nothing any more. */
/* Of bytes of memory whose page is ready, in precise code: they were not stored, but come from
 * somewhere. */
void set_undefined(Memory *m, u64 at, u8 undefined, u32 origin);
void use_bits(Memory *m, u64 page);
void undefine(const Access *a, u32 lane, Memory *m, u64 offset, u64 size);
void out_of_bounds(const Access *a, u32 lane, u64 address, u64 size);
void misaligned(const Access *a, u32 lane, u64 address, u64 size);

/* Check an access of bytes from .. to - 1 against those that it is not ordered after, and record
 * it. `same`: a store writes what is there already, which no order can make visible. `again`: a
 * bulk store to global memory does, or a copy that a wave waits for, and counts as unfinished:
 * compilers let two waves that need one tile both bring or store it. */
typedef struct Touch {
  const Access *a;
  Memory *m;
  u64 stamp, from, to;
  u32 lane, same, again, quiet; /* quiet: `bad` tells of a conflict, nothing is reported */
  u32 bad, race;                /* race: number of the race in which a load is, from 1 */
  const u8 *data; /* of a plain store of a wave: the bytes from `from` on; else null */
} Touch;
void touch(Touch *t);
/* A record's readers: let the access be one, ask whether it is ordered after all, and forget
 * them. */
void add_reader(const Access *a, Memory *m, Line *r);
int after_readers(const Access *a, Memory *m, const Line *r);
void drop_readers(const Access *a, Memory *m, Line *r);
/* In bytes from .. to - 1 an asynchronous reader is known to be over: the access, which learned
 * that, stands for it. */
void stand_for_reader(const Access *a, Memory *m, u64 from, u64 to, u64 reader);
typedef int (*Wanted)(const Wave *w, u64 stamp);
u64 find_stamp(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place);
/* The same among writes alone. */
u64 find_write(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place);
void conflict(Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind);

/* Make the bytes of a load undefined because an unordered write races with it: races.c. */
void race_undefines(const Access *a, const Range *r, u32 race);
/* Undefined bits decide something: is a race where they come from? Then that is reported. */
int race_decides(Wave *w, u32 instruction, u32 lane, u32 origin, u32 decides);
/* The same where they are stored to global memory at an address: perhaps to where they were
 * read, by the same instruction that raced with the read. */
void race_stores(Wave *w, u32 instruction, u32 lane, u32 origin, u64 address);
int from_race(const Wave *w, u32 origin);
/* A plain load races: the number under which it gives undefined bits, 0 if it is reported at
 * once. */
u32 race_of_load(Touch *t, const HazardRecord *h);
int race_of_store(Touch *t, const HazardRecord *h, u64 reader, u64 at, u64 bytes);
u32 race_known(const Touch *t);
/* In the detail of a race's hazard: the value goes to where it was read, by the instruction of
 * the other side. */
enum { RACE_IN_PLACE = 1 << 16 };
int races_again(const struct Races *races);
/* Precise code remembers which instruction made an access, for reports. */
void log_access(Wave *w, u64 stamp, u32 instruction);
u32 logged(const Wave *w, u64 stamp);

/* Order between lanes of one wave, where a launch holds it: `size` bytes at each lane's address,
 * of a store from rows `row`..; `together`: lanes that access all of them as one, 0 for each its
 * own. */
void lanes_access(const Access *a, u64 mask, u32 size, u32 row, u64 together);
/* The same of what an asynchronous operation of one lane reads. */
void lane_reads(const Access *a, u32 lane, u64 address, u32 size);
void lanes_meet(Wave *w, u64 lanes);
/* One of the lanes that release what their wave did (a mask): only what it is ordered after is
 * released. And is such an access of another wave that this one meets among what was not? Then
 * that is a hazard. */
void lane_releases(Wave *w, u32 lane, u64 lanes);
void meet_unreleased(Touch *t);

/* What a flag carries from one group to another: releases.c. */
void carry(Wave *w, u64 address, u64 size, u32 kind);
/* Does a wave know of an access of another group to global memory, which read or wrote, and
 * (`handed`) that it was handed over? */
int learned(const Wave *w, u64 stamp, int handed, int read);
int needs_handing(const Touch *t, int read);

/* Private memory has the words of all lanes side by side, so that lanes which access the same
 * address access one range. */
static inline u64 private_place(const Wave *w, u32 lane, u64 address) {
  return (address / 4 * w->launch->lanes + lane) * 4 + address % 4;
}

/* Prepare a page for an access of this launch. */
void touch_page(Wave *w, Memory *m, u64 page, int writes);
static inline int page_ready(const Memory *m, u64 page, int writes) {
  u32 state = m->pages[page];
  return state >> PAGE_TAG_SHIFT == m->tag && (!writes || state & PAGE_SAVED);
}
static inline void take_lock(u32 *lock) {
  while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE)) {}
}
static inline void give_lock(u32 *lock) { __atomic_store_n(lock, 0u, __ATOMIC_RELEASE); }
/* Do other threads access this memory, whose lines are then locked? And which of
 * Shared.line_locks. */
static inline int locks_lines(const Launch *l, const Memory *m) {
  return l->shared->threads > 1 && m->space == SPACE_GLOBAL;
}
static inline u64 line_lock(const Memory *m, u64 line) { return (line ^ (u64)m->seed * 7) % 1024; }
/* CTAs on other threads may set bits of the same word. */
static inline void set_word(u64 *word, u64 bits, int locks) {
  if (!(bits & ~*word)) return;
  if (locks && ~bits) __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
  else *word |= bits;
}

static inline u32 stamp_member(u64 stamp) { return (u32)(stamp >> MEMBER_SHIFT) & MEMBER_MASK; }
static inline u32 stamp_agent(u64 stamp) { return (u32)(stamp >> AGENT_SHIFT) & 7; }
static inline u64 stamp_group(u64 stamp) { return stamp >> GROUP_SHIFT & GROUP_MASK; }
static inline u64 stamp_scope(u64 stamp) { return stamp >> SCOPE_SHIFT & 3; }
/* The scope within which an access of a kind is atomic, as a stamp has it. */
static inline u64 scope_of(u32 kind) {
  if (!(kind & (ACCESS_ATOMIC | ACCESS_RELAXED))) return 0;
  return kind & ACCESS_NARROW ? 1 : kind & ACCESS_CLUSTER ? 2 : 3;
}
static inline u64 stamp_of(const Wave *w, u32 agent, u64 sequence) {
  return sequence | (u64)w->member << MEMBER_SHIFT |
         (w->group->number - w->launch->first_group) << GROUP_SHIFT | (u64)agent << AGENT_SHIFT;
}
/* The number of an engine's operation, by its stamp, as that of completions has it: ~0 for never
 * so far. */
static inline u64 over_with(const Group *g, u64 stamp) {
  u64 sequence = stamp & SEQUENCE_MASK;
  const Wave *w = g->members[stamp_member(stamp)];
  for (u32 i = 0; i < w->run_count; i++)
    if (sequence >= w->runs[i].first && sequence <= w->runs[i].last)
      return w->runs[i].over ? w->runs[i].over : ~0ull;
  return sequence;
}
/* A link's node, and the bytes that each of its records stands for; 0: it is a set of stamps. */
static inline void *node_of(u64 link) { return (void *)(link & ~(LINK_BIT | 63)); }
static inline u64 link_to(void *node, u64 bytes) { return (u64)node | LINK_BIT | bytes; }
static inline u64 record_bytes(const Line *r) { return r->write & 63; }
static inline int is_split(const Line *r) { return r->write & LINK_BIT && record_bytes(r); }
/* A set of stamps, each in the place of its member or, where that is taken, in that of a set
 * further on; in global memory there is one set alone, in which any place will do. */
#define SET_STAMPS 15
#define OBSERVER_BIT LINK_BIT /* of a stamp in a set: stamps.c */
typedef struct Set { u64 next, stamps[SET_STAMPS]; } Set;
static inline u32 place_in_set(u64 stamp) { return stamp_member(stamp) % SET_STAMPS; }
/* Are all earlier accesses the wave's own, which are in program order? */
static inline int own(u64 earlier, u64 stamp) {
  return !earlier || (!((earlier ^ stamp) >> MEMBER_SHIFT) && stamp_agent(stamp) <= AGENT_SHARED);
}
static inline u32 lowest(u64 bits) { return (u32)__builtin_ctzll(bits); }
#endif
