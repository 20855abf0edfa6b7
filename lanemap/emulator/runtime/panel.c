/* Operands of matrix instructions: codes gathered from a view, decoded, and
 * packed into a panel. */
#include "panel.h"

static inline u32 load_word(const u8 *from) {
  u32 word;
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

static inline u32 code_at(const View *v, u32 bit, u32 bits) {
  const u8 *word = v->base + bit / 32 * 4;
  u32 shift = bit % 32, code = load_word(word) >> shift;
  if (shift + bits > 32) code |= load_word(word + v->next) << (32 - shift);
  return bits == 32 ? code : code & ((1u << bits) - 1);
}

/* 16 elements, each in a word of its own, at the same bit: registers of
 * neighboring lanes. */
static inline void word_codes(const View *v, u32 bit, u32 bits, u32 *codes) {
  const u8 *word = v->base + bit / 32 * 4;
  u32 shift = bit % 32;
  Words found = LOAD(Words, word) >> shift;
  if (shift + bits > 32) found |= LOAD(Words, word + v->next) << (32 - shift);
  if (bits < 32) found &= (1u << bits) - 1;
  STORE(codes, found);
}

/* 16 elements of 4 bits in 8 bytes, the low half of each byte first. */
static inline void half_byte_codes(const u8 *bytes, u32 *codes) {
  typedef u8 Bytes8 __attribute__((ext_vector_type(8)));
  Bytes8 both = LOAD(Bytes8, bytes), low = both & 15, high = both >> 4;
  STORE(codes, __builtin_convertvector(__builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11,
                                                               4, 12, 5, 13, 6, 14, 7, 15),
                                       Words));
}

/* The codes of `count` elements of a run, the first one at `bit`. */
static inline void run_codes(const View *v, u32 bit, u32 bits, u32 count, u32 *codes) {
  typedef u8 Bytes __attribute__((ext_vector_type(16)));
  typedef u16 Halves __attribute__((ext_vector_type(16)));
  typedef u16 Halves8 __attribute__((ext_vector_type(8)));
  const u8 *byte = v->base + bit / 8;
  if (v->step == 32 && count == 16) word_codes(v, bit, bits, codes);
  else if (v->step == 16 && bits == 16 && count == 16)
    STORE(codes, __builtin_convertvector(LOAD(Halves, byte), Words));
  else if (v->step == 16 && bits == 16 && count == 8)
    STORE(codes, __builtin_convertvector(LOAD(Halves8, byte), EightWords));
  else if (v->step == 8 && bits == 8 && count == 16)
    STORE(codes, __builtin_convertvector(LOAD(Bytes, byte), Words));
  else if (v->step == 4 && bits == 4 && count == 16 && bit % 8 == 0) half_byte_codes(byte, codes);
  else
    for (u32 i = 0; i < count; i++) codes[i] = code_at(v, bit + i * v->step, bits);
}

void view_codes(const View *v, u32 lines, u32 depth, u32 bits, u8 *codes) {
  u32 runs = (v->along_k ? depth : lines) / v->run;
  if (v->along_k && v->run == depth && depth == 4 && v->step == 8 && bits == 8) {
    for (u32 line = 0; line < lines; line++) /* whole bytes: four scales of a line */
      __builtin_memcpy(codes + line * 4, v->base + v->places[line] / 8, 4);
    return;
  }
  for (u32 line = 0; line < lines; line++)
    for (u32 k = 0; k < depth; k++) {
      u32 along = v->along_k ? k : line, across = v->along_k ? line : k;
      u32 place = v->places[across * runs + along / v->run] + along % v->run * v->step;
      codes[line * depth + k] = (u8)code_at(v, place, bits);
    }
}

void view_strips(const View *v, u32 rows, u32 columns, u8 **strips) {
  u32 runs = rows * (columns / v->run);
  for (u32 i = 0; i < runs; i++)
    for (u32 j = 0; j < v->run; j += PANEL_LINES)
      *strips++ = (u8 *)v->base + (v->places[i] + j * v->step) / 8;
}

