/* Reports of broken rules. */
#include "rules.h"

HazardRecord *state_rule(HazardRecord *h, u32 rule, u64 a, u64 b, u64 c) {
  h->kind = HAZARD_RULE;
  h->detail = rule;
  h->info[0] = a;
  h->info[1] = b;
  h->info[2] = c;
  return h;
}

COLD HazardRecord *report_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b, u64 c) {
  return state_rule(lm_hazard(w, HAZARD_RULE, instruction, lanes), rule, a, b, c);
}

COLD HazardRecord *note_rule(Wave *w, u32 note, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b,
                             u64 c) {
  return state_rule(lm_note(w, note, HAZARD_RULE, instruction, lanes), rule, a, b, c);
}

COLD void lm_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 value) {
  if (lanes) report_rule(w, instruction, lanes, rule, value, 0, 0);
}
