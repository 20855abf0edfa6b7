/* mma.sync and wmma.mma: operands in registers, through the matrix engine (panel.h). */
#include "lanes.h"
#include "mma.h"
#include "numeric_ptx.h"
#include "tensor.h"

#define MMA_ELEMENTS 256 /* most elements of C and D */

/* A table (codegen/operands.py) begins with the length of its runs, which follow the lanes, and the
 * bits from one element of a run to the next. */
static View mma_view(const Mma *m, const Wave *w, u32 row, const i32 *table, u32 product,
                     u32 elements) {
  u32 run = (u32)table[0];
  const u32 *places = (const u32 *)table + 2 + product * (elements / run);
  return (View){.base = (const u8 *)w->value[row],
                .places = places,
                .run = run,
                .step = (u32)table[1],
                .next = m->rule.result == RESULT_F64 ? 4 : sizeof w->value[0]};
}

static void mma_check_rows(Wave *w, u32 instruction, u32 rows, u32 detail) {
  for (u32 r = 0; r < rows; r++)
    if (row_undefined(w, r)) lm_undefined_row(w, instruction, w->full, r, detail);
}

static inline u32 wide_result(u32 result) {
  return result == RESULT_F64 ? 8 : result == RESULT_F16 ? 2 : 4;
}

/* One element between its place in the registers and a tile in the type of the sums. */
static inline void take_element(u8 *to, u32 kept, const u8 *word, u32 shift, u32 result) {
  u32 low = *(const u32 *)word;
  if (result == RESULT_F16 && kept == RESULT_F16) {
    *(u16 *)to = (u16)(low >> shift);
  } else if (result == RESULT_F16) {
    *(float *)to = decode(FORMAT_F16, low >> shift & 0xffff);
  } else {
    *(u32 *)to = low;
  }
}

static inline void give_element(u8 *word, u32 shift, u32 result, const u8 *from, u32 kept) {
  if (result == RESULT_F16) {
    float wide = *(const float *)from;
    u32 code = kept == RESULT_F16 ? *(const u16 *)from
               : wide != wide     ? 0x7fff
                                  : encode(FORMAT_F16, wide, 0);
    *(u32 *)word = (*(const u32 *)word & ~(0xffffu << shift)) | code << shift;
  } else {
    *(u32 *)word = *(const u32 *)from;
  }
}

/* A run of words that lie `step` apart in registers. */
static inline void run_to_registers(u32 *to, const u32 *from, u32 count, u32 step) {
  if (count == 8) {
    _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 8; i++) to[i * step] = from[i];
    return;
  }
  for (u32 i = 0; i < count; i++) to[i * step] = from[i];
}

static inline void run_of_registers(u32 *to, const u32 *from, u32 count, u32 step) {
  if (count == 8 && step == 4) STORE(to, every_fourth((const u8 *)from));
  else
    for (u32 i = 0; i < count; i++) to[i] = from[i * step];
}

/* The columns of a 16 x 8 matrix, of 16 words each. Row 8 * h + g of column 2 * t + e lies in
 * register 2 * h + e of lane 4 * g + t. */
static void take_fragment(const u32 *registers, u32 *tile) {
  for (u32 e = 0; e < 2; e++, tile += PANEL_LINES) {
    const u32 *upper = registers + e * MAX_LANES, *lower = upper + 2 * MAX_LANES;
    Words u[2] = {LOAD(Words, upper), LOAD(Words, upper + 16)};
    Words l[2] = {LOAD(Words, lower), LOAD(Words, lower + 16)};
    Words even[2] = {EVENS(u[0], u[1]), EVENS(l[0], l[1])};
    Words odd[2] = {ODDS(u[0], u[1]), ODDS(l[0], l[1])};
    STORE(tile, EVENS(even[0], even[1]));
    STORE(tile + 2 * PANEL_LINES, EVENS(odd[0], odd[1]));
    STORE(tile + 4 * PANEL_LINES, ODDS(even[0], even[1]));
    STORE(tile + 6 * PANEL_LINES, ODDS(odd[0], odd[1]));
  }
}

