/* Vector clocks: which accesses of other waves happen before what a wave does next. Each wave
 * numbers its accesses in each space; `clock[me][space][other]` is how many accesses of `other`
 * are ordered before what `me` does next. */
#include "clocks.h"
#include "access.h"
#include "memory_model.h"

/* How far a wave has got for others of its group. Global memory needs no wait for that: what one
 * wave accesses there, the others of its CTA see in order; but for what goes another way, which
 * has a clock of its own (ACCESS_APART). */
static u64 reached(const Wave *w, u32 space) {
  return space == CLOCK_GLOBAL || w->launch->synchronous ? w->sequence[space] : w->completed[space];
}

/* A visit of a CTA's shared memory, by a member or (`slot`) asynchronously, must come before the
 * end of its last wave. */
static void visit_over(Wave *ending, u64 visit, u64 other, int slot) {
  const Cta *c = ending->cta;
  const Group *g = c->group;
  u64 last = visit & 0xffffffff, known = 0;
  for (u32 i = 0; i < c->wave_count; i++) {
    u64 *clock = clock_of(g, c->first_member + i, 0) - CLOCK_TIMES;
    u64 got = slot ? clock_slots(g, clock)[other] : clock_part(g, clock, CLOCK_SHARED)[other];
    if (got > known) known = got;
  }
  if (last <= known) return;
  const Wave *visitor = slot ? ending : g->members[other];
  HazardRecord *h = lm_hazard(ending, HAZARD_ENDED, (u32)(visit >> 32), visitor->full);
  h->wave = visitor->member;
  h->info[0] = c->rank;
  h->info[1] = slot ? ENDED_UNFINISHED : ENDED_EARLY;
}

/* The last wave of a CTA ended: whoever accessed its shared memory must have done so before. */
void lm_leave(Wave *ending) {
  const Group *g = ending->cta->group;
  const u64 *visits = ending->cta->visits, *of_slots = visits + g->member_count;
  for (u64 i = 0; i < g->member_count && g->cta_count > 1; i++) {
    visit_over(ending, visits[i], i, 0);
    visit_over(ending, of_slots[g->slots + i], i, 0);
  }
  for (u64 i = 0; i < g->slots_used; i++) visit_over(ending, of_slots[i], i, 1);
}

/* What the wave did, and knows of others, in a space is handed to engines. */
static void hand(Wave *w, u64 *handed, u32 space) {
  lm_advance(handed, clock_of(w->group, w->member, space), w->group->member_count);
  if (handed[w->member] < reached(w, space)) handed[w->member] = reached(w, space);
}

/* Of the spaces asked for (bits): SHARED is the memory of the wave's own CTA alone. */
void lm_hand_over(Wave *w, u64 mask, u32 spaces) {
  Group *g = w->group;
  u32 global = spaces >> SPACE_GLOBAL & 1, own = spaces >> SPACE_SHARED & 1,
      all = spaces >> SPACE_CLUSTER & 1;
  if (!mask || g->clocks == PLAIN_CLOCKS) return;
  if (global) hand(w, clock_of(g, w->member, CLOCK_HANDED_GLOBAL), CLOCK_GLOBAL);
  for (u32 rank = 0; rank < g->cta_count; rank++)
    if (all || (own && rank == w->cta->rank))
      hand(w, handed_shared(g, times_of(w), rank), CLOCK_SHARED);
  if (g->clocks < ASYNC_CLOCKS) return;
  /* copies write the shared memory of their own CTA */
  u32 first = all ? 0 : w->cta->first_member, count = all   ? g->member_count
                                                      : own ? w->cta->wave_count
                                                            : 0;
  lm_advance(clock_of(g, w->member, CLOCK_HANDED_COPY) + first,
             clock_of(g, w->member, CLOCK_COPY) + first, count);
  if (global) lm_advance(clock_slots(g, times_of(w)) + g->slots, times_of(w) + ACQUIRED, 1);
}