/* Codes of 8 or 16 lines of each k, in every fourth word of registers. */
static void fill_quads(Tile tile, const View *v, u32 bits, u32 depth, u32 runs, u32 lines,
                       const u32 *places) {
  u32 mask = bits < 32 ? (1u << bits) - 1 : ~0u;
  for (u32 k = 0; k < depth; k++, places += runs) {
    const u8 *low = v->base + places[0] / 32 * 4, *high = v->base + places[lines / 9] / 32 * 4;
    EightWords lower = every_fourth(low) >> places[0] % 32 & mask;
    EightWords upper = lines > 8 ? every_fourth(high) >> places[1] % 32 & mask : (EightWords)0;
    STORE(tile[k], (__builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                            13, 14, 15)));
  }
}

static void fill_across(Tile tile, const Operand *o, u32 depth, u32 first, u32 lines) {
  const View *v = &o->view;
  u32 bits = format_bits(o->format), piece = v->run < PANEL_LINES ? v->run : PANEL_LINES;
  u32 runs = o->lines / v->run, begin = first % v->run * v->step;
  const u32 *places = v->places + first / v->run;
  if (v->run == 8 && v->step == 128 && lines % 8 == 0) {
    fill_quads(tile, v, bits, depth, runs, lines, places);
    return;
  }
  for (u32 k = 0; k < depth; k++, places += runs) {
    if (lines < PANEL_LINES) STORE(tile[k], (Words)0);
    if (v->run == 1) {
      for (u32 i = 0; i < lines; i++) tile[k][i] = code_at(v, places[i], bits);
      continue;
    }
    for (u32 i = 0, run = 0; i < lines; i += piece, run++)
      run_codes(v, places[run] + begin, bits, piece, tile[k] + i);
  }
}

/* Rows of 16 become columns: each round deals rows i and i + 8 out to two. */
static inline void transpose(Words *rows) {
  for (u32 round = 0; round < 4; round++) {
    Words dealt[16];
    for (u32 i = 0; i < 8; i++) {
      dealt[2 * i] = DEALT_FIRST(rows[i], rows[i + 8]);
      dealt[2 * i + 1] = DEALT_LAST(rows[i], rows[i + 8]);
    }
    for (u32 i = 0; i < 16; i++) rows[i] = dealt[i];
  }
}

static void fill_along_k(Tile tile, const Operand *o, u32 depth, u32 first, u32 lines) {
  const View *v = &o->view;
  u32 bits = format_bits(o->format), piece = v->run < 16 ? v->run : 16, runs = depth / v->run;
  u32 codes[16] __attribute__((aligned(64))) = {0};
  Words rows[PANEL_LINES];
  for (u32 line = lines; line < PANEL_LINES; line++) rows[line] = 0;
  for (u32 k = 0; k < depth; k += 16) {
    u32 count = depth - k < 16 ? depth - k : 16, begin = k % v->run * v->step;
    const u32 *places = v->places + first * runs + k / v->run;
    for (u32 line = 0; line < lines; line++, places += runs) {
      for (u32 i = 0, run = 0; i < count; i += piece, run++)
        run_codes(v, places[run] + begin, bits, piece, codes + i);
      rows[line] = LOAD(Words, codes);
    }
    transpose(rows);
    for (u32 i = 0; i < count; i++) STORE(tile[k + i], rows[i]);
  }
}

#define DECODE(value)                                                                              \
  for (u32 k = 0; k < depth; k++) STORE(tile[k], value);                                           \
  return
#define DECODE_FLOATS(format)                                                                      \
  case format: DECODE(decode_floats(float_shape(format), LOAD(Words, tile[k])))

