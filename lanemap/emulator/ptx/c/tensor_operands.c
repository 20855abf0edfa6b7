/* Operands of tcgen05.mma in shared and tensor memory (tensor_operands.h;
 * lanemap/model/tensor_cells.py and shared_tiles.py). */
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
  for (u32 i = 0; has_zeros(m) && i < m->lies->fold; i++) {
    u32 start = zeros_field(m, 8 * i, 8), span = span_of(m, zeros_field(m, 32 + i, 1));
    if (start < span) continue;
    report_rule(m->w, m->instruction, bit, RULE_ZEROS_START, start, i, span);
    return 0;
  }
  return 1;
}

static int is_zero_column(const MmaRun *m, u32 column) {
  if (!has_zeros(m)) return 0;
  u32 each = m->shape.columns / m->lies->fold, i = column / each;
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

/* The row whose elements a row has: with .ashift those of the next one of its 32 lanes. */
static u32 shifted_row(const MmaRun *m, u32 row) {
  return m->form->ashift && row % 32 != 31 ? row + 1 : row;
}

int read_tensor_a(const MmaRun *m, u32 rank, u32 copy, Operand *o, u32 *places) {
  const Cta *of = m->ctas[rank];
  const MmaShape *s = &m->shape;
  const ElementCells *c = &ELEMENT_CELLS[lowest(s->bits)];
  u32 bits = format_bits(s->a_format), rows[TENSOR_LANES], count = 0, *at = places;
  const i32 *map = mma_map(m, mma_key(MMA_MAP_A, s->a_format, 0, s->rows));
  Access a = engine_access(m, of, ACCESS_LOAD);
  u32 run = map || m->form->ashift ? 1 : RUN_ROWS, first = address_place(m->a & 0xffff),
      begin = address_place(m->a) + index_place(m->lies->block, copy) + c->shift[bits];
  if (!columns_owned(m, of, m->a & 0xffff, A_COLUMNS)) return 0;
  for (u32 row = 0; row < m->rows; row += run)
    rows[count++] = index_place(m->lies->row, shifted_row(m, row));
  for (u32 k = 0; k < s->depth; k++) {
    u32 element = begin + index_place(c->k, k);
    for (u32 i = 0; i < count; i++) {
      u32 row = shifted_row(m, i) + rank * m->rows; /* runs of a map have one */
      *at++ = map ? first + (u32)map[(copy * s->rows + row) * s->depth + k] : element + rows[i];
    }
  }
  o->lines = m->rows;
  o->view = (View){.base = a.memory->data, .places = places, .run = run, .step = 32, .next = 4};
  return lm_access_view(&a, &o->view, m->rows, s->depth, bits, m->lane, DECIDES_MATRIX);
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

/* One run of rows' scales, from a place on: all groups of lanes, each a half's copy. */
static int read_run(const MmaRun *m, const Access *a, const ScaleCells *c, u32 place, u32 row,
                    u32 half_rows, u32 id, u8 *codes) {
  u32 groups = c->halves * c->copies, blocks = m->shape.scales, places[TENSOR_LANES / RUN_SCALES];
  View v = {.base = a->memory->data, .places = places, .step = 32, .along_k = 1, .next = 4};
  u32 bits[4];
  v.run = half_rows - row < RUN_SCALES ? half_rows - row : RUN_SCALES;
  for (u32 i = 0; i < blocks; i++) {
    bits[i] = index_place(c->block, id + i);
    v.used |= 0xffu << bits[i];
  }
  for (u32 i = 0; i < groups; i++)
    places[i] = place + index_place(c->row, row) + index_place(c->group, i);
  if (!lm_access_view(a, &v, groups, v.run, 32, m->lane, DECIDES_MATRIX)) return 0;
  for (u32 g = 0; g < groups; g++) {
    u32 first = (g / c->copies * half_rows + row) * blocks;
    const u8 *cell = v.base + places[g] / 8;
    for (u32 element = first; element < first + v.run * blocks; cell += 4)
      for (u32 i = 0; i < blocks; i++, element++)
        if (!take_scale(m, element, g % c->copies != 0, cell[bits[i] / 8], codes)) return 0;
  }
  return 1;
}

int read_scales(const MmaRun *m, u32 rank, int of_b, u8 *codes) {
  const MmaShape *s = &m->shape;
  u32 folded = of_b && s->layout == 'B';
  const ScaleCells *c = &SCALE_CELLS[folded];
  u32 rows = of_b ? s->columns : m->rows, id = of_b ? s->sfb_id : s->sfa_id,
      half_rows = rows / c->halves, first = (of_b ? m->sfb : m->sfa) & 0xffff,
      columns = 1 + index_place(c->row, half_rows - 1) / TENSOR_PLACE(0, 1, 0),
      whole = (columns + 3) / 4 * 4;
  const i32 *map =
      mma_map(m, mma_key(of_b ? MMA_MAP_SFB : MMA_MAP_SFA, s->scales << 4 | id, folded, rows));
  Access a = engine_access(m, m->ctas[rank], ACCESS_LOAD);
  if (!columns_owned(m, m->ctas[rank], first, columns)) return 0;
  if (map) return read_mapped(m, &a, map + rank * TENSOR_LANES * whole * 4, first, whole, codes);
  for (u32 row = 0; row < half_rows; row += RUN_SCALES)
    if (!read_run(m, &a, c, address_place(first), row, half_rows, id, codes)) return 0;
  return 1;
}
