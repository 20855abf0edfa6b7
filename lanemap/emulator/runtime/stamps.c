/* Happens-before: an access that is not ordered after the one that it depends on is a hazard, whatever
 * the schedule was. Every line of memory has one record of its last accesses, which is split into
 * records of 16, 4 and single bytes only where accesses differ.
 *
 * A record's `write` is the last write, or a set of atomic ones that nothing orders; `read` the last
 * read since, or a set of unordered ones. Sets and the records of a split lie in nodes. */
#include "access.h"

void *malloc(u64 size);
void free(void *memory);

#define LEVELS 4
static const u64 RECORD_BYTES[LEVELS] = {LINE_BYTES, 16, 4, 1};
#define SPLIT 1ull            /* in a link: the node holds records, not stamps */
#define NODE_BYTES 128
#define NODE_CHUNK (64 * 1024)
#define SET_STAMPS 15

/* A set of stamps: how many, then these; a full one goes on in `next`. */
typedef struct Set { u64 next, stamps[SET_STAMPS]; } Set;
_Static_assert(sizeof(Set) == NODE_BYTES && 8 * sizeof(Line) == NODE_BYTES, "a node holds either");

/* -- nodes ---------------------------------------------------------------------------------------- */

/* Where no memory is left, the launch stops; what is written meanwhile goes here. */
static u8 nowhere[NODE_BYTES] __attribute__((aligned(64)));

/* `small`: of half the size. */
static void *new_node(Wave *w, u32 small) {
  Pool *pool = &w->launch->pool;
  u64 bytes = small ? NODE_BYTES / 2 : NODE_BYTES;
  void *node = pool->free[small];
  if (node) {
    pool->free[small] = *(void **)node;
  } else {
    if (pool->left < bytes) {
      u8 *chunk = malloc(NODE_CHUNK);
      if (!chunk) {
        w->stop = STOP_MEMORY;
        return nowhere;
      }
      *(void **)chunk = pool->chunks;
      pool->chunks = chunk;
      u64 skip = 64 + (0 - (u64)chunk % 64) % 64;
      pool->next = chunk + skip;
      pool->left = NODE_CHUNK - skip;
    }
    node = pool->next;
    pool->next += bytes;
    pool->left -= bytes;
  }
  fill_bytes(node, 0, bytes);
  return node;
}

static void free_node(Wave *w, void *node, u32 small) {
  if (node == nowhere) return;
  *(void **)node = w->launch->pool.free[small];
  w->launch->pool.free[small] = node;
}

/* All nodes of a launch that has ended. */
void lm_free_nodes(Launch *l) {
  for (void *chunk = l->pool.chunks, *next; chunk; chunk = next) {
    next = *(void **)chunk;
    free(chunk);
  }
  l->pool = (Pool){0};
}

static void *node_of(u64 link) { return (void *)(link & ~(LINK_BIT | SPLIT)); }
static int is_split(const Line *r) { return (r->write & (LINK_BIT | SPLIT)) == (LINK_BIT | SPLIT); }
static u64 link_to(void *node, u64 split) { return (u64)node | LINK_BIT | split; }

static void drop_set(Wave *w, u64 field) {
  while (field & LINK_BIT) {
    Set *set = node_of(field);
    field = set->next;
    free_node(w, set, 0);
  }
}

static u32 children_of(u32 level) { return (u32)(RECORD_BYTES[level] / RECORD_BYTES[level + 1]); }

/* -- order ---------------------------------------------------------------------------------------- */

int lm_learned(const Wave *w, u64 group, u32 member, u64 sequence);

/* How far the wave knows each member to have got, in what counts between two agents. */
static const u64 *known(const Wave *w, u32 earlier, u32 agent) {
  const Group *g = w->group;
  const u64 *clocks = clock_of(g, w->member, 0);
  u64 count = g->member_count;
  if (earlier <= AGENT_SHARED) {
    u32 to_engine = agent == AGENT_ENGINE ? CLOCK_HANDED_GLOBAL - CLOCK_GLOBAL : 0;
    return clocks + (earlier + to_engine) * count;
  }
  u32 class = earlier - AGENT_LOAD;
  if (agent <= AGENT_SHARED) return clocks + (CLOCK_OVER + class) * count;
  /* what was handed to an engine before goes first there */
  if (earlier == AGENT_ENGINE && agent == AGENT_ENGINE) class++;
  return clocks + (CLOCK_FENCED + class) * count;
}