/* The codes of a tile become values. */
static void decode_tile(Tile tile, u32 format, u32 depth) {
  switch (format) {
  case FORMAT_F32: return;
  case FORMAT_TF32: DECODE(LOAD(Words, tile[k]) & ~0x1fffu);
  case FORMAT_BF16: DECODE(LOAD(Words, tile[k]) << 16);
  case FORMAT_I8: DECODE(__builtin_convertvector(LOAD(Ints, tile[k]) << 24 >> 24, Floats));
  case FORMAT_I4: DECODE(__builtin_convertvector(LOAD(Ints, tile[k]) << 28 >> 28, Floats));
  case FORMAT_U8:
  case FORMAT_U4:
  case FORMAT_B1:
    DECODE(__builtin_convertvector(LOAD(Ints, tile[k]), Floats));
    DECODE_FLOATS(FORMAT_F16);
    DECODE_FLOATS(FORMAT_E4M3);
    DECODE_FLOATS(FORMAT_E5M2);
    DECODE_FLOATS(FORMAT_E4M3_FNUZ);
    DECODE_FLOATS(FORMAT_E5M2_FNUZ);
    DECODE_FLOATS(FORMAT_E2M1);
  default: DECODE(decode_floats(float_shape(format), LOAD(Words, tile[k])));
  }
}

/* Every value of a tile with its other sign. */
static void negate_tile(Tile tile, u32 depth) {
  for (u32 k = 0; k < depth; k++) STORE(tile[k], LOAD(Words, tile[k]) ^ 0x80000000);
}

/* Lines of f64 in lanes side by side. */
static int pack_lanes(Panel *p, const Operand *o) {
  const View *v = &o->view;
  u32 runs = o->lines / v->run;
  if (v->along_k || v->run % PANEL_LINES || v->step != 32) return 0;
  for (u32 k = 0; k < p->depth; k++)
    for (u32 line = 0; line < o->lines; line += PANEL_LINES) {
      const u32 *places = v->places + k * runs + line / v->run;
      const u8 *from = v->base + places[0] / 32 * 4 + line % v->run * 4;
      double *to = p->f64 + (line / PANEL_LINES * p->depth + k) * PANEL_LINES;
      STORE(to, joined_eight((const u32 *)from));
      STORE(to + 8, joined_eight((const u32 *)from + 8));
    }
  return 1;
}

static void pack_wide(Panel *p, const Operand *o) {
  const View *v = &o->view;
  if (pack_lanes(p, o)) return;
  for (u32 line = 0; line < o->lines; line++)
    for (u32 k = 0; k < p->depth; k++) {
      u32 along = v->along_k ? k : line, across = v->along_k ? line : k;
      u32 runs = (v->along_k ? p->depth : o->lines) / v->run;
      u32 bit = v->places[across * runs + along / v->run] + along % v->run * v->step;
      union {
        u64 u;
        double f;
      } d = {code_at(v, bit, 32)};
      d.u |= (u64)load_word(v->base + bit / 32 * 4 + v->next) << 32;
      p->f64[(line / PANEL_LINES * p->depth + k) * PANEL_LINES + line % PANEL_LINES] = d.f;
    }
}

/* Exponents of values; a subnormal of the format has that of the smallest
 * normal number. */
static inline Ints exponents_of(Floats values, i32 smallest) {
  Ints bits = AS(Ints, values), field = bits >> 23 & 255;
  Ints power = __builtin_elementwise_max(field - 127, (Ints)smallest);
  power = field == 255 ? (Ints)0 : power;
  return (bits & 0x7fffffff) == 0 ? (Ints)NO_EXPONENT : power;
}

/* The scales of 16 lines and one block of k, as values: E8M0 or UE4M3, 1 of
 * lines that do not exist. */
static Floats scales_of(const Operand *o, u32 depth, u32 first, u32 lines, u32 block) {
  u32 found[PANEL_LINES] __attribute__((aligned(64)));
  u32 blocks = depth / o->scale_depth, is_e8m0 = o->scale_format == FORMAT_E8M0;
  for (u32 i = 0; i < PANEL_LINES; i++)
    found[i] = i < lines ? o->scales[(first + i) * blocks + block] : is_e8m0 ? 127 : 0x38;
  Words codes = LOAD(Words, found);
  if (!is_e8m0) return decode_floats(float_shape(FORMAT_UE4M3), codes & 0x7f);
  Words bits = codes == 0 ? (Words)0x400000 : codes << 23; /* 2^-127 is subnormal in f32 */
  return AS(Floats, codes == 255 ? (Words)0x7fc00000 : bits);
}

