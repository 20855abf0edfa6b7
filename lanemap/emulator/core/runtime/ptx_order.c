/* PTX ISA, Memory Consistency Model: what release and acquire make known.
 *
 * Within a CTA or a cluster a release is remembered for the whole of it, and an acquire learns of every
 * release so far in its scope, whichever flag carried it: that misses some races and invents none.
 *
 * Between groups, releases have times. A release at the scope of the GPU notes what its group did up
 * to then, under a new time. An atomic or relaxed store puts the time of its wave's last release
 * beside what it stores (Granule.time; order.c, carry); who reads that has the time pending, and acquires
 * it with the next acquire: then it knows all that any group released up to that time. So a flag that
 * nobody stored after a release, or that nobody acquired, makes nothing known. What is too generous is
 * that the flag also carries releases of others that happen to be earlier. */
#include "ptx_warp.h"

enum { SCOPE_CTA = 0, SCOPE_CLUSTER = 1, SCOPE_GPU = 2 };

/* In Launch.releases, for each group: how many releases; then of each, by time, its time and what it
 * made known of each wave of the group in global memory. */
static u64 *releases_of(const Launch *l, u64 group) {
  return l->releases + (group - l->first_group) * l->release_words;
}

static u64 *entry(u64 *releases, u64 members, u64 i) { return releases + 1 + i * (1 + members); }

/* Where there is no room for another release, the two oldest become one: what the later one made known
 * counts from the time of the earlier one. */
static u64 *new_entry(const Launch *l, u64 *releases, u64 members) {
  if (releases[0] == l->release_depth) {
    releases[0]--;
    u64 words = releases[0] * (1 + members), first = releases[1];
    for (u64 i = 1; i <= words; i++) releases[i] = releases[i + 1 + members];
    releases[1] = first;
  }
  return entry(releases, members, releases[0]++);
}

static void release_to_all(Wave *w) {
  Launch *l = w->launch;
  Group *g = w->group;
  u64 members = g->member_count, *releases = releases_of(l, g->number), *times = times_of(w);
  const u64 *known = clock_of(g, w->member, 0);
  const u64 *last = releases[0] ? entry(releases, members, releases[0] - 1) : 0;
  u32 news = 0;
  for (u64 i = 0; i < members; i++) {
    u64 got = i == w->member ? w->sequence[0] : known[i];
    news |= got > (last ? last[1 + i] : 0);
  }
  u64 time = last ? last[0] : 0;
  if (news) {
    u64 *made = new_entry(l, releases, members);
    const u64 *before = releases[0] > 1 ? made - (1 + members) : 0;
    made[0] = time = ++l->release_time;
    for (u64 i = 0; i < members; i++) {
      u64 got = i == w->member ? w->sequence[0] : known[i];
      made[1 + i] = before && before[1 + i] > got ? before[1 + i] : got;
    }
  }
  if (times[ACQUIRED] > time) time = times[ACQUIRED];
  if (time > times[FENCED]) times[FENCED] = time;
}

void lm_ptx_release(Wave *w, u32 scope) {
  lm_publish(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_publish(w, w->group->published);
  if (scope >= SCOPE_GPU) release_to_all(w);
}

void lm_ptx_acquire(Wave *w, u32 scope) {
  u64 *times = times_of(w);
  lm_learn(w, w->cta->published);
  if (scope >= SCOPE_CLUSTER && w->group->cta_count > 1) lm_learn(w, w->group->published);
  if (scope >= SCOPE_GPU && times[PENDING] > times[ACQUIRED]) times[ACQUIRED] = times[PENDING];
}

/* Does a wave know of an access of another group? */
int lm_ptx_learned(const Wave *w, u64 group, u32 member, u64 sequence) {
  const Launch *l = w->launch;
  u64 members = w->group->member_count, *releases = releases_of(l, group);
  u64 low = 0, high = releases[0], acquired = times_of(w)[ACQUIRED];
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (entry(releases, members, middle)[0] <= acquired) low = middle + 1;
    else high = middle;
  }
  return low && entry(releases, members, low - 1)[1 + member] >= sequence;
}
