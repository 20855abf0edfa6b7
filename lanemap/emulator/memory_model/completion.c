/* What completes asynchronous operations (completion.h). */
#include "completion.h"
#include "events.h"
#include "mbarrier_rules.h"
#include "memory_model.h"
#include "rules.h"

static u64 remembered(Wave *w, u64 stamp, u32 instruction) {
  if (w->launch->log) log_access(w, stamp, instruction);
  return stamp;
}

static u64 next_of(Wave *w, u32 instruction, u32 agent) {
  return remembered(w, stamp_of(w, agent, ++w->engine_sequence[agent - AGENT_LOAD]), instruction);
}

u64 next_copy(Wave *w, u32 instruction) { return next_of(w, instruction, AGENT_COPY); }

u64 next_bulk(Wave *w, u32 instruction, u32 lane) {
  groups_of(w)->bulk_instruction = instruction;
  groups_of(w)->bulk_lane = lane;
  return next_of(w, instruction, AGENT_BULK);
}

/* The slot of an object. Objects that lie in the same place one after the other have the same. */
static AsyncSlot *slot_of(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  Group *g = w->group;
  AsyncSlot *slots = objects_of(owner)->slots;
  if (m->slot) return &slots[m->slot - 1];
  u64 number = 0;
  while (number < g->slots_used &&
         (slots[number].cta != owner->rank || slots[number].offset != m->offset))
    number++;
  if (number == g->slots) {
    report_rule(w, instruction, 1ull << lane, MBARRIER_SLOTS, g->slots, 0, 0);
    return 0;
  }
  if (number == g->slots_used) {
    g->slots_used++;
    slots[number] = (AsyncSlot){.cta = owner->rank, .offset = m->offset};
  }
  /* phases of an earlier object in this place are all over */
  slots[number].base = slots[number].last;
  m->slot = (u32)number + 1;
  return &slots[number];
}

u64 next_transaction(Wave *w, u32 instruction, u32 lane, Cta *owner, Mbarrier *m) {
  AsyncSlot *s = slot_of(w, instruction, lane, owner, m);
  if (!s) return stamp_of(w, AGENT_SHARED, w->sequence[1]);
  u64 phase = s->base + m->phase + 1;
  if (phase > s->last) s->last = phase, s->operations = 0;
  if (phase >> (SEQUENCE_BITS - PHASE_SHIFT))
    report_rule(w, instruction, 1ull << lane, MBARRIER_PHASES,
                1ull << (SEQUENCE_BITS - PHASE_SHIFT), 0, 0);
  u64 sequence = (phase << PHASE_SHIFT | s->operations) & SEQUENCE_MASK;
  if (s->operations < PHASE_OPERATIONS - 1) s->operations++;
  u64 stamp = stamp_of(w, AGENT_BARRIER, sequence) & ~((u64)MEMBER_MASK << MEMBER_SHIFT);
  return remembered(w, stamp | (u64)(m->slot - 1) << MEMBER_SHIFT, instruction);
}

void complete_transactions(const Wave *w, Cta *owner, const Mbarrier *m) {
  if (!m->slot) return;
  AsyncSlot *s = &objects_of(owner)->slots[m->slot - 1];
  u64 phase = s->base + m->phase;
  if (phase > s->last) s->last = phase, s->operations = 0;
  u64 last = phase << PHASE_SHIFT | (PHASE_OPERATIONS - 1);
  clock_slots(owner->group, mbarrier_gathered(owner, m))[m->slot - 1] = last;
  if (w->launch->events) completion_told(w, AGENT_BARRIER, m->slot, last, DIRECTION_STORE);
}
