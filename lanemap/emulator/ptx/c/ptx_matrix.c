/* ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store: lines of a matrix in memory and the
 * registers of a warp, as the layout maps of the model say. A line lies at the address of the
 * lane of its number. */
#include "events.h"
#include "memory_model.h"
#include "tables.h"

#define MOVED_LANES 32

/* Banks serve the rows of ldmatrix and stmatrix by a rule of their own: their accesses have
 * elements of 16 bits (model/banks.py).
 *
 * Elements narrower than their place leave zeros. */
void lm_ptx_matrix_load(Wave *w, u32 instruction, u32 space, u32 lines, u32 bytes, u32 align,
                        u32 element_bits, u32 registers, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  Access a = begin_access(w, instruction, space, ACCESS_LOAD, align);
  tell_lanes(&a, (1ull << lines) - 1, bytes, element_bits);
  if (lanes_followed(w)) lanes_access(&a, (1ull << lines) - 1, bytes, 0, w->full);
  access_chunks(&a, lines, bytes, &from);
  follow(w, &t, MOVED_LANES * registers, &from, &to, EMPTY_ZERO, 0);
  give_rows(w, 0, MOVED_LANES, registers, &to);
}

static int any_bits(const u8 *bytes, u32 count) {
  u8 any = 0;
  for (u32 i = 0; i < count; i++) any |= bytes[i];
  return any;
}

/* The table says of each element of the rows where it comes from. */
void lm_ptx_matrix_store(Wave *w, u32 instruction, u32 space, u32 lines, u32 bytes, u32 align,
                         u32 element_bits, u32 registers, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  u32 kind = ACCESS_STORE | (w->launch->precise ? 0 : ACCESS_DEFINED);
  Access a = begin_access(w, instruction, space, kind, align);
  tell_lanes(&a, (1ull << lines) - 1, bytes, element_bits);
  take_rows(w, 0, MOVED_LANES, registers, &from);
  if (!w->launch->precise && any_bits(from.undefined, MOVED_LANES * registers * 4)) {
    w->stop = STOP_IMPRECISE;
    return;
  }
  follow(w, &t, lines * bytes / 4, &from, &to, EMPTY_ZERO, 0);
  if (lanes_followed(w)) lanes_access(&a, (1ull << lines) - 1, bytes, 0, w->full);
  access_chunks(&a, lines, bytes, &to);
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
