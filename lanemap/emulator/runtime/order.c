/* Happens-before: an access that is not ordered after the one that it depends on is a hazard,
 * whatever the schedule was. Each wave numbers its accesses in each space; `clock[me][space][other]`
 * is how many accesses of `other` are ordered before what `me` does next. */
#include "mbarrier.h"

COLD static HazardRecord *conflict(Wave *w, u32 instruction, u32 lane, const Place *p, u64 granule,
                                   u32 kind, u32 earlier_kind, u64 group, u32 wave) {
  HazardRecord *h = lm_hazard(w, HAZARD_ORDER, instruction, 1ull << lane);
  h->space = p->space;
  h->address = p->space == SPACE_SHARED ? p->owner->shared_base + granule * 4
                                        : p->region->base + granule * 4;
  h->size = 4;
  h->detail = kind | earlier_kind << 8;
  h->info[0] = group - w->launch->first_group;
  h->info[1] = wave;
  h->info[2] = group == w->group->number;
  return h;
}

/* Which of the four bytes of granule `i` an access of `size` bytes at `offset` touches. */
static u64 bytes_of(u64 offset, u64 size, u64 i) {
  u64 bytes = 0;
  for (u64 b = 0; b < 4; b++)
    if (i * 4 + b >= offset && i * 4 + b < offset + size) bytes |= 1ull << b;
  return bytes << BYTES_SHIFT;
}

/* How far a wave has got for others of its group. On gfx950 global memory needs no wait for that: waves of a
 * workgroup share a CU, which keeps their vector accesses in order (LLVM, AMDGPUUsage, "Memory Model
 * gfx942", threadgroup split mode off; clang waits for LDS alone before s_barrier). */
static u64 reached(const Wave *w, u32 space) {
  int ordered = w->launch->synchronous || space == CLOCK_GLOBAL;
  return ordered ? w->sequence[space] : w->completed[space];
}

static int overlaps(u64 stamp, u64 bytes) { return (stamp & bytes) != 0; }

/* Is an access of shared memory by `other` ordered before what this wave does now? Sequences below
 * the group's base belong to groups that used the same memory earlier. */
static int ordered_shared(Wave *w, u32 other, u64 stamp) {
  Group *g = w->group;
  u64 sequence = stamp & SEQUENCE_MASK;
  return other == w->member || sequence <= g->sequence_base ||
         sequence - g->sequence_base <= clock_of(g, w->member, 1)[other];
}

/* Stamps of the waves of one CTA, counted from the owner, that read granule `i`. */
static u64 *readers_of(const Cta *owner, u32 away, u64 i) {
  return owner->shared_readers + (away * owner->granules + i) * owner->wave_count;
}

/* The CTA that is `away` from the owner, counted round the cluster. */
static u32 first_member(const Cta *owner, u32 away) {
  return (owner->rank + away) % owner->group->cta_count * owner->wave_count;
}

static void note_reader(Wave *w, const Cta *owner, SharedGranule *s, u64 i, u64 stamp) {
  u32 count = owner->group->cta_count;
  u32 away = w->cta == owner ? 0 : (w->cta->rank + count - owner->rank) % count;
  if (away) s->others |= 1u << away;
  else s->readers |= 1u << w->index;
  readers_of(owner, away, i)[w->index] = stamp;
}

/* The first reader of granule `i` since the last write that this write is not ordered after; ~0 for
 * none. Forgets all of them. */
static u32 unordered_reader(Wave *w, const Cta *owner, SharedGranule *s, u64 i, u64 bytes) {
  u64 *readers = readers_of(owner, 0, i);
  u32 found = ~0u;
  for (u32 r = 0, left = s->readers; left; r++, left >>= 1)
    if (left & 1 && found == ~0u && overlaps(readers[r], bytes) &&
        !ordered_shared(w, owner->first_member + r, readers[r]))
      found = owner->first_member + r;
  s->readers = 0;
  for (u32 away = 1; s->others; away++) {
    if (!(s->others >> away & 1)) continue;
    s->others &= ~(1u << away);
    readers = readers_of(owner, away, i);
    for (u32 r = 0; r < owner->wave_count; r++) {
      u32 member = first_member(owner, away) + r;
      if (readers[r] && found == ~0u && overlaps(readers[r], bytes) &&
          !ordered_shared(w, member, readers[r]))
        found = member;
      readers[r] = 0;
    }
  }
  return found;
}

