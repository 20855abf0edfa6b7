/* Happens-before: an access that is not ordered after the one it depends on is a hazard,
 * whatever the schedule was. Every line of memory has one record of its last accesses, which is
 * split into records of 16 or of 4 bytes, and those of 4 into single bytes, only where accesses
 * differ.
 *
 * A record's `write` is the last write, or a set of atomic ones that nothing orders; `read` the
 * last read since, or a set of unordered ones. Sets and the records of a split lie in nodes. */
#include "stamps.h"
#include "conflicts.h"
#include "happens_before.h"
#include "lane_order.h"
#include "memory_model.h"
#include "nodes.h"
#include "order.h"
#include "sets.h"

/* -- nodes ------------------------------------------------------------------------------------- */

/* The kind of node that has the records of `bytes` bytes, `each` for so many. */
static u32 node_kind(u64 bytes, u64 each) {
  return bytes < LINE_BYTES ? NODE_BYTES : each == 4 ? NODE_WORDS : NODE_SET;
}
_Static_assert(LINE_BYTES / 16 * sizeof(Line) == sizeof(Set), "a node holds either");

static Touch touching(const Access *a, Memory *m) {
  return (Touch){.a = a, .m = m, .stamp = a->stamps[m->space == SPACE_SHARED]};
}

void add_reader(const Access *a, Memory *m, Line *r) {
  Touch t = touching(a, m);
  note_read(&t, &r->read, t.stamp);
}

int after_readers(const Access *a, Memory *m, const Line *r) {
  Touch t = touching(a, m);
  return !unordered(&t, r->read, 1);
}

void drop_readers(const Access *a, Memory *m, Line *r) {
  Touch t = touching(a, m);
  drop_set(&t, r->read);
  r->read = 0;
}

/* -- records ----------------------------------------------------------------------------------- */

static void read_record(Touch *t, Line *r, u64 at, u64 bytes) {
  if (t->order.known && note_load(&t->order, t->a, t->m, r)) return;
  u64 stamp = t->stamp | scope_of(t->a->kind) << SCOPE_SHIFT;
  if (!own(r->write, t->stamp)) {
    u64 earlier = unordered_write(t, r);
    if (earlier) conflict(t, at, bytes, earlier, ACCESS_STORE);
    if (t->bad) return;
    if (!earlier && (observes(t, r->write) || after_observer(t, r->read))) stamp |= OBSERVER_BIT;
  }
  if (t->a->kind & ACCESS_OBJECT) return;
  if (stamp == t->stamp && own(r->read, t->stamp)) r->read = t->stamp;
  else note_read(t, &r->read, stamp);
}

static void write_record(Touch *t, Line *r, u64 at, u64 bytes) {
  u64 scope = scope_of(t->a->kind);
  if (t->order.known && !t->again && may_store(&t->order, t->a, t->m, r, (int)t->same)) {
    if (!t->same) note_store(&t->order, t->a, t->m, r);
    return;
  }
  if (t->same) {
    if (r->write && t->a->w->launch->shared->threads > 1 && unordered(t, r->write, 0))
      t->a->w->stop = STOP_IMPRECISE; /* which came first depends on the threads */
    return;
  }
  if (!t->again && (!own(r->write, t->stamp) || !own(r->read, t->stamp))) {
    u64 earlier = unordered_write(t, r);
    if (earlier) conflict(t, at, bytes, earlier, ACCESS_STORE);
    earlier = unordered(t, r->read, 1);
    if (earlier) conflict(t, at, bytes, earlier, ACCESS_LOAD);
    if (t->bad) return;
  }
  if (scope) {
    int observed = observes(t, r->write);
    drop_covered(t, &r->read);
    note_write(t, &r->write, t->stamp | scope << SCOPE_SHIFT, observed);
    return;
  }
  drop_set(t, r->read);
  r->read = 0;
  drop_set(t, r->write);
  r->write = t->stamp;
}

/* Does the access leave a stamp? */
static int records(const Touch *t) {
  return t->a->kind & ACCESS_STORE || !(t->a->kind & ACCESS_OBJECT);
}

/* Replace one record by `count` records with the same contents. */
static void repeat(const Touch *t, Line *records, u32 count, Line whole) {
  for (u32 i = 0; i < count; i++) records[i] = whole;
  if (!((whole.write | whole.read) & LINK_BIT)) return;
  for (u32 i = 1; i < count; i++) copy_set(t, &records[i].write), copy_set(t, &records[i].read);
}

/* Split the record of `bytes` bytes into records of `each`. */
static int split(const Touch *t, Line *r, u64 bytes, u64 each) {
  Line *children = new_node(t, node_kind(bytes, each));
  if ((void *)children == nowhere) return 0;
  repeat(t, children, (u32)(bytes / each), *r);
  *r = (Line){link_to(children, each), 0};
  return 1;
}

