/* Hazards of the async proxy and of what is not known to be complete (proxies.h). */
#include "proxies.h"
#include "clocks.h"
#include "happens_before.h"
#include "objects.h"

/* Has anybody waited for the earlier operation: for the wave that issued it, or for the object's
 * phase? */
static int waited_for(const Touch *t, u64 earlier, u32 which) {
  const Group *g = t->a->w->group;
  u64 sequence = earlier & SEQUENCE_MASK;
  u32 member = stamp_member(earlier);
  if (stamp_agent(earlier) != AGENT_BARRIER) return sequence <= clock_of(g, member, which)[member];
  for (u32 i = 0; i < g->member_count; i++)
    if (sequence <= clock_of(g, i, (u32)g->clocks)[member]) return 1;
  return 0;
}

int proxy_conflict(Touch *t, HazardRecord *h, u64 earlier, int read) {
  Wave *w = t->a->w;
  u32 agent = stamp_agent(earlier), member = stamp_member(earlier), clock = agent;
  u64 sequence = earlier & SEQUENCE_MASK;
  if (!needs_handing(t, read) || (agent > AGENT_SHARED && agent != AGENT_COPY)) return 0;
  int same_group = stamp_group(earlier) == stamp_group(t->stamp), ordered;
  if (agent == AGENT_COPY) clock = CLOCK_COPY;
  if (same_group) ordered = sequence <= clock_of(w->group, w->member, clock)[member];
  else ordered = learned(w, earlier, 0, read);
  if (agent == AGENT_COPY && !ordered) return 0;
  h->kind = HAZARD_HANDED;
  h->info[0] = member;
  h->info[1] = ordered || (same_group && member == w->member);
  h->info[3] = 0;
  for (u32 rank = 0; same_group && agent == AGENT_SHARED && rank < w->group->cta_count; rank++)
    h->info[3] |=
        sequence <= handed_shared(w->group, times_of(w), rank)[member]; /* by too narrow a fence */
  return 1;
}

void async_conflict(Touch *t, HazardRecord *h, u64 earlier) {
  const Wave *w = t->a->w;
  u32 agent = stamp_agent(earlier), member = stamp_member(earlier);
  u32 earlier_wrote = (h->detail >> 8 & ACCESS_STORE) != 0;
  u32 which = agent == AGENT_COPY ? CLOCK_COPY : earlier_wrote ? CLOCK_BULK : CLOCK_BULK_READ;
  int same_group = stamp_group(earlier) == stamp_group(t->stamp);
  h->kind = HAZARD_ASYNC;
  h->detail = agent | (t->a->kind & ACCESS_STORE ? DETAIL_WRITES : 0) |
              (earlier_wrote ? DETAIL_WROTE : 0) |
              (same_group && waited_for(t, earlier, which) ? DETAIL_WAITED : 0) |
              (same_group ? 0 : DETAIL_ELSEWHERE);
  h->info[1] = member;
  if (agent != AGENT_BARRIER || !same_group) return;
  const AsyncSlot *s = &objects_of(w->cta)->slots[member];
  h->info[1] = w->member;
  h->info[2] = w->group->ctas[s->cta]->shared.base + s->offset;
  h->info[3] = ((earlier & SEQUENCE_MASK) >> PHASE_SHIFT) - 1 - s->base;
}