/* Each of `count` clocks is as far as that in `from`, at least. */
void lm_advance(u64 *clock, const u64 *from, u64 count) {
  typedef u64 Clocks __attribute__((ext_vector_type(4)));
  u64 i = 0;
  for (; i + 4 <= count; i += 4) {
    Clocks mine, other;
    copy_bytes((u8 *)&mine, (u8 *)(clock + i), sizeof mine);
    copy_bytes((u8 *)&other, (const u8 *)(from + i), sizeof other);
    mine = __builtin_elementwise_max(mine, other);
    copy_bytes((u8 *)(clock + i), (u8 *)&mine, sizeof mine);
  }
  for (; i < count; i++)
    if (from[i] > clock[i]) clock[i] = from[i];
}

/* What passes through the fences of an engine: see fenced_set in clock.h. */
static void publish_from(const Wave *w, u64 *clock, const u64 *known) {
  const Group *g = w->group;
  lm_advance(clock_part(g, clock, CLOCK_FENCED), known, FENCED_CLOCKS * (u64)g->member_count);
}

static void receive_into(const Wave *w, u64 *known, const u64 *clock) {
  const Group *g = w->group;
  lm_advance(known, clock_part(g, (u64 *)clock, CLOCK_FENCED),
             FENCED_CLOCKS * (u64)g->member_count);
}

/* What a wave received it passes on, too: only who accesses the engine's memory needs a fence of
 * its own. */
void publish_fenced(const Wave *w, u64 *clock) {
  for (u32 set = 0; w->group->fenced && set < FENCED_SETS; set++)
    publish_from(w, clock, fenced_set(w->group, w->member, set));
}

void receive_fenced(Wave *w, const u64 *clock) {
  if (w->group->fenced) receive_into(w, fenced_set(w->group, w->member, RECEIVED), clock);
}

/* A release passes on, and an acquire learns, what is known of an engine's accesses. Compilers
 * leave the fences of an engine out, so that only strict asks for them. */
static void release_engine(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  if (g->fenced && !w->launch->strict) publish_from(w, clock, clock_of(g, w->member, CLOCK_FENCED));
  else publish_fenced(w, clock);
}

static void acquire_engine(Wave *w, const u64 *clock) {
  const Group *g = w->group;
  if (g->fenced && !w->launch->strict) receive_into(w, clock_of(g, w->member, CLOCK_FENCED), clock);
  else receive_fenced(w, clock);
}

/* All of a clock but what passes through fences. */
static void advance_unfenced(const Group *g, u64 *clock, const u64 *from) {
  u64 parts = g->clocks < CLOCK_FENCED ? g->clocks : CLOCK_FENCED;
  lm_advance(clock, from, CLOCK_TIMES + parts * g->member_count);
  lm_advance(clock_handed(g, clock), clock_handed(g, (u64 *)from), handed_words(g));
  if (g->clocks < ASYNC_CLOCKS) return;
  u64 after = CLOCK_TIMES + CLOCK_COPY * g->member_count;
  u64 handed = after + (ASYNC_CLOCKS - CLOCK_COPY) * g->member_count + g->slots;
  lm_advance(clock + after, from + after,
             (ASYNC_CLOCKS - CLOCK_COPY) * g->member_count + g->slots_used);
  lm_advance(clock + handed, from + handed, 1);
}

/* Release: merge the wave's clock, and its own progress, into a clock. */
void lm_publish(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  advance_unfenced(g, clock, times_of(w));
  for (u32 space = CLOCK_GLOBAL; space <= CLOCK_SHARED; space++) {
    u64 own = reached(w, space), *part = clock_part(g, clock, space);
    if (own > part[w->member]) part[w->member] = own;
  }
  release_engine(w, clock);
}

/* Acquire: merge a clock into that of the wave. */
void lm_learn(Wave *w, const u64 *clock) {
  advance_unfenced(w->group, times_of(w), clock);
  acquire_engine(w, clock);
}

/* All waves (a mask) of a CTA met: what each had completed, and what it knew, is ordered before
 * all. */
void lm_join(Cta *c, u32 waves) {
  Group *g = c->group;
  u64 joined[MOST_CLOCK_WORDS];
  for (u32 i = 0; i < clock_words(g); i++) joined[i] = 0;
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_publish(g->members[c->first_member + i], joined);
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_learn(g->members[c->first_member + i], joined);
}
