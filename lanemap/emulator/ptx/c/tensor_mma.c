/* tcgen05.mma (PTX ISA, TensorCore 5th Generation Matrix Multiply and Accumulate Operations).
 *
 * The product is made when the instruction is issued. That it is not guaranteed to be there, and
 * that operands are still read, before the mbarrier of a commit is what the order of cells and
 * of shared memory holds (tensor_order.c). D lies column by column, in runs of 16 lanes: so what
 * is multiplied is B transposed by A transposed. With .cta_group::2 each CTA of the pair holds
 * half of the rows of A and D, and half of B's columns.
 */
#include "events.h"
#include "ptx_cta.h"
#include "tensor_operands.h"

/* The whole D, column by column, where it does not lie in runs of 16 lanes or some lanes of it
 * stay as they are. */
typedef struct MmaTile { u32 d[MOST_M * MOST_N]; } MmaTile __attribute__((aligned(64)));
/* Cells of D in one CTA, as words of its tensor memory, and the elements of the tile that they
 * hold. */
typedef struct MmaCells { u32 count, places[MOST_CELLS], elements[MOST_CELLS]; } MmaCells;

/* -- where D lies ------------------------------------------------------------------------------ */

/* Columns of tensor memory that D takes in a CTA. */
static u32 d_columns(const MmaRun *m) { return m->shape.columns / m->lies->fold; }

/* The place of an element of one of a CTA's rows. Its column is split by the number of columns
 * first, which need be no power of two; what remains is linear. */
static u32 d_place(const MmaRun *m, u32 row, u32 column) {
  u32 width = d_columns(m);
  return address_place(m->d) + index_place(m->lies->row, row) +
         index_place(m->lies->block, column / width) + TENSOR_PLACE(0, column % width, 0);
}

static const i32 *d_map(const MmaRun *m) {
  return mma_map(m, mma_key(MMA_MAP_D, m->shape.result, m->shape.rows, m->shape.columns));
}

static int lane_disabled(const MmaRun *m, u32 lane) {
  return m->disabled[lane / 32] >> lane % 32 & 1;
}

static int any_disabled(const MmaRun *m) {
  return (m->disabled[0] | m->disabled[1] | m->disabled[2] | m->disabled[3]) != 0;
}

static void add_cell(const MmaRun *m, MmaCells *c, u32 place, u32 row, u32 column) {
  if (lane_disabled(m, place / 32 % TENSOR_LANES)) return;
  c->places[c->count] = place;
  c->elements[c->count++] = column * m->shape.rows + row;
}

static void cells_of(const MmaRun *m, u32 rank, MmaCells *c) {
  const i32 *map = d_map(m);
  u32 columns = m->shape.columns, width = d_columns(m);
  c->count = 0;
  if (!map) {
    for (u32 n = 0; n < columns; n++)
      for (u32 row = 0; row < m->rows; row++)
        add_cell(m, c, d_place(m, row, n), rank * m->rows + row, n);
    return;
  }
  map += rank * TENSOR_LANES * width;
  for (u32 column = 0; column < width; column++)
    for (u32 lane = 0; lane < TENSOR_LANES; lane++) {
      i32 element = map[lane * width + column];
      u32 place = TENSOR_PLACE(lane, (m->d & 0xffff) + column, 0);
      if (element != NOTHING) add_cell(m, c, place, (u32)element / columns, (u32)element % columns);
    }
}

/* -- accesses of D ----------------------------------------------------------------------------- */

static int access_d(const MmaRun *m, u32 rank, View *v, u32 lines, u32 depth) {
  Access a = engine_access(m, m->ctas[rank], m->adds ? ACCESS_LOAD | ACCESS_STORE : ACCESS_STORE);
  v->base = a.memory->data;
  if (m->shape.result == RESULT_F16) v->used = 0xffff; /* the high half of the word is lost */
  m->w->launch->changes++;
  return lm_access_view(&a, v, lines, depth, 32, m->lane, DECIDES_MATRIX);
}