static void give_fragment(u32 *registers, const u32 *tile) {
  for (u32 e = 0; e < 2; e++, tile += PANEL_LINES) {
    u32 *upper = registers + e * MAX_LANES, *lower = upper + 2 * MAX_LANES;
    Words t[4];
    for (u32 i = 0; i < 4; i++) t[i] = LOAD(Words, tile + 2 * i * PANEL_LINES);
    Words even[2] = {DEALT_FIRST(t[0], t[2]), DEALT_LAST(t[0], t[2])};
    Words odd[2] = {DEALT_FIRST(t[1], t[3]), DEALT_LAST(t[1], t[3])};
    STORE(upper, DEALT_FIRST(even[0], odd[0]));
    STORE(upper + 16, DEALT_LAST(even[0], odd[0]));
    STORE(lower, DEALT_FIRST(even[1], odd[1]));
    STORE(lower + 16, DEALT_LAST(even[1], odd[1]));
  }
}

/* C into the tile, or D out of it, where each element is a word. */
static void move_words(const View *v, u32 count, u32 *tile, int direct, int out) {
  u32 step = v->step / 32, length = v->run, *base = (u32 *)v->base;
  const u32 *place = v->places;
  if (direct) {
    if (out) give_fragment(base, tile);
    else take_fragment(base, tile);
    return;
  }
  for (u32 *end = tile + count; tile < end; tile += length, place++)
    if (out) run_to_registers(base + *place / 32, tile, length, step);
    else run_of_registers(tile, base + *place / 32, length, step);
}

/* The same of f64, each whole in a row of registers. */
static void move_doubles(const View *v, u32 count, u64 *tile, int out) {
  const u32 *place = v->places;
  for (u64 *end = tile + count; tile < end; tile += v->run, place++) {
    u8 *at = (u8 *)v->base + *place / 8;
    for (u32 i = 0; i < v->run; i++, at += v->step / 8)
      if (out) STORE(at, tile[i]);
      else tile[i] = LOAD(u64, at);
  }
}

/* C into the tile, or D out of it. The tile is transposed: its lines are the columns of the
 * matrix. */
static void move_tile(const Mma *m, const View *v, u8 *tile, int out) {
  u32 kept = m->rule.result, bytes = wide_result(kept), result = out ? m->d_result : m->c_result;
  u32 count = m->rows * m->columns;
  const u32 *place = v->places;
  if (bytes == 4 && result != RESULT_F16) {
    move_words(v, count, (u32 *)tile, (int)m->direct, out);
    return;
  }
  if (kept == RESULT_F64) {
    move_doubles(v, count, (u64 *)tile, out);
    return;
  }
  for (u32 run = 0; run < count; run += v->run, place++)
    for (u32 i = 0; i < v->run; i++) {
      u32 bit = *place + i * v->step;
      u8 *word = (u8 *)v->base + bit / 32 * 4, *element = tile + (run + i) * bytes;
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
        u64 a = LOAD(u64, rows->f64 + k * PANEL_LINES + i),
            b = LOAD(u64, columns->f64 + k * PANEL_LINES + j);
        *sum = soft_fused(a, b, *sum, mode);
      }
    }
}

/* -- scales of blocks -------------------------------------------------------------------------- */

enum { QUAD = 4, MOST_SCALES = 16 * 4 };

/* The scales of A and of B: a code for each line and block. */
typedef struct Scales { u8 codes[2][MOST_SCALES]; } Scales;

/* The places of an operand's scales, as its selectors choose them; null if they choose none. */
static const i32 *scale_places(Wave *w, u32 instruction, const Mma *m, u32 which) {
  const u32 *selectors = w->value[m->scale_row + 2 + which];
  u32 chosen = selectors[0], lines = which ? m->columns : m->rows, differ = 0;
  for (u32 lane = 1; lane < 32; lane++) differ |= chosen ^ selectors[lane];
  u32 byte = chosen & 0xffff, thread = chosen >> 16;
  const i32 *places = w->launch->tables[m->scale_tables[which]];
  if (!differ && byte < 4 && thread < QUAD) {
    places += (thread * 4 + byte) * lines * m->blocks;
    if (places[0] >= 0) return places;
  }
  report_rule(w, instruction, w->full, RULE_SELECTED_SCALE_BYTES, byte, thread, m->blocks);
  return 0;
}

/* Undefined bits of selectors, and of the bytes that they select. */
static void check_scales(Wave *w, u32 instruction, const Mma *m, const i32 *places, u32 which,
                         u32 detail) {
  u32 row = m->scale_row + which, lines = which ? m->columns : m->rows, used[MAX_LANES] = {0};
  for (u32 i = 0; i < lines * m->blocks; i++)
    used[(u32)places[i] / 32 % MAX_LANES] |= 255u << (u32)places[i] % 32;
  for (u32 lane = 0; lane < MAX_LANES; lane++) w->undefined[row][lane] &= used[lane];
  lm_undefined_row(w, instruction, w->full, row, detail);
}