/* A wave accesses another CTA's shared memory: that CTA must not have ended, and must not end before
 * something orders its end after the access (lm_leave). A flag, which an atomic or relaxed store sets, is
 * itself what the owner may wait for. */
static void visit(Wave *w, u32 instruction, u32 lane, Cta *owner, int flag) {
  if (!flag) owner->visits[w->member] = (u64)instruction << 32 | w->sequence[1];
  if (owner->live) return;
  HazardRecord *h = lm_hazard(w, HAZARD_ENDED, instruction, 1ull << lane);
  h->info[0] = owner->rank;
  h->info[1] = 1;
}

/* The last wave of a CTA ended: whoever accessed its shared memory must have done so before. */
void lm_leave(Wave *ending) {
  Cta *c = ending->cta;
  Group *g = c->group;
  for (u32 other = 0; g->cta_count > 1 && other < g->member_count; other++) {
    u64 last = c->visits[other] & 0xffffffff, known = 0;
    for (u32 i = 0; i < c->wave_count; i++) {
      u64 got = clock_of(g, c->first_member + i, 1)[other];
      if (got > known) known = got;
    }
    if (last <= known) continue;
    HazardRecord *h = lm_hazard(ending, HAZARD_ENDED, (u32)(c->visits[other] >> 32),
                                g->members[other]->full);
    h->wave = other;
    h->info[0] = c->rank;
  }
}

static void order_shared(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                         int same) {
  Group *g = w->group;
  Cta *owner = p->owner;
  u64 sequence = g->sequence_base + w->sequence[1];
  int flag = kind & ACCESS_STORE && kind & (ACCESS_ATOMIC | ACCESS_RELAXED);
  if (owner != w->cta) visit(w, instruction, lane, owner, flag);
  for (u64 i = p->offset / 4; owner->mbarriers && i <= (p->offset + size - 1) / 4; i++)
    if (owner->mbarrier_at[i / 2]) mbarrier_touched(w, instruction, lane, owner, i);
  for (u64 i = p->offset / 4; owner->async_reads && i <= (p->offset + size - 1) / 4; i++)
    if (!same && kind & (ACCESS_STORE | ACCESS_ATOMIC)) async_unread(w, instruction, lane, owner, i);
  for (u64 i = p->offset / 4; i <= (p->offset + size - 1) / 4; i++) {
    SharedGranule *s = &owner->shared_order[i];
    u64 bytes = bytes_of(p->offset, size, i);
    u64 stamp = sequence | bytes | (u64)w->member << WAVE_SHIFT;
    u32 writer = (u32)(s->write >> WAVE_SHIFT) & WAVE_MASK;
    int relaxed = (s->write & ATOMIC_BIT) && (kind & (ACCESS_ATOMIC | ACCESS_RELAXED));
    if (!relaxed && !same && overlaps(s->write, bytes) && !ordered_shared(w, writer, s->write))
      conflict(w, instruction, lane, p, i, kind, ACCESS_STORE, g->number, writer);
    if (kind & ACCESS_LOAD && !(kind & ACCESS_ATOMIC)) {
      if (!(kind & ACCESS_RELAXED)) note_reader(w, owner, s, i, stamp);
      continue;
    }
    /* what is there already has no new writer, and its readers may still meet another store */
    if (same && (s->write & SEQUENCE_MASK) > g->sequence_base) continue;
    u32 reader = unordered_reader(w, owner, s, i, same ? 0 : bytes);
    if (reader != ~0u)
      conflict(w, instruction, lane, p, i, kind, ACCESS_LOAD, g->number, reader);
    s->write = stamp | (kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ? ATOMIC_BIT : 0);
  }
}

static u64 group_of(u64 stamp) { return (stamp & ~(ATOMIC_BIT | NARROW_BIT)) >> GROUP_SHIFT; }
static u32 wave_of(u64 stamp) { return (u32)(stamp >> WAVE_SHIFT) & WAVE_MASK; }

int lm_learned(const Wave *w, u64 group, u32 member, u64 sequence);