static int access_cells_of_d(const MmaRun *m, u32 rank, const MmaCells *c) {
  View v = {.places = c->places, .run = 1, .step = 32, .along_k = 1, .next = 4};
  return !c->count || access_d(m, rank, &v, c->count, 1);
}

/* D as it lies: all lanes of its columns, or runs of some of them. */
static int access_columns_of_d(const MmaRun *m, u32 rank) {
  u32 width = d_columns(m), places[MOST_N * (TENSOR_LANES / RUN_ROWS)] = {address_place(m->d)},
      *at = places;
  View v = {.places = places, .run = width * TENSOR_LANES, .step = 32, .along_k = 1, .next = 4};
  if (m->rows * m->lies->fold == TENSOR_LANES) return access_d(m, rank, &v, 1, v.run);
  for (u32 n = 0; n < width; n++)
    for (u32 row = 0; row < m->rows; row += RUN_ROWS) *at++ = d_place(m, row, n);
  v.run = RUN_ROWS;
  return access_d(m, rank, &v, width, m->rows);
}

/* The strips of `columns` columns of D from `first` on, each of 16 lanes. */
_Static_assert(RUN_ROWS % PANEL_LINES == 0, "strips lie in one piece");
static void strips_of_d(const MmaRun *m, u32 rank, u32 first, u32 columns, u8 **strips) {
  u8 *data = ptx_cta(m->ctas[rank])->tensor->memory.data, *block = 0;
  u32 width = d_columns(m), rows[TENSOR_LANES / PANEL_LINES], count = m->rows / PANEL_LINES;
  for (u32 i = 0; i < count; i++) rows[i] = index_place(m->lies->row, i * PANEL_LINES) / 8;
  for (u32 n = first, at = first % width; n < first + columns; n++, at++) {
    if (at == width) at = 0;
    if (!at || n == first) block = data + d_place(m, 0, n - at) / 8;
    for (u32 i = 0; i < count; i++) *strips++ = block + at * COLUMN_BYTES + rows[i];
  }
}

static void strips_of_tile(const MmaRun *m, u32 rank, u32 first, u32 columns, MmaTile *t,
                           u8 **strips) {
  for (u32 n = first; n < first + columns; n++)
    for (u32 row = 0; row < m->rows; row += 16)
      *strips++ = (u8 *)(t->d + n * m->shape.rows + rank * m->rows + row);
}

static void swap_cells(const MmaRun *m, u32 rank, const MmaCells *c, MmaTile *t, int to_cells) {
  u8 *data = ptx_cta(m->ctas[rank])->tensor->memory.data;
  for (u32 i = 0; i < c->count; i++) {
    u8 *cell = data + c->places[i] / 8, *element = (u8 *)(t->d + c->elements[i]);
    if (to_cells) copy_bytes(cell, element, 4);
    else copy_bytes(element, cell, 4);
  }
}

/* -- the product ------------------------------------------------------------------------------- */

/* A and scales of one CTA, A once more where D's columns lie in two blocks of lanes; and one
 * part of B. */
typedef struct MmaSide {
  u32 a_places[PAIR][TENSOR_LANES * PANEL_DEPTH], b_places[MOST_N * PANEL_DEPTH];
  u8 a_scales[TENSOR_LANES * 4], b_scales[MOST_N * 4];
  u8 gathered[MOST_N * STEP_BYTES] __attribute__((aligned(64)));
  Operand a[PAIR], b;
} MmaSide;

/* How many A there are: in tensor memory one for each block of D's lanes. */
static u32 a_copies(const MmaRun *m) { return m->form->a_in_tensor_memory ? m->lies->a_copies : 1; }

static int read_a(const MmaRun *m, u32 rank, MmaSide *side) {
  for (u32 i = 0; i < PAIR; i++) {
    side->a[i] =
        (Operand){.format = m->shape.a_format, .negate = m->shape.negate_a != m->shape.negate_b};
    if (i >= a_copies(m)) side->a[i] = side->a[0];
    else if (m->form->a_in_tensor_memory) {
      if (!read_tensor_a(m, rank, i, &side->a[i], side->a_places[i])) return 0;
    } else if (!read_shared(m, m->ctas[rank], &m->a_layout, 0, m->rows, &side->a[i],
                            side->a_places[i]))
      return 0;
  }
  return 1;
}

