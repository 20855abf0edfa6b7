/* The order of accesses to tensor memory: waits, fences, and what a barrier passes on (tensor.h). */
#include "tensor.h"

void tensor_begin(Wave *w, u32 class) {
  w->tensor_sequence[class]++;
  if (class == TENSOR_ASYNC)
    tensor_known(w->group, w->member, CLOCK_ISSUED)[w->member] = w->tensor_sequence[class];
}

static u32 stamp_member(u64 stamp) { return (u32)(stamp >> STAMP_MEMBER) & 511; }
static u32 stamp_class(u64 stamp) { return (u32)(stamp >> STAMP_CLASS) & 3; }

/* Which clock orders an access after the earlier one. */
static u32 clock_for(u32 earlier, u32 class) {
  if (earlier == TENSOR_ASYNC && class == TENSOR_ASYNC) return CLOCK_ISSUED;
  return earlier == TENSOR_LOAD ? CLOCK_LOAD : earlier == TENSOR_STORE ? CLOCK_STORE : CLOCK_DONE;
}

static int tensor_ordered(Wave *w, u64 stamp, u32 class) {
  u32 earlier = stamp_class(stamp), who = stamp_member(stamp);
  if (!stamp) return 1;
  if (who == w->member) {
    /* one access's cells, and what one thread hands to the tensor core, which goes in order */
    if (earlier == class && (u32)stamp == w->tensor_sequence[class]) return 1;
    if (earlier == TENSOR_ASYNC && class == TENSOR_ASYNC) return 1;
  }
  return (u32)stamp <= tensor_known(w->group, w->member, clock_for(earlier, class))[who];
}

/* What is missing between an earlier access and this one. */
enum Misses {
  MISSES_WAIT_LOAD = 0, MISSES_WAIT_STORE, MISSES_COMMIT, MISSES_BEFORE, MISSES_SYNC, MISSES_AFTER,
  MISSES_MEETING
};

static u32 missing(Wave *w, u64 stamp, u32 class) {
  Group *g = w->group;
  u32 clock = clock_for(stamp_class(stamp), class), who = stamp_member(stamp);
  u64 sequence = (u32)stamp;
  if (sequence <= tensor_fenced(g, w->member, RECEIVED, clock)[who]) return MISSES_AFTER;
  if (clock == CLOCK_DONE) return MISSES_COMMIT;
  if (sequence > tensor_known(g, who, clock)[who])
    return clock == CLOCK_LOAD ? MISSES_WAIT_LOAD : MISSES_WAIT_STORE;
  return sequence > tensor_fenced(g, who, PUBLISHED, clock)[who] ? MISSES_BEFORE : MISSES_SYNC;
}

