/* Phases of mbarriers that a warp may miss, in strict mode (docs/emulator-order.md).
 *
 * A wait by parity that comes two phases late lasts forever. So the end of a phase must come after
 * each warp that saw the end of the phase before. CLOCK_SEEN says which ends a wave has seen by
 * then; it passes along any dependency. What several lanes wait for, one of them may see before the
 * others, and act on it: so the wave's own entry goes on where those lanes have met or arrived.
 */
#include "phases.h"
#include "clocks.h"
#include "mbarrier_rules.h"
#include "rules.h"

static PhaseSeen *seen_by(const Cta *owner, const Mbarrier *m, u32 wave) {
  return objects_of(owner)->seen + (u64)(m - objects_of(owner)->mbarriers) * owner->wave_count +
         wave;
}

void phases_begin(const Cta *owner, const Mbarrier *m) {
  fill_bytes((u8 *)seen_by(owner, m, 0), 0, owner->wave_count * sizeof(PhaseSeen));
}

void phase_awaited(const Wave *w, u32 instruction, const Cta *owner, const Mbarrier *m) {
  seen_by(owner, m, w->index)->last_wait = instruction;
}

void phase_seen(Wave *w, u64 lanes, const Cta *owner, const Mbarrier *m) {
  if (owner != w->cta) return; /* front ends report that */
  PhaseSeen *seen = seen_by(owner, m, w->index);
  seen->number = ++warp_order(w)->phases_seen;
  seen->instruction = seen->last_wait;
  warp_order(w)->waiters |= (u32)lanes;
  if (!(lanes & (lanes - 1))) phases_passed(w, ~0ull);
}

void phases_passed(Wave *w, u64 lanes) {
  WarpOrder *s = warp_order(w);
  if (!s->waiters) return;
  s->waiters &= ~(u32)lanes;
  if (!s->waiters) clock_of(w->group, w->member, CLOCK_SEEN)[w->member] = s->phases_seen;
}

void phase_ends(Wave *w, u32 instruction, u32 lane, const Cta *owner, const Mbarrier *m) {
  const u64 *known = clock_part(owner->group, mbarrier_gathering(owner, m), CLOCK_SEEN);
  PhaseSeen *seen = seen_by(owner, m, 0);
  u32 late = 0;
  while (late < owner->wave_count && seen[late].number <= known[owner->first_member + late]) late++;
  if (late < owner->wave_count)
    report_rule(w, instruction, 1ull << lane, MBARRIER_LAPPED, m->phase, late, 0)->earlier =
        seen[late].instruction + 1;
  for (u32 i = 0; i < owner->wave_count; i++) seen[i].number = 0;
}

void phases_meet(const Wave *first, u32 count) {
  const Group *g = first->group;
  u64 *all = clock_of(g, first->member, CLOCK_SEEN);
  for (u32 i = 1; i < count; i++)
    lm_advance(all, clock_of(g, first->member + i, CLOCK_SEEN), g->member_count);
  for (u32 i = 1; i < count; i++)
    lm_advance(clock_of(g, first->member + i, CLOCK_SEEN), all, g->member_count);
}
