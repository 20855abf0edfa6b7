/* ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store: lines of a matrix in memory and the
 * registers of a warp, as the layout maps of the model say. A line lies at the address of the
 * lane of its number. */
#include "events.h"
#include "memory_model.h"
#include "narrow_vectors.h"
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

typedef u16 Halves32 __attribute__((ext_vector_type(32), aligned(4)));

/* Does the table transpose 8 rows of 8 halves? */
static int transposes(const Table *t) {
  Ints differ = 0, lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (i32 i = 0; t->bits == 16 && i < 4; i++) {
    Ints to = lane + 16 * i;
    differ |= LOAD(Ints, t->elements + 16 * i) ^ ((to & 7) * 8 + (to >> 3));
  }
  return t->bits == 16 && !__builtin_reduce_or(differ);
}

/* Each round, which deals the two vectors out to each other, moves the bits of an element's number
 * on by one; three exchange row and column. */
static void transpose_row(u32 *row) {
  Halves32 a = LOAD(Halves32, row), b = LOAD(Halves32, row + 16);
  for (u32 round = 0; round < 3; round++) {
    Halves32 first =
        __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40,
                                9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47);
    b = __builtin_shufflevector(a, b, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23,
                                55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
    a = first;
  }
  STORE(row, a);
  STORE(row + 16, b);
}

/* Row 0 of every lane from row 0 of other lanes. */
void lm_ptx_matrix_move(Wave *w, u32 instruction, u32 table) {
  Moved from, to;
  Table t = table_of(w, table);
  (void)instruction;
  if (!w->launch->precise && transposes(&t)) {
    Words unknown = LOAD(Words, w->undefined[0]) | LOAD(Words, &w->undefined[0][16]);
    if (__builtin_reduce_or(unknown)) w->stop = STOP_IMPRECISE;
    transpose_row(w->value[0]);
    return;
  }
  take_rows(w, 0, MOVED_LANES, 1, &from);
  if (!w->launch->precise && any_bits(from.undefined, MOVED_LANES * 4)) w->stop = STOP_IMPRECISE;
  follow(w, &t, MOVED_LANES, &from, &to, EMPTY_ZERO, 0);
  give_rows(w, 0, MOVED_LANES, 1, &to);
}
