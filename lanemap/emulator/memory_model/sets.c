/* Sets of stamps: accesses of a record that nothing orders. */
#include "sets.h"
#include "happens_before.h"
#include "nodes.h"
#include "order.h"

static u32 set_kind(u64 held) {
  return held == HOLDS_FOUR ? NODE_FOUR : held == HOLDS_EIGHT ? NODE_BYTES : NODE_SET;
}

/* A link to an empty set; 0 where no memory is left. */
static u64 new_set(const Touch *t, u64 held) {
  void *node = new_node(t, set_kind(held));
  if (node == nowhere) return 0;
  u64 link = link_to(node, held), *stamps = stamps_of(link);
  for (u32 i = 0; i < stamps_in(link); i++) stamps[i] = 0;
  if (held == HOLDS_SET) ((Set *)node)->next = 0;
  return link;
}

void drop_set(const Touch *t, u64 field) {
  while (field & LINK_BIT) {
    u64 set = field;
    field = next_set(set);
    free_node(t, node_of(set), set_kind(set & HELD));
  }
}

/* Are all waves that reach the memory ordered after the access? Only of shared memory is that
 * known. */
static int known_to_all(const Touch *t, u64 earlier) {
  const Group *g = t->a->w->group;
  u32 member = stamp_member(earlier);
  if (!t->m->owner || stamp_agent(earlier) != AGENT_SHARED) return 0;
  for (u32 i = 0; i < g->member_count; i++)
    if (i != member && g->members[i]->status != RUN_END &&
        clock_of(g, i, CLOCK_SHARED)[member] < (earlier & SEQUENCE_MASK))
      return 0;
  return 1;
}

/* Does the new stamp stand for the earlier one? Of the same agent, and ordered after it, so that
 * whoever is ordered after the new one is ordered after both; and atomic to nobody to whom that
 * is not. */
static int covers(const Touch *t, u64 earlier, int read) {
  if (stamp_agent(earlier) != stamp_agent(t->stamp) || !before(t, earlier, read)) return 0;
  return scope_of(t->a->kind) <= stamp_scope(earlier) || known_to_all(t, earlier);
}

/* Readers before an atomic write: those remain that it does not stand for. */
void drop_covered(Touch *t, u64 *field) {
  u64 left[SET_STAMPS], count = 0;
  for (u64 f = *field; f; f = f & LINK_BIT ? next_set(f) : 0)
    for (u32 i = 0; i < (f & LINK_BIT ? stamps_in(f) : 1); i++) {
      u64 stamp = f & LINK_BIT ? stamps_of(f)[i] : f;
      stamp &= ~OBSERVER_BIT; /* what they observed is not the last write any more */
      if (stamp && count < SET_STAMPS && !covers(t, stamp, 1)) left[count++] = stamp;
    }
  if (!(*field & LINK_BIT)) {
    *field = count ? left[0] : 0;
    return;
  }
  if (count < 2) {
    drop_set(t, *field);
    *field = count ? left[0] : 0;
    return;
  }
  drop_set(t, next_set(*field));
  if (!(*field & HELD)) ((Set *)node_of(*field))->next = 0;
  for (u64 i = 0; i < stamps_in(*field); i++) stamps_of(*field)[i] = i < count ? left[i] : 0;
}

/* Does the new stamp replace an earlier one in its set? */
static int replaces(const Touch *t, u64 stamp, u64 earlier, int read) {
  return !((earlier ^ stamp) >> MEMBER_SHIFT) || covers(t, earlier, read);
}

/* Let a full set be of the next size. */
static int grow_set(const Touch *t, u64 *field) {
  u64 small = *field, *from = stamps_of(small);
  u64 more = new_set(t, (small & HELD) == HOLDS_FOUR ? HOLDS_EIGHT : HOLDS_SET);
  if (!more) return 0;
  for (u32 i = 0; i < stamps_in(small); i++) {
    u32 at = place_in_set(more, from[i]);
    while (stamps_of(more)[at]) at = at + 1 < stamps_in(more) ? at + 1 : 0;
    stamps_of(more)[at] = from[i];
  }
  drop_set(t, small);
  *field = more;
  return 1;
}

typedef u64 Stamps8 __attribute__((vector_size(64), aligned(8)));
typedef _Bool Flags8 __attribute__((ext_vector_type(8)));

/* Bit i: place i is free, or its stamp is of the group. */
INLINE u32 near_stamps(const u64 *stamps, u32 bytes, u64 stamp) {
  Stamps8 some = {0};
  __builtin_memcpy(&some, stamps, bytes);
  Stamps8 differ = (some ^ stamp) >> GROUP_SHIFT & GROUP_MASK;
  Flags8 flags = __builtin_convertvector((differ == 0) | (some == 0), Flags8);
  u8 bits;
  __builtin_memcpy(&bits, &flags, 1);
  return bits;
}

