/* Order of plain accesses: those of a wave itself that are not atomic. Their rules stand here,
 * where the fast path (quick.h) and the memory model both take them from; it knows the rules of all
 * others (memory_model/happens_before.c, stamps.c). */
#ifndef LANEMAP_ORDER_H
#define LANEMAP_ORDER_H
#include "memory_model.h"

/* What a wave knows of the accesses of its own group. */
INLINE Order known_order(const Wave *w, u64 stamp) {
  u32 shared = stamp_agent(stamp) == AGENT_SHARED;
  int copies = shared && w->group->clocks == ASYNC_CLOCKS;
  return (Order){stamp, clock_of(w->group, w->member, shared ? CLOCK_SHARED : CLOCK_GLOBAL),
                 copies ? clock_of(w->group, w->member, CLOCK_COPY) : 0};
}

/* The same for an access of a memory; `known` is null if it is not a plain one, or where single
 * lanes may have released what it meets (lane_order.c). */
INLINE Order plain_order(const Access *a, const Memory *m) {
  u64 stamp = a->stamps[m->space == SPACE_SHARED];
  if (a->kind & ~(u32)(ACCESS_LOAD | ACCESS_STORE | ACCESS_DEFINED) ||
      stamp_agent(stamp) > AGENT_SHARED || (m->owner && a->w->group->unreleased))
    return (Order){stamp, 0, 0};
  return known_order(a->w, stamp);
}

/* Is the access ordered after an earlier one of its group, of waves or a copy that these wait for?
 * A wave's own accesses are in program order. */
INLINE int ordered(const Order *o, u64 earlier) {
  u64 differ = earlier ^ o->stamp;
  if (!(differ >> MEMBER_SHIFT) || !earlier) return 1;
  const u64 *known = o->known;
  if (differ >> GROUP_SHIFT) {
    if (differ >> GROUP_SHIFT != (u64)(AGENT_SHARED ^ AGENT_COPY) << (AGENT_SHIFT - GROUP_SHIFT))
      return 0;
    known = o->copied;
  }
  return known && (earlier & SEQUENCE_MASK) <= known[stamp_member(earlier)];
}

/* The `*count` records of `size` bytes from byte `from` of a line on; null if the line is not split
 * that far. */
INLINE Line *records_at(Line *r, u64 from, u64 size, u64 *count) {
  *count = 1;
  if (size == LINE_BYTES && !(r->write & LINK_BIT)) return r;
  if (!is_split(r)) return 0;
  u64 each = record_bytes(r);
  r = (Line *)node_of(r->write);
  if (each == 16) {
    *count = size / 16;
    return (from | size) % 16 ? 0 : r + from / 16;
  }
  *count = size / 4;
  if (!((from | size) % 4)) return r + from / 4;
  r += from / 4;
  *count = size;
  return from % 4 + size > 4 || !is_split(r) ? 0 : (Line *)node_of(r->write) + from % 4;
}

/* Note a plain load in a record. 0: nothing is done, since the rules are not those of plain
 * accesses, or it is in no order after the last write. */
INLINE int note_load(const Order *o, const Access *a, Memory *m, Line *r) {
  if (!ordered(o, r->write)) return 0;
  if (ordered(o, r->read)) {
    r->read = o->stamp;
    return 1;
  }
  u64 *place = r->read & LINK_BIT ? &stamps_of(r->read)[place_in_set(r->read, o->stamp)] : 0;
  if (place && (!*place || !((*place ^ o->stamp) >> MEMBER_SHIFT))) *place = o->stamp;
  else add_reader(a, m, r);
  return 1;
}

/* May a plain store write what a record stands for? `same`: it writes what is there already, which
 * has no new writer, and its readers may still meet another store. */
INLINE int may_store(const Order *o, const Access *a, Memory *m, const Line *r, int same) {
  if (!ordered(o, r->write)) return 0;
  return same || ordered(o, r->read) || (r->read & LINK_BIT && after_readers(a, m, r));
}

/* Note a plain store that may. */
INLINE void note_store(const Order *o, const Access *a, Memory *m, Line *r) {
  if (r->read & LINK_BIT) drop_readers(a, m, r);
  *r = (Line){o->stamp, 0};
}
#endif