/* Let a line's records of 16 bytes be records of 4. */
static int refine(const Touch *t, Line *r) {
  Line *coarse = node_of(r->write), *fine = new_node(t, NODE_WORDS);
  if ((void *)fine == nowhere) return 0;
  for (u32 i = 0; i < LINE_BYTES / 16; i++) repeat(t, fine + 4 * i, 4, coarse[i]);
  free_node(t, coarse, NODE_SET);
  r->write = link_to(fine, 4);
  return 1;
}

static void drop_children(const Touch *t, Line *r, u64 bytes) {
  Line *children = node_of(r->write);
  u64 each = record_bytes(r);
  for (u64 i = 0; i < bytes / each; i++) {
    if (is_split(&children[i])) drop_children(t, &children[i], each);
    else drop_set(t, children[i].write), drop_set(t, children[i].read);
  }
  free_node(t, children, node_kind(bytes, each));
}

/* Make the records of `bytes` bytes small enough for a part of them; 0: their one record will
 * do, or no memory is left. */
static int divide(const Touch *t, Line *r, u64 at, u64 bytes) {
  u64 from = t->from > at ? t->from : at, to = t->to < at + bytes ? t->to : at + bytes;
  u64 each = bytes < LINE_BYTES ? 1 : (from | to) % 16 ? 4 : 16;
  if (!is_split(r)) return to - from < bytes && records(t) && split(t, r, bytes, each);
  return record_bytes(r) <= each || !records(t) || refine(t, r);
}

static inline int is_alike(const Line *a, const Line *b) {
  return a->write == b->write && a->read == b->read;
}

/* Is a plain load ordered after a write, as after a later one of the same member and agent? */
static inline int after_writer(const Alike *a, u64 write) {
  u64 known = a->writers[stamp_member(write) % MOST_WRITERS];
  return !write || (!((write ^ known) >> MEMBER_SHIFT) && write <= known);
}

/* Is the record like one that the access met? Then it leaves the same there. */
static inline int leave_alike(const Access *access, Line *r) {
  Alike *a = access->alike;
  if (!a || !a->known) return 0;
  Line now = *r;
  u64 write = now.write;
  if (access->kind == ACCESS_LOAD) {
    if (!after_writer(a, write)) return 0;
    now.write = 0;
  }
  for (u32 i = 0; i < a->known && !is_alike(&now, &a->met[a->last]); i++) a->last = i;
  if (!is_alike(&now, &a->met[a->last])) return 0;
  *r = a->left[a->last];
  if (access->kind == ACCESS_LOAD) r->write = write;
  return 1;
}

static void note_alike(const Touch *t, Line met, Line left) {
  Alike *a = t->a->alike;
  if (t->a->kind == ACCESS_LOAD) {
    u64 latest = met.write ? latest_before(t, met.write) : 0;
    if (met.write && !latest) return;
    if (latest) a->writers[stamp_member(latest) % MOST_WRITERS] = latest;
    met.write = left.write = 0;
    for (u32 i = 0; i < a->known; i++)
      if (is_alike(&met, &a->met[i])) return;
  }
  a->last = a->known < MOST_ALIKE ? a->known++ : (a->last + 1) % MOST_ALIKE;
  a->met[a->last] = met;
  a->left[a->last] = left;
}

static void touch_whole(Touch *t, Line *r, u64 at, u64 bytes) {
  if (leave_alike(t->a, r)) return;
  Line met = *r;
  if (t->a->kind & ACCESS_STORE) write_record(t, r, at, bytes);
  else read_record(t, r, at, bytes);
  if (t->a->alike && !t->a->w->launch->precise &&
      !((met.write | met.read | r->write | r->read) & LINK_BIT))
    note_alike(t, met, *r);
}

static void touch_record(Touch *t, Line *r, u64 at, u64 bytes) {
  if (!divide(t, r, at, bytes)) {
    if (!is_split(r) && t->a->w->stop != STOP_MEMORY) touch_whole(t, r, at, bytes);
    return;
  }
  Line *children = node_of(r->write);
  u64 each = record_bytes(r), from = t->from > at ? t->from : at;
  for (u64 i = (from - at) >> lowest(each); i * each < bytes && at + i * each < t->to && !t->bad;
       i++)
    touch_record(t, &children[i], at + i * each, each);
  /* a plain write of all makes them alike */
  if (t->from > at || t->to < at + bytes || !(t->a->kind & ACCESS_STORE) || t->same || t->bad ||
      t->a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED))
    return;
  drop_children(t, r, bytes);
  *r = (Line){t->stamp, 0};
}

