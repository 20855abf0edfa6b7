/* setmaxnreg (PTX ISA, Miscellaneous Instructions): the number of a warp's registers changes no value, but
 * the ISA has rules for it. */
#include "tensor.h"
#include "ptx_warp.h"

enum { WARPGROUP = 4 };       /* warps */

static Wave *peer(const Wave *w, u32 i) {
  u32 index = w->index / WARPGROUP * WARPGROUP + i;
  return index < w->cta->wave_count ? w->cta->group->members[w->cta->first_member + index] : 0;
}

/* `first`: the registers that the kernel begins with; 0 where the text does not say. The ISA says that inc
 * raises the count and dec lowers it, not what else happens; an H200 goes on where inc names fewer
 * (results/sm_90a/cuda/programs.json), so that is a hazard under strict only. */
void lm_set_registers(Wave *w, u32 instruction, u32 registers, u32 increases, u32 first) {
  Warp *s = warp_of(w);
  u32 before = s->register_changes ? s->registers : first;
  if (!w->launch->strict) before = 0;
  if (before && increases && registers < before)
    tensor_rule(w, instruction, w->active, RULE_REGISTERS_UP, registers, before, 0);
  if (before && !increases && registers > before)
    tensor_rule(w, instruction, w->active, RULE_REGISTERS_DOWN, registers, before, 0);
  s->registers = registers;
  s->register_changes++;
  s->register_instruction = instruction;
  for (u32 i = 0; i < WARPGROUP; i++) {
    Wave *other = peer(w, i);
    if (!other || other == w || warp_of(other)->register_changes != s->register_changes) continue;
    if (warp_of(other)->registers != registers)
      tensor_note(w, NOTE_REGISTERS, instruction, w->active, RULE_REGISTERS_DIFFER, registers, other->index,
                  warp_of(other)->registers);
  }
}

void registers_leave(Wave *last) {
  const Cta *c = last->cta;
  for (u32 i = 0; i < c->wave_count; i++) {
    Wave *w = c->group->members[c->first_member + i], *other = peer(w, 0);
    const Warp *s = warp_of(w), *of = warp_of(other);
    if (s->register_changes == of->register_changes) continue;
    int here = s->register_changes > of->register_changes;
    Wave *at = here ? w : other, *not_at = here ? other : w;
    HazardRecord *h =
      lm_note(last, NOTE_REGISTERS, HAZARD_RULE, warp_of(at)->register_instruction, at->full);
    h->wave = at->member;
    h->detail = RULE_REGISTERS_LEFT;
    h->info[0] = not_at->index;
    h->info[1] = warp_of(not_at)->register_changes;
    h->info[2] = warp_of(at)->register_changes;
  }
}