/* Bit i: the stamp is free, of the group or, where the wave acquired what others
 * released, of any. No other can be one that the new stamp replaces. */
static u32 may_replace(const Touch *t, u64 set, u64 stamp) {
  const u64 *stamps = stamps_of(set);
  u32 count = stamps_in(set);
  if (times_of(t->a->w)[ACQUIRED]) return (1u << count) - 1;
  if (count == 4) return near_stamps(stamps, 4 * sizeof(u64), stamp) & 15;
  u32 found = near_stamps(stamps, sizeof(Stamps8), stamp);
  if (count == 8) return found;
  return found | near_stamps(stamps + SET_STAMPS - 8, sizeof(Stamps8), stamp) << (SET_STAMPS - 8);
}

/* Global memory keeps one node: when it is full, the last stamp makes room, so that of readers
 * in several CTAs some of two CTAs at least are kept. */
static void add_reader_to_set(Touch *t, u64 *field, u64 stamp) {
  int global = t->m->space == SPACE_GLOBAL;
  for (;;) {
    u64 *stamps = stamps_of(*field), *place = 0;
    u32 count = stamps_in(*field), first = place_in_set(*field, stamp);
    u32 places = global ? may_replace(t, *field, stamp) : 1u << first;
    /* from the first one on, and around */
    for (u32 left = places << count | places; (left = left & ~0u << first) && !place; first++) {
      first = lowest(left);
      place = &stamps[first < count ? first : first - count];
      if (*place && !replaces(t, stamp & ~OBSERVER_BIT, *place & ~OBSERVER_BIT, 1)) place = 0;
    }
    if (!place && count < SET_STAMPS) {
      if (!grow_set(t, field)) return;
      continue;
    }
    if (!place && global) place = &stamps[SET_STAMPS - 1];
    if (place) {
      *place = stamp;
      return;
    }
    u64 *next = &((Set *)node_of(*field))->next;
    if (!*next) *next = new_set(t, HOLDS_SET);
    if (!*next) return;
    field = next;
  }
}

void note_read(Touch *t, u64 *field, u64 stamp) {
  int alone = !*field || (!(*field & LINK_BIT) && covers(t, *field, 1));
  if (alone && !(stamp & OBSERVER_BIT)) {
    *field = stamp;
    return;
  }
  if (!(*field & LINK_BIT)) {
    /* precise code reports the first of them, whose places do not depend on the size */
    int small = t->m->space == SPACE_GLOBAL && !t->a->w->launch->precise;
    u64 set = new_set(t, small ? HOLDS_FOUR : HOLDS_SET);
    if (!set) return;
    if (!alone) stamps_of(set)[place_in_set(set, *field)] = *field;
    *field = set;
  }
  add_reader_to_set(t, field, stamp);
}

/* Note an atomic write (`observed`: it observed the newest). It goes first, and when the one
 * node of a set is full, the oldest is dropped. One that it replaces may go too if that loses
 * nothing that it observed. */
void note_write(Touch *t, u64 *field, u64 stamp, int observed) {
  if (!*field || (!(*field & LINK_BIT) && covers(t, *field, 0))) {
    *field = stamp;
    return;
  }
  if (!(*field & LINK_BIT)) {
    u64 made = new_set(t, HOLDS_SET);
    if (!made) return;
    stamps_of(made)[0] = *field;
    *field = made;
  }
  Set *set = node_of(*field);
  u64 newer = stamp | (observed ? OBSERVER_BIT : 0), chain = OBSERVER_BIT;
  u32 near = needs_handing(t, 0) ? ~0u : may_replace(t, *field, stamp);
  for (u32 i = 0; i < SET_STAMPS; i++) {
    u64 earlier = set->stamps[i];
    chain &= newer;
    int dropped = earlier && near >> i & 1 && replaces(t, stamp, earlier & ~OBSERVER_BIT, 0) &&
                  (chain || !(earlier & OBSERVER_BIT));
    set->stamps[i] = dropped ? newer & (earlier | ~OBSERVER_BIT) : newer;
    if (dropped || !earlier) return;
    newer = earlier;
  }
}

void copy_set(const Touch *t, u64 *field) {
  while (*field & LINK_BIT) {
    u64 copy = new_set(t, *field & HELD);
    if (!copy) return;
    for (u32 i = 0; i < stamps_in(copy); i++) stamps_of(copy)[i] = stamps_of(*field)[i];
    u64 next = next_set(*field);
    *field = copy;
    if (!next) return;
    field = &((Set *)node_of(copy))->next;
    *field = next;
  }
}
