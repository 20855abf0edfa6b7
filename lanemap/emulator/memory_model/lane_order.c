/* Order between the lanes of one wave, which need not run in lockstep. A store of a lane to
 * shared memory happens before an access of another lane only if the two have synchronized in
 * between. Stamps identify only waves, so this file keeps the lanes. It costs time and memory:
 * unless it is asked for, it begins where lanes go different ways and ends where all have met. */
#include "lane_order.h"
#include "access.h"
#include "memory_model.h"

void *calloc(u64 count, u64 size);
void free(void *memory);

/* An access of one byte: by lanes of a wave, at which number of the wave's, by which
 * instruction. */
typedef struct LaneAccess {
  u64 lanes;
  u32 number, instruction, wave, unused;
} LaneAccess;

/* The last accesses of one byte, by kind. Further accesses merge with the oldest of their kind,
 * so races can be missed but not invented. */
enum { PLAIN_WRITE, PLAIN_READ, ATOMIC_WRITE, ATOMIC_READ, LANE_KINDS };
enum { KEPT = 4 };
/* `observer`: the last atomic write, if it observed all before it, one through the other
 * (stamps.c), which `broken` says can be no more. */
typedef struct LaneByte {
  u64 group, broken;
  LaneAccess observer, last[LANE_KINDS][KEPT];
} LaneByte;

/* [i][j]: the last access of the wave by lane j that lane i is ordered after; `all` holds for
 * every pair. `last` is the last access of each lane. A lane that releases by itself what its
 * wave did up to access `at` releases of each lane only what it is ordered after: the last such
 * Unreleased are kept. */
enum { UNRELEASED = 16 };
typedef struct Unreleased { u32 at, of[MAX_LANES]; } Unreleased;
typedef struct Known {
  u32 all, of[MAX_LANES][MAX_LANES], last[MAX_LANES];
  u32 releases;
  Unreleased unreleased[UNRELEASED];
} Known;

/* The records of one CTA. Its number tells them from those that an earlier group left. */
typedef struct LaneOrder {
  struct LaneOrder *next;
  u64 group;
  LaneByte *bytes;
  Known known[MAX_WAVES];
} LaneOrder;

static LaneOrder *order_of(Wave *w, Cta *c) {
  u64 group = w->group->number + 1;
  LaneOrder *o = c->lane_order;
  if (!o) {
    o = calloc(1, sizeof *o);
    LaneByte *bytes = o ? calloc(c->shared.size + 1, sizeof *bytes) : 0;
    if (!bytes) {
      free(o);
      w->stop = STOP_MEMORY;
      return 0;
    }
    o->bytes = bytes;
    o->next = w->launch->lane_orders;
    w->launch->lane_orders = c->lane_order = o;
  }
  if (o->group != group) fill_bytes((u8 *)o->known, 0, c->wave_count * sizeof(Known));
  o->group = group;
  return o;
}

void lm_free_lane_orders(Launch *l) {
  for (LaneOrder *o = l->lane_orders, *next; o; o = next) {
    next = o->next;
    free(o->bytes);
    free(o);
  }
  l->lane_orders = 0;
}

/* Lanes of a wave have synchronized: all that each did and knew happens before what any does
 * next. */
void lanes_meet(Wave *w, u64 lanes) {
  if (!lanes_followed(w)) return;
  LaneOrder *o = order_of(w, w->cta);
  if (!o) return;
  Known *k = &o->known[w->index];
  u32 now = (u32)w->sequence[1];
  if (!(w->full & ~lanes)) {
    k->all = now;
    w->parted = 0;
    return;
  }
  for (u32 other = 0; other < w->launch->lanes; other++) {
    u32 most = 0;
    for (u64 left = lanes; left; left &= left - 1)
      if (k->of[lowest(left)][other] > most) most = k->of[lowest(left)][other];
    if (lanes >> other & 1) most = now;
    for (u64 left = lanes; left; left &= left - 1) k->of[lowest(left)][other] = most;
  }
}

/* The lane of an earlier access after which some of `lanes` are not ordered, from 1, and of
 * these the first; 0 for none. */
static u32 unmet(const Known *k, u64 lanes, const LaneAccess *earlier, u32 wave, u32 *who) {
  if (!earlier->lanes || earlier->wave != wave || earlier->number <= k->all) return 0;
  for (u64 mine = lanes; mine; mine &= mine - 1)
    for (u64 left = earlier->lanes & ~(1ull << lowest(mine)); left; left &= left - 1)
      if (k->of[lowest(mine)][lowest(left)] < earlier->number) {
        *who = lowest(mine);
        return lowest(left) + 1;
      }
  return 0;
}

