/* Happens-before: an access that is not ordered after the one that it depends on is a hazard,
 * whatever the schedule was. Each wave numbers its accesses in each space; `clock[me][space][other]`
 * is how many accesses of `other` are ordered before what `me` does next. */
#include "access.h"

COLD static void conflict(Wave *w, u32 instruction, u32 lane, const Place *p, u64 granule, u32 kind,
                     u32 earlier_kind, u64 group, u32 wave) {
  HazardRecord *h = lm_hazard(w, HAZARD_ORDER, instruction, 1ull << lane);
  h->space = p->space;
  h->address = p->space == SPACE_SHARED ? w->group->shared_base + granule * 4
                                        : p->region->base + granule * 4;
  h->size = 4;
  h->detail = kind | earlier_kind << 8;
  h->info[0] = group - w->launch->first_group;
  h->info[1] = wave;
  h->info[2] = group == w->group->number;
}

/* Which of the four bytes of granule `i` an access of `size` bytes at `offset` touches. */
static u64 bytes_of(u64 offset, u64 size, u64 i) {
  u64 bytes = 0;
  for (u64 b = 0; b < 4; b++)
    if (i * 4 + b >= offset && i * 4 + b < offset + size) bytes |= 1ull << b;
  return bytes << BYTES_SHIFT;
}

static int overlaps(u64 stamp, u64 bytes) { return (stamp & bytes) != 0; }

/* Is an access of shared memory by `other` ordered before what this wave does now? Sequences below
 * the group's base belong to workgroups that used the same memory earlier. */
static int ordered_shared(Wave *w, u32 other, u64 stamp) {
  Group *g = w->group;
  u64 sequence = stamp & SEQUENCE_MASK;
  return other == w->index || sequence <= g->sequence_base ||
         sequence - g->sequence_base <= g->clock[w->index][1][other];
}

static void order_shared(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                         int same) {
  Group *g = w->group;
  u64 sequence = g->sequence_base + w->sequence[1];
  for (u64 i = p->offset / 4; i <= (p->offset + size - 1) / 4; i++) {
    SharedGranule *s = &g->shared_order[i];
    u64 *readers = &g->shared_readers[i * MAX_WAVES];
    u64 bytes = bytes_of(p->offset, size, i);
    u64 stamp = sequence | bytes | (u64)w->index << WAVE_SHIFT;
    u32 writer = (u32)(s->write >> WAVE_SHIFT) & (MAX_WAVES - 1);
    int relaxed = (s->write & ATOMIC_BIT) && (kind & (ACCESS_ATOMIC | ACCESS_RELAXED));
    if (!relaxed && !same && overlaps(s->write, bytes) && !ordered_shared(w, writer, s->write))
      conflict(w, instruction, lane, p, i, kind, ACCESS_STORE, g->number, writer);
    if (kind & ACCESS_LOAD && !(kind & ACCESS_ATOMIC)) {
      if (!(kind & ACCESS_RELAXED)) {
        s->readers |= 1u << w->index;
        readers[w->index] = stamp;
      }
      continue;
    }
    if (!same)
      for (u32 r = 0, left = s->readers; left; r++, left >>= 1)
        if (left & 1 && overlaps(readers[r], bytes) && !ordered_shared(w, r, readers[r]))
          conflict(w, instruction, lane, p, i, kind, ACCESS_LOAD, g->number, r);
    if (same && (s->write & SEQUENCE_MASK) > g->sequence_base) continue;  /* keep its first writer */
    s->readers = 0;
    s->write = stamp | (kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ? ATOMIC_BIT : 0);
  }
}

static u64 group_of(u64 stamp) { return (stamp & ~ATOMIC_BIT) >> GROUP_SHIFT; }
static u32 wave_of(u64 stamp) { return (u32)(stamp >> WAVE_SHIFT) & 63; }

int lm_ptx_acquired(const Wave *w);

static int ordered(Wave *w, u64 stamp) {
  Group *g = w->group;
  if (!stamp || group_of(stamp) < w->launch->first_group) return 1;
  if (group_of(stamp) != g->number) return lm_ptx_acquired(w);
  return wave_of(stamp) == w->index ||
         (stamp & SEQUENCE_MASK) <= g->clock[w->index][0][wave_of(stamp)];
}

static void order_global(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                         int same) {
  Group *g = w->group;
  u64 identity = g->number << GROUP_SHIFT | (u64)w->index << WAVE_SHIFT;
  for (u64 i = p->offset / 4; i <= (p->offset + size - 1) / 4; i++) {
    Granule *o = &p->region->order[i];
    u64 bytes = bytes_of(p->offset, size, i);
    u64 stamp = identity | bytes | w->sequence[0];
    int relaxed = (o->write & ATOMIC_BIT) && (kind & (ACCESS_ATOMIC | ACCESS_RELAXED));
    if (!same && !relaxed && overlaps(o->write, bytes) && !ordered(w, o->write))
      conflict(w, instruction, lane, p, i, kind, ACCESS_STORE, group_of(o->write), wave_of(o->write));
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
    o->write = stamp | (kind & (ACCESS_ATOMIC | ACCESS_RELAXED) ? ATOMIC_BIT : 0);
  }
}

void order_access(Wave *w, u32 instruction, u32 lane, const Place *p, u64 size, u32 kind,
                  int same) {
  if (p->space == SPACE_SHARED) order_shared(w, instruction, lane, p, size, kind, same);
  else if (p->space == SPACE_GLOBAL) order_global(w, instruction, lane, p, size, kind, same);
}

static u64 reached(const Wave *w, u32 space) {
  return w->launch->synchronous ? w->sequence[space] : w->completed[space];
}

/* All waves of `members` met: what each had completed, and what it knew, is ordered before all. */
void lm_join(Group *g, u32 members) {
  for (u32 space = 0; space < 2; space++) {
    u64 joined[MAX_WAVES];
    for (u32 other = 0; other < g->wave_count; other++) {
      joined[other] = members >> other & 1 ? reached(g->waves[other], space) : 0;
      for (u32 w = 0; w < g->wave_count; w++)
        if (members >> w & 1 && g->clock[w][space][other] > joined[other])
          joined[other] = g->clock[w][space][other];
    }
    for (u32 w = 0; w < g->wave_count; w++)
      if (members >> w & 1)
        for (u32 other = 0; other < g->wave_count; other++) g->clock[w][space][other] = joined[other];
  }
}
