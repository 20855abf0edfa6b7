/* Operands of tcgen05.mma in shared and tensor memory (tensor_operands.h;
 * lanemap/model/tcgen05_mma.py). */
#include "tensor_operands.h"
#include "ptx_cta.h"

const i32 *mma_map(const MmaRun *m, u32 key) {
  for (i32 i = 0; i < m->maps[0]; i++)
    if ((u32)m->maps[1 + 2 * i] == key) return m->maps + m->maps[2 + 2 * i];
  return 0;
}

Access shared_access(const MmaRun *m, Cta *of) {
  return (Access){m->w, m->instruction,       SPACE_SHARED, ACCESS_LOAD,
                  1,    {m->stamp, m->stamp}, &of->shared};
}

Access engine_access(const MmaRun *m, const Cta *of, u32 kind) {
  Memory *memory = &ptx_cta(of)->tensor->memory;
  return (Access){m->w, m->instruction, SPACE_ENGINE, kind, 1, {m->stamp, m->stamp}, memory};
}

int columns_owned(const MmaRun *m, const Cta *of, u32 first, u32 columns) {
  u32 last = first + columns - 1;
  for (u32 i = first; i < last; i = (i / UNIT_COLUMNS + 1) * UNIT_COLUMNS)
    if (!tensor_owned(m->w, of, m->instruction, 1ull << m->lane, i)) return 0;
  return tensor_owned(m->w, of, m->instruction, 1ull << m->lane, last);
}

u32 row_lane(const MmaRun *m, u32 row) {
  u32 layout = m->shape.layout;
  return layout == 'C' || layout == 'F' ? row / 16 * 32 + (m->d >> 16) + row % 16 : row;
}

/* Narrow types of f8f6f4 lie side by side at the beginning of each 16 bytes, which have 16
 * elements of any type (PTX ISA, Packing format used for matrix A and B by .kind::mxf8f6f4 in
 * Shared Memory). */
int read_shared(const MmaRun *m, Cta *of, const SharedLayout *l, u32 first, u32 lines, Operand *o,
                u32 *places) {
  Access a = shared_access(m, of);
  u32 bits = format_bits(o->format), depth = m->shape.depth;
  SharedLayout layout = *l;
  if (bits < l->bits) layout.tile = 0; /* the model's tiles are of elements without padding */
  o->view = view_of(&layout, &of->shared, first, lines, 0, depth, places);
  if (bits < l->bits) o->view.step = bits;
  o->lines = lines;
  return lm_access_view(&a, &o->view, lines, depth, bits, m->lane, DECIDES_MATRIX);
}

/* -- columns of B that are zero ---------------------------------------------------------------- */

/* PTX ISA, Zero-Column Mask Descriptor: spans of columns that are used and of columns that are
 * zero, one after the other. Each sub-mask, of the columns that lie on the same lanes of D,
 * begins within a span. By the ISA's examples 2 to 4 the use span counts the columns that are
 * used, and the skip span those that are zero; the words beside the two fields have them the
 * other way around. */
static u32 zeros_field(const MmaRun *m, u32 low, u32 count) {
  return (u32)(m->zeros >> low) & ((1u << count) - 1);
}
static u32 zeros_shift(const MmaRun *m) { return zeros_field(m, 56, 6); }
static u32 span_of(const MmaRun *m, u32 zero) { return zeros_field(m, zero ? 40 : 48, 8) + 1; }
static int has_zeros(const MmaRun *m) { return (int)zeros_field(m, 39, 1); }

int check_zeros(const MmaRun *m) {
  u32 most = m->shape.rows == 32 ? 16 : 32, shift = zeros_shift(m);
  u64 reserved = m->zeros & (7ull << 36 | 3ull << 62), bit = 1ull << m->lane;
  if (reserved) report_rule(m->w, m->instruction, bit, RULE_ZEROS_RESERVED, m->zeros, reserved, 0);
  if (shift > most)
    report_rule(m->w, m->instruction, bit, RULE_ZEROS_SHIFT, shift, most, m->shape.rows);
  if (reserved || shift > most) return 0;
  for (u32 i = 0; has_zeros(m) && i < TENSOR_LANES / m->shape.rows; i++) {
    u32 start = zeros_field(m, 8 * i, 8), span = span_of(m, zeros_field(m, 32 + i, 1));
    if (start < span) continue;
    report_rule(m->w, m->instruction, bit, RULE_ZEROS_START, start, i, span);
    return 0;
  }
  return 1;
}