/* Is the earlier access ordered before this one, apart from what is atomic to it? */
static int before(const Touch *t, u64 earlier) {
  const Wave *w = t->a->w;
  u64 stamp = t->stamp;
  u32 agent = stamp_agent(earlier), mine = stamp_agent(stamp), member = stamp_member(earlier);
  if (stamp_group(earlier) != stamp_group(stamp))
    return w->launch->shared->threads < 2 && agent == AGENT_GLOBAL &&
           lm_learned(w, stamp_group(earlier) + w->launch->first_group, member, earlier & SEQUENCE_MASK);
  if (member == w->member) {
    if (mine <= AGENT_SHARED && agent <= AGENT_SHARED) return 1;
    if (mine == AGENT_ENGINE && agent == AGENT_ENGINE) return 1;
    if (mine == agent && (earlier & SEQUENCE_MASK) == (stamp & SEQUENCE_MASK)) return 1;
  }
  return (earlier & SEQUENCE_MASK) <= known(w, agent, mine)[member];
}

/* How a write and this access are atomic to each other: between groups, only at the scope of the GPU. */
static int atomic_to(const Touch *t, u64 write) {
  if (!(write & ATOMIC_BIT) || !(t->a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED))) return 0;
  int narrow = write & NARROW_BIT || t->a->kind & ACCESS_NARROW;
  return !narrow || stamp_group(write) == stamp_group(t->stamp);
}

/* The first stamp of a field (writes or reads) that this access is not ordered after; 0 for none. */
static u64 unordered(const Touch *t, u64 field, int writes) {
  if (!field) return 0;
  if (!(field & LINK_BIT))
    return (writes && atomic_to(t, field)) || before(t, field) ? 0 : field;
  for (; field & LINK_BIT; field = ((Set *)node_of(field))->next) {
    const Set *set = node_of(field);
    for (u32 i = 0; i < SET_STAMPS && set->stamps[i]; i++)
      if (!(writes && atomic_to(t, set->stamps[i])) && !before(t, set->stamps[i]))
        return set->stamps[i];
  }
  return 0;
}

/* -- sets ----------------------------------------------------------------------------------------- */

/* Does the new stamp stand for the earlier one? Of the same agent, and ordered after it: whoever is
 * ordered after the new one is ordered after both. */
static int covers(const Touch *t, u64 earlier) {
  if (!((earlier ^ t->stamp) & WHO_BITS)) return 1;
  return stamp_agent(earlier) == stamp_agent(t->stamp) && before(t, earlier);
}

/* Global memory keeps one node: when it is full, the last stamp makes room, so that of readers in
 * several CTAs some of two CTAs at least are kept. */
static void add_to_set(Touch *t, u64 *field, u64 stamp) {
  Wave *w = t->a->w;
  for (;;) {
    Set *set = node_of(*field);
    for (u32 i = 0; i < SET_STAMPS; i++)
      if (!set->stamps[i] || covers(t, set->stamps[i])) {
        set->stamps[i] = stamp;
        return;
      }
    if (t->m->space == SPACE_GLOBAL) {
      set->stamps[SET_STAMPS - 1] = stamp;
      return;
    }
    if (!set->next) {
      Set *more = new_node(w, 0);
      if ((void *)more == nowhere) return;
      set->next = link_to(more, 0);
    }
    field = &set->next;
  }
}

static void note(Touch *t, u64 *field, u64 stamp) {
  if (!*field || (!(*field & LINK_BIT) && covers(t, *field))) {
    *field = stamp;
    return;
  }
  if (!(*field & LINK_BIT)) {
    Set *set = new_node(t->a->w, 0);
    if ((void *)set == nowhere) return;
    set->stamps[0] = *field;
    *field = link_to(set, 0);
  }
  add_to_set(t, field, stamp);
}

/* -- records -------------------------------------------------------------------------------------- */

static void read_record(Touch *t, Line *r, u64 at, u64 bytes) {
  u64 earlier = unordered(t, r->write, 1);
  if (earlier) conflict(t, at, bytes, earlier, ACCESS_STORE);
  if (t->bad) return;
  if (t->a->kind & (ACCESS_RELAXED | ACCESS_OBJECT)) return;
  note(t, &r->read, t->stamp);
}