void touch(Touch *t) {
  Shared *shared = t->a->w->launch->shared;
  int locks = locks_lines(t->a->w->launch, t->m);
  if (t->a->w->group->unreleased && t->m->owner) meet_unreleased(t);
  t->order = plain_order(t->a, t->m);
  u64 first = t->from / LINE_BYTES, last = (t->to - 1) / LINE_BYTES;
  if (t->a->w->launch->races && race_known(t)) {
    t->race = race_known(t);
    t->bad = t->quiet;
    if (t->bad) return;
  }
  for (u64 i = first; i <= last; i++) {
    int whole = i * LINE_BYTES >= t->from && (i + 1) * LINE_BYTES <= t->to;
    if (whole && !locks && leave_alike(t->a, &t->m->lines[i])) continue;
    u32 *lock = &shared->line_locks[line_lock(t->m, i)];
    if (locks) take_lock(lock);
    if (!t->bad) touch_record(t, &t->m->lines[i], i * LINE_BYTES, LINE_BYTES);
    if (locks) give_lock(lock);
  }
}

int touch_again(const Access *a, Memory *m, u64 from, u64 to) {
  Line *r = &m->lines[from / LINE_BYTES];
  if (!a->alike || !a->alike->known) return 0;
  if (!is_split(r)) {
    Touch t = touching(a, m);
    Line kept = *r;
    if ((from | to) % 16 || !leave_alike(a, r)) return 0;
    if (to - from == LINE_BYTES) return 1;
    *r = kept;
    if (!split(&t, r, LINE_BYTES, 16)) return 0;
  }
  u64 each = record_bytes(r); /* 1, 4 or 16 */
  if ((from | to) & (each - 1)) return 0;
  Line *first = (Line *)node_of(r->write) + (from % LINE_BYTES >> lowest(each));
  for (Line *end = first + ((to - from) >> lowest(each)); first < end; first++)
    if (!leave_alike(a, first)) return 0;
  return 1;
}

/* An access takes the place of a reader in a record. */
static void stand_in(Line *r, u64 bytes, u64 reader, u64 stamp) {
  if (is_split(r)) {
    Line *children = node_of(r->write);
    u64 each = record_bytes(r);
    for (u64 i = 0; i < bytes / each; i++) stand_in(&children[i], each, reader, stamp);
    return;
  }
  if (r->read == reader) r->read = stamp;
  for (u64 f = r->read; f & LINK_BIT; f = next_set(f))
    for (u32 i = 0; i < stamps_in(f); i++)
      if (stamps_of(f)[i] == reader) stamps_of(f)[i] = stamp;
}

void stand_for_reader(const Access *a, Memory *m, u64 from, u64 to, u64 reader) {
  const Launch *l = a->w->launch;
  int locks = locks_lines(l, m);
  for (u64 i = from / LINE_BYTES; i <= (to - 1) / LINE_BYTES; i++) {
    u32 *lock = &l->shared->line_locks[line_lock(m, i)];
    if (locks) take_lock(lock);
    stand_in(&m->lines[i], LINE_BYTES, reader, a->stamps[m->space == SPACE_SHARED]);
    if (locks) give_lock(lock);
  }
}

/* The first stamp in bytes from .. to - 1 that `wanted` accepts, and where; 0 for none. */
static u64 find_in(Line *r, u64 at, u64 bytes, u64 from, u64 to, u32 fields, Wanted wanted,
                   const Wave *w, u64 *place) {
  if (at >= to || at + bytes <= from) return 0;
  if (is_split(r)) {
    Line *children = node_of(r->write);
    u64 each = record_bytes(r), found = 0;
    for (u64 i = 0; i < bytes / each && !found; i++)
      found = find_in(&children[i], at + i * each, each, from, to, fields, wanted, w, place);
    return found;
  }
  *place = at > from ? at : from;
  const u64 field[2] = {r->write, r->read};
  for (u32 i = 0; i < fields; i++) {
    if (field[i] && !(field[i] & LINK_BIT) && wanted(w, field[i])) return field[i];
    for (u64 f = field[i]; f & LINK_BIT; f = next_set(f))
      for (u32 j = 0; j < stamps_in(f); j++) {
        u64 stamp = stamps_of(f)[j];
        if (stamp && wanted(w, stamp)) return stamp;
      }
  }
  return 0;
}

static u64 find(const Wave *w, Memory *m, u64 from, u64 to, u32 fields, Wanted wanted, u64 *place) {
  for (u64 i = from / LINE_BYTES; i <= (to - 1) / LINE_BYTES; i++) {
    if (m->pages[i * LINE_BYTES >> PAGE_SHIFT] >> PAGE_TAG_SHIFT != m->tag) continue;
    u64 found =
        find_in(&m->lines[i], i * LINE_BYTES, LINE_BYTES, from, to, fields, wanted, w, place);
    if (found) return found;
  }
  return 0;
}

u64 find_stamp(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place) {
  return find(w, m, from, to, 2, wanted, place);
}

u64 find_write(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place) {
  return find(w, m, from, to, 1, wanted, place);
}
