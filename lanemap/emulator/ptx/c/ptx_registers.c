/* setmaxnreg (PTX ISA, Miscellaneous Instructions): the number of a warp's registers changes no
 * value, but the ISA has rules for it. */
#include "ptx_warp.h"
#include "tensor.h"

enum { WARPGROUP = 4 }; /* warps */
enum {
  SM_REGISTERS = 65536
}; /* CUDA C++ Programming Guide, Technical Specifications per Compute Capability */

static Wave *peer(const Wave *w, u32 i) {
  u32 index = w->index / WARPGROUP * WARPGROUP + i;
  return index < w->cta->wave_count ? w->cta->group->members[w->cta->first_member + index] : 0;
}

void retry_registers(const Cta *c) {
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = c->group->members[c->first_member + i];
    if (w->status != RUN_BARRIER || !w->waiting || w->barrier != WAITS_FOR_REGISTERS) continue;
    w->status = RUN_ON;
    w->waiting = 0;
  }
}

/* What the CTA may hold: what it began with, or else all of the SM. */
static u32 register_pool(const Cta *c, u32 first) {
  return first ? first * LANES * c->wave_count : SM_REGISTERS;
}

/* Registers of the CTA's other warps that have not ended, of a warp that has not changed its
 * number `first`. */
static u32 registers_of_others(const Wave *w, u32 first) {
  const Cta *c = w->cta;
  u32 sum = 0;
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *other = c->group->members[c->first_member + i];
    if (other == w || other->status == RUN_END) continue;
    sum += warp_of(other)->register_changes ? warp_of(other)->registers : first;
  }
  return sum * LANES;
}

/* At the beginning of `block`. An inc waits until so many registers are free (PTX ISA,
 * setmaxnreg). `first`: the registers that the kernel begins with; 0 where the text does not
 * say. The ISA says that inc raises the count and dec lowers it, not what else happens; an H200
 * goes on where inc names fewer (results/sm_90a/cuda/programs.json), so that is a hazard under
 * strict only. */
u32 lm_set_registers(Wave *w, u32 instruction, u32 block, u32 registers, u32 increases, u32 first) {
  Warp *s = warp_of(w);
  u32 others = registers_of_others(w, first), pool = register_pool(w->cta, first);
  if (increases && others + registers * LANES > pool) {
    s->registers_asked = registers, s->registers_others = others, s->registers_pool = pool;
    w->block = block;
    w->barrier = WAITS_FOR_REGISTERS;
    w->waiting = 1;
    return RUN_BARRIER;
  }
  u32 before = s->register_changes ? s->registers : first;
  if (!w->launch->strict) before = 0;
  if (before && increases && registers < before)
    report_rule(w, instruction, w->active, RULE_REGISTERS_UP, registers, before, 0);
  if (before && !increases && registers > before)
    report_rule(w, instruction, w->active, RULE_REGISTERS_DOWN, registers, before, 0);
  s->registers = registers;
  s->register_changes++;
  s->register_instruction = instruction;
  for (u32 i = 0; i < WARPGROUP; i++) {
    Wave *other = peer(w, i);
    if (!other || other == w || warp_of(other)->register_changes != s->register_changes) continue;
    if (warp_of(other)->registers != registers)
      note_rule(w, NOTE_REGISTERS, instruction, w->active, RULE_REGISTERS_DIFFER, registers,
                other->index, warp_of(other)->registers);
  }
  retry_registers(w->cta);
  return (u32)GO_ON;
}

void registers_leave(Wave *last) {
  const Cta *c = last->cta;
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = c->group->members[c->first_member + i], *other = peer(w, 0);
    const Warp *s = warp_of(w), *of = warp_of(other);
    if (s->register_changes == of->register_changes) continue;
    int here = s->register_changes > of->register_changes;
    Wave *at = here ? w : other, *not_at = here ? other : w;
    HazardRecord *h = note_rule(last, NOTE_REGISTERS, warp_of(at)->register_instruction, at->full,
                                RULE_REGISTERS_LEFT, not_at->index,
                                warp_of(not_at)->register_changes, warp_of(at)->register_changes);
    h->wave = at->member;
  }
}