static void give_scales(const MmaRun *m, Operand *o, const u8 *codes) {
  o->scales = codes;
  o->scale_format = m->shape.scale_format;
  o->scale_depth = m->shape.scale_depth;
}

static int read_b(const MmaRun *m, u32 part, MmaSide *side) {
  Cta *of = m->ctas[m->count == 1 ? 0 : part];
  u32 first = m->count == 1 ? part * m->columns : 0;
  side->b = (Operand){.format = m->shape.b_format};
  if (changes_columns(m))
    return read_zeroed(m, of, first, &side->b, side->b_places, side->gathered);
  return read_shared(m, of, &m->b_layout, first, m->columns, &side->b, side->b_places);
}

static int read_side(const MmaRun *m, u32 rank, MmaSide *side) {
  int good = read_a(m, rank, side);
  if (!m->shape.scales) return good;
  good &= read_scales(m, rank, 0, side->a_scales) & read_scales(m, rank, 1, side->b_scales);
  for (u32 i = 0; i < PAIR; i++) give_scales(m, &side->a[i], side->a_scales);
  return good;
}

static SumRule rule_of(const MmaRun *m) {
  SumRule rule = m->form->rules[m->shape.result];
  rule.fresh = !m->adds;
  rule.saturate = m->shape.saturate;
  rule.lower = m->form->scale_d;
  rule.words = m->shape.result == RESULT_F16;
  return rule;
}

/* The rows of one CTA times one part of the columns; null: D lies in strips. */
static void multiply_piece(const MmaRun *m, u32 rank, u32 from, const MmaSide *sides, MmaTile *t) {
  u8 *strips[MOST_N * TENSOR_LANES / PANEL_LINES];
  SumRule rule = rule_of(m);
  Operand b = sides[from].b;
  if (m->shape.scales)
    give_scales(m, &b, sides[rank].b_scales + from * m->columns * m->shape.scales);
  if (t) strips_of_tile(m, rank, from * m->columns, m->columns, t, strips);
  else strips_of_d(m, rank, from * m->columns, m->columns, strips);
  lm_multiply(&b, &sides[rank].a[from], m->shape.depth, &rule, strips);
}

static int read_sides(const MmaRun *m, MmaSide *sides) {
  int good = 1;
  for (u32 i = 0; i < m->count; i++) good &= read_side(m, i, &sides[i]);
  for (u32 i = 0; i < m->parts; i++) good &= read_b(m, i, &sides[i]);
  return good;
}

static void multiply_pieces(const MmaRun *m, const MmaSide *sides, MmaTile *t) {
  for (u32 rank = 0; rank < m->count; rank++)
    for (u32 from = 0; from < m->parts; from++) multiply_piece(m, rank, from, sides, t);
}

static int multiply_mma(const MmaRun *m) {
  MmaSide sides[PAIR];
  int good = read_sides(m, sides);
  for (u32 i = 0; i < m->count; i++) good &= access_columns_of_d(m, i);
  if (!good || m->w->stop) return 0;
  multiply_pieces(m, sides, 0);
  return 1;
}

/* The same where cells of D are taken one by one. */
static int multiply_cells(const MmaRun *m) {
  MmaSide sides[PAIR];
  MmaTile tile;
  MmaCells cells;
  int good = read_sides(m, sides);
  for (u32 i = 0; i < m->count; i++) {
    cells_of(m, i, &cells);
    good &= access_cells_of_d(m, i, &cells);
    if (good && m->adds && !m->w->stop) swap_cells(m, i, &cells, &tile, 0);
  }
  if (!good || m->w->stop) return 0;
  multiply_pieces(m, sides, &tile);
  for (u32 i = 0; i < m->count; i++) {
    cells_of(m, i, &cells);
    swap_cells(m, i, &cells, &tile, 1);
  }
  return 1;
}

