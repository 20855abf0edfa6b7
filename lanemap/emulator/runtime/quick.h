/* The fast path for nearly all accesses: aligned bytes on pages that are prepared and defined,
 * with records in place, where all earlier accesses happen before this one. In any other case
 * nothing is done, and `access` takes over. */
#ifndef LANEMAP_QUICK_H
#define LANEMAP_QUICK_H
#include "access.h"
#include "memory_model.h"

#define INLINE static inline __attribute__((always_inline))

/* An access in one memory, for all its lanes: addresses from `base` on. What it needs of that
 * memory is copied, since the lanes' stores could change whatever lies elsewhere. */
typedef struct Quick {
  u64 base, last, stamp,
      unaligned;     /* last: offset; unaligned: bits of an address that must be zero */
  const u64 *known;  /* how far the wave knows each member to have got, */
  const u64 *copied; /* and its copies to shared memory; null where there are none */
  const u32 *pages;
  const u64 *objects;
  u64 *defined, *changes;
  Line *lines;
  u8 *data;
  u32 tag, place; /* place: of the wave's stamp in a set */
  u32 *locks;     /* of lines, where other threads access the memory; else null */
  const Access *a;
  Memory *m;
} Quick;

/* May this kind of access take the fast path? */
static inline int may_be_quick(const Access *a) {
  const Launch *l = a->w->launch;
  u32 kind = a->kind;
  return (kind == ACCESS_LOAD || kind == (ACCESS_STORE | ACCESS_DEFINED)) && !l->precise &&
         a->space != SPACE_PRIVATE;
}

/* The memory that holds a lane's bytes; 0 where `access` must look. */
static inline int quick_memory(Quick *q, const Access *a, u64 address, u32 size) {
  u64 offset;
  Wave *w = a->w;
  Memory *m = memory_at(w, a->space, address, size, &offset);
  if (!m || !m->lines || (m->owner && m->owner != w->cta) ||
      (a->kind & ACCESS_STORE && m->read_only))
    return 0;
  if (m->owner && w->group->unreleased) return 0; /* what single lanes released: lane_order.c */
  u32 shared = m->space == SPACE_SHARED;
  *q = (Quick){.base = address - offset,
               .last = m->size - size,
               .stamp = a->stamps[shared],
               .unaligned = (a->align - 1) | (size - 1),
               .pages = m->pages,
               .objects = m->objects,
               .known = clock_of(w->group, w->member, shared ? CLOCK_SHARED : CLOCK_GLOBAL),
               .copied = shared && w->group->clocks == ASYNC_CLOCKS
                             ? clock_of(w->group, w->member, CLOCK_COPY)
                             : 0,
               .defined = m->defined,
               .changes = &w->launch->changes,
               .lines = m->lines,
               .data = m->data,
               .tag = m->tag,
               .place = place_in_set(a->stamps[shared]),
               .locks = locks_lines(w->launch, m) ? w->launch->shared->line_locks : 0,
               .a = a,
               .m = m};
  return 1;
}

/* Whether the bytes lie aligned in the memory, on a page that is ready, outside of barrier
 * objects. */
INLINE int quick_place(const Quick *q, u64 address, u32 size, u32 writes, u32 *page) {
  u64 offset = address - q->base;
  if (offset > q->last || address & q->unaligned) return 0;
  *page = q->pages[offset >> PAGE_SHIFT];
  if (*page >> PAGE_TAG_SHIFT != q->tag || (writes && !(*page & PAGE_SAVED))) return 0;
  return !q->objects || !(q->objects[offset >> 9] >> (offset >> 3 & 63) & (size > 8 ? 3 : 1));
}

/* Whether the access with `stamp` is ordered after a field of a record that is not a set. */
INLINE int quick_after(const Quick *q, u64 earlier) {
  u64 differ = earlier ^ q->stamp;
  if (!(differ >> MEMBER_SHIFT) || !earlier) return 1;
  const u64 *known = q->known;
  if (differ >> GROUP_SHIFT) {
    if (differ >> GROUP_SHIFT != (u64)(AGENT_SHARED ^ AGENT_COPY) << (AGENT_SHIFT - GROUP_SHIFT))
      return 0;
    known = q->copied;
  }
  return known && (earlier & SEQUENCE_MASK) <= known[stamp_member(earlier)];
}

/* The `*count` records that cover `size` bytes; null if the line is not split that far. */
INLINE Line *quick_records(const Quick *q, u64 offset, u32 size, u32 *count) {
  const Line *r = &q->lines[offset / LINE_BYTES];
  u32 each = size == 16 && is_split(r) ? (u32)record_bytes(r) : 4;
  *count = size < 4 ? size : size / each;
  if ((r->write & (LINK_BIT | 63)) != (LINK_BIT | each)) return 0;
  r = (Line *)node_of(r->write) + offset % LINE_BYTES / each;
  if (size >= 4) return (Line *)r;
  if ((r->write & (LINK_BIT | 63)) != (LINK_BIT | 1)) return 0;
  return (Line *)node_of(r->write) + offset % 4;
}

