/* mma.sync and wmma.mma: operands in registers, through the matrix engine (panel.h). */
#include "mma.h"
#include "numeric_ptx.h"

#define MMA_LINES 32                       /* most rows or columns of a product */
#define MMA_ELEMENTS 256                   /* most elements of C and D */

/* A table (codegen/operands.py) begins with the length of its runs, which follow the lanes. */
static View mma_view(const Wave *w, u32 row, const i32 *table, u32 product, u32 elements) {
  u32 run = (u32)table[0];
  const u32 *places = (const u32 *)table + 1 + product * (elements / run);
  return (View){(const u8 *)w->value[row], places, run, 32, 0, sizeof w->value[0]};
}

static void mma_check_rows(Wave *w, u32 instruction, u32 rows, u32 detail) {
  for (u32 r = 0; r < rows; r++) {
    Words any = LOAD(Words, &w->undefined[r][0]) | LOAD(Words, &w->undefined[r][16]);
    if (__builtin_reduce_or(any)) lm_undefined_row(w, instruction, w->full, r, detail);
  }
}

static inline u32 wide_result(u32 result) { return result == RESULT_F64 ? 8 : result == RESULT_F16 ? 2 : 4; }

/* One element between its place in the registers and a tile in the type of the sums. */
static inline void take_element(u8 *to, u32 kept, const u8 *word, u32 shift, u32 result) {
  u32 low = *(const u32 *)word;
  if (result == RESULT_F64) {
    ((u32 *)to)[0] = low;
    ((u32 *)to)[1] = *(const u32 *)(word + MAX_LANES * 4);
  } else if (result == RESULT_F16 && kept == RESULT_F16) {
    *(u16 *)to = (u16)(low >> shift);
  } else if (result == RESULT_F16) {
    *(float *)to = decode(FORMAT_F16, low >> shift & 0xffff);
  } else {
    *(u32 *)to = low;
  }
}

static inline void give_element(u8 *word, u32 shift, u32 result, const u8 *from, u32 kept) {
  if (result == RESULT_F64) {
    *(u32 *)word = ((const u32 *)from)[0];
    *(u32 *)(word + MAX_LANES * 4) = ((const u32 *)from)[1];
  } else if (result == RESULT_F16) {
    float wide = *(const float *)from;
    u32 code = kept == RESULT_F16 ? *(const u16 *)from : wide != wide ? 0x7fff : encode(FORMAT_F16, wide, 0);
    *(u32 *)word = (*(const u32 *)word & ~(0xffffu << shift)) | code << shift;
  } else {
    *(u32 *)word = *(const u32 *)from;
  }
}

/* C into the tile, or D out of it. The tile is transposed: its lines are the columns of the matrix. */
static void move_tile(const Mma *m, const View *v, u8 *tile, int out) {
  u32 kept = m->rule.result, bytes = wide_result(kept), result = out ? m->d_result : m->c_result;
  for (u32 row = 0, i = 0; row < m->rows; row++)
    for (u32 column = 0; column < m->columns; column++, i++) {
      u32 bit = v->places[i / v->run] + i % v->run * v->step;
      u8 *word = (u8 *)v->base + bit / 32 * 4, *element = tile + (column * m->rows + row) * bytes;
      if (out) give_element(word, bit % 32, result, element, kept);
      else take_element(element, kept, word, bit % 32, result);
    }
}

/* Fused multiply-adds of f64 in another rounding mode than to nearest. */
static void fused_in_mode(const Panel *rows, const Panel *columns, u32 depth, u32 mode, u8 *tile) {
  for (u32 j = 0; j < columns->lines; j++)
    for (u32 i = 0; i < rows->lines; i++) {
      u64 *sum = (u64 *)tile + j * rows->lines + i;
      for (u32 k = 0; k < depth; k++) {
        u64 a = LOAD(u64, rows->f64 + k * PANEL_LINES + i), b = LOAD(u64, columns->f64 + k * PANEL_LINES + j);
        *sum = soft_fused(FORMAT_F64, a, b, *sum, mode);
      }
    }
}

/* Products of up to PANEL_DEPTH k, one after the other. Rows are the engine's columns: there are more of
 * them, and the engine works on 16 columns at a time. */
static void multiply_tile(const Mma *m, View a, View b, u8 *tile) {
  Panel rows, columns;
  u8 *strips[MMA_ELEMENTS / 8];
  u32 bytes = wide_result(m->rule.result), across = strips_of(m->rows);
  for (u32 j = 0; j < m->columns; j++)
    for (u32 s = 0; s < across; s++)
      strips[j * across + s] = tile + (j * m->rows + s * PANEL_LINES) * bytes;
  for (u32 k = 0; k < m->depth; k += PANEL_DEPTH) {
    u32 depth = m->depth - k < PANEL_DEPTH ? m->depth - k : PANEL_DEPTH;
    Operand left = {b, 0, m->columns, m->b_format, 0, 0}, right = {a, 0, m->rows, m->a_format, 0, 0};
    left.view.places += k * (m->columns / b.run);
    right.view.places += k * (m->rows / a.run);
    pack(&columns, &left, depth, &m->rule);
    pack(&rows, &right, depth, &m->rule);
    if (m->mode == ROUND_NEAREST) multiply(&columns, &rows, &m->rule, strips);
    else fused_in_mode(&rows, &columns, depth, m->mode, tile);
  }
}

/* D = A x B + C. The tables of A and B have places by k and line, those of C and D by row and column; `rule`
 * is the table with the Mma. `checked`: bits of operands may be undefined; `detail`: what they decide. */
void lm_ptx_mma(Wave *w, u32 instruction, u32 a, u32 b, u32 c, u32 d, u32 rule, u32 checked, u32 detail) {
  i32 **tables = w->launch->tables;
  const Mma *m = (const Mma *)tables[rule];
  u8 tile[MMA_ELEMENTS * 8] __attribute__((aligned(64)));
  if (checked) mma_check_rows(w, instruction, m->d_row, detail);
  u32 results = m->rows * m->columns;
  for (u32 p = 0; p < m->products; p++) {
    View from = mma_view(w, m->c_row, tables[c], p, results), to = mma_view(w, m->d_row, tables[d], p, results);
    move_tile(m, &from, tile, 0);
    multiply_tile(m, mma_view(w, 0, tables[a], p, m->rows * m->depth),
                  mma_view(w, m->b_row, tables[b], p, m->columns * m->depth), tile);
    move_tile(m, &to, tile, 1);
  }
}
