/* The order of accesses to tensor memory: waits, fences, and what a barrier passes on
 * (tensor.h). */
#include "async.h"
#include "clocks.h"
#include "conflicts.h"
#include "events.h"
#include "memory_model.h"
#include "proxies.h"
#include "ptx_cta.h"
#include "ptx_warp.h"
#include "stamps.h"

Access tensor_access(Wave *w, TensorMemory *t, u32 instruction, u32 agent, u32 kind, int next) {
  u32 class = agent - AGENT_LOAD;
  w->engine_sequence[class] += (u32)next;
  if (agent == AGENT_ENGINE)
    tensor_known(w->group, w->member, CLOCK_ISSUED)[w->member] = w->engine_sequence[class];
  u64 stamp = stamp_of(w, agent, w->engine_sequence[class]);
  if (w->launch->log) log_access(w, stamp, instruction);
  return (Access){w, instruction, SPACE_ENGINE, kind, 1, {stamp, stamp}, t ? &t->memory : 0};
}

/* Where there is no room, the first run counts as over with its own numbers; one that is
 * committed goes first. */
static void forget_run(Wave *w) {
  u32 gone = 0;
  while (gone < w->run_count && !w->runs[gone].over) gone++;
  if (gone == w->run_count) gone = 0;
  w->run_count--;
  for (u32 i = gone; i < w->run_count; i++) w->runs[i] = w->runs[i + 1];
}

void tensor_issued(Wave *w, u32 lane, u32 copies) {
  u32 number = w->engine_sequence[AGENT_ENGINE - AGENT_LOAD];
  u64 *kinds = &warp_of(w)->tensor_copies, bit = 1ull << (number & 63);
  *kinds = copies ? *kinds | bit : *kinds & ~bit;
  EngineRun *last = w->run_count ? &w->runs[w->run_count - 1] : 0;
  if (last && last->lane == lane && !last->over && last->last + 1 >= number) {
    last->last = number;
    return;
  }
  if (w->run_count == MOST_RUNS) forget_run(w);
  w->runs[w->run_count++] = (EngineRun){lane, number, number, 0};
}

/* A commit is of its own thread's operations (PTX ISA, tcgen05.commit). They are over with all
 * that was issued before, or, where another lane's commit counts them as over already, with a
 * number of their own. */
u64 tensor_committed(Wave *w, u32 lane) {
  u32 *number = &w->engine_sequence[AGENT_ENGINE - AGENT_LOAD], late = 0, kept = 0;
  for (u32 i = 0; i < w->run_count; i++) {
    EngineRun run = w->runs[i];
    if (run.lane == lane && !run.over) {
      if (run.first > w->asked) continue;
      if (!late) late = ++*number;
      run.over = late;
    }
    w->runs[kept++] = run;
  }
  w->run_count = kept;
  return w->asked = *number;
}

/* Of an access that is not over: the lane, from 1, whose commit is missing though another lane
 * of its warp has committed since; 0 if none has. */
static u32 uncommitted_lane(const Group *g, u64 stamp) {
  const Wave *w = g->members[stamp_member(stamp)];
  u64 number = stamp & SEQUENCE_MASK;
  for (u32 i = 0; stamp_agent(stamp) == AGENT_ENGINE && number <= w->asked && i < w->run_count; i++)
    if (number >= w->runs[i].first && number <= w->runs[i].last && !w->runs[i].over)
      return w->runs[i].lane + 1;
  return 0;
}

/* The number by which clocks of completion know an access. */
static u64 known_as(const Group *g, u64 stamp) {
  return stamp_agent(stamp) == AGENT_ENGINE ? over_with(g, stamp) : stamp & SEQUENCE_MASK;
}

/* Which clock orders an access after the earlier one. */
static u32 clock_for(u32 earlier, u32 agent) {
  if (earlier == AGENT_ENGINE && agent == AGENT_ENGINE) return CLOCK_ISSUED;
  return earlier == AGENT_LOAD ? CLOCK_LOAD : earlier == AGENT_STORE ? CLOCK_STORE : CLOCK_DONE;
}

/* What is missing between an earlier access and this one. */
enum Misses {
  MISSES_WAIT_LOAD = 0,
  MISSES_WAIT_STORE,
  MISSES_COMMIT,
  MISSES_BEFORE,
  MISSES_SYNC,
  MISSES_AFTER,
  MISSES_MEETING,
  MISSES_WARPGROUP
};