static int ordered(Wave *w, u64 stamp) {
  Group *g = w->group;
  if (!stamp || group_of(stamp) < w->launch->first_group) return 1;
  if (group_of(stamp) != g->number)
    return lm_learned(w, group_of(stamp), wave_of(stamp), stamp & SEQUENCE_MASK);
  return wave_of(stamp) == w->member ||
         (stamp & SEQUENCE_MASK) <= clock_of(g, w->member, 0)[wave_of(stamp)];
}

/* What an atomic or relaxed access of a flag carries from one group to another (releases.c). */
static void carry(Wave *w, Granule *o, u32 kind) {
  u64 *times = times_of(w);
  if (kind & ACCESS_STORE && !w->launch->synchronous) lm_release_written(w);
  if (kind & ACCESS_LOAD && o->time > times[PENDING]) times[PENDING] = o->time;
  if (kind & ACCESS_STORE && (!(kind & ACCESS_LOAD) || times[FENCED] > o->time))
    o->time = times[FENCED];
}

enum { PLAIN, NARROW, ATOMIC };

/* How a write and this access are atomic to each other: between groups, only at the scope of the GPU. */
static u32 atomicity(const Wave *w, u64 write, u32 kind) {
  if (!(write & ATOMIC_BIT) || !(kind & (ACCESS_ATOMIC | ACCESS_RELAXED))) return PLAIN;
  int narrow = (write & NARROW_BIT) || (kind & ACCESS_NARROW);
  return narrow && group_of(write) != w->group->number ? NARROW : ATOMIC;
}

static void order_global(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                         int same) {
  Group *g = w->group;
  u64 identity = g->number << GROUP_SHIFT | (u64)w->member << WAVE_SHIFT;
  for (u64 i = p->offset / 4; i <= (p->offset + size - 1) / 4; i++) {
    Granule *o = &p->region->order[i];
    u64 bytes = bytes_of(p->offset, size, i);
    u64 stamp = identity | bytes | w->sequence[0];
    u32 atomic = atomicity(w, o->write, kind);
    if (!same && atomic != ATOMIC && overlaps(o->write, bytes) && !ordered(w, o->write))
      conflict(w, instruction, lane, p, i, kind, ACCESS_STORE, group_of(o->write), wave_of(o->write))
          ->info[3] = atomic == NARROW;
    if (kind & (ACCESS_ATOMIC | ACCESS_RELAXED)) carry(w, o, kind);
    if (kind & ACCESS_LOAD && !(kind & ACCESS_ATOMIC)) {
      if (kind & ACCESS_RELAXED) continue;
      if (o->read >> WAVE_SHIFT == stamp >> WAVE_SHIFT) {
        o->read = stamp | (o->read & 15ull << BYTES_SHIFT);
      } else {
        o->other_read = o->read;
        o->read = stamp;
      }
      continue;
    }
    if (same && o->write) continue;
    u64 reads[2] = {o->read, o->other_read};
    for (int r = 0; r < 2 && !same; r++)
      if (overlaps(reads[r], bytes) && !ordered(w, reads[r])) {
        conflict(w, instruction, lane, p, i, kind, ACCESS_LOAD, group_of(reads[r]), wave_of(reads[r]));
        break;
      }
    o->read = o->other_read = 0;
    o->write = stamp | (kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ? ATOMIC_BIT : 0) |
               (kind & ACCESS_NARROW ? NARROW_BIT : 0);
  }
}

/* The async proxy reads: what the generic proxy wrote must be ordered before, and on the way some wave must
 * have had a proxy fence (PTX ISA, Async proxy). */
void order_async_read(Wave *w, u32 instruction, u32 lane, Cta *owner, u64 offset, u64 size) {
  Group *g = w->group;
  for (u64 i = offset / 4; i < (offset + size) / 4; i++) {
    u64 stamp = owner->shared_order[i].write, sequence = (stamp & SEQUENCE_MASK) - g->sequence_base;
    u32 writer = (u32)(stamp >> WAVE_SHIFT) & WAVE_MASK;
    if ((stamp & SEQUENCE_MASK) <= g->sequence_base ||
        sequence <= clock_of(g, w->member, CLOCK_PROXY_SHARED)[writer]) continue;
    HazardRecord *h = lm_hazard(w, HAZARD_PROXY, instruction, 1ull << lane);
    h->address = owner->shared_base + i * 4;
    h->info[0] = writer;
    h->info[1] = ordered_shared(w, writer, stamp);
  }
}

