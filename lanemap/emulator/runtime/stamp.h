/* How memory remembers an access: as a stamp, in records, sets and nodes (memory_model/). */
#ifndef LANEMAP_STAMP_H
#define LANEMAP_STAMP_H
#include "clock.h"

/* An access as memory remembers it. From the top: 1 bit link, 2 bits scope within which it is
 * atomic (0: it is not; 1: its CTA, 2: its cluster, 3: the GPU), 3 bits agent, 21 bits group
 * (counted from the launch's first), 9 bits member of the group, 28 bits sequence, which begins
 * at 1: a stamp is never 0. With the bit link the rest is the address of a node (stamps.c). */
enum { SEQUENCE_BITS = 28, MEMBER_SHIFT = 28, GROUP_SHIFT = 37, GROUP_BITS = 21, AGENT_SHIFT = 58 };
#define SEQUENCE_MASK ((1ull << SEQUENCE_BITS) - 1)
#define MEMBER_MASK (MAX_MEMBERS - 1)
#define GROUP_MASK ((1ull << GROUP_BITS) - 1)
enum { SCOPE_SHIFT = 61 };
#define SCOPE_BITS (3ull << SCOPE_SHIFT)
#define LINK_BIT (1ull << 63)

/* Who accesses: a wave itself (its global and its shared accesses are numbered apart), its
 * asynchronous transfers between registers and a memory of an engine, and an engine that works
 * on its behalf; copies that a wave waits for by number, which access memory as the wave does
 * (COPY) or as engines do (BULK); and operations of engines that a phase of a barrier object
 * completes (BARRIER). The member in a stamp of these is the object's slot, and the sequence
 * counts its phases, with the operations of a phase in the lowest bits. */
enum Agent {
  AGENT_GLOBAL,
  AGENT_SHARED,
  AGENT_LOAD,
  AGENT_STORE,
  AGENT_ENGINE,
  AGENT_COPY,
  AGENT_BULK,
  AGENT_BARRIER
};
enum { PHASE_SHIFT = 8, PHASE_OPERATIONS = 1 << PHASE_SHIFT };

static inline u32 stamp_member(u64 stamp) { return (u32)(stamp >> MEMBER_SHIFT) & MEMBER_MASK; }
static inline u32 stamp_agent(u64 stamp) { return (u32)(stamp >> AGENT_SHIFT) & 7; }
static inline u64 stamp_group(u64 stamp) { return stamp >> GROUP_SHIFT & GROUP_MASK; }
static inline u64 stamp_scope(u64 stamp) { return stamp >> SCOPE_SHIFT & 3; }
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
/* A link's node, and what it holds: records of 1, 4 or 16 bytes each, of which `write` tells, or a
 * set of stamps. */
enum { HOLDS_SET = 0, HOLDS_FOUR = 2, HOLDS_EIGHT = 8, HELD = 31 };
static inline void *node_of(u64 link) { return (void *)(link & ~(LINK_BIT | HELD)); }
static inline u64 link_to(void *node, u64 held) { return (u64)node | LINK_BIT | held; }
static inline u64 record_bytes(const Line *r) { return r->write & HELD; }
static inline int is_split(const Line *r) { return r->write & LINK_BIT && record_bytes(r); }
/* A set of stamps, each in the place of its member or, where that is taken, in that of a set
 * further on; in global memory there is one set alone, in which any place will do. Readers of
 * global memory begin in one of four or eight: where many words have several, the sets are most of
 * what an access must fetch. */
#define SET_STAMPS 15
#define OBSERVER_BIT LINK_BIT /* of a stamp in a set: stamps.c */
typedef struct Set { u64 next, stamps[SET_STAMPS]; } Set;
static inline u32 stamps_in(u64 link) {
  u64 held = link & HELD;
  return held == HOLDS_FOUR ? 4 : held == HOLDS_EIGHT ? 8 : SET_STAMPS;
}
static inline u64 *stamps_of(u64 link) {
  return link & HELD ? (u64 *)node_of(link) : ((Set *)node_of(link))->stamps;
}
static inline u64 next_set(u64 link) { return link & HELD ? 0 : ((Set *)node_of(link))->next; }
/* The place of a stamp in a set. */
static inline u32 place_in_set(u64 link, u64 stamp) {
  u32 member = stamp_member(stamp), stamps = stamps_in(link);
  return stamps == SET_STAMPS ? member % SET_STAMPS : member & (stamps - 1);
}
/* Are all earlier accesses the wave's own, which are in program order? */
static inline int own(u64 earlier, u64 stamp) {
  return !earlier || (!((earlier ^ stamp) >> MEMBER_SHIFT) && stamp_agent(stamp) <= AGENT_SHARED);
}
static inline u32 lowest(u64 bits) { return (u32)__builtin_ctzll(bits); }
#endif
