/* Reports of broken rules: the front end's tables give each number its sentence (rules.py). */
#ifndef LANEMAP_RULES_H
#define LANEMAP_RULES_H
#include "runtime.h"

/* Lanes break a rule, whose sentence has up to three numbers. */
HazardRecord *report_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b, u64 c);
/* The same where it is a note by default. */
HazardRecord *note_rule(Wave *w, u32 note, u32 instruction, u64 lanes, u32 rule, u64 a, u64 b,
                        u64 c);
/* A hazard that is being reported is that a rule is broken. */
HazardRecord *state_rule(HazardRecord *h, u32 rule, u64 a, u64 b, u64 c);
/* The same for no lanes, or some, and one number. */
void lm_rule(Wave *w, u32 instruction, u64 lanes, u32 rule, u64 value);
#endif