static u32 missing(Wave *w, u64 stamp, u32 agent) {
  Group *g = w->group;
  u32 clock = clock_for(stamp_agent(stamp), agent), who = stamp_member(stamp);
  u64 sequence = clock == CLOCK_DONE ? known_as(g, stamp) : stamp & SEQUENCE_MASK;
  if (sequence <= tensor_fenced(g, w->member, RECEIVED, clock)[who]) return MISSES_AFTER;
  if (clock == CLOCK_DONE) return MISSES_COMMIT;
  if (sequence > tensor_known(g, who, clock)[who])
    return clock == CLOCK_LOAD ? MISSES_WAIT_LOAD : MISSES_WAIT_STORE;
  if (!w->launch->strict) return MISSES_MEETING;
  return sequence > tensor_fenced(g, who, PUBLISHED, clock)[who] ? MISSES_BEFORE : MISSES_SYNC;
}

/* Is the earlier access what tcgen05.alloc stored, and has the wave waited at the cluster
 * barrier since? Then the arrivals there were relaxed. */
static int alloc_met(Wave *w, u64 earlier) {
  const TensorStored *s = &ptx_cta(w->cta)->stored;
  return stamp_group(earlier) == w->group->number - w->launch->first_group &&
         stamp_member(earlier) == s->member && stamp_agent(earlier) == AGENT_SHARED &&
         (earlier & SEQUENCE_MASK) == s->sequence && round_met(w, s->round);
}

u32 lm_ptx_conflict(Touch *t, HazardRecord *h, u64 earlier) {
  Wave *w = t->a->w;
  u32 mine = stamp_agent(t->stamp), agent = stamp_agent(earlier);
  u32 writes = (t->a->kind & ACCESS_STORE) != 0,
      earlier_writes = (h->detail >> 8 & ACCESS_STORE) != 0;
  if (mine <= AGENT_SHARED && agent <= AGENT_SHARED) {
    if (!writes && alloc_met(w, earlier)) h->note = NOTE_ALLOC_RELAXED + 1;
    return 0;
  }
  if (proxy_conflict(t, h, earlier, !earlier_writes)) {
    /* without tensor memory the engine is that of wgmma */
    if (agent == AGENT_COPY && mine == AGENT_ENGINE && !w->group->fenced)
      h->note = NOTE_WGMMA_COPIED + 1;
    return 1;
  }
  if (agent >= AGENT_COPY) {
    async_conflict(t, h, earlier);
    return 1;
  }
  if (agent <= AGENT_SHARED) return 1; /* only order is missing */
  h->kind = HAZARD_ENGINE;
  h->size = 4;
  h->detail = (!w->group->fenced
                   ? (u32)MISSES_WARPGROUP /* without tensor memory the engine is that of wgmma */
               : mine <= AGENT_SHARED || mine >= AGENT_COPY ? (u32)MISSES_COMMIT
                                                            : missing(w, earlier, mine)) |
              (writes ? DETAIL_WRITES : 0) | (earlier_writes ? DETAIL_WROTE : 0);
  h->info[0] = h->earlier ? h->earlier - 1 : h->instruction;
  h->info[1] = stamp_member(earlier);
  h->earlier_lane = uncommitted_lane(w->group, earlier);
  return 1;
}

/* Does a member know that an access is over? By release and acquire, which is enough where no
 * tcgen05 operation follows that must be ordered; or through the fences. */
static int is_over(const Wave *w, u32 member, u64 stamp) {
  u32 class = stamp_agent(stamp) - AGENT_LOAD, who = stamp_member(stamp);
  u64 sequence = known_as(w->group, stamp);
  return sequence <= clock_of(w->group, member, CLOCK_OVER + class)[who] ||
         sequence <= tensor_known(w->group, member, class)[who];
}

static int is_received(const Wave *w, u64 stamp) {
  u32 class = stamp_agent(stamp) - AGENT_LOAD;
  return known_as(w->group, stamp) <=
         tensor_fenced(w->group, w->member, RECEIVED, class)[stamp_member(stamp)];
}

static int not_over(const Wave *w, u64 stamp) { return !is_over(w, w->member, stamp); }

/* The same, but for the wave's own loads. */
static int others_not_over(const Wave *w, u64 stamp) {
  int own = stamp_agent(stamp) == AGENT_LOAD && stamp_member(stamp) == w->member &&
            stamp_group(stamp) == w->group->number - w->launch->first_group;
  return !own && not_over(w, stamp);
}

/* Describe the earlier access. */
static void tell_earlier(const Wave *w, HazardRecord *h, u64 stamp, u64 place) {
  u32 known = logged(w, stamp);
  h->space = SPACE_ENGINE;
  h->address = place;
  h->info[0] = known ? known - 1 : h->instruction;
  h->info[1] = stamp_member(stamp);
  h->earlier_lane = uncommitted_lane(w->group, stamp);
}

