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

/* Do the bytes lie in the memory, on a page that is ready, outside of objects? */
INLINE int quick_place(const Quick *q, u64 offset, u64 size, int writes) {
  u64 page = offset >> PAGE_SHIFT;
  return offset <= q->m.size - size && page == (offset + size - 1) >> PAGE_SHIFT &&
         page_ready(&q->m, page, writes) && !meets_object(&q->m, offset, size);
}

/* Order the access of `size` bytes of one line. `same`: a store of what is there. */
INLINE int quick_line(const Quick *q, u64 offset, u64 size, int writes, int same) {
  u64 count, done = 0, line = offset / LINE_BYTES;
  u32 *lock = q->locks ? &q->locks[line_lock(q->memory, line)] : 0;
  if (lock) take_lock(lock);
  Line *r = records_at(&q->m.lines[line], offset % LINE_BYTES, size, &count);
  if (r && !writes)
    while (done < count && note_load(&q->order, q->a, q->memory, &r[done])) done++;
  if (r && writes)
    while (done < count && may_store(&q->order, q->a, q->memory, &r[done], same)) done++;
  int all = r && done == count;
  for (u64 i = 0; all && writes && !same && i < count; i++)
    note_store(&q->order, q->a, q->memory, &r[i]);
  if (lock) give_lock(lock);
  return all;
}

/* The same of any bytes. */
INLINE int quick_lines(const Quick *q, u64 offset, u64 size, int writes, int same) {
  for (u64 at = offset, end = offset + size, next; at < end; at = next) {
    next = (at / LINE_BYTES + 1) * LINE_BYTES;
    if (next > end) next = end;
    /* a store to a whole line makes its records one */
    if (writes && next - at == LINE_BYTES && q->m.lines[at / LINE_BYTES].write & LINK_BIT) return 0;
    if (!quick_line(q, at, next - at, writes, same)) return 0;
  }
  return 1;
}

/* Does the access lie aligned? `lane`: it is one lane's, and lies in one line. */
INLINE int quick_aligned(const Quick *q, u64 address, u64 size, int lane) {
  return !(address & ((q->a->align - 1) | (lane ? size - 1 : 0)));
}

INLINE int quick_load(const Quick *q, u64 address, u64 size, int lane, u8 *to) {
  u64 offset = address - q->base;
  if (!quick_aligned(q, address, size, lane)) return 0;
  if (lane) offset &= ~(size - 1); /* which it is: the compiler learns that */
  if (!quick_place(q, offset, size, 0) || !defined_at(&q->m, offset, size)) return 0;
  if (!(lane ? quick_line : quick_lines)(q, offset, size, 0, 0)) return 0;
  copy_bytes(to, q->m.data + offset, size);
  return 1;
}

INLINE int quick_store(const Quick *q, u64 address, u64 size, int lane, const u8 *from) {
  u64 offset = address - q->base;
  if (!quick_aligned(q, address, size, lane)) return 0;
  if (lane) offset &= ~(size - 1);
  if (!quick_place(q, offset, size, 1)) return 0;
  int same = same_contents(q->m.data + offset, from, size) && defined_at(&q->m, offset, size);
  if (!same || q->locks)
    if (!(lane ? quick_line : quick_lines)(q, offset, size, 1, same)) return 0;
  if (same) return 1;
  copy_bytes(q->m.data + offset, from, size);
  define_at(&q->m, offset, size, q->locks != 0);
  ++*q->changes;
  return 1;
}
#endif