/* fence.proxy.async: of the spaces asked for (bits), what the wave did and knows goes to the async proxy. */
void lm_proxy_fence(Wave *w, u64 mask, u32 spaces) {
  Group *g = w->group;
  g->handed |= mask != 0;
  for (u32 space = CLOCK_GLOBAL; mask && space <= CLOCK_SHARED; space++) {
    if (!(spaces >> space & 1)) continue;
    u64 *handed = clock_of(g, w->member, space + CLOCK_PROXY_GLOBAL);
    lm_advance(handed, clock_of(g, w->member, space), g->member_count);
    if (handed[w->member] < reached(w, space)) handed[w->member] = reached(w, space);
  }
}

/* An operation on an mbarrier object must be ordered after its initialisation; the latter (`writes`), and
 * its end, after everything. */
void order_object(Wave *w, u32 instruction, u32 lane, const Place *p, int writes) {
  Cta *owner = p->owner;
  if (owner != w->cta) visit(w, instruction, lane, owner, 1);
  for (u64 i = p->offset / 4; i < p->offset / 4 + 2; i++) {
    SharedGranule *s = &owner->shared_order[i];
    u32 writer = (u32)(s->write >> WAVE_SHIFT) & WAVE_MASK;
    u64 bytes = 15ull << BYTES_SHIFT;
    if (s->write && !ordered_shared(w, writer, s->write))
      conflict(w, instruction, lane, p, i, ACCESS_ATOMIC, ACCESS_STORE, w->group->number, writer);
    if (!writes) continue;
    u32 reader = unordered_reader(w, owner, s, i, bytes);
    if (reader != ~0u)
      conflict(w, instruction, lane, p, i, ACCESS_STORE, ACCESS_LOAD, w->group->number, reader);
    s->write = (w->group->sequence_base + w->sequence[1]) | bytes | (u64)w->member << WAVE_SHIFT;
  }
}

void order_access(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                  int same) {
  if (p->space == SPACE_SHARED) order_shared(w, instruction, lane, p, size, kind, same);
  else if (p->space == SPACE_GLOBAL) order_global(w, instruction, lane, p, size, kind, same);
}

/* Each of `count` clocks is as far as that in `from`, at least. */
void lm_advance(u64 *clock, const u64 *from, u64 count) {
  for (u64 i = 0; i < count; i++)
    if (from[i] > clock[i]) clock[i] = from[i];
}

/* The general part of a clock; that of the async proxy is empty before the first proxy fence, that of
 * tensor memory where the kernel has no tcgen05. */
static void advance_general(const Group *g, u64 *clock, const u64 *from) {
  u64 count = g->member_count, times = CLOCK_TENSOR * count;
  lm_advance(clock, from, (g->handed || g->fenced ? CLOCK_TENSOR : CLOCK_PROXY_GLOBAL) * count);
  lm_advance(clock + times, from + times, CLOCK_EXTRA);
}

/* Add what a wave knows, and how far it has got itself, to a clock [CLOCK_..][other]. */
void lm_publish(const Wave *w, u64 *clock) {
  const Group *g = w->group;
  u64 count = g->member_count;
  advance_general(g, clock, clock_of(g, w->member, 0));
  for (u32 space = CLOCK_GLOBAL; space <= CLOCK_SHARED; space++) {
    u64 own = reached(w, space);
    if (own > clock[space * count + w->member]) clock[space * count + w->member] = own;
  }
  tensor_publish(w, clock);
}

/* The wave learns what a clock [CLOCK_..][other] holds. */
void lm_learn(Wave *w, const u64 *clock) {
  advance_general(w->group, clock_of(w->group, w->member, 0), clock);
  tensor_receive(w, clock);
}

/* All waves (a mask) of a CTA met: what each had completed, and what it knew, is ordered before all. */
void lm_join(Cta *c, u32 waves) {
  Group *g = c->group;
  u64 joined[CLOCKS * MAX_MEMBERS + CLOCK_EXTRA];
  for (u32 i = 0; i < clock_words(g); i++) joined[i] = 0;
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_publish(g->members[c->first_member + i], joined);
  for (u32 i = 0; i < c->wave_count; i++)
    if (waves >> i & 1) lm_learn(g->members[c->first_member + i], joined);
}