/* Gather the scales of both operands; whether their selectors are legal. */
static int take_scales(Wave *w, u32 instruction, const Mma *m, Scales *s, u32 checked, u32 detail) {
  for (u32 which = 0; which < 2; which++) {
    if (checked) lm_undefined_row(w, instruction, w->full, m->scale_row + 2 + which, detail);
    const i32 *places = scale_places(w, instruction, m, which);
    if (!places) return 0;
    if (checked) check_scales(w, instruction, m, places, which, detail);
    const u32 *words = w->value[m->scale_row + which];
    for (u32 i = 0; i < (which ? m->columns : m->rows) * m->blocks; i++)
      s->codes[which][i] = (u8)(words[(u32)places[i] / 32] >> (u32)places[i] % 32);
  }
  return 1;
}

/* The scales from a line on, for products of `depth` k. */
static void scale_operand(Operand *o, const Mma *m, const Scales *s, u32 which, u32 line,
                          u32 depth) {
  if (!m->blocks) return;
  o->scales = s->codes[which] + line * m->blocks;
  o->scale_format = m->scale_format;
  o->scale_depth = depth / m->blocks;
}

/* -- a dense A --------------------------------------------------------------------------------- */

/* Products of up to PANEL_DEPTH k, one after the other. Rows are the engine's columns: there are
 * more of them, and the engine works on 16 columns at a time. */
static void multiply_tile(const Mma *m, const Scales *scales, View a, View b, u8 *tile) {
  Panel rows, columns;
  u8 *strips[MMA_ELEMENTS / 8];
  u32 bytes = wide_result(m->rule.result), across = strips_of(m->rows);
  for (u32 j = 0; j < m->columns; j++)
    for (u32 s = 0; s < across; s++)
      strips[j * across + s] = tile + (j * m->rows + s * PANEL_LINES) * bytes;
  for (u32 k = 0; k < m->depth; k += PANEL_DEPTH) {
    u32 depth = m->depth - k < PANEL_DEPTH ? m->depth - k : PANEL_DEPTH;
    Operand left = {.view = b, .lines = m->columns, .format = m->b_format};
    Operand right = {.view = a, .lines = m->rows, .format = m->a_format};
    left.view.places += k * (m->columns / b.run);
    right.view.places += k * (m->rows / a.run);
    scale_operand(&left, m, scales, 1, 0, depth);
    scale_operand(&right, m, scales, 0, 0, depth);
    pack(&columns, &left, depth, &m->rule);
    pack(&rows, &right, depth, &m->rule);
    if (m->mode == ROUND_NEAREST) multiply(&columns, &rows, &m->rule, strips);
    else fused_in_mode(&rows, &columns, depth, m->mode, tile);
  }
}

/* -- a sparse A -------------------------------------------------------------------------------- */

enum { SPARSE_LANES = 32, MOST_STORED = 64, SPARSE_COLUMNS = 8 };

/* Which elements of a chunk are stored, from its metadata: of four elements, two; of two of 32
 * bits, one, named by the numbers of its halves; of eight of 4 bits, two pairs (PTX ISA, Sparse
 * matrix storage). Returns how many, 0 where the metadata is not valid. */
static u32 stored_elements(const Mma *m, u32 metadata, u32 *k) {
  u32 first = metadata & 3, second = metadata >> 2;
  if (m->chunk == 2) {
    k[0] = second >> 1;
    return metadata == 4 || metadata == 14 ? 1 : 0;
  }
  u32 each = m->chunk / 4;
  for (u32 i = 0; i < each; i++) {
    k[i] = first * each + i;
    k[each + i] = second * each + i;
  }
  return first == second || (m->ordered && first > second) ? 0 : 2 * each;
}

/* The stored elements of a row in the order in which they are multiplied: the number of each,
 * and its k. */
static u32 stored_row(Wave *w, u32 instruction, const Mma *m, u32 row, u32 *slot, u32 *k) {
  const i32 *table = w->launch->tables[m->metadata_table];
  u32 chunks = m->depth / m->chunk, each = m->chunk / 2, count = 0;
  for (u32 step = 0; step < m->steps; step++)
    for (u32 chunk = step; chunk < chunks; chunk += m->steps) {
      u32 at = (u32)table[row * chunks + chunk], own[4];
      u32 metadata = w->value[m->metadata_row][at / 32 % SPARSE_LANES] >> at % 32 & 15;
      if (!stored_elements(m, metadata, own)) {
        report_rule(w, instruction, w->full, RULE_WGMMA_METADATA, metadata, row, chunk);
        return 0;
      }
      for (u32 i = 0; i < each; i++, count++) {
        slot[count] = chunk * each + i;
        k[count] = chunk * m->chunk + own[i];
      }
    }
  return count;
}