static void write_record(Touch *t, Line *r, u64 at, u64 bytes) {
  u32 kind = t->a->kind;
  u64 flags = kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ? ATOMIC_BIT : 0;
  if (flags && kind & ACCESS_NARROW) flags |= NARROW_BIT;
  if (t->same) {
    /* what is there already has no new writer, and its readers may still meet another store */
    if (r->write && t->a->w->launch->shared->threads > 1 && unordered(t, r->write, 0))
      t->a->w->stop = STOP_IMPRECISE;   /* which came first depends on the threads */
    return;
  }
  u64 earlier = unordered(t, r->write, 1);
  if (earlier) conflict(t, at, bytes, earlier, ACCESS_STORE);
  earlier = unordered(t, r->read, 0);
  if (earlier) conflict(t, at, bytes, earlier, ACCESS_LOAD);
  if (t->bad) return;
  drop_set(t->a->w, r->read);
  r->read = 0;
  if (flags) {
    note(t, &r->write, t->stamp | flags);
    return;
  }
  drop_set(t->a->w, r->write);
  r->write = t->stamp;
}

/* Does the access leave a stamp? */
static int records(const Touch *t) {
  return t->a->kind & ACCESS_STORE || !(t->a->kind & (ACCESS_RELAXED | ACCESS_OBJECT));
}

static void copy_set(Wave *w, u64 *field) {
  for (; *field & LINK_BIT; field = &((Set *)node_of(*field))->next) {
    Set *copy = new_node(w, 0);
    if ((void *)copy == nowhere) return;
    *copy = *(Set *)node_of(*field);
    *field = link_to(copy, 0);
  }
}

static void split(Wave *w, Line *r, u32 level) {
  u32 count = children_of(level);
  Line *children = new_node(w, count < 8), whole = *r;
  if ((void *)children == nowhere) return;
  for (u32 i = 0; i < count; i++) {
    children[i] = whole;
    if (i) copy_set(w, &children[i].write), copy_set(w, &children[i].read);
  }
  *r = (Line){link_to(children, SPLIT), 0};
}

static void drop_children(Wave *w, Line *r, u32 level) {
  Line *children = node_of(r->write);
  for (u32 i = 0; i < children_of(level); i++) {
    if (level + 2 < LEVELS && is_split(&children[i])) drop_children(w, &children[i], level + 1);
    else drop_set(w, children[i].write), drop_set(w, children[i].read);
  }
  free_node(w, children, children_of(level) < 8);
}

static void touch_record(Touch *t, Line *r, u64 at, u32 level) {
  u64 bytes = RECORD_BYTES[level];
  int whole = t->from <= at && t->to >= at + bytes;
  if (!is_split(r)) {
    if (whole || !records(t)) {
      if (t->a->kind & ACCESS_STORE) write_record(t, r, at, bytes);
      else read_record(t, r, at, bytes);
      return;
    }
    split(t->a->w, r, level);
    if (!is_split(r)) return;
  }
  Line *children = node_of(r->write);
  u64 step = RECORD_BYTES[level + 1], from = t->from > at ? t->from : at;
  for (u64 i = (from - at) / step; i * step < bytes && at + i * step < t->to && !t->bad; i++)
    touch_record(t, &children[i], at + i * step, level + 1);
  /* a plain write of all makes them alike */
  if (!whole || !(t->a->kind & ACCESS_STORE) || t->same || t->bad ||
      t->a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED)) return;
  drop_children(t->a->w, r, level);
  *r = (Line){t->stamp, 0};
}

void touch(Touch *t) {
  Shared *shared = t->a->w->launch->shared;
  int locks = shared->threads > 1 && t->m->space == SPACE_GLOBAL;
  u64 first = t->from / LINE_BYTES, last = (t->to - 1) / LINE_BYTES;
  if (t->a->w->launch->races && race_known(t)) {
    t->race = race_known(t);
    t->bad = t->quiet;
    if (t->bad) return;
  }
  for (u64 i = first; i <= last; i++) {
    u32 *lock = &shared->line_locks[(i ^ (u64)t->m->seed * 7) % 1024];
    if (locks) take_lock(lock);
    if (!t->bad) touch_record(t, &t->m->lines[i], i * LINE_BYTES, 0);
    if (locks) give_lock(lock);
  }
}

