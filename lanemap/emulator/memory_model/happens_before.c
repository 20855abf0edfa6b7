/* Is an earlier access ordered before this one, by what the clocks of its wave say? */
#include "happens_before.h"
#include "clocks.h"
#include "memory_model.h"
#include "order.h"

/* Must what waves wrote be handed over before this access? That is where an engine makes it.
 * What they read (`read`) need only have happened before. */
int needs_handing(const Touch *t, int read) {
  u32 agent = stamp_agent(t->stamp);
  return !read && agent >= AGENT_ENGINE && agent != AGENT_COPY &&
         !(t->a->kind & (ACCESS_DIRECT | ACCESS_APART));
}

/* Which clock says how far others have got, in what counts between two agents. `read`: the
 * earlier access read, or else wrote. */
enum { CLOCK_ISSUED_ENGINE = CLOCK_FENCED + AGENT_ENGINE - AGENT_LOAD + 1 };
static u32 clock_between(const Touch *t, u32 earlier, u32 agent, int read) {
  int handed = needs_handing(t, read);
  if (earlier <= AGENT_SHARED) return earlier + (handed ? CLOCK_HANDED_GLOBAL - CLOCK_GLOBAL : 0);
  if (earlier == AGENT_COPY) return handed ? CLOCK_HANDED_COPY : CLOCK_COPY;
  if (earlier == AGENT_BULK && t->a->kind & ACCESS_APART)
    return CLOCK_BULK_READ; /* by the same way */
  if (earlier == AGENT_BULK) return read ? CLOCK_BULK_READ : CLOCK_BULK;
  u32 class = earlier - AGENT_LOAD;
  if (agent <= AGENT_SHARED || agent >= AGENT_COPY) return CLOCK_OVER + class;
  /* what was handed to an engine before goes first there */
  return CLOCK_FENCED + class + (earlier == AGENT_ENGINE && agent == AGENT_ENGINE);
}

/* What the wave knows of all members by one of its clocks. */
static const u64 *known_by(const Touch *t, u32 which) {
  const Wave *w = t->a->w;
  return which == CLOCK_HANDED_SHARED ? handed_shared(w->group, times_of(w), t->m->owner->rank)
                                      : clock_of(w->group, w->member, which);
}

/* Is the earlier access, which read or wrote, ordered before this one, apart from what is atomic
 * to it? */
int before(const Touch *t, u64 earlier, int read) {
  const Wave *w = t->a->w;
  u64 stamp = t->stamp;
  u32 agent = stamp_agent(earlier), mine = stamp_agent(stamp), member = stamp_member(earlier);
  if (stamp_group(earlier) != stamp_group(stamp))
    return (times_of(w)[ACQUIRED] || needs_handing(t, read)) && w->launch->shared->threads < 2 &&
           learned(w, earlier, needs_handing(t, read), read);
  if (mine <= AGENT_SHARED) {
    Order o = known_order(w, stamp);
    if (ordered(&o, earlier & ~SCOPE_BITS)) return 1;
  }
  if (agent > AGENT_SHARED && !((earlier ^ stamp) & ~SCOPE_BITS)) return 1; /* the same operation */
  if (agent == AGENT_BARRIER)
    return (earlier & SEQUENCE_MASK) <= clock_slots(w->group, times_of(w))[member];
  if (member == w->member) {
    if (agent <= AGENT_SHARED && !needs_handing(t, read)) return 1;
    if (mine == AGENT_ENGINE && agent == AGENT_ENGINE) return 1;
    /* of one counter, they return in order */
    if (mine == AGENT_COPY && agent == AGENT_COPY && !w->launch->synchronous) return 1;
  }
  u32 which = clock_between(t, agent, mine, read);
  const u64 *known = known_by(t, which);
  u64 sequence = agent == AGENT_ENGINE && which != CLOCK_ISSUED_ENGINE
                     ? over_with(w->group, earlier)
                     : earlier & SEQUENCE_MASK;
  if (sequence <= known[member]) return 1;
  return t->a->kind & ACCESS_OBJECT && agent == AGENT_SHARED && w->group->clocks == ASYNC_CLOCKS &&
         sequence <= clock_of(w->group, w->member, CLOCK_BEGUN)[member];
}

