/* Operands of matrix instructions of 16-bit floats, two k at a time: a word holds the codes of
 * both.
 */
#include "panel.h"

/* Rows of 8 words, 2i and then 2i + 1 in each vector i, become columns: each round deals vectors i
 * and i + 4 out to two. */
static inline void transpose_halves(Words *rows) {
  for (u32 round = 0; round < 4; round++) {
    Words dealt[8];
    for (u32 i = 0; i < 4; i++) {
      dealt[2 * i] = DEALT_FIRST(rows[i], rows[i + 4]);
      dealt[2 * i + 1] = DEALT_LAST(rows[i], rows[i + 4]);
    }
    for (u32 i = 0; i < 8; i++) rows[i] = dealt[i];
  }
}

/* Runs of 8 k of each line. */
static void fill_pairs_along_k(Tile tile, const View *v, u32 depth, u32 first, u32 lines) {
  typedef u32 FourWords __attribute__((ext_vector_type(4)));
  u32 runs = depth / 8;
  const u32 *places = v->places + first * runs;
  for (u32 run = 0; run < runs; run += 2) {
    FourWords found[PANEL_LINES][2] = {{0}};
    Words rows[8];
    for (u32 line = 0; line < lines; line++)
      for (u32 i = 0; i < 2 && run + i < runs; i++)
        found[line][i] = LOAD(FourWords, v->base + places[line * runs + run + i] / 8);
    for (u32 i = 0; i < 8; i++) rows[i] = LOAD(Words, found[2 * i]);
    transpose_halves(rows);
    for (u32 i = 0; i < 8 && 8 * run + 2 * i < depth; i++) STORE(tile[4 * run + i], rows[i]);
  }
}

/* tile[k / 2][line]: codes of 16 bits of an even k and, above it, of the next one; 0 where they do
 * not lie so. */
static int fill_pairs(Tile tile, const Operand *o, u32 depth, u32 first, u32 lines) {
  const View *v = &o->view;
  u32 runs = o->lines / v->run, quads = v->run == 8 && v->step == 128 && lines % 8 == 0,
      whole = v->run % PANEL_LINES == 0 && v->step == 32;
  if (v->along_k) {
    if (v->run != 8 || v->step != 16) return 0;
    fill_pairs_along_k(tile, v, depth, first, lines);
    return 1;
  }
  if (!(quads || whole)) return 0;
  const u32 *places = v->places + first / v->run;
  for (u32 k = 0; k < depth; k += 2, places += 2 * runs) {
    const u32 *far = places + lines / 9 * quads;
    if (places[0] % 32 || places[runs] != places[0] + 16 || far[0] % 32 || far[runs] != far[0] + 16)
      return 0;
    const u8 *low = v->base + places[0] / 8, *high = v->base + far[0] / 8;
    if (whole) {
      STORE(tile[k / 2], LOAD(Words, low + first % v->run * 4));
      continue;
    }
    EightWords lower = every_fourth(low), upper = lines > 8 ? every_fourth(high) : (EightWords)0;
    STORE(tile[k / 2], (__builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                12, 13, 14, 15)));
  }
  return 1;
}

/* What pack_split makes of bf16 or f16 without scales, whose exponents stand in the codes. */
int pack_halves(Panel *p, const Operand *o, u32 first, u32 lines, i32 unit) {
  typedef u16 Codes __attribute__((ext_vector_type(32)));
  Tile tile __attribute__((aligned(64)));
  u32 block = first / PANEL_LINES, start = block * p->depth * PANEL_LINES;
  u32 is_bf16 = o->format == FORMAT_BF16, digits = is_bf16 ? 7 : 10;
  i32 bias = is_bf16 ? 127 : 15, smallest = unit ? unit : 1 - bias;
  if (p->depth % 2 || o->scales || smallest < 1 - bias) return 0;
  if (!fill_pairs(tile, o, p->depth, first, lines)) return 0;
  Codes most = 0, least = (u16)~0;
  for (u32 k = 0; k < p->depth; k += 2) {
    u32 at = start + k * PANEL_LINES;
    Words both = LOAD(Words, tile[k / 2]) ^ (o->negate ? 0x80008000u : 0u);
    STORE(p->value + at,
          is_bf16 ? both << 16 : AS(Words, decode_floats(float_shape(FORMAT_F16), both & 0xffff)));
    STORE(p->value + at + PANEL_LINES,
          is_bf16 ? both & 0xffff0000
                  : AS(Words, decode_floats(float_shape(FORMAT_F16), both >> 16)));
    Codes magnitude = AS(Codes, both & 0x7fff7fff);
    most = __builtin_elementwise_max(most, magnitude);
    least = __builtin_elementwise_min(least, magnitude - (u16)1); /* not of a zero */
    Codes field =
        __builtin_elementwise_max(magnitude >> (u16)digits, (Codes)(u16)(smallest + bias));
    STORE(p->exponent + at, magnitude == 0 ? (Codes)(u16)NO_EXPONENT : field - (u16)bias);
  }
  u32 top = __builtin_reduce_max(most), low = (u32)__builtin_reduce_min(least) + 1;
  i32 highest = (i32)(top >> digits) - bias, lowest_power = (i32)(low >> digits) - bias;
  p->odd[block] = highest == bias + 1;
  p->greatest[block] = !top                 ? NO_EXPONENT
                       : p->odd[block]      ? 128
                       : highest > smallest ? highest
                                            : smallest;
  p->least[block] = !top ? 0 : lowest_power > smallest ? lowest_power : smallest;
  return 1;
}