/* The first stamp in bytes from .. to - 1 that `wanted` accepts, and where; 0 for none. */
static u64 find_in(Line *r, u64 at, u32 level, u64 from, u64 to, Wanted wanted, const Wave *w, u64 *place) {
  if (at >= to || at + RECORD_BYTES[level] <= from) return 0;
  if (is_split(r)) {
    Line *children = node_of(r->write);
    u64 step = RECORD_BYTES[level + 1], found = 0;
    for (u32 i = 0; i < children_of(level) && !found; i++)
      found = find_in(&children[i], at + i * step, level + 1, from, to, wanted, w, place);
    return found;
  }
  *place = at > from ? at : from;
  const u64 fields[2] = {r->write, r->read};
  for (u32 i = 0; i < 2; i++) {
    if (fields[i] && !(fields[i] & LINK_BIT) && wanted(w, fields[i])) return fields[i];
    for (u64 f = fields[i]; f & LINK_BIT; f = ((Set *)node_of(f))->next)
      for (u32 j = 0; j < SET_STAMPS; j++) {
        u64 stamp = ((Set *)node_of(f))->stamps[j];
        if (stamp && wanted(w, stamp)) return stamp;
      }
  }
  return 0;
}

u64 find_stamp(const Wave *w, Memory *m, u64 from, u64 to, Wanted wanted, u64 *place) {
  for (u64 i = from / LINE_BYTES; i <= (to - 1) / LINE_BYTES; i++) {
    if (m->pages[i * LINE_BYTES >> PAGE_SHIFT] >> PAGE_TAG_SHIFT != m->tag) continue;
    u64 found = find_in(&m->lines[i], i * LINE_BYTES, 0, from, to, wanted, w, place);
    if (found) return found;
  }
  return 0;
}

/* -- conflicts ------------------------------------------------------------------------------------ */

static void describe(const Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind, HazardRecord *h) {
  const Wave *w = t->a->w;
  u64 from = at > t->from ? at : t->from, to = at + bytes < t->to ? at + bytes : t->to;
  h->kind = HAZARD_ORDER;
  h->instruction = t->a->instruction;
  h->wave = w->member;
  h->group = w->group->number - w->launch->first_group;
  h->lane = t->lane;
  h->lanes = 1ull << t->lane;
  h->count = 1;
  h->space = t->m->space;
  h->address = t->m->base + from;
  h->size = to - from;
  h->detail = (t->a->kind & (ACCESS_LOAD | ACCESS_STORE)) | earlier_kind << 8;
  h->info[0] = stamp_group(earlier);
  h->info[1] = stamp_member(earlier);
  h->info[2] = stamp_group(earlier) == stamp_group(t->stamp);
  h->info[3] = earlier & ATOMIC_BIT && t->a->kind & (ACCESS_ATOMIC | ACCESS_RELAXED);
  h->earlier = logged(w, earlier);
}

/* Of a race of plain accesses within fast code only that there is one is known: precise code tells which
 * instructions, and whether the racing value is used at all. */
COLD void conflict(Touch *t, u64 at, u64 bytes, u64 earlier, u32 earlier_kind) {
  Wave *w = t->a->w;
  if (t->quiet) {
    t->bad = 1;
    return;
  }
  if (!w->launch->precise) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  HazardRecord h = {0};
  describe(t, at, bytes, earlier, earlier_kind, &h);
  u32 agent = stamp_agent(earlier), mine = stamp_agent(t->stamp);
  if (agent > AGENT_SHARED || mine > AGENT_SHARED) {
    w->launch->front_end.conflict(t, &h, earlier);
  } else if (!w->launch->strict) {
    if ((t->a->kind & (ACCESS_LOAD | ACCESS_STORE | ACCESS_OBJECT)) == ACCESS_LOAD) {
      u32 race = race_of_load(t, &h, at, bytes);
      if (race) {
        t->race = race;
        return;
      }
    } else if (earlier_kind == ACCESS_LOAD && race_of_store(t, &h, earlier, at, bytes)) {
      return;
    }
  }
  report(w, &h);
}
