/* Registers of wgmma in use: from its issue to the wait that says that it is complete. */
#include "events.h"
#include "ptx_cta.h"
#include "wgmma.h"

enum { CLOCK_ENGINE_OVER = CLOCK_OVER + AGENT_ENGINE - AGENT_LOAD };

COLD static void name_use(Wave *w, HazardRecord *h, u32 segment, u32 instruction, u32 reg) {
  h->detail = segment;
  h->info[0] = reg;
  h->info[1] = COUNTER_WGMMA;
  h->info[2] = instruction;
}

static u32 issued_by(const Wave *w, u32 operation) {
  return warpgroup_of(w)->operations[operation % MOST_OPERATIONS].instruction;
}

COLD static void in_use(Wave *w, u32 operation, u32 instruction, u32 reg) {
  name_use(w, lm_hazard(w, HAZARD_PENDING, issued_by(w, operation), w->full), ~0u, instruction,
           reg);
}

/* Is the operation in no group yet, and no wait since? */
static int in_no_group(const WgmmaWarp *s, u32 operation) {
  return operation > s->waited &&
         (!s->groups || operation > s->ends[(s->groups - 1) % MOST_WGMMA_GROUPS]);
}

/* FrontEnd.pending: D of an operation that is not known to be complete is read. ptxas waits by
 * itself where that happens before the operation is committed. */
void lm_wgmma_pending(Wave *w, u32 segment, u32 instruction, u32 reg) {
  u32 operation = state_of(w)->writer[reg], by = issued_by(w, operation);
  HazardRecord *h = in_no_group(state_of(w), operation)
                        ? lm_note(w, NOTE_WGMMA_READ, HAZARD_PENDING, by, w->full)
                        : lm_hazard(w, HAZARD_PENDING, by, w->full);
  name_use(w, h, segment, instruction, reg);
}

/* A tracked register is written by an ordinary instruction, in these lanes: none where its guard
 * is false. */
void lm_wgmma_written(Wave *w, u32 instruction, u32 reg, u64 lanes) {
  WgmmaWarp *s = state_of(w);
  if (!lanes) return;
  if (s->writer[reg]) in_use(w, s->writer[reg], instruction, reg);
  else if (s->reader[reg]) in_use(w, s->reader[reg], instruction, reg);
  s->written[reg] = WRITTEN;
}

/* The same by a `mov` of zero. */
void lm_wgmma_zeroed(Wave *w, u32 reg, u64 lanes) {
  if (lanes) state_of(w)->written[reg] = ZEROED;
}

/* A tracked register is copied. Compilers copy accumulators between operations in flight, and
 * ptxas lets the copy share the register: so the copy is in use as the original is. */
void lm_wgmma_moved(Wave *w, u32 instruction, u32 to, u32 from, u64 lanes) {
  WgmmaWarp *s = state_of(w);
  if (!lanes) return;
  u64 bit = 1ull << to % 64;
  if (s->reader[to]) in_use(w, s->reader[to], instruction, to);
  if (s->writer[to] && to != from) in_use(w, s->writer[to], instruction, to);
  s->writer[to] = s->writer[from];
  s->written[to] = s->written[from];
  w->pending[to / 64] = s->writer[to] ? w->pending[to / 64] | bit : w->pending[to / 64] & ~bit;
}

/* wgmma.fence: registers written so far are ready for wgmma. */
void lm_wgmma_fence(Wave *w) {
  WgmmaWarp *s = state_of(w);
  u32 tracked = ptx_cta(w->cta)->tracked;
  s->fenced = 1;
  fill_bytes(s->written, 0, tracked);
}

void lm_wgmma_commit(Wave *w) {
  WgmmaWarp *s = state_of(w);
  s->ends[s->groups++ % MOST_WGMMA_GROUPS] = s->last;
}

/* wgmma.wait_group: all groups but the last `left` are complete. */
void lm_wgmma_wait(Wave *w, u32 left) {
  WgmmaWarp *s = state_of(w);
  u32 tracked = ptx_cta(w->cta)->tracked;
  s->waited = s->last;
  if (left >= s->groups || left >= MOST_WGMMA_GROUPS) return;
  u32 over = s->ends[(s->groups - 1 - left) % MOST_WGMMA_GROUPS], held = 0;
  u64 *known = clock_of(w->group, w->member, CLOCK_ENGINE_OVER) + first_of(w)->member;
  complete_to(w, known, AGENT_ENGINE, over, DIRECTION_STORE);
  for (u32 i = 0; i < tracked; i++) {
    if (s->reader[i] <= over) s->reader[i] = 0;
    if (s->writer[i] && s->writer[i] <= over) {
      s->writer[i] = 0;
      w->pending[i / 64] &= ~(1ull << i % 64);
    }
    held |= s->writer[i];
  }
  w->held = held != 0;
}

void check_registers(Wave *w, u32 instruction, const WgmmaForm *f, const i32 *registers) {
  WgmmaWarp *s = state_of(w);
  const WgmmaOperation *operations = warpgroup_of(w)->operations;
  u32 count = f->d_registers + (f->a_registers ? WGMMA_A_REGISTERS : 0);
  if (!s->fenced) report_rule(w, instruction, w->active, RULE_WGMMA_NO_FENCE, 0, 0, 0);
  for (u32 i = 0; i < count; i++) {
    i32 reg = registers[f->d_registers + i];
    if (reg < 0) continue;
    u32 is_d = i < f->d_registers, writer = s->writer[reg];
    if (s->written[reg] == ZEROED && is_d)
      note_rule(w, NOTE_WGMMA_ZERO, instruction, w->active, RULE_WGMMA_FENCE_D, i, 0, 0);
    else if (s->written[reg])
      report_rule(w, instruction, w->active, is_d ? RULE_WGMMA_FENCE_D : RULE_WGMMA_FENCE_A,
                  is_d ? i : i - f->d_registers, 0, 0);
    if (is_d && s->reader[reg]) in_use(w, s->reader[reg], instruction, (u32)reg);
    if (writer && !(is_d && operations[writer % MOST_OPERATIONS].shape == f->shape))
      in_use(w, writer, instruction, (u32)reg);
  }
}

void use_registers(Wave *w, const WgmmaForm *f, const i32 *registers) {
  WgmmaWarp *s = state_of(w);
  registers += f->d_registers;
  u32 operation = first_of(w)->engine_sequence[AGENT_ENGINE - AGENT_LOAD];
  s->last = operation;
  w->held = 1;
  for (u32 i = 0; i < f->d_registers; i++) {
    if (registers[i] < 0) continue;
    s->writer[registers[i]] = operation;
    w->pending[registers[i] / 64] |= 1ull << registers[i] % 64;
  }
  for (u32 i = 0; f->a_registers && i < WGMMA_A_REGISTERS; i++)
    if (registers[f->d_registers + i] >= 0) s->reader[registers[f->d_registers + i]] = operation;
}
