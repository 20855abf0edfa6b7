/* Matrix instructions: operands of registers and of bytes, through the matrix engine (panel.h). */
#include "lanes.h"
#include "panel.h"

#define MAX_SIDE 32 /* of a product whose operands lie in registers */
#define MAX_SCALES (MAX_SIDE * 4)

/* Rows in which a wave's operands lie, one register a row: A, B, C and D, scales of A and of B. */
enum Row { ROW_A = 0, ROW_B = 8, ROW_C = 16, ROW_SCALES = 70 };

/* Report each of the rows that has undefined bits in some lane. */
static void check_rows(Wave *w, u32 instruction, u32 row, u32 rows, u32 detail) {
  for (u32 r = row; r < row + rows; r++)
    if (row_undefined(w, r)) lm_undefined_row(w, instruction, w->full, r, detail);
}

/* A table (codegen/operands.py) begins with the length of its runs and the bits from one element of
 * a run to the next; runs follow the lanes. */
static View register_view(const Wave *w, u32 row, const i32 *table) {
  const u8 *base = (const u8 *)w->value[row];
  return (View){.base = base,
                .places = (const u32 *)table + 2,
                .run = (u32)table[0],
                .step = (u32)table[1],
                .next = sizeof w->value[0]};
}

static void register_operand(Operand *o, const Wave *w, u32 row, const i32 *table, u32 lines,
                             u32 format) {
  *o = (Operand){.view = register_view(w, row, table), .lines = lines, .format = format};
}

/* Scales of each block of 32 k. */
static void register_scales(Operand *o, const Wave *w, u32 row, const i32 *table, u32 blocks,
                            u8 *codes) {
  View v = register_view(w, row, table);
  view_codes(&v, o->lines, blocks, 8, codes);
  o->scales = codes;
  o->scale_format = FORMAT_E8M0;
  o->scale_depth = 32;
}

/* Where strips of C and D lie: in the registers if they are whole there, else copied to `tile`. */
typedef struct Results {
  View view;
  u32 side, wide, direct;
  u8 *strips[MAX_SIDE * MAX_SIDE / PANEL_LINES];
  u8 tile[MAX_SIDE * MAX_SIDE * 8] __attribute__((aligned(64)));
} Results;

/* Copy C to the tile, or the tile to D, element by element. */
static void move_result(Wave *w, Results *r, int to_registers) {
  u32 run = r->view.run, bytes = r->wide ? 8 : 4, line = strips_of(r->side) * PANEL_LINES;
  for (u32 i = 0; i < r->side * r->side; i++) {
    u32 word = r->view.places[i / run] / 32 + i % run;
    u32 *low = &w->value[ROW_C][0] + word, *high = low + MAX_LANES;
    u32 *element = (u32 *)(r->tile + (i / r->side * line + i % r->side) * bytes);
    if (to_registers) *low = element[0];
    else element[0] = *low;
    if (r->wide && to_registers) *high = element[1];
    else if (r->wide) element[1] = *high;
  }
}

static void begin_result(Wave *w, Results *r) {
  r->direct = r->view.run % PANEL_LINES == 0;
  if (r->direct) {
    view_strips(&r->view, r->side, r->side, r->strips);
    return;
  }
  u32 bytes = PANEL_LINES * (r->wide ? 8 : 4);
  for (u32 i = 0; i < r->side * strips_of(r->side); i++) r->strips[i] = r->tile + i * bytes;
  move_result(w, r, 0);
}

static void end_result(Wave *w, Results *r) {
  if (!r->direct) move_result(w, r, 1);
}

/* What operands of several blocks have in common: M = N = side, K = depth. */
typedef struct Shape { u32 side, depth, blocks; } Shape;
static inline Shape shape_of(u32 code) {
  return (Shape){.side = code & 0xff, .depth = code >> 8 & 0xff, .blocks = code >> 16 & 0xff};
}

/* `result`: kind of the result, from bit 8 the sum, from bit 16 its block. */
static inline SumRule register_rule(u32 result, u32 formats) {
  SumRule rule = {.sum = result >> 8 & 0xff, .result = result & 0xff, .block = result >> 16};
  rule.fraction = 24;
  rule.bits = 24;
  rule.nearest = 1;
  rule.smallest_exponent = -126;
  rule.nan = rule.sum == SUM_STEPS || rule.sum == SUM_HALF_STEPS ? 0x7fffffff : 0x7fc00000;
  if (rule.sum == SUM_TREES) rule.operand_exponent = 1 - (i32)float_shape(formats & 0xff).bias;
  return rule;
}