static int is_zero_column(const MmaRun *m, u32 column) {
  if (!has_zeros(m)) return 0;
  u32 each = m->shape.columns * m->shape.rows / TENSOR_LANES, i = column / each;
  u32 first = zeros_field(m, 32 + i, 1), at = column % each + zeros_field(m, 8 * i, 8);
  at %= span_of(m, 0) + span_of(m, 1);
  return (at < span_of(m, first)) == (int)first;
}

/* The bit of shared memory of one element; narrow ones lie side by side, see read_shared. */
static u32 b_place(const MmaRun *m, u32 bits, u32 column, u32 k) {
  const SharedLayout *l = &m->b_layout;
  u32 unit = bits < l->bits ? 128 / l->bits : 1, along = l->mn ? column : k, inside = along % unit;
  return element_place(l, column - (l->mn ? inside : 0), k - (l->mn ? 0 : inside)) + inside * bits;
}

static u8 narrow_code(const u8 *base, u32 bit, u32 bits) {
  u32 word = base[bit / 8] | (bit % 8 + bits > 8 ? base[bit / 8 + 1] << 8 : 0);
  return (u8)(word >> bit % 8 & ((1u << bits) - 1));
}

int read_zeroed(const MmaRun *m, Cta *of, u32 first, Operand *o, u32 *places, u8 *gathered) {
  Access a = shared_access(m, of);
  u32 bits = format_bits(o->format), depth = m->shape.depth, holder = m->shape.bits, *at = places;
  for (u32 n = first; n < first + m->columns; n++)
    for (u32 k = 0; k < depth && !is_zero_column(m, n); k++)
      *at++ = b_place(m, bits, n + zeros_shift(m), k);
  u32 used = (u32)(at - places) / depth;
  View v = {
      .base = of->shared.data, .places = places, .run = 1, .step = bits, .along_k = 1, .next = 4};
  if (used && !lm_access_view(&a, &v, used, depth, bits, m->lane, DECIDES_MATRIX)) return 0;
  fill_bytes(gathered, 0, m->columns * STEP_BYTES);
  at = places;
  for (u32 n = 0; n < m->columns; n++)
    for (u32 k = 0; k < depth && !is_zero_column(m, first + n); k++, at++) {
      u8 *element = gathered + n * STEP_BYTES + k * holder / 8;
      if (bits >= 8) copy_bytes(element, v.base + *at / 8, bits / 8);
      else *element = narrow_code(v.base, *at, bits);
    }
  for (u32 n = 0; n < m->columns; n++) places[n] = n * STEP_BYTES * 8;
  o->lines = m->columns;
  o->view = (View){
      .base = gathered, .places = places, .run = depth, .step = holder, .along_k = 1, .next = 4};
  return 1;
}

/* -- A in tensor memory ------------------------------------------------------------------------ */

/* The lowest bit of an element in its holder (PTX ISA, Packing format used for matrix A in
 * Tensor Memory). */
static u32 holder_shift(const MmaShape *s) {
  u32 bits = format_bits(s->a_format);
  return s->bits > bits ? bits == 4 ? 2 : 1 : 0;
}

/* The row whose elements a row has: with .ashift those of the next one of its 32 lanes. */
static u32 shifted_row(const MmaRun *m, u32 row) {
  return m->form->ashift && row % 32 != 31 ? row + 1 : row;
}

static u32 a_place(const MmaRun *m, u32 copy, u32 row, u32 k) {
  u32 bit = k * m->shape.bits;
  u32 lane = row_lane(m, shifted_row(m, row)) + 64 * copy;
  return (bit / 32 * TENSOR_LANES + lane) * 32 + bit % 32 + holder_shift(&m->shape);
}

int read_tensor_a(const MmaRun *m, u32 rank, u32 copy, Operand *o, u32 *places) {
  const Cta *of = m->ctas[rank];
  const MmaShape *s = &m->shape;
  const i32 *map = mma_map(m, mma_key(MMA_MAP_A, s->a_format, 0, s->rows));
  Access a = engine_access(m, of, ACCESS_LOAD);
  u32 run = map || m->form->ashift ? 1 : 16, first = (m->a & 0xffff) * TENSOR_LANES * 32,
      *at = places;
  if (!columns_owned(m, of, m->a & 0xffff, A_COLUMNS)) return 0;
  for (u32 k = 0; k < s->depth; k++)
    for (u32 row = 0; row < m->rows; row += run) {
      u32 global = shifted_row(m, row) + rank * m->rows;
      *at++ = first +
              (map ? (u32)map[(copy * s->rows + global) * s->depth + k] : a_place(m, copy, row, k));
    }
  o->lines = m->rows;
  o->view = (View){.base = a.memory->data, .places = places, .run = run, .step = 32, .next = 4};
  return lm_access_view(&a, &o->view, m->rows, s->depth, format_bits(o->format), m->lane,
                        DECIDES_MATRIX);
}

