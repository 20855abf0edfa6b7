/* Operands of tcgen05.mma in shared and tensor memory (tensor_operands.h; lanemap/model/tcgen05_mma.py). */
#include "tensor_operands.h"

const i32 *mma_map(const MmaRun *m, u32 key) {
  for (i32 i = 0; i < m->maps[0]; i++)
    if ((u32)m->maps[1 + 2 * i] == key) return m->maps + m->maps[2 + 2 * i];
  return 0;
}

Access shared_access(const MmaRun *m, Cta *of) {
  return (Access){m->w, m->instruction, SPACE_SHARED, ACCESS_LOAD, 1, {m->stamp, m->stamp}, &of->shared};
}

Access engine_access(const MmaRun *m, const Cta *of, u32 kind) {
  Memory *memory = &ptx_cta(of)->tensor->memory;
  return (Access){m->w, m->instruction, SPACE_ENGINE, kind, 1, {m->stamp, m->stamp}, memory};
}

int columns_owned(const MmaRun *m, const Cta *of, u32 first, u32 columns) {
  for (u32 i = 0; i < columns; i++)
    if (!tensor_owned(m->w, of, m->instruction, 1ull << m->lane, first + i)) return 0;
  return 1;
}

u32 row_lane(const MmaRun *m, u32 row) {
  u32 layout = m->shape.layout;
  return layout == 'C' || layout == 'F' ? row / 16 * 32 + (m->d >> 16) + row % 16 : row;
}

/* Narrow types of f8f6f4 lie side by side at the beginning of each 16 bytes, which have 16 elements of any type
 * (PTX ISA, Packing format used for matrix A and B by .kind::mxf8f6f4 in Shared Memory). */
int read_shared(const MmaRun *m, Cta *of, const SharedLayout *l, u32 lines, Operand *o, u32 *places) {
  Access a = shared_access(m, of);
  u32 bits = format_bits(o->format), depth = m->shape.depth;
  o->view = view_of(l, &of->shared, 0, lines, 0, depth, places);
  if (bits < l->bits) o->view.step = bits;
  o->lines = lines;
  return access_view(&a, &o->view, lines, depth, bits, m->lane, DECIDES_MATRIX);
}

/* -- A in tensor memory ---------------------------------------------------------------------------- */

/* The lowest bit of an element in its holder (PTX ISA, Packing format used for matrix A in Tensor Memory). */
static u32 holder_shift(const MmaShape *s) {
  u32 bits = format_bits(s->a_format);
  return s->bits > bits ? bits == 4 ? 2 : 1 : 0;
}

/* The row whose elements a row has: with .ashift those of the next one of its 32 lanes. */
static u32 shifted_row(const MmaRun *m, u32 row) { return m->form->ashift && row % 32 != 31 ? row + 1 : row; }

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
  u32 run = map || m->form->ashift ? 1 : 16, first = (m->a & 0xffff) * TENSOR_LANES * 32, *at = places;
  if (!columns_owned(m, of, m->a & 0xffff, A_COLUMNS)) return 0;
  for (u32 k = 0; k < s->depth; k++)
    for (u32 row = 0; row < m->rows; row += run) {
      u32 global = shifted_row(m, row) + rank * m->rows;
      *at++ = first + (map ? (u32)map[(copy * s->rows + global) * s->depth + k] : a_place(m, copy, row, k));
    }
  o->lines = m->rows;
  o->view = (View){.base = a.memory->data, .places = places, .run = run, .step = 32, .next = 4};
  return access_view(&a, &o->view, m->rows, s->depth, format_bits(o->format), m->lane, DECIDES_MATRIX);
}

/* -- scales ---------------------------------------------------------------------------------------- */

/* Where scales lie: groups of `each` bytes, and the number of the first one's scale. */
typedef struct Scales { u32 count, each, places[MOST_SCALE_BYTES], elements[MOST_SCALE_BYTES]; } Scales;

/* Every row has its scales in each of the four groups of 32 lanes, or, where two halves of the rows lie above each
 * other, in two of them. */
static void place_scales(const MmaRun *m, u32 rows, u32 id, int folded, Scales *s) {
  u32 here = folded ? rows / 2 : rows, blocks = m->shape.scales;
  s->count = 0;
  s->each = blocks;
  for (u32 lanes = 0; lanes < TENSOR_LANES; lanes += 32)
    for (u32 row = 0; row < here; row++) {
      u32 cell = row / 32 * TENSOR_LANES + lanes + row % 32;
      s->places[s->count] = cell * 32 + id * 8;
      s->elements[s->count++] = (row + (folded ? lanes / 64 * here : 0)) * blocks;
    }
}

static void map_scales(const i32 *map, u32 columns, Scales *s) {
  s->count = 0;
  s->each = 1;
  for (u32 lane = 0; lane < TENSOR_LANES; lane++)
    for (u32 byte = 0; byte < columns * 4; byte++) {
      i32 element = map[lane * columns * 4 + byte];
      if (element == NOTHING) continue;
      s->places[s->count] = (byte / 4 * TENSOR_LANES + lane) * 32 + byte % 4 * 8;
      s->elements[s->count++] = (u32)element;
    }
}

int read_scales(const MmaRun *m, u32 rank, int of_b, u8 *codes) {
  Scales s;
  u8 known[MOST_N * 4] = {0};
  const MmaShape *shape = &m->shape;
  const Cta *of = m->ctas[rank];
  int folded = of_b && shape->layout == 'B';
  u32 rows = of_b ? shape->columns : m->rows, id = of_b ? shape->sfb_id : shape->sfa_id;
  u32 first = (of_b ? m->sfb : m->sfa) & 0xffff, columns = ((folded ? rows / 2 : rows) + 31) / 32;
  u32 wide = (columns + 3) / 4 * 4;
  const i32 *map = mma_map(m, mma_key(of_b ? MMA_MAP_SFB : MMA_MAP_SFA, shape->scales << 4 | id, (u32)folded, rows));
  if (map) map_scales(map, wide, &s);
  else place_scales(m, rows, id, folded, &s);
  if (!columns_owned(m, of, first, columns)) return 0;
  for (u32 i = 0; i < s.count; i++) s.places[i] += first * TENSOR_LANES * 32;
  Access a = engine_access(m, of, ACCESS_LOAD);
  View v = {.base = a.memory->data, .places = s.places, .run = 1, .step = 32, .along_k = 1, .next = 4};
  if (!access_view(&a, &v, s.count, 1, s.each * 8, m->lane, DECIDES_MATRIX)) return 0;
  for (u32 i = 0; i < s.count; i++)
    for (u32 j = 0; j < s.each; j++) {
      u32 element = s.elements[i] + j;
      u8 code = v.base[s.places[i] / 8 + j];
      if (known[element] && codes[element] != code) {
        tensor_rule(m->w, m->instruction, 1ull << m->lane, RULE_OPERAND_SCALES, element / shape->scales,
                    codes[element], code);
        return 0;
      }
      known[element] = 1;
      codes[element] = code;
    }
  return 1;
}