COLD static void unordered_lanes(Wave *w, u64 address, u32 who, u32 lane, u32 kinds,
                                 const LaneAccess *now, const LaneAccess *earlier) {
  HazardRecord *h = lm_hazard(w, HAZARD_ORDER, now->instruction, 1ull << who);
  h->space = SPACE_SHARED;
  h->address = address;
  h->size = 1;
  h->detail = kinds;
  h->info[0] = w->group->number - w->launch->first_group;
  h->info[1] = earlier->wave;
  h->info[2] = 1;
  h->earlier = earlier->instruction + 1;
  h->earlier_lane = lane;
}

static int conflicts(u32 kind, u32 earlier) {
  if (kind >= ATOMIC_WRITE && earlier >= ATOMIC_WRITE) return 0;
  return !(kind & 1) || !(earlier & 1); /* one of them writes */
}

static void keep(const Known *k, LaneAccess *last, const LaneAccess *now) {
  u32 who;
  for (u32 i = 0; i < KEPT; i++) {
    int alike = last[i].lanes && last[i].number == now->number && last[i].wave == now->wave;
    if (alike) last[i].lanes |= now->lanes;
    if (alike) return;
    if (last[i].lanes && last[i].wave == now->wave &&
        unmet(k, now->lanes, &last[i], now->wave, &who))
      continue;
    last[i] = *now;
    return;
  }
  last[0].lanes |= now->lanes;
}

/* A read-modify-write observes what the last atomic write left; a store ends that. */
static void observe(LaneByte *b, const LaneAccess *now, int reads) {
  if (!reads && b->last[ATOMIC_WRITE][0].lanes) b->broken = 1;
  b->observer = reads && !b->broken ? *now : (LaneAccess){0};
}

/* Check one byte; returns 0 after a hazard. `reads`: a write reads, too. */
static int touch_byte(Wave *w, const Known *k, LaneByte *b, u64 address, const LaneAccess *now,
                      u32 kind, int reads) {
  u64 group = w->group->number + 1;
  u32 who, lane;
  if (b->group != group) *b = (LaneByte){.group = group};
  const LaneAccess *observer = &b->observer;
  int known = observer->lanes && observer->wave == now->wave &&
              !unmet(k, now->lanes, observer, now->wave, &who);
  for (u32 earlier = 0; earlier < LANE_KINDS; earlier++)
    for (u32 i = 0; i < KEPT && conflicts(kind, earlier) && b->last[earlier][i].lanes; i++) {
      if (known && earlier == ATOMIC_WRITE) break;
      const LaneAccess *e = &b->last[earlier][i];
      if (e->number == now->number || !(lane = unmet(k, now->lanes, e, now->wave, &who))) continue;
      unordered_lanes(w, address, who, lane,
                      (kind & 1 ? ACCESS_LOAD : ACCESS_STORE) |
                          (earlier & 1 ? ACCESS_LOAD : ACCESS_STORE) << 8,
                      now, e);
      return 0;
    }
  int together =
      b->last[PLAIN_WRITE][0].number == now->number && b->last[PLAIN_WRITE][0].wave == now->wave;
  if (kind == PLAIN_WRITE && !together) *b = (LaneByte){.group = group};
  if (kind == ATOMIC_WRITE) observe(b, now, reads);
  keep(k, b->last[kind], now);
  return 1;
}

/* A store of the value that is already there has no observable time, so it cannot race. */
static int stores_same(const Wave *w, const Memory *m, u64 at, u32 row, u32 lane, u32 byte) {
  if (!page_ready(m, at >> PAGE_SHIFT, 1) || w->undefined[row + byte / 4][lane]) return 0;
  return m->data[at] == (u8)(w->value[row + byte / 4][lane] >> byte % 4 * 8);
}

void lane_releases(Wave *w, u32 lane, u64 lanes) {
  int alone = lanes == 1ull << lane && w->launch->lane_order == LANES_ALWAYS;
  LaneOrder *o = alone ? order_of(w, w->cta) : 0;
  if (!o) return;
  Known *k = &o->known[w->index];
  u64 missing = 0;
  for (u32 other = 0; other < w->launch->lanes; other++)
    if (other != lane && k->last[other] > k->all && k->last[other] > k->of[lane][other])
      missing |= 1ull << other;
  if (!missing) return;
  Unreleased *u = &k->unreleased[k->releases++ % UNRELEASED];
  u->at = (u32)w->sequence[1];
  for (u32 other = 0; other < w->launch->lanes; other++) {
    u32 known = k->of[lane][other] > k->all ? k->of[lane][other] : k->all;
    u->of[other] = missing >> other & 1 ? known : ~0u;
  }
  w->group->unreleased++;
}