/* Note the access as a read of a record that is not split. */
INLINE void quick_note(const Quick *q, Line *r) {
  if (quick_after(q, r->read)) {
    r->read = q->stamp;
    return;
  }
  u64 *own = r->read & LINK_BIT ? &((Set *)node_of(r->read))->stamps[q->place] : &r->read;
  if (r->read & LINK_BIT && !((*own ^ q->stamp) >> MEMBER_SHIFT)) *own = q->stamp;
  else add_reader(q->a, q->m, r);
}

/* Is a write ordered after the readers of a record that is not split? */
INLINE int quick_over(const Quick *q, const Line *r) {
  return quick_after(q, r->read) || (r->read & LINK_BIT && after_readers(q->a, q->m, r));
}

/* Lock a line where other threads may access it. */
INLINE u32 *quick_lock(const Quick *q, u64 offset) {
  if (!q->locks) return 0;
  u32 *lock = &q->locks[line_lock(q->m, offset / LINE_BYTES)];
  take_lock(lock);
  return lock;
}

INLINE int quick_unlock(u32 *lock, int done) {
  if (lock) give_lock(lock);
  return done;
}

INLINE int quick_order_load(const Quick *q, u64 offset, u32 size) {
  u32 count, *lock = quick_lock(q, offset);
  Line *r = quick_records(q, offset, size, &count);
  if (!r) return quick_unlock(lock, 0);
  for (u32 i = 0; i < count; i++)
    if (!quick_after(q, r[i].write)) return quick_unlock(lock, 0);
  for (u32 i = 0; i < count; i++) quick_note(q, &r[i]);
  return quick_unlock(lock, 1);
}

/* `same`: the store writes the value that is there. It gets no new writer, and readers are kept for
 * the next store. */
INLINE int quick_order_store(const Quick *q, u64 offset, u32 size, int same) {
  if (same && !q->locks) return 1;
  u32 count, *lock = quick_lock(q, offset);
  Line *r = quick_records(q, offset, size, &count);
  if (!r) return quick_unlock(lock, 0);
  for (u32 i = 0; i < count; i++)
    if (!quick_after(q, r[i].write) || !(same || quick_over(q, &r[i])))
      return quick_unlock(lock, 0);
  for (u32 i = 0; i < count && !same; i++) {
    if (r[i].read & LINK_BIT) drop_readers(q->a, q->m, &r[i]);
    r[i] = (Line){q->stamp, 0};
  }
  return quick_unlock(lock, 1);
}

/* `size`: 1, 2, 4, 8 or 16. The lane's words are `row[0]`, `row[stride]`, .. */
INLINE int quick_load(const Quick *q, u64 address, u32 size, u32 *row, u32 stride) {
  u64 offset = address - q->base, bits = (1ull << size) - 1;
  u32 page;
  if (!quick_place(q, address, size, 0, &page)) return 0;
  if (!(page & PAGE_DEFINED) && bits & ~(q->defined[offset >> 6] >> (offset & 63))) return 0;
  if (!quick_order_load(q, offset, size)) return 0;
  if (size < 4) *row = 0;
  for (u32 k = 0; k < size; k += 4)
    __builtin_memcpy(&row[k / 4 * stride], q->data + offset + k, size < 4 ? size : 4);
  return 1;
}

INLINE int quick_store(const Quick *q, u64 address, u32 size, const u32 *row, u32 stride) {
  u64 offset = address - q->base, bits = (1ull << size) - 1;
  u32 page, differ = 0;
  if (!quick_place(q, address, size, 1, &page)) return 0;
  u64 *defined = &q->defined[offset >> 6];
  u64 missing = page & PAGE_DEFINED ? 0 : bits << (offset & 63) & ~*defined;
  u8 *data = q->data + offset;
  for (u32 k = 0; k < size; k += 4) {
    u32 word = row[k / 4 * stride];
    __builtin_memcpy(&word, data + k, size < 4 ? size : 4);
    differ |= word ^ row[k / 4 * stride];
  }
  int same = !differ && !missing;
  if (!quick_order_store(q, offset, size, same)) return 0;
  if (same) return 1;
  for (u32 k = 0; k < size; k += 4)
    __builtin_memcpy(data + k, &row[k / 4 * stride], size < 4 ? size : 4);
  if (missing) set_word(defined, missing, q->locks != 0);
  ++*q->changes;
  return 1;
}
#endif