/* `registers`: of A, B, C and of scales or the index, 8 bits each. */
static void check_operands(Wave *w, u32 instruction, u32 registers, u32 detail) {
  const u32 start[4] = {ROW_A, ROW_B, ROW_C, ROW_SCALES};
  for (u32 i = 0; i < 4; i++)
    check_rows(w, instruction, start[i], registers >> 8 * i & 0xff, detail);
}

/* D = A x B + C of one wave, D in place of C. `shape`: see `shape_of`; `broadcast`: cbsz, and
 * from bit 8 abid; `formats`: of A and B; `result`: see `register_rule`. `detail`: what undefined
 * bits decide; `checked`: some may be undefined. Tables: first, first + 1, first + 2 for A, B, D; +
 * 3, + 4 for the scales of A and B. Where there are several blocks, a table has one after the
 * other. */
void lm_matrix(Wave *w, u32 instruction, u32 first, u32 shape, u32 broadcast, u32 formats,
               u32 registers, u32 result, u32 checked, u32 detail) {
  i32 **tables = w->launch->tables + first;
  Shape s = shape_of(shape);
  Panel a, b;
  Operand oa, ob;
  Results r;
  u8 scales_a[MAX_SCALES], scales_b[MAX_SCALES];
  if (checked) check_operands(w, instruction, registers, detail);
  SumRule rule = register_rule(result, formats);
  for (u32 block = 0; block < s.blocks; block++) {
    u32 chosen = (block >> (broadcast & 0xff) << (broadcast & 0xff)) + (broadcast >> 8);
    register_operand(&oa, w, ROW_A, tables[0], s.side, formats & 0xff);
    register_operand(&ob, w, ROW_B, tables[1], s.side, formats >> 8);
    oa.view.places += chosen * s.depth * s.side / oa.view.run;
    ob.view.places += block * s.depth * s.side / ob.view.run;
    if (registers >> 24) {
      register_scales(&oa, w, ROW_SCALES, tables[3], s.depth / 32, scales_a);
      register_scales(&ob, w, ROW_SCALES + 1, tables[4], s.depth / 32, scales_b);
    }
    pack(&a, &oa, s.depth, &rule);
    pack(&b, &ob, s.depth, &rule);
    r.view = register_view(w, ROW_C, tables[2]);
    r.view.places += block * s.side * s.side / r.view.run;
    r.side = s.side;
    r.wide = rule.result == RESULT_F64;
    begin_result(w, &r);
    rule.words = r.wide && r.direct;
    multiply(&a, &b, &rule, r.strips);
    end_result(w, &r);
  }
}

/* The same for A of which every four elements along k keep two. Tables: of A's kept elements, B,
 * D, and of the index, a code of 4 bits for each four: the place of the first kept one, and from
 * bit 2 of the second. */
void lm_sparse_matrix(Wave *w, u32 instruction, u32 first, u32 shape, u32 formats, u32 registers,
                      u32 result, u32 checked, u32 detail) {
  i32 **tables = w->launch->tables + first;
  Shape s = shape_of(shape);
  Panel a, b;
  Operand oa, ob;
  Results r;
  u8 pairs[MAX_SIDE * PANEL_DEPTH / 4];
  if (checked) check_operands(w, instruction, registers, detail);
  SumRule rule = register_rule(result, formats);
  register_operand(&oa, w, ROW_A, tables[0], s.side, formats & 0xff);
  register_operand(&ob, w, ROW_B, tables[1], s.side, formats >> 8);
  View index = register_view(w, ROW_SCALES, tables[3]);
  view_codes(&index, s.side, s.depth / 4, 4, pairs);
  pack(&a, &oa, s.depth / 2, &rule);
  pack(&b, &ob, s.depth, &rule);
  r.view = register_view(w, ROW_C, tables[2]);
  r.side = s.side;
  r.wide = 0;
  begin_result(w, &r);
  multiply_kept(&a, &b, pairs, &rule, r.strips);
  end_result(w, &r);
}

/* The same for operands in bytes, C and D in strips (panel.h). Returns 0 where they are not
 * held. */
u32 lm_multiply(const Operand *a, const Operand *b, u32 depth, const SumRule *rule,
                u8 *const *strips) {
  Panel packed_a, packed_b;
  u32 lines_a = strips_of(a->lines) * PANEL_LINES, lines_b = strips_of(b->lines) * PANEL_LINES;
  if (depth > PANEL_DEPTH || a->lines % 2 || lines_a * depth > PANEL_ELEMENTS ||
      lines_b * depth > PANEL_ELEMENTS)
    return 0;
  if (rule->sum == SUM_ALIGNED && depth % 2) return 0;
  if (rule->sum == SUM_GROUPED && (depth % GROUP || !a->scales || !b->scales)) return 0;
  pack(&packed_a, a, depth, rule);
  pack(&packed_b, b, depth, rule);
  multiply(&packed_a, &packed_b, rule, strips);
  return 1;
}
