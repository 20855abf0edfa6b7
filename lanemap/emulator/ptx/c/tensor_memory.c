/* tcgen05.ld and tcgen05.st: registers of a warp and the cells of tensor memory that the model's
 * layout map gives them (lanemap/model/tcgen05_ldst.py), relative to taddr.
 */
#include "events.h"
#include "ptx_cta.h"

/* Cells of one run, from (lane, column) on; `cell`: how many of the table's come before them. */
static int check_run(const Access *a, const Cta *of, const Table *t, const i32 *run, u32 cell,
                     u32 lane, u32 column, u32 most_lanes) {
  u32 last = lane + (u32)run[0] + (u32)run[2] - 1, at = column + (u32)run[1];
  u64 thread = 1ull << t->lanes[cell];
  if (last < most_lanes) return tensor_owned(a->w, of, a->instruction, thread, at);
  report_rule(a->w, a->instruction, 1ull << t->lanes[cell + most_lanes - lane - (u32)run[0]],
              RULE_TENSOR_LANE, lane, most_lanes, 0);
  return 0;
}

int access_runs(const Access *a, const Cta *of, const Table *t, u32 lane, u32 column,
                u32 most_lanes, u32 first_lane, Moved *m) {
  u32 cell = 0;
  for (u32 i = 0; i < t->runs; i++) {
    const i32 *run = t->run + i * RUN_WORDS;
    u32 bytes = (u32)run[2] * 4, at = cell * 4;
    Range r = {0, bytes, 4, (u32)t->lanes[cell], m->data + at, 0, 0, t->lanes + cell};
    if (!check_run(a, of, t, run, cell, lane, column, most_lanes)) return 0;
    r.address = ((u64)(column + (u32)run[1]) * TENSOR_LANES + first_lane + lane + (u32)run[0]) * 4;
    if (a->w->launch->precise) r.undefined = m->undefined + at, r.origin = m->origin + at;
    access(a, &r);
    cell += (u32)run[2];
  }
  return 1;
}

/* The lane of its quadrant that taddr names; `strict`: taddr must name that quadrant
 * (docs/emulator.md). */
static u32 lane_in_quadrant(Wave *w, u32 instruction, u32 taddr, u32 strict) {
  u32 quadrant = w->index % 4, named = taddr >> 16, rank = w->cta->rank;
  if (rank && (named / TENSOR_LANES == rank || named / TENSOR_LANES == 2 * rank)) {
    note_rule(w, NOTE_RANK_IN_LANE, instruction, w->active, RULE_QUADRANT, named, w->index,
              quadrant * WARP_LANES);
    named %= TENSOR_LANES;
  }
  if (named >= TENSOR_LANES || (strict && named / WARP_LANES != quadrant))
    report_rule(w, instruction, w->active, RULE_QUADRANT, named, w->index, quadrant * WARP_LANES);
  return named % WARP_LANES;
}

/* Registers into rows 0 .. ; the table's cells are relative to taddr. */
void lm_tensor_load(Wave *w, u32 instruction, u32 taddr, u32 table, u32 registers, u32 strict) {
  Moved from, to;
  Table t = table_of(w, table);
  Access a = tensor_access(w, ptx_cta(w->cta)->tensor, instruction, AGENT_LOAD, ACCESS_LOAD, 1);
  tell_bytes(&a, w->active, t.cells * 4);
  u32 lane = lane_in_quadrant(w, instruction, taddr, strict);
  if (!access_runs(&a, w->cta, &t, lane, taddr & 0xffff, WARP_LANES, w->index % 4 * WARP_LANES,
                   &from))
    fill_bytes((u8 *)&from, 0, sizeof from);
  follow(w, &t, WARP_LANES * registers, &from, &to, EMPTY_UNDEFINED, 0);
  give_rows(w, 0, WARP_LANES, registers, &to);
  for (u32 i = 0; !w->launch->precise && i < WARP_LANES * registers * 4; i++)
    if (to.undefined[i]) w->stop = STOP_IMPRECISE;
}

/* Registers from rows 0 .. . What no register reaches of a cell is undefined. */
void lm_tensor_store(Wave *w, u32 instruction, u32 taddr, u32 table, u32 registers, u32 strict) {
  Moved from, to;
  Table t = table_of(w, table);
  Access a = tensor_access(w, ptx_cta(w->cta)->tensor, instruction, AGENT_STORE, ACCESS_STORE, 1);
  tell_bytes(&a, w->active, t.cells * 4);
  u32 lane = lane_in_quadrant(w, instruction, taddr, strict), origin = 0,
      first = first_lane(w->active);
  take_rows(w, 0, WARP_LANES, registers, &from);
  if (w->launch->origins) {
    u64 column = (taddr & 0xffff) + (u32)t.run[1],
        row = w->index % 4 * WARP_LANES + lane + (u32)t.run[0];
    u64 place = column * COLUMN_BYTES + row * 4;
    origin = lm_origin(w, ORIGIN_LEFT, instruction, first, SPACE_ENGINE, place);
  }
  follow(w, &t, t.cells, &from, &to, EMPTY_UNDEFINED, origin);
  u8 any = 0;
  for (u32 i = 0; !w->launch->precise && i < WARP_LANES * registers * 4; i++)
    any |= from.undefined[i];
  for (u32 i = 0; !w->launch->precise && i < t.cells * 4; i++) any |= to.undefined[i];
  if (any) w->stop = STOP_IMPRECISE;
  else
    access_runs(&a, w->cta, &t, lane, taddr & 0xffff, WARP_LANES, w->index % 4 * WARP_LANES, &to);
}
