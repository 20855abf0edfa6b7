/* Asynchronous operations: which registers and accesses are not guaranteed complete.
 *
 * Tracked registers are numbered by the front end; bit r of `pending` is set from issue to the wait
 * that guarantees completion. Generated code calls lm_segment at the start of each stretch of code
 * without a wait, with the registers that the stretch touches.
 */
#include "pending.h"
#include "events.h"

void lm_segment(Wave *w, u32 segment) {
  if (!w->queue_count && !w->held) return;
  const Segment *s = &w->launch->segments[segment];
  for (u64 i = 0; i < s->count; i++) {
    const SegmentWord *word = &s->words[i];
    u64 hit = w->pending[word->word] & word->mask;
    if (!hit) continue;
    u32 reg = (u32)word->word * 64 + first_lane(hit);
    for (u32 q = 0; q < w->queue_count; q++) {
      Outstanding *o = &w->queue[q];
      if (reg - o->first_register >= o->register_count) continue;
      HazardRecord *h = lm_hazard(w, HAZARD_PENDING, o->instruction, w->full);
      h->detail = segment;
      h->info[0] = reg;
      h->info[1] = o->counter;
      return;
    }
    if (w->held) w->launch->front_end.pending(w, segment, ~0u, reg);
  }
}

static void mark(Wave *w, const Outstanding *o) {
  for (u32 r = o->first_register; r < o->first_register + o->register_count; r++)
    w->pending[r / 64] |= 1ull << (r % 64);
}

static void unmark(Wave *w, const Outstanding *o) {
  for (u32 r = o->first_register; r < o->first_register + o->register_count; r++)
    w->pending[r / 64] &= ~(1ull << (r % 64));
}

/* Issue an operation: its registers become pending, and its accesses so far are incomplete. A
 * result may overwrite one that is pending on the same in-order counter, because they return in
 * order. */
void lm_issue(Wave *w, u32 counter, u32 instruction, u32 first_register, u32 register_count,
              u32 space, u32 out_of_order) {
  if (w->queue_count == QUEUE) {
    lm_hazard(w, HAZARD_QUEUE, instruction, w->full);
    return;
  }
  for (u32 q = 0; q < w->queue_count; q++) {
    Outstanding *o = &w->queue[q];
    /* one operation may count on two counters, both of which have to say that its result is
     * there */
    if (q == w->queue_count - 1 && o->instruction == instruction && o->counter != counter) break;
    int overlap = first_register < o->first_register + o->register_count &&
                  o->first_register < first_register + register_count;
    if (overlap && (o->counter != counter || o->out_of_order || out_of_order)) {
      HazardRecord *h = lm_hazard(w, HAZARD_PENDING, o->instruction, w->full);
      h->detail = ~0u;
      h->info[0] = first_register;
      h->info[1] = o->counter;
      h->info[2] = instruction;
    }
  }
  Outstanding *o = &w->queue[w->queue_count++];
  o->counter = counter;
  o->instruction = instruction;
  o->first_register = first_register;
  o->register_count = register_count;
  o->space = space;
  o->sequence = space < 2               ? w->sequence[space]
                : space == ISSUED_APART ? w->engine_sequence[AGENT_BULK - AGENT_LOAD]
                : space == ISSUED_COPY  ? w->engine_sequence[AGENT_COPY - AGENT_LOAD]
                                        : 0;
  o->out_of_order = out_of_order;
  mark(w, o);
}

/* What went apart is over up to `until`. What a cache keeps is known to those alone who go the
 * same way. */
void lm_finish_apart(Wave *w, u64 until) {
  u64 *seen = &clock_of(w->group, w->member, CLOCK_BULK_READ)[w->member];
  u64 *known = &clock_of(w->group, w->member, CLOCK_BULK)[w->member];
  complete_to(w, seen, AGENT_BULK, until, DIRECTION_LOAD);
  u64 far = w->apart_kept && w->apart_kept <= *seen ? w->apart_kept - 1 : *seen;
  complete_to(w, known, AGENT_BULK, far, DIRECTION_STORE);
}

static void retire(Wave *w, const Outstanding *o) {
  if (o->space == ISSUED_APART) lm_finish_apart(w, o->sequence);
  if (o->space < 2)
    complete_to(w, &w->completed[o->space], o->space ? AGENT_SHARED : AGENT_GLOBAL, o->sequence,
                DIRECTION_STORE);
  else if (o->space == ISSUED_COPY)
    complete_to(w, &clock_of(w->group, w->member, CLOCK_COPY)[w->member], AGENT_COPY, o->sequence,
                DIRECTION_STORE);
}

/* Is an operation of a counter over, of which `*finished` more are, oldest first (~0: all)? */
static int ends(const Outstanding *o, u32 counter, u32 *finished) {
  if (o->counter != counter || !*finished || (o->out_of_order && *finished != ~0u)) return 0;
  if (*finished != ~0u) --*finished;
  return 1;
}

/* `finished` operations of a counter are over (~0: all), oldest first. Where operations return
 * out of order, no more is complete than what came before the oldest that is not. */
static void drop(Wave *w, u32 counter, u32 finished) {
  u32 kept = 0, count = (u32)w->queue_count, left = finished;
  u64 oldest[2] = {~0ull, ~0ull};
  for (u32 q = 0; q < count; q++) {
    const Outstanding *o = &w->queue[q];
    if (ends(o, counter, &left)) unmark(w, o);
    else if (o->space < 2 && o->sequence < oldest[o->space]) oldest[o->space] = o->sequence;
  }
  left = finished;
  for (u32 q = 0; q < count; q++) {
    const Outstanding *o = &w->queue[q];
    if (!ends(o, counter, &left)) {
      mark(w, o);
      w->queue[kept++] = *o;
    } else if (o->space >= 2 || o->sequence < oldest[o->space]) retire(w, o);
  }
  w->queue_count = kept;
}

/* At most `allowed` operations of `counter` are outstanding. In-order operations end oldest
 * first. Out-of-order ones (SMEM) end at any time: none is known to be complete before the count
 * is zero, and an older in-order operation may still be outstanding instead of one of them. How
 * many were, before. */
static u32 at_most(Wave *w, u32 counter, u32 allowed) {
  u32 total = 0, unordered = 0;
  for (u32 q = 0; q < w->queue_count; q++)
    if (w->queue[q].counter == counter) {
      total++;
      unordered += w->queue[q].out_of_order;
    }
  u32 ended = total > allowed ? total - allowed : 0;
  if (total && !allowed) drop(w, counter, ~0u);
  else if (ended > unordered) drop(w, counter, ended - unordered);
  return total;
}

void lm_wait(Wave *w, u32 counter, u32 allowed) {
  if (at_most(w, counter, allowed) > allowed) tell_wait(w, REASON_COUNTER + counter);
}

/* An operation that counts on `counter` begins: it is not issued while as many are outstanding
 * as the counter can hold. */
void lm_make_room(Wave *w, u32 counter, u32 capacity) {
  if (w->queue_count >= capacity) at_most(w, counter, capacity - 1);
}
