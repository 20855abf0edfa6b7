/* ldmatrix, stmatrix, movmatrix: rows of 16 bytes in shared memory and the registers of a warp, as the
 * layout maps of the model say. */
#include "events.h"
#include "tables.h"

#define ROW_BYTES 16
#define MOVED_LANES 32

/* Banks serve rows by a rule of their own: its accesses have elements of 16 bits (model/banks.py). */
static void note_rows(Wave *w, u32 instruction, u32 space, u32 rows, u32 direction) {
  if (__builtin_expect(w->launch->events != 0, 0))
    count_access(w, instruction, space, (1ull << rows) - 1, ROW_BYTES, direction, 16);
}

/* Elements narrower than their place leave zeros. */
void lm_ptx_matrix_load(Wave *w, u32 instruction, u32 space, u32 rows, u32 registers, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  note_rows(w, instruction, space, rows, DIRECTION_LOAD);
  Access a = begin_access(w, instruction, space, ACCESS_LOAD, ROW_BYTES);
  if (w->launch->lane_order) lanes_access(&a, (1ull << rows) - 1, ROW_BYTES, 0, w->full);
  access_chunks(&a, rows, ROW_BYTES, &from);
  follow(w, &t, MOVED_LANES * registers, &from, &to, EMPTY_ZERO, 0);
  give_rows(w, 0, MOVED_LANES, registers, &to);
}

static int any_bits(const u8 *bytes, u32 count) {
  u8 any = 0;
  for (u32 i = 0; i < count; i++) any |= bytes[i];
  return any;
}

/* The table says of each element of the rows where it comes from. */
void lm_ptx_matrix_store(Wave *w, u32 instruction, u32 space, u32 rows, u32 registers, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  u32 kind = ACCESS_STORE | (w->launch->precise ? 0 : ACCESS_DEFINED);
  note_rows(w, instruction, space, rows, DIRECTION_STORE);
  Access a = begin_access(w, instruction, space, kind, ROW_BYTES);
  take_rows(w, 0, MOVED_LANES, registers, &from);
  if (!w->launch->precise && any_bits(from.undefined, MOVED_LANES * registers * 4)) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  follow(w, &t, rows * ROW_BYTES / 4, &from, &to, EMPTY_ZERO, 0);
  if (w->launch->lane_order) lanes_access(&a, (1ull << rows) - 1, ROW_BYTES, 0, w->full);
  access_chunks(&a, rows, ROW_BYTES, &to);
}

/* Row 0 of every lane from row 0 of other lanes. */
void lm_ptx_matrix_move(Wave *w, u32 instruction, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  (void)instruction;
  take_rows(w, 0, MOVED_LANES, 1, &from);
  if (!w->launch->precise && any_bits(from.undefined, MOVED_LANES * 4)) w->stop = STOP_IMPRECISE;
  follow(w, &t, MOVED_LANES, &from, &to, EMPTY_ZERO, 0);
  give_rows(w, 0, MOVED_LANES, 1, &to);
}