/* A lane of another wave whose access is known only from a release by a lane that was not
 * ordered after it, from 1; 0 for none. */
static u32 unreleased_lane(const Wave *w, const LaneAccess *earlier) {
  const Wave *other = w->group->members[earlier->wave];
  const LaneOrder *o = other->cta->lane_order;
  u64 known = clock_of(w->group, w->member, CLOCK_SHARED)[earlier->wave];
  if (other == w || !o || o->group != w->group->number + 1) return 0;
  const Known *k = &o->known[other->index];
  for (u64 left = earlier->lanes; left; left &= left - 1) {
    u32 missing = 0,
        released = 0; /* lanes that release at once, each to others: any of them may be meant */
    for (u32 i = 0; i < UNRELEASED && i < k->releases; i++) {
      if (k->unreleased[i].at != known) continue;
      if (earlier->number > k->unreleased[i].of[lowest(left)]) missing = 1;
      else released = 1;
    }
    if (missing && !released) return lowest(left) + 1;
  }
  return 0;
}

void meet_unreleased(Touch *t) {
  Wave *w = t->a->w;
  LaneOrder *o = w->launch->lane_order ? order_of(w, t->m->owner) : 0;
  for (u64 at = t->from; o && at < t->to; at++)
    for (u32 i = 0; i < LANE_KINDS * KEPT; i++) {
      const LaneAccess *e = &o->bytes[at].last[i / KEPT][i % KEPT];
      u32 reads = i / KEPT & 1, lane;
      if (o->bytes[at].group != o->group || !e->lanes || (reads && !(t->a->kind & ACCESS_STORE)))
        continue;
      if (!(lane = unreleased_lane(w, e))) continue;
      LaneAccess now = {1ull << t->lane, 0, t->a->instruction, w->member, 0};
      u32 kinds = (t->a->kind & (ACCESS_LOAD | ACCESS_STORE)) | (reads ? ACCESS_LOAD : ACCESS_STORE)
                                                                    << 8;
      unordered_lanes(w, t->m->base + at, t->lane, lane, kinds, &now, e);
      return;
    }
}

void lanes_read(const Access *a, u64 lanes, u64 address, u32 size) {
  Wave *w = a->w;
  u64 at;
  LaneOrder *o = order_of(w, w->cta);
  Memory *m = o ? memory_at(w, a->space, address, size, &at) : 0;
  if (!m || !m->owner) return;
  LaneAccess now = {lanes, (u32)++w->sequence[1], a->instruction, w->member, 0};
  LaneOrder *owner = order_of(w, m->owner);
  for (u32 i = 0; owner && i < size; i++)
    if (!touch_byte(w, &o->known[w->index], &owner->bytes[at + i], m->base + at + i, &now,
                    PLAIN_READ, 1))
      return;
}

void lanes_access(const Access *a, u64 mask, u32 size, u32 row, u64 together) {
  Wave *w = a->w;
  LaneOrder *o = a->space == SPACE_GLOBAL ? 0 : order_of(w, w->cta);
  if (!o) return;
  int writes = (a->kind & ACCESS_STORE) != 0,
      plain = writes && !(a->kind & ACCESS_LOAD) && !together;
  u32 kind = (scope_of(a->kind) ? ATOMIC_WRITE : PLAIN_WRITE) + !writes;
  LaneAccess now = {0, (u32)w->sequence[1], a->instruction, w->member, 0};
  for (u64 left = mask; left; left &= left - 1) {
    u32 lane = lowest(left);
    u64 at;
    Memory *m = memory_at(w, a->space, w->address[lane], size, &at);
    LaneOrder *owner = m && m->owner ? order_of(w, m->owner) : 0;
    now.lanes = together ? together : 1ull << lane;
    for (u64 each = owner ? now.lanes : 0; each; each &= each - 1)
      o->known[w->index].last[lowest(each)] = now.number;
    for (u32 i = 0; owner && i < size; i++) {
      if (plain && stores_same(w, m, at + i, row, lane, i)) continue;
      if (!touch_byte(w, &o->known[w->index], &owner->bytes[at + i], m->base + at + i, &now, kind,
                      (a->kind & (ACCESS_LOAD | ACCESS_NO_RESULT)) == ACCESS_LOAD))
        return;
    }
  }
}