static i32 smallest_exponent(u32 format) { return 1 - (i32)float_shape(format).bias; }

#define NO_SCALE 4096 /* a line without groups that count has NO_SCALE .. -NO_SCALE */

/* A scale as significand and exponent. E8M0 has no subnormals: 2^-127 is one of
 * f32 alone. */
static Ints store_scale(Panel *p, const Operand *o, Floats values, u32 at) {
  Ints powers, field = AS(Ints, values) >> 23 & 255;
  if (o->scale_format == FORMAT_E8M0) {
    powers = field - 127;
    values = field == 255 ? values : (Floats)1;
  } else {
    powers = exponents_of(values, smallest_exponent(o->scale_format));
    Ints down = __builtin_elementwise_max(127 - powers, (Ints)0) << 23;
    values = field == 255 ? values : values * AS(Floats, down);
  }
  STORE(p->scale + at, values);
  STORE(p->scale_exponent + at, powers);
  return is_odd(values);
}

static void pack_split(Panel *p, const Operand *o, Tile tile, u32 first, u32 lines, i32 unit) {
  u32 block = first / PANEL_LINES, start = block * p->depth * PANEL_LINES;
  i32 smallest = unit ? unit : smallest_exponent(o->format);
  Words most = 0, least = ~0u;
  for (u32 k = 0; k < p->depth; k++) {
    u32 at = start + k * PANEL_LINES;
    Floats values = LOAD(Floats, tile[k]);
    if (o->scales) {
      u32 scale = (block * (p->depth / o->scale_depth) + k / o->scale_depth) * PANEL_LINES;
      if (k % o->scale_depth == 0)
        store_scale(p, o, scales_of(o, p->depth, first, lines, k / o->scale_depth), scale);
      values *= LOAD(Floats, p->scale + scale); /* 1, or NaN */
    }
    STORE(p->value + at, values);
  }
  for (u32 at = start; at < start + p->depth * PANEL_LINES; at += 2 * PANEL_LINES) {
    Words pair[2];
    _Pragma("clang loop unroll(full)") for (u32 i = 0; i < 2; i++) {
      Words magnitude = LOAD(Words, p->value + at + i * PANEL_LINES) & 0x7fffffff;
      most = __builtin_elementwise_max(most, magnitude);
      least = __builtin_elementwise_min(least, magnitude - 1); /* not of a zero */
      Words field = __builtin_elementwise_max(magnitude >> 23, (Words)(u32)(smallest + 127));
      pair[i] = magnitude == 0 ? (Words)((u32)(NO_EXPONENT + 127) & 0xffff) : field;
    }
    STORE(p->exponent + at, AS(Pairs, pair[0] | pair[1] << 16) - 127);
  }
  u32 top = __builtin_reduce_max(most), low = __builtin_reduce_min(least) + 1;
  i32 highest = (i32)(top >> 23) - 127, lowest_power = (i32)(low >> 23) - 127;
  p->odd[block] = highest == 128;
  p->greatest[block] = !top ? NO_EXPONENT : highest > smallest ? highest : smallest;
  p->least[block] = !top ? 0 : lowest_power > smallest ? lowest_power : smallest;
}

