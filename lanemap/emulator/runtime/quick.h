/* The fast path of an access: pages that are ready, defined bytes, and records in place, where all
 * earlier accesses are ordered before this one. In any other case 0, and `access` does it all. What
 * is checked stands in bits.h, order.h and pages.h, where `access` takes it from, too: here it is
 * compiled for one size, and for all lanes' accesses of one memory. */
#ifndef LANEMAP_QUICK_H
#define LANEMAP_QUICK_H
#include "bits.h"
#include "order.h"

/* Accesses of one memory. The memory is copied, since the lanes' stores could change whatever lies
 * elsewhere. */
typedef struct Quick {
  const Access *a;
  Memory *memory, m;
  u64 base; /* the address of its first byte, as the lanes name it */
  Order order;
  u64 *changes;
  u32 *locks; /* of lines, where other threads access the memory; else null */
} Quick;

/* May this kind of access take the fast path? */
static inline int may_be_quick(const Access *a) {
  return (a->kind == ACCESS_LOAD || a->kind == (ACCESS_STORE | ACCESS_DEFINED)) &&
         !a->w->launch->precise && a->space != SPACE_PRIVATE;
}

/* The memory that holds bytes; 0 where `access` must look. */
INLINE int quick_memory(Quick *q, const Access *a, u64 address, u32 size) {
  u64 offset;
  Wave *w = a->w;
  Memory *m = memory_at(w, a->space, address, size, &offset);
  if (!m || !m->lines || (m->owner && m->owner != w->cta) ||
      (a->kind & ACCESS_STORE && m->read_only) || carries(a, m))
    return 0;
  *q = (Quick){.a = a,
               .memory = m,
               .m = *m,
               .base = address - offset,
               .order = plain_order(a, m),
               .changes = &w->launch->changes,
               .locks = locks_lines(w->launch, m) ? w->launch->shared->line_locks : 0};
  return q->order.known != 0;
}

/* The state of a page that is ready, else 0. Where other threads touch pages beside it, the worker
 * remembers those that it has seen. A page of global memory stays ready for the launch. */
INLINE u64 quick_page(const Quick *q, u64 page, int writes) {
  const u32 *place = &q->m.pages[page];
  if (!q->locks) return page_ready(&q->m, page, writes) ? *place : 0;
  Ready *r = &q->a->w->launch->ready[page % READY_PAGES];
  if (r->page != place || (writes && !(r->state & PAGE_SAVED)))
    *r = (Ready){place, __atomic_load_n(place, __ATOMIC_ACQUIRE)};
  return ready_state((u32)r->state, q->m.tag, writes) ? r->state : 0;
}

/* Do the bytes lie in the memory, on one page that is ready, outside of objects? The page's state,
 * or 0. */
INLINE u64 quick_place(const Quick *q, u64 offset, u64 size, int writes) {
  u64 page = offset >> PAGE_SHIFT;
  if (offset > q->m.size - size || page != (offset + size - 1) >> PAGE_SHIFT) return 0;
  return meets_object(&q->m, offset, size) ? 0 : quick_page(q, page, writes);
}

INLINE u32 *quick_lock(const Quick *q, u64 offset) {
  return q->locks ? &q->locks[line_lock(q->memory, offset / LINE_BYTES)] : 0;
}

/* Order the access of `size` bytes of one line, which is locked. `same`: a store of what is there.
 */
INLINE int quick_line(const Quick *q, u64 offset, u64 size, int writes, int same) {
  u64 count, done = 0;
  Line *r = records_at(&q->m.lines[offset / LINE_BYTES], offset % LINE_BYTES, size, &count);
  if (r && !writes)
    while (done < count && note_load(&q->order, q->a, q->memory, &r[done])) done++;
  if (r && writes)
    while (done < count && may_store(&q->order, q->a, q->memory, &r[done], same)) done++;
  if (!r || done < count) return 0;
  for (u64 i = 0; writes && !same && i < count; i++) note_store(&q->order, q->a, q->memory, &r[i]);
  return 1;
}

/* Order one lane's access, which lies in one line. */
INLINE int quick_lane(const Quick *q, u64 offset, u64 size, int writes, int same) {
  u32 *lock = quick_lock(q, offset);
  if (lock) take_lock(lock);
  int done = quick_line(q, offset, size, writes, same);
  if (lock) give_lock(lock);
  return done;
}