/* -- what a lane gives ------------------------------------------------------------------------- */

static u32 row_word(const MmaRun *m, u32 row) { return m->w->value[row][m->lane]; }
static u64 row_words(const MmaRun *m, u32 row) {
  return row_word(m, row) | (u64)row_word(m, row + 1) << 32;
}

static int read_layout(const MmaRun *m, u32 row, u32 mn, SharedLayout *l) {
  u64 descriptor = row_words(m, row);
  u32 code = field_of(descriptor, TENSOR_SHARED_SWIZZLE), bits = m->shape.bits;
  if (!read_descriptor(m->w, m->instruction, m->lane, descriptor, mn, bits, l)) return 0;
  /* PTX ISA, Transpose and Negate operations: the swizzle of 32-byte atoms goes with 32-bit
   * elements alone */
  if (mn && (l->columns->shift == 5) != (bits == 32)) {
    report_rule(m->w, m->instruction, 1ull << m->lane, RULE_OPERAND_SWIZZLE, code, bits, 0);
    return 0;
  }
  l->tile = mma_map(m, mma_key(MMA_MAP_TILE, mn, code, bits));
  return 1;
}

/* The lane that an address of scales names. Its two highest bits may repeat the scale factor ID:
 * CUTLASS keeps the byte there (cute/arch/mma_sm100_desc.hpp,
 * make_runtime_instr_desc_block_scaled) and passes the address on. */
static u32 scale_lane(u32 address, u32 id) {
  return address >> 16 & (address >> 30 == id ? 0x3fff : 0xffff);
}

/* Lanes in addresses: D begins at lane 0, or at lane 16 where it takes half of the lanes, and A
 * as D does (PTX ISA, Data Path Layout Organization). */
static int check_lanes(const MmaRun *m) {
  u32 scales = m->shape.scales
                   ? scale_lane(m->sfa, m->shape.sfa_id) | scale_lane(m->sfb, m->shape.sfb_id)
                   : 0;
  u32 lane = m->d >> 16;
  u32 wrong = lane != 0 && lane != m->lies->other_lane            ? RULE_OPERAND_D_LANE
              : m->form->a_in_tensor_memory && m->a >> 16 != lane ? RULE_OPERAND_A_LANE
              : scales                                            ? RULE_OPERAND_SCALE_LANE
                                                                  : 0;
  if (wrong)
    report_rule(m->w, m->instruction, 1ull << m->lane, wrong,
                wrong == RULE_OPERAND_A_LANE       ? m->a >> 16
                : wrong == RULE_OPERAND_SCALE_LANE ? scales
                                                   : lane,
                lane, m->shape.layout);
  return !wrong;
}

/* A mask of both CTAs' lanes: no source says which half of it is whose, so they must be equal. */
static int read_disabled(MmaRun *m) {
  for (u32 i = 0; i < TENSOR_LANES / 32; i++) {
    m->disabled[i] = m->form->disables ? row_word(m, MMA_ROW_DISABLED + i) : 0;
    if (!m->form->disables || m->count == 1 ||
        m->disabled[i] == row_word(m, MMA_ROW_DISABLED + 4 + i))
      continue;
    report_rule(m->w, m->instruction, 1ull << m->lane, RULE_OPERAND_DISABLED, i, 0, 0);
    return 0;
  }
  return 1;
}

/* What no source says of .ws: where A lies in tensor memory if D has four blocks of 32 lanes. */
static int check_stationary(const MmaRun *m) {
  if (a_copies(m)) return 1;
  report_rule(m->w, m->instruction, 1ull << m->lane, RULE_OPERAND_WS_A, 0, 0, 0);
  return 0;
}

static int find_ctas(MmaRun *m) {
  Cta *own = m->w->cta;
  m->ctas[0] = own;
  m->count = m->form->pair ? 2 : 1;
  if (!m->form->pair) return 1;
  Cta *peer = tensor_peer(m->w, m->instruction);
  if (!peer) return 0;
  m->ctas[own->rank % 2] = own;
  m->ctas[1 - own->rank % 2] = peer;
  return 1;
}