/* A copy that the wave itself has issued, among the last operations, and that is not over. */
static int own_copy(const Wave *w, u64 stamp) {
  u64 number = stamp & SEQUENCE_MASK;
  return stamp_agent(stamp) == AGENT_ENGINE && stamp_member(stamp) == w->member &&
         stamp_group(stamp) == w->group->number - w->launch->first_group &&
         number + 64 > w->engine_sequence[AGENT_ENGINE - AGENT_LOAD] &&
         warp_of((Wave *)w)->tensor_copies >> (number & 63) & 1 && not_over(w, stamp);
}

void tensor_after_copies(Wave *w, const Cta *of, u32 instruction, u32 lane, u32 first, u32 column,
                         u32 columns) {
  Memory *m = &ptx_cta(of)->tensor->memory;
  u64 place = 0, stamp = 0;
  for (u32 i = 0; i < columns && !stamp; i++) {
    u64 from = (u64)(column + i) * COLUMN_BYTES + first * 4;
    stamp = find_write(w, m, from, from + WARP_LANES * 4, own_copy, &place);
  }
  if (!stamp) return;
  if (!w->launch->precise) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  HazardRecord *h = lm_hazard(w, HAZARD_ENGINE, instruction, 1ull << lane);
  h->detail = MISSES_COMMIT | DETAIL_WROTE;
  tell_earlier(w, h, stamp, place);
}

void tensor_over(Wave *w, const Cta *of, u32 instruction, u32 first, u32 columns) {
  u64 place, from = (u64)first * COLUMN_BYTES, to = from + (u64)columns * COLUMN_BYTES;
  Memory *m = &ptx_cta(of)->tensor->memory;
  u64 stamp = find_stamp(w, m, from, to, others_not_over, &place);
  int own = !stamp;
  if (own) stamp = find_stamp(w, m, from, to, not_over, &place);
  if (!stamp) return;
  if (!w->launch->precise) { /* precise code knows which instruction it was */
    w->stop = STOP_IMPRECISE;
    return;
  }
  HazardRecord *h = own ? lm_note(w, NOTE_DEALLOC, HAZARD_ENGINE, instruction, w->active)
                        : lm_hazard(w, HAZARD_ENGINE, instruction, w->active);
  u32 agent = stamp_agent(stamp);
  h->detail = DETAIL_GIVES_BACK | (agent != AGENT_LOAD ? DETAIL_WROTE : 0);
  if (is_received(w, stamp)) h->detail |= MISSES_AFTER;
  else if (is_over(w, stamp_member(stamp), stamp)) h->detail |= MISSES_MEETING;
  else
    h->detail |= agent == AGENT_LOAD    ? MISSES_WAIT_LOAD
                 : agent == AGENT_STORE ? MISSES_WAIT_STORE
                                        : MISSES_COMMIT;
  tell_earlier(w, h, stamp, place);
}

/* tcgen05.wait: this warp's loads (stores) so far are complete. */
void lm_tensor_wait(Wave *w, u32 class) {
  tensor_known(w->group, w->member, class)[w->member] = w->engine_sequence[class];
  u64 *over = &clock_of(w->group, w->member, CLOCK_OVER + class)[w->member];
  complete_to(w, over, AGENT_LOAD + class, w->engine_sequence[class], DIRECTION_STORE);
}

/* The warp has named registers of each of its last `loads` loads (lower/tensor_reads.py), so
 * those are complete; an older one that is not keeps the count where it is. */
void lm_tensor_read(Wave *w, u32 loads) {
  u64 known = tensor_known(w->group, w->member, CLOCK_LOAD)[w->member];
  if (known + loads >= w->engine_sequence[TENSOR_LOAD]) lm_tensor_wait(w, TENSOR_LOAD);
}

/* fence::before_thread_sync publishes what is complete; fence::after_thread_sync accepts what
 * came. */
void lm_tensor_fence(Wave *w, u64 mask, u32 after) {
  Group *g = w->group;
  if (!mask) return;
  u64 *known = tensor_known(g, w->member, 0), size = (u64)FENCED_CLOCKS * g->member_count;
  if (after) lm_advance(known, tensor_fenced(g, w->member, RECEIVED, 0), size);
  else lm_advance(tensor_fenced(g, w->member, PUBLISHED, 0), known, size);
}

/* A relaxed, volatile or atomic access may be the flag by which threads meet (PTX ISA, Specialized
 * Inter-thread Synchronization for tcgen05): as for releases, whichever flag it is. */
void lm_tensor_flag(Wave *w, u64 mask, u32 reads) {
  u64 *places[2] = {w->cta->published, w->group->published};
  for (u32 i = 0; mask && i < 2; i++) {
    if (reads) receive_fenced(w, places[i]);
    else publish_fenced(w, places[i]);
  }
}