/* Order an access of any bytes of a page. */
INLINE int quick_lines(const Quick *q, u64 offset, u64 size, int writes, int same) {
  u32 *held = 0;
  int done = 1;
  for (u64 at = offset, end = offset + size, next; done && at < end; at = next) {
    next = (at / LINE_BYTES + 1) * LINE_BYTES;
    if (next > end) next = end;
    u32 *lock = quick_lock(q, at);
    if (lock != held) {
      if (held) give_lock(held);
      take_lock(lock);
      held = lock;
    }
    /* a store to a whole line makes its records one */
    int joins = writes && next - at == LINE_BYTES && q->m.lines[at / LINE_BYTES].write & LINK_BIT;
    done = !joins && quick_line(q, at, next - at, writes, same);
  }
  if (held) give_lock(held);
  return done;
}

/* Does the access lie aligned? `lane`: it is one lane's, and lies in one line. */
INLINE int quick_aligned(const Quick *q, u64 address, u64 size, int lane) {
  return !(address & ((q->a->align - 1) | (lane ? size - 1 : 0)));
}

/* Scattered lanes of a memory that exceeds the caches wait for its records, one after the other. So
 * fetch those of all lanes first, step by step: line, record, set of readers. A page that is not
 * ready has records of an earlier launch, whose nodes are gone. */
#define FAR_BYTES (1 << 18)
static void fetch_records(const Quick *q, const u64 *address, u64 lanes) {
  const Line *at[MAX_LANES];
  u64 ready = 0;
  for (u64 left = lanes; left; left &= left - 1) {
    u64 lane = lowest(left), offset = address[lane] - q->base;
    if (offset >= q->m.size || !page_ready(&q->m, offset >> PAGE_SHIFT, 0)) continue;
    ready |= 1ull << lane;
    at[lane] = &q->m.lines[offset / LINE_BYTES];
    __builtin_prefetch(at[lane]);
    __builtin_prefetch(q->m.data + offset);
  }
  for (u64 left = ready; left; left &= left - 1) {
    u64 lane = lowest(left), from = (address[lane] - q->base) % LINE_BYTES;
    if (!is_split(at[lane])) continue;
    u64 each = record_bytes(at[lane]) == 16 ? 16 : 4;
    at[lane] = (const Line *)node_of(at[lane]->write) + from / each;
    __builtin_prefetch(at[lane]);
  }
  for (u64 left = ready; left; left &= left - 1) {
    u64 lane = lowest(left), readers = at[lane]->read;
    if (readers & LINK_BIT)
      __builtin_prefetch(&stamps_of(readers)[place_in_set(readers, q->order.stamp)]);
  }
}

/* Check a load, and order it: where its bytes are; null where `access` must look. */
INLINE const u8 *quick_load(const Quick *q, u64 address, u64 size, int lane) {
  u64 offset = address - q->base;
  if (!quick_aligned(q, address, size, lane)) return 0;
  if (lane) offset &= ~(size - 1); /* which it is: the compiler learns that */
  u64 state = quick_place(q, offset, size, 0);
  if (!state || !(state & PAGE_DEFINED || defined_at(&q->m, offset, size))) return 0;
  return (lane ? quick_lane : quick_lines)(q, offset, size, 0, 0) ? q->m.data + offset : 0;
}

INLINE int quick_store(const Quick *q, u64 address, u64 size, int lane, const u8 *from) {
  u64 offset = address - q->base;
  if (!quick_aligned(q, address, size, lane)) return 0;
  if (lane) offset &= ~(size - 1);
  u64 state = quick_place(q, offset, size, 1);
  if (!state) return 0;
  int same = same_contents(q->m.data + offset, from, size) &&
             (state & PAGE_DEFINED || defined_at(&q->m, offset, size));
  if (!same || q->locks)
    if (!(lane ? quick_lane : quick_lines)(q, offset, size, 1, same)) return 0;
  if (same) return 1;
  copy_bytes(q->m.data + offset, from, size);
  if (!(state & PAGE_DEFINED)) define_at(&q->m, offset, size, q->locks != 0);
  ++*q->changes;
  return 1;
}
#endif