static int read_operands_of(MmaRun *m) {
  const MmaForm *f = m->form;
  if (!mma_shape(m->w, m->instruction, m->lane, f, row_word(m, MMA_ROW_IDESC), &m->shape) ||
      !find_ctas(m))
    return 0;
  m->lies = &ROW_CELLS[m->shape.layout - 'A'];
  if (!check_stationary(m)) return 0;
  m->rows = m->shape.rows / m->count;
  m->parts = m->count == 1 ? a_copies(m) : m->count;
  m->columns = m->shape.columns / m->parts;
  m->adds = row_word(m, MMA_ROW_ADDS) & 1;
  m->d = row_word(m, MMA_ROW_D);
  m->a = f->a_in_tensor_memory ? row_word(m, MMA_ROW_A) : 0;
  m->sfa = m->shape.scales ? row_word(m, MMA_ROW_SFA) : 0;
  m->sfb = m->shape.scales ? row_word(m, MMA_ROW_SFB) : 0;
  m->zeros = f->zeros ? row_words(m, MMA_ROW_COLUMNS) : 0;
  int good = check_lanes(m) && (!f->zeros || check_zeros(m)) && read_disabled(m) &&
             read_layout(m, MMA_ROW_B, m->shape.b_mn, &m->b_layout);
  if (!f->a_in_tensor_memory) good = good && read_layout(m, MMA_ROW_A, m->shape.a_mn, &m->a_layout);
  for (u32 i = 0; good && i < m->count; i++)
    good = columns_owned(m, m->ctas[i], m->d & 0xffff, d_columns(m));
  return good;
}

/* A collector buffer keeps A (with .ws: B) for later instructions (PTX ISA, tcgen05.mma: a use
 * needs a previous fill that is still valid). Values do not depend on it; that it holds what the
 * instruction names is checked. */
static void use_collector(const MmaRun *m) {
  const MmaForm *f = m->form;
  Collected *c = &ptx_cta(m->w->cta)->collected[f->ws ? 1 + f->buffer : 0];
  u64 operand = f->ws                   ? row_words(m, MMA_ROW_B)
                : f->a_in_tensor_memory ? m->a
                                        : row_words(m, MMA_ROW_A);
  if (f->collector == COLLECTOR_USE || f->collector == COLLECTOR_LASTUSE) {
    u32 wrong = !c->valid               ? RULE_OPERAND_NOT_COLLECTED
                : c->operand != operand ? RULE_OPERAND_COLLECTED
                                        : 0;
    if (wrong) report_rule(m->w, m->instruction, 1ull << m->lane, wrong, operand, c->operand, 0);
  }
  c->operand = operand;
  c->valid = f->collector == COLLECTOR_FILL || f->collector == COLLECTOR_USE;
}

/* tcgen05.mma by each lane of the mask, whose operands lie in rows. `maps`: maps of the model
 * that are replaced. */
void lm_tensor_mma(Wave *w, u32 instruction, u64 mask, u32 form, u32 maps) {
  const MmaForm *f = (const MmaForm *)w->launch->tables[form];
  for (u64 left = mask; left && !w->stop; left &= left - 1) {
    MmaRun m = {.w = w,
                .form = f,
                .maps = w->launch->tables[maps],
                .instruction = instruction,
                .lane = lowest(left)};
    Access a = tensor_access(w, ptx_cta(w->cta)->tensor, instruction, AGENT_ENGINE, ACCESS_LOAD, 1);
    tensor_issued(w, m.lane, 0);
    m.stamp = a.stamps[0];
    if (!read_operands_of(&m)) continue;
    use_collector(&m);
    int made = any_disabled(&m) || d_map(&m) ? multiply_cells(&m) : multiply_mma(&m);
    if (made) count_products(w, instruction, (u64)m.shape.rows * m.shape.columns * m.shape.depth);
  }
}