u64 latest_before(const Touch *t, u64 write) {
  const Wave *w = t->a->w;
  u32 agent = stamp_agent(write), member = stamp_member(write);
  /* with an engine's operations come those that it began later, and with its own all others */
  if (agent == AGENT_ENGINE || !((write ^ t->stamp) >> MEMBER_SHIFT) ||
      stamp_group(write) != stamp_group(t->stamp) || !before(t, write, 0))
    return 0;
  u64 known = agent == AGENT_BARRIER
                  ? clock_slots(w->group, times_of(w))[member]
                  : known_by(t, clock_between(t, agent, stamp_agent(t->stamp), 0))[member];
  if (known > SEQUENCE_MASK) known = SEQUENCE_MASK;
  u64 latest = (write & ~SEQUENCE_MASK) | known;
  return latest > write ? latest : write;
}

/* Are two accesses atomic to each other? The scope of both must hold the other one. `read`: the
 * earlier one was a load. */
static int atomic_to(const Touch *t, u64 earlier, int read) {
  u64 scope = scope_of(t->a->kind), other = stamp_scope(earlier);
  if (other < scope) scope = other;
  if (scope == 3) return 1;
  if (!scope) {
    u32 (*meets)(const Touch *, u64, u32) = t->a->w->launch->front_end.meets;
    return meets && meets(t, earlier, (u32)read);
  }
  if (stamp_group(earlier) != stamp_group(t->stamp)) return 0;
  if (scope == 1 &&
      (stamp_agent(earlier) == AGENT_BARRIER || stamp_agent(t->stamp) == AGENT_BARRIER))
    return 0;
  return scope == 2 || t->a->w->group->members[stamp_member(earlier)]->cta == t->a->w->cta;
}

/* The first stamp of a field, of readers or of writers, that this access is not ordered after; 0
 * for none. */
u64 unordered(const Touch *t, u64 field, int read) {
  if (!field) return 0;
  if (!(field & LINK_BIT)) return before(t, field, read) || atomic_to(t, field, read) ? 0 : field;
  for (; field & LINK_BIT; field = next_set(field)) {
    for (u32 i = 0; i < stamps_in(field); i++) {
      u64 stamp = stamps_of(field)[i] & ~OBSERVER_BIT;
      if (!own(stamp, t->stamp) && !before(t, stamp, read) && !atomic_to(t, stamp, read))
        return stamp;
    }
  }
  return 0;
}

/* Observation (docs/emulator-order.md): a read observes the write whose value it reads if the
 * scope of each holds the other, and through read-modify-writes what those observed. Whatever is
 * ordered after the observer is ordered after all that. OBSERVER_BIT marks, in a set of writes,
 * newest first, one that observed the next; in a set of readers, those whose successors are
 * ordered after the newest write. */
int observes(const Touch *t, u64 writes) {
  u64 newest = writes & LINK_BIT ? ((const Set *)node_of(writes))->stamps[0] : writes;
  return (t->a->kind & (ACCESS_LOAD | ACCESS_NO_RESULT)) == ACCESS_LOAD && newest &&
         atomic_to(t, newest, 0);
}

int after_observer(const Touch *t, u64 readers) {
  if (stamp_agent(t->stamp) > AGENT_SHARED) return 0;
  for (; readers & LINK_BIT; readers = next_set(readers)) {
    const u64 *stamps = stamps_of(readers);
    for (u32 i = 0; i < stamps_in(readers); i++)
      if (stamps[i] & OBSERVER_BIT && before(t, stamps[i] & ~OBSERVER_BIT, 1)) return 1;
  }
  return 0;
}

/* The first write that this access is not ordered after; 0 for none. */
u64 unordered_write(const Touch *t, const Line *r) {
  if (!r->write) return 0;
  int known = after_observer(t, r->read);
  if (!(r->write & LINK_BIT)) return known ? 0 : unordered(t, r->write, 0);
  const Set *set = node_of(r->write);
  for (u32 i = 0; i < SET_STAMPS && set->stamps[i]; i++) {
    u64 stamp = set->stamps[i] & ~OBSERVER_BIT;
    int observed = (set->stamps[i] & OBSERVER_BIT) != 0, atomic = atomic_to(t, stamp, 0);
    /* the order says nothing of what is atomic and observed nothing */
    if (!known && (observed || !atomic)) known = before(t, stamp, 0);
    if (!known && !atomic) return stamp;
    known = known && observed;
  }
  return 0;
}