/* Row by row, for each has its own k: its stored elements by the elements of B that they meet. */
static void multiply_sparse(Wave *w, u32 instruction, const Mma *m, const Scales *scales, View a,
                            View b, u8 *tile) {
  Panel row, columns;
  u32 slot[MOST_STORED], k[MOST_STORED], a_places[MOST_STORED],
      b_places[MOST_STORED * SPARSE_COLUMNS];
  u8 *strips[SPARSE_COLUMNS];
  u32 bytes = wide_result(m->rule.result), a_runs = m->rows / a.run, b_runs = m->columns / b.run;
  for (u32 i = 0; i < m->rows; i++) {
    u32 count = stored_row(w, instruction, m, i, slot, k);
    if (!count) return;
    for (u32 s = 0; s < count; s++) {
      a_places[s] = a.places[slot[s] * a_runs + i / a.run] + i % a.run * a.step;
      for (u32 j = 0; j < m->columns; j++)
        b_places[s * m->columns + j] = b.places[k[s] * b_runs + j / b.run] + j % b.run * b.step;
    }
    for (u32 j = 0; j < m->columns; j++) strips[j] = tile + (j * m->rows + i) * bytes;
    View own = {a.base, a_places, 1, 32, 0, a.next}, met = {b.base, b_places, 1, 32, 0, b.next};
    Operand left = {.view = met, .lines = m->columns, .format = m->b_format};
    Operand right = {.view = own, .lines = 1, .format = m->a_format};
    scale_operand(&left, m, scales, 1, 0, count);
    scale_operand(&right, m, scales, 0, i, count);
    pack(&columns, &left, count, &m->rule);
    pack(&row, &right, count, &m->rule);
    multiply(&columns, &row, &m->rule, strips);
  }
}

/* Undefined bits of the metadata of lanes that give some. */
static void check_metadata(Wave *w, u32 instruction, const Mma *m, u32 detail) {
  const i32 *table = w->launch->tables[m->metadata_table];
  u64 lanes = 0;
  for (u32 i = 0; i < m->rows * (m->depth / m->chunk); i++)
    lanes |= 1ull << (u32)table[i] / 32 % SPARSE_LANES;
  lm_undefined_row(w, instruction, lanes, m->metadata_row, detail);
}

/* -- the product ------------------------------------------------------------------------------- */

/* D = A x B + C. The tables of A and B have places by k and line, those of C and D by row and
 * column; `rule` is the table with the Mma. `checked`: bits of operands may be undefined;
 * `detail`: what they decide. */
void lm_ptx_mma(Wave *w, u32 instruction, u32 a, u32 b, u32 c, u32 d, u32 rule, u32 checked,
                u32 detail) {
  i32 **tables = w->launch->tables;
  const Mma *m = (const Mma *)tables[rule];
  u8 tile[MMA_ELEMENTS * 8] __attribute__((aligned(64)));
  if (checked) mma_check_rows(w, instruction, m->d_row, detail);
  if (checked && m->chunk) check_metadata(w, instruction, m, detail);
  if (m->rule.result == RESULT_F64 && m->direct) {
    multiply_doubles(m, (u8 *)w->value[0], (u8 *)w->value[m->b_row], (u8 *)w->value[m->c_row],
                     (u8 *)w->value[m->d_row]);
    return;
  }
  Scales scales;
  if (m->blocks && !take_scales(w, instruction, m, &scales, checked, detail)) return;
  u32 results = m->rows * m->columns;
  for (u32 p = 0; p < m->products; p++) {
    View from = mma_view(m, w, m->c_row, tables[c], p, results),
         to = mma_view(m, w, m->d_row, tables[d], p, results);
    View left = mma_view(m, w, 0, tables[a], p, m->rows * m->depth);
    View right = mma_view(m, w, m->b_row, tables[b], p, m->columns * m->depth);
    move_tile(m, &from, tile, 0);
    if (m->chunk) multiply_sparse(w, instruction, m, &scales, left, right, tile);
    else multiply_tile(m, &scales, left, right, tile);
    move_tile(m, &to, tile, 1);
  }
}