static void pack_groups(Panel *p, const Operand *o, Tile tile, u32 first, u32 lines) {
  u32 block = first / PANEL_LINES, groups = p->depth / GROUP;
  float *values = p->value + block * p->depth * PANEL_LINES;
  Ints low = NO_SCALE, high = -NO_SCALE, odd = 0;
  p->unit = -1 - (i32)float_shape(o->scale_format).mantissa_bits * (o->scale_format != FORMAT_E8M0);
  for (u32 group = 0; group < groups; group++) {
    u32 at = (block * groups + group) * PANEL_LINES;
    Words nonzero = 0;
    for (u32 k = group * GROUP; k < (group + 1) * GROUP; k++) {
      Floats line = LOAD(Floats, tile[k]);
      STORE(values + k * PANEL_LINES, line);
      nonzero |= line != 0 ? (Words)(1u << k % GROUP) : (Words)0;
    }
    STORE(p->nonzero + at, nonzero);
    Floats scale = scales_of(o, p->depth, first, lines, group * GROUP / o->scale_depth);
    odd |= store_scale(p, o, scale, at);
    Ints counts = (nonzero != 0) & (scale != 0), exponent = LOAD(Ints, p->scale_exponent + at);
    STORE(p->factor + at, counts ? scale : (Floats)0);
    low = counts ? __builtin_elementwise_min(low, exponent) : low;
    high = counts ? __builtin_elementwise_max(high, exponent) : high;
  }
  STORE(p->low + first, low);
  STORE(p->high + first, high);
  p->odd[block] = __builtin_reduce_or(odd) != 0;
}

/* Values of f32, +0 for those below 2^exponent. */
static void pack_flushed(Panel *p, Tile tile, u32 first, i32 exponent) {
  float *to = p->value + first * p->depth;
  u32 least = (u32)(exponent + 127) << 23;
  for (u32 k = 0; k < p->depth; k++) {
    Words bits = LOAD(Words, tile[k]);
    STORE(to + k * PANEL_LINES, (bits & 0x7fffffff) < least ? (Words)0 : bits);
  }
}

static void pack_plain(Panel *p, const Operand *o, Tile tile, u32 first, u32 lines, u32 integers) {
  u32 block = first / PANEL_LINES, start = block * p->depth * PANEL_LINES;
  Doubles scale = 1;
  Ints odd = 0;
  for (u32 k = 0; k < p->depth; k++) {
    Floats values = LOAD(Floats, tile[k]);
    u32 at = start + k * PANEL_LINES;
    if (integers) {
      STORE(p->whole + at, __builtin_convertvector(values, Ints));
      continue;
    }
    Doubles wide = __builtin_convertvector(values, Doubles);
    odd |= is_odd(values);
    if (o->scales) {
      if (k % o->scale_depth == 0) {
        Floats found = scales_of(o, p->depth, first, lines, k / o->scale_depth);
        odd |= is_odd(found);
        scale = __builtin_convertvector(found, Doubles);
      }
      wide *= scale;
    }
    STORE(p->f64 + at, wide);
  }
  p->odd[block] = __builtin_reduce_or(odd) != 0;
}

void pack(Panel *p, const Operand *o, u32 depth, const SumRule *rule) {
  Tile tile __attribute__((aligned(64)));
  p->lines = o->lines;
  p->depth = depth;
  p->scale_depth = o->scales ? o->scale_depth : 0;
  if (o->format == FORMAT_F64) {
    pack_wide(p, o);
    return;
  }
  u32 split = rule->sum == SUM_ALIGNED || rule->sum == SUM_STEPS || rule->sum == SUM_HALF_STEPS,
      halves = split && (o->format == FORMAT_BF16 || o->format == FORMAT_F16);
  for (u32 first = 0; first < o->lines; first += PANEL_LINES) {
    u32 lines = o->lines - first < PANEL_LINES ? o->lines - first : PANEL_LINES;
    if (halves && pack_halves(p, o, first, lines, rule->operand_exponent)) continue;
    if (o->view.along_k) fill_along_k(tile, o, depth, first, lines);
    else fill_across(tile, o, depth, first, lines);
    decode_tile(tile, o->format, depth);
    if (o->negate) negate_tile(tile, depth);
    if (split) pack_split(p, o, tile, first, lines, rule->operand_exponent);
    else if (rule->sum == SUM_TREES) pack_flushed(p, tile, first, rule->operand_exponent);
    else if (rule->sum == SUM_GROUPED) pack_groups(p, o, tile, first, lines);
    else pack_plain(p, o, tile, first, lines, rule->sum == SUM_I32 || rule->sum == SUM_XOR);
  }
}
