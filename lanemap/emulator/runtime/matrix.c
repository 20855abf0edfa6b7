/* Matrix instructions: operands of registers and of bytes, through the matrix engine (panel.h). */
#include "panel.h"

#define MAX_SIDE 32           /* of a product whose operands lie in registers */
#define MAX_SCALES (MAX_SIDE * 4)

/* Rows in which a wave's operands lie, one register a row: A, B, C and D, scales of A and of B. */
enum Row { ROW_A = 0, ROW_B = 8, ROW_C = 16, ROW_SCALES = 70 };

/* A hazard for each of the rows that has undefined bits in some lane. */
static void check_rows(Wave *w, u32 instruction, u32 row, u32 rows, u32 detail) {
  for (u32 r = row; r < row + rows; r++) {
    Words any = 0;
    for (u32 lane = 0; lane < w->launch->lanes; lane += 16)
      any |= LOAD(Words, &w->undefined[r][lane]);
    if (__builtin_reduce_or(any)) lm_undefined_row(w, instruction, w->full, r, detail);
  }
}

/* A table (codegen/operands.py) begins with the length of its runs; runs follow the lanes. */
static void register_operand(Operand *o, const Wave *w, u32 row, const i32 *table, u32 lines,
                             u32 format) {
  o->view.base = (const u8 *)w->value[row];
  o->view.places = (const u32 *)table + 1;
  o->view.run = (u32)table[0];
  o->view.step = 32;
  o->view.along_k = 0;
  o->view.next = sizeof w->value[0];
  o->lines = lines;
  o->format = format;
  o->scales = 0;
}

/* Scales of `lines` and `blocks` of 32 k, each at its bit of a row. */
static void register_scales(Operand *o, const Wave *w, u32 row, const i32 *table, u32 blocks,
                            u8 *codes) {
  u32 run = (u32)*table++;
  for (u32 block = 0; block < blocks; block++)
    for (u32 line = 0; line < o->lines; line++) {
      u32 bit = (u32)table[(block * o->lines + line) / run] + line % run * 32;
      codes[line * blocks + block] = (u8)(w->value[row + bit / 32 / MAX_LANES][bit / 32 % MAX_LANES]
                                          >> bit % 32);
    }
  o->scales = codes;
  o->scale_format = FORMAT_E8M0;
  o->scale_depth = 32;
}

/* C and D element by element, where a row of the matrix is no row of lanes: to `out` or from it. */
static void move_result(Wave *w, const i32 *table, u32 side, u32 wide, u8 *tile, int to_registers) {
  u32 run = (u32)*table++, bytes = wide ? 8 : 4;
  for (u32 i = 0; i < side * side; i++) {
    u32 word = (u32)table[i / run] / 32 + i % run;
    u32 *low = &w->value[ROW_C][0] + word, *high = low + MAX_LANES;
    u32 *element = (u32 *)(tile + i * bytes);
    if (to_registers) *low = element[0];
    else element[0] = *low;
    if (wide && to_registers) *high = element[1];
    else if (wide) element[1] = *high;
  }
}

/* D = A x B + C of one wave, D in place of C. `registers`: of A, B, C and of scales, 8 bits each;
 * `formats`: of A and B. `detail`: what undefined bits decide; `checked`: some may be undefined.
 * Tables: first, first + 1, first + 2 for A, B, D; + 3, + 4 for the scales of A and B. */
void lm_matrix(Wave *w, u32 instruction, u32 first, u32 side, u32 depth, u32 formats, u32 registers,
               u32 result, u32 checked, u32 detail) {
  const u32 start[4] = {ROW_A, ROW_B, ROW_C, ROW_SCALES};
  i32 **tables = w->launch->tables + first;
  Panel a, b;
  Operand oa, ob;
  u8 scales_a[MAX_SCALES], scales_b[MAX_SCALES];
  u8 tile[MAX_SIDE * MAX_SIDE * 8] __attribute__((aligned(64)));
  u8 *rows[MAX_SIDE];
  for (u32 i = 0; checked && i < 4; i++)
    check_rows(w, instruction, start[i], registers >> 8 * i & 0xff, detail);
  SumRule rule = {.sum = result == RESULT_I32 ? SUM_I32 : SUM_F64, .result = result};
  register_operand(&oa, w, ROW_A, tables[0], side, formats & 0xff);
  register_operand(&ob, w, ROW_B, tables[1], side, formats >> 8);
  if (registers >> 24) {
    register_scales(&oa, w, ROW_SCALES, tables[3], depth / 32, scales_a);
    register_scales(&ob, w, ROW_SCALES + 1, tables[4], depth / 32, scales_b);
  }
  pack(&a, &oa, depth, &rule);
  pack(&b, &ob, depth, &rule);
  u32 wide = result == RESULT_F64, whole = !wide && (u32)tables[2][0] == side;
  for (u32 i = 0; i < side; i++)
    rows[i] = whole ? (u8 *)w->value[ROW_C] + (u32)tables[2][1 + i] / 8
                    : tile + i * side * (wide ? 8 : 4);
  if (!whole) move_result(w, tables[2], side, wide, tile, 0);
  multiply(&a, &b, &rule, rows);
  if (!whole) move_result(w, tables[2], side, wide, tile, 1);
}

/* The same for operands in bytes; rows[i] is row i of C. Returns 0 where they are not held. */
u32 lm_multiply(const Operand *a, const Operand *b, u32 depth, const SumRule *rule,
                u8 *const *rows) {
  Panel packed_a, packed_b;
  u32 lines_a = (a->lines + PANEL_LINES - 1) / PANEL_LINES * PANEL_LINES;
  u32 lines_b = (b->lines + PANEL_LINES - 1) / PANEL_LINES * PANEL_LINES;
  if (depth > PANEL_DEPTH || a->lines % 2 || lines_a * depth > PANEL_ELEMENTS ||
      lines_b * depth > PANEL_ELEMENTS)
    return 0;
  if (rule->sum == SUM_GROUPED && (depth % GROUP || !a->scales || !b->scales)) return 0;
  pack(&packed_a, a, depth, rule);
  pack(&packed_b, b, depth, rule);
  multiply(&packed_a, &packed_b, rule, rows);
  return 1;
}