COLD static void tensor_conflict(Wave *w, u32 instruction, u64 lanes, u32 cell, u32 class, int writes,
                                 u64 stamp, int earlier_writes) {
  HazardRecord *h = lm_hazard(w, HAZARD_TENSOR, instruction, lanes);
  h->space = SPACE_TENSOR;
  h->address = (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES;
  h->size = 4;
  h->detail = missing(w, stamp, class) | (writes ? DETAIL_WRITES : 0) |
              (earlier_writes ? DETAIL_WROTE : 0);
  h->info[0] = stamp >> STAMP_INSTRUCTION;
  h->info[1] = stamp_member(stamp);
}

/* Does a member know that an access is over? That is enough where no tcgen05 operation follows that must be
 * ordered: fences order those. */
static int is_over(const Wave *w, u32 member, u64 stamp) {
  return (u32)stamp <= clock_of(w->group, member, CLOCK_OVER + stamp_class(stamp))[stamp_member(stamp)];
}

void tensor_over(Wave *w, const Cta *of, u32 instruction, u32 first, u32 columns) {
  for (u32 cell = first * TENSOR_LANES; cell < (first + columns) * TENSOR_LANES; cell++) {
    const TensorCell *c = &of->tensor->cells[cell];
    const u64 stamps[3] = {c->write, c->read, c->other_read};
    for (u32 i = 0; i < 3; i++) {
      u32 class = stamp_class(stamps[i]);
      if (is_over(w, w->member, stamps[i])) continue;
      HazardRecord *h = lm_hazard(w, HAZARD_TENSOR, instruction, w->active);
      h->space = SPACE_TENSOR;
      h->address = (u64)(cell % TENSOR_LANES) << 16 | cell / TENSOR_LANES;
      h->detail = DETAIL_GIVES_BACK | (i == 0 ? DETAIL_WROTE : 0);
      if (is_over(w, stamp_member(stamps[i]), stamps[i])) h->detail |= MISSES_MEETING;
      else h->detail |= class == TENSOR_LOAD ? MISSES_WAIT_LOAD
                        : class == TENSOR_STORE ? MISSES_WAIT_STORE : MISSES_COMMIT;
      h->info[0] = stamps[i] >> STAMP_INSTRUCTION;
      h->info[1] = stamp_member(stamps[i]);
      return;
    }
  }
}

void tensor_order(Wave *w, TensorMemory *t, u32 instruction, u64 lanes, u32 cell, u32 class,
                  int writes) {
  TensorCell *c = &t->cells[cell];
  u64 stamp = tensor_stamp(w, instruction, class);
  if (!tensor_ordered(w, c->write, class))
    tensor_conflict(w, instruction, lanes, cell, class, writes, c->write, 1);
  if (!writes) {
    note_tensor_read(c, stamp);
    return;
  }
  if (!tensor_ordered(w, c->read, class))
    tensor_conflict(w, instruction, lanes, cell, class, 1, c->read, 0);
  else if (!tensor_ordered(w, c->other_read, class))
    tensor_conflict(w, instruction, lanes, cell, class, 1, c->other_read, 0);
  c->read = c->other_read = 0;
  c->write = stamp;
}

/* tcgen05.wait: this warp's loads (stores) so far are complete. */
void lm_tensor_wait(Wave *w, u32 class) {
  tensor_known(w->group, w->member, class)[w->member] = w->tensor_sequence[class];
  clock_of(w->group, w->member, CLOCK_OVER + class)[w->member] = w->tensor_sequence[class];
}

/* fence::before_thread_sync publishes what is complete; fence::after_thread_sync accepts what came. */
void lm_tensor_fence(Wave *w, u64 mask, u32 after) {
  Group *g = w->group;
  if (!mask) return;
  u64 *known = tensor_known(g, w->member, 0), size = (u64)TENSOR_CLOCKS * g->member_count;
  if (after) lm_advance(known, tensor_fenced(g, w->member, RECEIVED, 0), size);
  else lm_advance(tensor_fenced(g, w->member, PUBLISHED, 0), known, size);
}

void tensor_publish(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  if (g->fenced)
    lm_advance(clock + general_words(g), tensor_fenced(g, w->member, PUBLISHED, 0),
               (u64)TENSOR_CLOCKS * g->member_count);
}

void tensor_receive(Wave *w, const u64 *clock) {
  const Group *g = w->group;
  if (g->fenced)
    lm_advance(tensor_fenced(g, w->member, RECEIVED, 0), clock + general_words(g),
               (u64)TENSOR_CLOCKS * g->member_count);
}

/* A relaxed, volatile or atomic access may be the flag by which threads meet (PTX ISA, Specialized
 * Inter-thread Synchronization for tcgen05): as for releases, whichever flag it is. */
void lm_tensor_flag(Wave *w, u64 mask, u32 reads) {
  u64 *places[2] = {w->cta->published, w->group->published};
  for (u32 i = 0; mask && i < 2; i++) {
    if (reads) tensor_receive(w, places[i]);
    else tensor_publish(w, places[i]);
  }
}

/* -- shared memory as the tensor core reads it --------------------------------------------------- */

void async_read(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 offset, u64 size) {
  order_async_read(w, instruction, lane, owner, offset, size);
  u64 stamp = tensor_stamp(w, instruction, TENSOR_ASYNC);
  for (u64 i = offset / 4; i < (offset + size) / 4; i++) owner->async_reads[i] = stamp;
}

void async_unread(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 i) {
  u64 stamp = owner->async_reads[i];
  if (!stamp) return;
  owner->async_reads[i] = 0;
  if (is_over(w, w->member, stamp)) return;
  HazardRecord *h = lm_hazard(w, HAZARD_TENSOR, instruction, 1ull << lane);
  h->space = SPACE_SHARED;
  h->address = owner->shared_base + i * 4;
  h->detail = MISSES_COMMIT | DETAIL_WRITES;
  h->info[0] = stamp >> STAMP_INSTRUCTION;
  h->info[1] = stamp_member(stamp);
}
