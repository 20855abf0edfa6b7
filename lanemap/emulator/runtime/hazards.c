/* Recording hazards and the origins of undefined bits. */
#include "access.h"
#include "lanes.h"
#include "memory_model.h"

static void begin_record(Wave *w, HazardRecord *h, u32 kind, u32 instruction, u64 lanes) {
  fill_bytes((u8 *)h, 0, sizeof *h);
  h->kind = kind;
  h->instruction = instruction;
  h->wave = w->member;
  h->group = w->group->number - w->launch->first_group;
  h->lanes = lanes;
  h->lane = first_lane(lanes);
  h->count = 1;
}

/* Note a hazard; in report mode the same kind at the same instruction is counted, not repeated. */
COLD HazardRecord *lm_hazard(Wave *w, u32 kind, u32 instruction, u64 lanes) {
  Launch *l = w->launch;
  if (w->stop == STOP_IMPRECISE) return &l->overflow; /* the launch begins again, precisely */
  if (!l->report) {
    /* an earlier racing load may be the cause; the next pass finds out */
    w->stop = l->races && races_again(l->races) ? STOP_IMPRECISE : STOP_HAZARD;
    if (w->stop == STOP_IMPRECISE) return &l->overflow;
    if (l->hazard_count) return &l->overflow; /* the first one is the cause */
  }
  for (u64 i = 0; i < l->hazard_count; i++) {
    HazardRecord *h = &l->hazards[i];
    if (h->kind == kind && h->instruction == instruction) {
      h->count++;
      return &l->overflow;
    }
  }
  if (l->hazard_count == l->hazard_capacity) return &l->overflow;
  HazardRecord *h = &l->hazards[l->hazard_count++];
  begin_record(w, h, kind, instruction, lanes);
  return h;
}

COLD HazardRecord *lm_note(Wave *w, u32 note, u32 kind, u32 instruction, u64 lanes) {
  Launch *l = w->launch;
  if (l->strict) return lm_hazard(w, kind, instruction, lanes);
  HazardRecord *h = &l->notes[note];
  if (h->count) {
    h->count++;
    return &l->overflow;
  }
  begin_record(w, h, kind, instruction, lanes);
  h->note = note + 1;
  return h;
}

void report(Wave *w, const HazardRecord *h) {
  HazardRecord *noted = h->note ? lm_note(w, h->note - 1, h->kind, h->instruction, h->lanes)
                                : lm_hazard(w, h->kind, h->instruction, h->lanes);
  if (noted == &w->launch->overflow) return;
  u32 note = noted->note;
  *noted = *h;
  noted->note = note;
  noted->count = 1;
}

/* A number for where undefined bits came from; 0 outside origin mode, or when memory is full. */
COLD u32 lm_origin(Wave *w, u32 kind, u32 instruction, u32 lane, u32 space, u64 address) {
  Launch *l = w->launch;
  if (!l->origins) return 0;
  if (l->origin_count >= l->origin_room) {
    u64 room = l->more_origins();
    if (!room) return 0;
    l->origin_room = room;
  }
  u64 chunk = l->origin_count >> ORIGIN_CHUNK_BITS;
  Origin *o = &l->origins[chunk][l->origin_count & ((1u << ORIGIN_CHUNK_BITS) - 1)];
  o->kind = kind;
  o->instruction = instruction;
  o->wave = w->member;
  o->lane = lane;
  o->group = w->group->number - l->first_group;
  o->address = address;
  o->space = space;
  return (u32)l->origin_count++;
}

/* Report that undefined bits decided something: `bits` of row `row` in `lanes`, or of a uniform
 * value. */
COLD void lm_undefined(Wave *w, u32 instruction, u64 lanes, u32 detail, u32 bits, u32 origin) {
  if (race_decides(w, instruction, first_lane(lanes), origin, detail)) return;
  HazardRecord *h = lm_hazard(w, HAZARD_UNDEFINED, instruction, lanes);
  h->detail = detail;
  h->origin = origin;
  h->info[0] = bits;
}

/* The same for a row in scratch; the undefined lanes are found here. */
COLD void lm_undefined_row(Wave *w, u32 instruction, u64 mask, u32 row, u32 detail) {
  u64 lanes = 0;
  if (!row_undefined(w, row)) return;
  for (u32 lane = 0; lane < w->launch->lanes; lane++)
    if (mask >> lane & 1 && w->undefined[row][lane]) lanes |= 1ull << lane;
  if (!lanes) return;
  u32 lane = first_lane(lanes);
  lm_undefined(w, instruction, lanes, detail, w->undefined[row][lane], w->origin[row][lane]);
}

/* The same for a uniform value. */
void lm_undefined_uniform(Wave *w, u32 instruction, u32 detail, u64 undefined, u32 origin) {
  if (undefined)
    lm_undefined(w, instruction, w->full, detail, (u32)(undefined | undefined >> 32), origin);
}

/* Report a register that is accessed while an operation has it pending. */
COLD void lm_touch_pending(Wave *w, u32 instruction, u32 reg, u64 lanes) {
  if (!lanes || !(w->pending[reg / 64] >> reg % 64 & 1)) return;
  for (u32 q = w->queue_count; q-- > 0;) {
    Outstanding *o = &w->queue[q];
    if (reg - o->first_register >= o->register_count) continue;
    HazardRecord *h = lm_hazard(w, HAZARD_PENDING, o->instruction, w->full);
    h->detail = ~0u;
    h->info[0] = reg;
    h->info[1] = o->counter;
    h->info[2] = instruction;
    return;
  }
  if (w->held) w->launch->front_end.pending(w, ~0u, instruction, reg);
}
