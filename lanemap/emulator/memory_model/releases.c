/* Between groups, releases have times. A release at the scope of the GPU notes what its group
 * did up to then, under a new time. An atomic or relaxed store puts the time of its wave's last
 * release beside what it stores (Times); who reads that has the time pending, and acquires it
 * with the next acquire: then it knows all that any group released up to that time. So a flag
 * that nobody stored after a release, or that nobody acquired, makes nothing known. One thing is
 * too generous: the flag also carries releases by other groups that happen to be earlier. */
#include "access.h"
#include "clocks.h"
#include "memory_model.h"

void *calloc(u64 count, u64 size);
void free(void *memory);

/* -- times of flags: a hash table by address, whose empty places have the key 0 ---------------- */

static u64 place_of(const Times *t, u64 key) {
  u64 at = key * 0x9E3779B97F4A7C15ull >> 20 & (t->capacity - 1);
  while (t->keys[at] && t->keys[at] != key) at = (at + 1) & (t->capacity - 1);
  return at;
}

void lm_free_times(Launch *l) {
  free(l->times.keys);
  l->times = (Times){0};
}

static int grow_times(Wave *w) {
  Times *old = &w->launch->times, more = {0};
  more.capacity = old->capacity ? old->capacity * 2 : 1024;
  more.keys = calloc(more.capacity * 2, sizeof(u64));
  if (!more.keys) {
    w->stop = STOP_MEMORY;
    return 0;
  }
  more.times = more.keys + more.capacity;
  more.count = old->count;
  for (u64 i = 0; i < old->capacity; i++)
    if (old->keys[i]) {
      u64 at = place_of(&more, old->keys[i]);
      more.keys[at] = old->keys[i];
      more.times[at] = old->times[i];
    }
  free(old->keys);
  *old = more;
  return 1;
}

static u64 *time_at(Wave *w, u64 address, int make) {
  Times *t = &w->launch->times;
  if (!t->capacity && (!make || !grow_times(w))) return 0;
  u64 at = place_of(t, address);
  if (t->keys[at]) return &t->times[at];
  if (!make) return 0;
  if (t->count * 2 >= t->capacity) {
    if (!grow_times(w)) return 0;
    at = place_of(t, address);
  }
  t->count++;
  t->keys[at] = address;
  return &t->times[at];
}

/* What an atomic or relaxed access of a flag carries from one group to another. */
void carry(Wave *w, u64 address, u64 size, u32 kind) {
  u64 *times = times_of(w);
  if (kind & ACCESS_STORE && w->launch->front_end.flag) w->launch->front_end.flag(w);
  for (u64 at = address & ~3ull; at < address + size; at += 4) {
    u64 *known = time_at(w, at, kind & ACCESS_STORE && times[FENCED]);
    if (!known) continue;
    if (kind & ACCESS_LOAD && *known > times[PENDING]) times[PENDING] = *known;
    if (kind & ACCESS_ACQUIRE_ON_READ && *known > times[ACQUIRED]) times[ACQUIRED] = *known;
    if (kind & ACCESS_STORE && (!(kind & ACCESS_LOAD) || times[FENCED] > *known))
      *known = times[FENCED];
  }
}

/* In Launch.releases, for each group: how many releases; then of each, by time, its time and
 * what it made known of each wave of the group: in global memory; where waves copy
 * asynchronously, in RELEASED_PARTS parts, and then of each slot. */
static u64 *releases_of(const Launch *l, u64 group) {
  return l->releases + (group - l->first_group) * l->release_words;
}

static const u32 RELEASED[RELEASED_PARTS] = {CLOCK_GLOBAL, CLOCK_HANDED_GLOBAL, CLOCK_COPY,
                                             CLOCK_BULK, CLOCK_BULK_READ};

static u64 width_of(const Group *g) {
  return g->clocks < ASYNC_CLOCKS ? g->member_count
                                  : RELEASED_PARTS * (u64)g->member_count + g->slots;
}