/* -- scales ------------------------------------------------------------------------------------ */

/* A scale is there, or is a copy of one that is; 0 after a hazard. */
static int take_scale(const MmaRun *m, u32 element, int copy, u8 code, u8 *codes) {
  if (!copy) codes[element] = code;
  if (codes[element] == code) return 1;
  report_rule(m->w, m->instruction, 1ull << m->lane, RULE_OPERAND_SCALES, element / m->shape.scales,
              codes[element], code);
  return 0;
}

/* Scales where a map of the model, which somebody replaced, says. */
static int read_mapped(const MmaRun *m, const Access *a, const i32 *map, u32 first, u32 columns,
                       u8 *codes) {
  u32 places[MOST_SCALE_BYTES], elements[MOST_SCALE_BYTES], count = 0;
  u8 known[MOST_N * 4] = {0};
  for (u32 lane = 0; lane < TENSOR_LANES; lane++)
    for (u32 byte = 0; byte < columns * 4; byte++) {
      i32 element = map[lane * columns * 4 + byte];
      if (element == NOTHING) continue;
      places[count] = ((first + byte / 4) * TENSOR_LANES + lane) * 32 + byte % 4 * 8;
      elements[count++] = (u32)element;
    }
  View v = {
      .base = a->memory->data, .places = places, .run = 1, .step = 32, .along_k = 1, .next = 4};
  if (!lm_access_view(a, &v, count, 1, 8, m->lane, DECIDES_MATRIX)) return 0;
  for (u32 i = 0; i < count; i++) {
    if (!take_scale(m, elements[i], known[elements[i]], v.base[places[i] / 8], codes)) return 0;
    known[elements[i]] = 1;
  }
  return 1;
}

/* Scales of `rows` rows from a column on: those of 32 rows in each of the four groups of 32
 * lanes of a column or, where two halves of the rows lie above each other, in two of them. */
static int read_columns(const MmaRun *m, const Access *a, u32 first, u32 rows, u32 id, int folded,
                        u8 *codes) {
  u32 here = folded ? rows / 2 : rows, blocks = m->shape.scales, places[MOST_N / 32 * 4];
  View v = {.base = a->memory->data, .places = places, .step = 32, .along_k = 1, .next = 4};
  v.used = (blocks == 4 ? ~0u : (1u << 8 * blocks) - 1) << 8 * id;
  for (u32 column = 0; column < (here + 31) / 32; column++) {
    const u8 *bytes = v.base + (u64)(first + column) * COLUMN_BYTES + id;
    v.run = here - 32 * column < 32 ? here - 32 * column : 32;
    for (u32 i = 0; i < 4; i++) places[i] = ((first + column) * TENSOR_LANES + i * 32) * 32;
    if (!lm_access_view(a, &v, 4, v.run, 32, m->lane, DECIDES_MATRIX)) return 0;
    for (u32 lane = 0; lane < TENSOR_LANES; lane++) {
      if (lane % 32 >= v.run) continue;
      u32 row = column * 32 + lane % 32 + (folded ? lane / 64 * here : 0),
          copy = folded ? lane % 64 >= 32 : lane >= 32;
      for (u32 i = 0; i < blocks; i++)
        if (!take_scale(m, row * blocks + i, (int)copy, bytes[lane * 4 + i], codes)) return 0;
    }
  }
  return 1;
}

int read_scales(const MmaRun *m, u32 rank, int of_b, u8 *codes) {
  const MmaShape *s = &m->shape;
  int folded = of_b && s->layout == 'B';
  u32 rows = of_b ? s->columns : m->rows, id = of_b ? s->sfb_id : s->sfa_id;
  u32 first = (of_b ? m->sfb : m->sfa) & 0xffff, columns = ((folded ? rows / 2 : rows) + 31) / 32;
  const i32 *map =
      mma_map(m, mma_key(of_b ? MMA_MAP_SFB : MMA_MAP_SFA, s->scales << 4 | id, (u32)folded, rows));
  Access a = engine_access(m, m->ctas[rank], ACCESS_LOAD);
  if (!columns_owned(m, m->ctas[rank], first, columns)) return 0;
  if (map) return read_mapped(m, &a, map, first, (columns + 3) / 4 * 4, codes);
  return read_columns(m, &a, first, rows, id, folded, codes);
}
