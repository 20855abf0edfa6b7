/* The only path to memory. Every access passes its ranges to `access`, which checks bounds,
 * alignment, read-only memory, definedness and order, keeps what undoes it, and moves the bytes. */
#ifndef LANEMAP_ACCESS_H
#define LANEMAP_ACCESS_H
#include "pages.h"
#include "stamp.h"

/* LOAD of what is there, STORE, both for ATOMIC. RELAXED: it may race with atomic ones. NARROW:
 * it is atomic within its CTA alone; CLUSTER: within its cluster alone. ACQUIRE_ON_READ: who loads
 * what a flag carries acquires it at once. OBJECT: it is an object's own. DIRECT: an asynchronous
 * access to which nothing need be handed over. COPY: a store to shared memory that a wait for
 * its counter completes, even for the wave. NO_RESULT: nobody gets what an atomic access loads, so
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
  ACCESS_ACQUIRE_ON_READ = 256,
  ACCESS_DIRECT = 512,
  ACCESS_COPY = 1024,
  ACCESS_NO_RESULT = 2048,
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

/* Records that an access of many ranges met, and what it left there: records of tiles are mostly
 * alike, or have a few writers in turns, and what an access makes of one follows from it and from
 * the access alone. In fast code only, where every conflict stops the launch. `last`: the one that
 * was met last. `writers`, of a plain load: writes that it is ordered after, each in the place of
 * its member. Then it is ordered after all earlier ones of that member and agent, and of records
 * only who read them counts. */
enum { MOST_ALIKE = 4, MOST_WRITERS = 16 };
typedef struct Alike {
  Line met[MOST_ALIKE], left[MOST_ALIKE];
  u64 writers[MOST_WRITERS];
  u32 known, last;
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
/* Read a range of a memory without moving bytes, where it is like the one before; 0: that is not
 * whole, and `exchange_at` must look. */
int read_again(const Access *a, Memory *m, u64 offset, u64 size);
/* Only the order of an access: of an object, whose contents lie elsewhere. */
void order_only(const Access *a, u32 lane, Memory *m, u64 offset, u64 size);
/* Of bytes of memory whose page is ready, in precise code: they were not stored, but come from
 * somewhere. */
void set_undefined(Memory *m, u64 at, u8 undefined, u32 origin);
void use_bits(Memory *m, u64 page);
/* The bytes hold nothing any more. */
void undefine(const Access *a, u32 lane, Memory *m, u64 offset, u64 size);
void out_of_bounds(const Access *a, u32 lane, u64 address, u64 size);
void misaligned(const Access *a, u32 lane, u64 address, u64 size);

/* The scope within which an access of a kind is atomic, as a stamp has it. */
static inline u64 scope_of(u32 kind) {
  if (!(kind & (ACCESS_ATOMIC | ACCESS_RELAXED))) return 0;
  return kind & ACCESS_NARROW ? 1 : kind & ACCESS_CLUSTER ? 2 : 3;
}
/* Does an access of a memory carry what its wave released to who reads it (releases.c)? */
static inline int carries(const Access *a, const Memory *m) {
  return m->space == SPACE_GLOBAL && (a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ||
                                      (a->kind & ACCESS_STORE && a->w->launch->front_end.meets));
}
/* Private memory has the words of all lanes side by side, so that lanes which access the same
 * address access one range. */
static inline u64 private_place(const Wave *w, u32 lane, u64 address) {
  return (address / 4 * w->launch->lanes + lane) * 4 + address % 4;
}
#endif