static u64 *entry(u64 *releases, u64 width, u64 i) { return releases + 1 + i * (1 + width); }

/* Word `i` of what a wave releases: what it knows, and `own` accesses of its own. */
static u64 released(const Wave *w, u64 own, u64 i) {
  const Group *g = w->group;
  u64 members = g->member_count, part = i / members;
  if (i == w->member) return own;
  if (part >= RELEASED_PARTS) return clock_slots(g, times_of(w))[i - RELEASED_PARTS * members];
  return clock_of(g, w->member, RELEASED[part])[i % members];
}

/* Where there is no room for another release, the two oldest become one: what the later one made
 * known counts from the time of the earlier one. */
static u64 *new_entry(const Launch *l, u64 *releases, u64 width) {
  if (releases[0] == l->release_depth) {
    releases[0]--;
    u64 words = releases[0] * (1 + width), first = releases[1];
    for (u64 i = 1; i <= words; i++) releases[i] = releases[i + 1 + width];
    releases[1] = first;
  }
  return entry(releases, width, releases[0]++);
}

/* Release at GPU scope what the wave knows and its own first `own` accesses. */
void lm_release_all(Wave *w, u64 own) {
  Launch *l = w->launch;
  const Group *g = w->group;
  u64 width = width_of(g), *releases = releases_of(l, g->number), *times = times_of(w);
  const u64 *last = releases[0] ? entry(releases, width, releases[0] - 1) : 0;
  u32 news = 0;
  for (u64 i = 0; i < width; i++) news |= released(w, own, i) > (last ? last[1 + i] : 0);
  u64 time = last ? last[0] : 0;
  if (news) {
    u64 *made = new_entry(l, releases, width);
    const u64 *before = releases[0] > 1 ? made - (1 + width) : 0;
    made[0] = time = ++l->release_time;
    for (u64 i = 0; i < width; i++) {
      u64 got = released(w, own, i);
      made[1 + i] = before && before[1 + i] > got ? before[1 + i] : got;
    }
  }
  if (times[ACQUIRED] > time) time = times[ACQUIRED];
  if (time > times[FENCED]) times[FENCED] = time;
}

/* Acquire: the wave learns what the flags that it has read carry. */
void lm_acquire_all(Wave *w) {
  u64 *times = times_of(w);
  if (times[PENDING] > times[ACQUIRED]) times[ACQUIRED] = times[PENDING];
}

/* Word `i` of the last release of a group up to a time; 0 if there is none. */
static u64 released_until(const Wave *w, u64 group, u64 time, u64 i) {
  u64 width = width_of(w->group), *releases = releases_of(w->launch, group);
  u64 low = 0, high = releases[0];
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (entry(releases, width, middle)[0] <= time) low = middle + 1;
    else high = middle;
  }
  return low ? entry(releases, width, low - 1)[1 + i] : 0;
}

int learned(const Wave *w, u64 stamp, int handed, int read) {
  const Group *g = w->group;
  u64 members = g->member_count, member = stamp_member(stamp), sequence = stamp & SEQUENCE_MASK;
  u64 group = stamp_group(stamp) + w->launch->first_group, *times = times_of(w),
      acquired = times[ACQUIRED];
  switch (stamp_agent(stamp)) {
  case AGENT_COPY: return released_until(w, group, acquired, 2 * members + member) >= sequence;
  case AGENT_BULK:
    return released_until(w, group, acquired, (read ? 4 : 3) * members + member) >= sequence;
  case AGENT_BARRIER:
    return released_until(w, group, acquired, RELEASED_PARTS * members + member) >= sequence;
  case AGENT_GLOBAL: break;
  default: return 0;
  }
  if (!handed) return released_until(w, group, acquired, member) >= sequence;
  if (g->clocks < ASYNC_CLOCKS) return 0;
  /* by whom accessed it, or since it was acquired */
  return released_until(w, group, acquired, members + member) >= sequence ||
         released_until(w, group, clock_slots(g, times)[g->slots], member) >= sequence;
}
