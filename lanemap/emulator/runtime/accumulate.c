/* Products and sums of packed operands: one kernel for each rule, 16 columns at a time. */
#include "panel.h"

static inline u32 result_bytes(const SumRule *rule) {
  return rule->result == RESULT_F64 ? 8 : rule->result == RESULT_F16 && !rule->words ? 2 : 4;
}

/* How many columns the strip from column j on has. */
static inline u32 strip_columns(const Panel *b, u32 j) {
  return b->lines - j < PANEL_LINES ? b->lines - j : PANEL_LINES;
}

/* A strip, or a copy with 16 columns where it has fewer. */
static inline const u8 *columns_of(const u8 *strip, u32 columns, u32 bytes, u8 *copy) {
  if (columns == PANEL_LINES) return strip;
  copy_bytes(copy, strip, columns * bytes);
  return copy;
}

static inline Floats load_floats(const u8 *strip, u32 columns, const SumRule *rule) {
  typedef u16 Halves __attribute__((ext_vector_type(16)));
  u8 copy[64] __attribute__((aligned(64))) = {0};
  if (rule->fresh) return (Floats)0;
  const u8 *from = columns_of(strip, columns, result_bytes(rule), copy);
  Floats values;
  if (rule->result == RESULT_F32) {
    values = LOAD(Floats, from);
  } else {
    Words codes = rule->words ? LOAD(Words, from) & 0xffff : __builtin_convertvector(LOAD(Halves, from), Words);
    values = decode_floats(float_shape(FORMAT_F16), codes);
  }
  return rule->lower ? values * AS(Floats, (Words)((127 - rule->lower) << 23)) : values;
}

static inline Doubles load_doubles(const u8 *strip, u32 columns, const SumRule *rule) {
  u8 copy[128] __attribute__((aligned(64))) = {0};
  if (rule->fresh) return (Doubles)0;
  if (rule->result != RESULT_F64)
    return __builtin_convertvector(load_floats(strip, columns, rule), Doubles);
  return LOAD(Doubles, columns_of(strip, columns, 8, copy));
}

/* Codes of f32 that f16 holds exactly, or that are too large for it. */
static inline Words half_codes(Floats values, u32 nan) {
  Words bits = AS(Words, values), magnitude = bits & 0x7fffffff;
  Ints whole = __builtin_convertvector(AS(Floats, magnitude) * 0x1p24f, Ints);
  Words code = (magnitude >> 13) - (112 << 10);
  code = magnitude < 113 << 23 ? AS(Words, whole) : code;
  code = magnitude >= 143 << 23 ? (Words)0x7c00 : code;
  code |= bits >> 16 & 0x8000;
  return magnitude > 0x7f800000 ? (Words)nan : code;
}

static inline void store_floats(u8 *strip, u32 columns, const SumRule *rule, Floats values) {
  typedef u16 Halves __attribute__((ext_vector_type(16)));
  u8 copy[64] __attribute__((aligned(64)));
  if (rule->result == RESULT_F32) {
    if (columns == PANEL_LINES) {
      STORE(strip, values);
      return;
    }
    STORE(copy, values);
  } else if (rule->words) {
    STORE(copy, half_codes(values, rule->nan));
  } else {
    STORE(copy, __builtin_convertvector(half_codes(values, rule->nan), Halves));
  }
  copy_bytes(strip, copy, columns * result_bytes(rule));
}

/* Round to the significant bits of the result. */
static inline Doubles rounded_normal(Doubles values, const SumRule *rule) {
  u32 drop = 53 - rule->bits;
  Longs bits = AS(Longs, values), kept = -1ll << drop;
  if (rule->nearest) bits += (1ll << (drop - 1)) - 1 + (bits >> drop & 1);
  return AS(Doubles, bits & kept);
}

/* The same where the result may be subnormal, which has fewer bits. */
static inline Doubles rounded(Doubles values, const SumRule *rule) {
  i64 digits = (i64)rule->bits - 1 - rule->smallest_exponent;
  Longs up = (digits + 1023) << 52, down = (1023 - digits) << 52;
  Longs least = (i64)(rule->smallest_exponent + 1023) << 52;
  Doubles scaled = values * AS(Doubles, up), whole;
  const double round = 0x1.8p52;
  /* Lanes beyond an int's range are not subnormal: what they convert to is not used. */
  if (rule->nearest) whole = scaled + round - round;
  else whole = __builtin_convertvector(__builtin_convertvector(scaled, Ints), Doubles);
  Longs subnormal = (AS(Longs, values) & 0x7fffffffffffffff) < least;
  return subnormal ? whole * AS(Doubles, down) : rounded_normal(values, rule);
}

/* -- sums in f64 --------------------------------------------------------------------- */

static inline void store_doubles(u8 *strip, u32 columns, const SumRule *rule, Doubles values) {
  u8 copy[128] __attribute__((aligned(64)));
  if (rule->result == RESULT_F64) {
    STORE(copy, values);
    copy_bytes(strip, copy, columns * 8);
    return;
  }
  if (rule->result == RESULT_F16) {
    Longs odd = (AS(Longs, values) & 0x7ff0000000000000) == 0x7ff0000000000000;
    values = odd ? values : rounded(values, rule);
  }
  store_floats(strip, columns, rule, __builtin_convertvector(values, Floats));
}

/* Two rows by 16 columns. Products of all formats but F64 are exact, so that a fused multiply-add
 * gives what a product and a sum give; those of F64 are rounded first on every processor. Which of
 * several NaN is the result would differ, too. */
static void sum_f64(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i += 2)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *lines = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const double *columns = b->f64 + j * depth;
      u8 *upper = strips[i * across + j / PANEL_LINES];
      u8 *lower = strips[(i + 1) * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Doubles first = load_doubles(upper, count, rule);
      Doubles second = load_doubles(lower, count, rule);
      if (rule->result == RESULT_F64 || a->odd[i / PANEL_LINES] || b->odd[j / PANEL_LINES]) {
        for (u32 k = 0; k < depth; k++, lines += PANEL_LINES, columns += PANEL_LINES) {
          Doubles line = LOAD(Doubles, columns);
          first += lines[0] * line;
          second += lines[1] * line;
        }
      } else {
#pragma STDC FP_CONTRACT ON
        for (u32 k = 0; k < depth; k++, lines += PANEL_LINES, columns += PANEL_LINES) {
          Doubles line = LOAD(Doubles, columns);
          first += lines[0] * line;
          second += lines[1] * line;
        }
      }
      store_doubles(upper, count, rule, first);
      store_doubles(lower, count, rule, second);
    }
}

/* -- fused multiply-adds ------------------------------------------------------------- */

/* A chain of fused multiply-adds. */
static inline Floats fused_chain(const double *line, const double *columns, u32 depth, Floats sum) {
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES)
    sum = __builtin_elementwise_fma(
        (Floats)(float)line[k], __builtin_convertvector(LOAD(Doubles, columns + k), Floats), sum);
  return sum;
}

static inline Floats fused_floats(const double *line, const double *columns, u32 depth, Floats c,
                                  const SumRule *rule) {
  u32 block = rule->apart ? rule->block : depth;
  /* A product plus -0 is that product, of either sign. */
  Floats start = (Floats)(block < depth ? -0.0f : 0.0f);
  if (!rule->apart) c = fused_chain(line, columns, depth, c);
  else
    for (u32 k = 0; k < depth; k += block)
      c += fused_chain(line + k * PANEL_LINES, columns + k * PANEL_LINES, block, start);
  Words code = AS(Words, c);
  return AS(Floats, (code & 0x7fffffff) > 0x7f800000 ? (Words)rule->nan : code);
}

static inline Longs nan_codes(Doubles values, Longs found) {
  Longs code = AS(Longs, values);
  return (code & 0x7fffffffffffffff) > 0x7ff0000000000000 ? code | 1ll << 51 : found;
}

/* A chain of f64, some of which is NaN: that of `line` goes before the sum's, then the column's. */
static COLD Doubles fused_nan(const double *line, const double *columns, u32 depth, Doubles sum) {
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Doubles column = LOAD(Doubles, columns + k);
    Doubles next = __builtin_elementwise_fma((Doubles)line[k], column, sum);
    Longs code = AS(Longs, next);
    code = (code & 0x7fffffffffffffff) > 0x7ff0000000000000 ? (Longs)(0x1fffll << 51) : code;
    code = nan_codes((Doubles)line[k], nan_codes(sum, nan_codes(column, code)));
    sum = AS(Doubles, code);
  }
  return sum;
}

static inline Doubles fused_doubles(const double *line, const double *columns, u32 depth, Doubles c) {
  Doubles sum = c;
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES)
    sum = __builtin_elementwise_fma((Doubles)line[k], LOAD(Doubles, columns + k), sum);
  Longs odd = (AS(Longs, sum) & 0x7fffffffffffffff) > 0x7ff0000000000000;
  return __builtin_reduce_or(odd) ? fused_nan(line, columns, depth, c) : sum;
}

static void sum_fused(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *line = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const double *columns = b->f64 + j * depth;
      u8 *strip = strips[i * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      if (rule->result == RESULT_F32) {
        Floats c = load_floats(strip, count, rule);
        store_floats(strip, count, rule, fused_floats(line, columns, depth, c, rule));
        continue;
      }
      Doubles c = load_doubles(strip, count, rule);
      store_doubles(strip, count, rule, fused_doubles(line, columns, depth, c));
    }
}

/* -- integers ------------------------------------------------------------------------ */

static void sum_i32(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const i32 *lines = a->whole + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const i32 *columns = b->whole + j * depth;
      u8 copy[64] __attribute__((aligned(64))) = {0};
      u8 *strip = strips[i * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Words sum = 0, c = 0;
      if (rule->sum == SUM_XOR)
        for (u32 k = 0; k < depth; k++)
          sum += (u32)lines[k * PANEL_LINES] ^ LOAD(Words, columns + k * PANEL_LINES);
      else
        for (u32 k = 0; k < depth; k++)
          sum += (u32)lines[k * PANEL_LINES] * LOAD(Words, columns + k * PANEL_LINES);
      if (!rule->fresh) c = LOAD(Words, columns_of(strip, count, 4, copy));
      Words wrapped = sum + c;
      if (rule->saturate) {
        Ints overflow = AS(Ints, (sum ^ wrapped) & (c ^ wrapped));
        Ints limit = AS(Ints, c) >> 31 ^ 0x7fffffff;
        wrapped = overflow < 0 ? AS(Words, limit) : wrapped;
      }
      STORE(copy, wrapped);
      copy_bytes(strip, copy, count * 4);
    }
}

/* -- aligned and truncated ----------------------------------------------------------- */

/* 2 to the power of each, as f64; powers are in its range. */
static inline Doubles powers(Ints exponents) {
  return AS(Doubles, __builtin_convertvector(exponents + 1023, Longs) << 52);
}

/* C, with the exponent of the smallest normal number where it is subnormal. */
typedef struct { Floats significand; Ints exponent, odd; } Addend;

static inline void split_addend(Addend *out, Floats c, const SumRule *rule) {
  i32 smallest = rule->smallest_exponent;
  Ints bits = AS(Ints, c), field = bits >> 23 & 255;
  Ints subnormal = field - 127 < smallest, zero = (bits & 0x7fffffff) == 0;
  u32 room = (u32)(127 - smallest) << 23;
  Floats normal = AS(Floats, (bits & (i32)0x807fffff) | 127 << 23);
  out->odd = field == 255;
  out->significand = subnormal ? c * AS(Floats, (Words)room) : normal;
  out->exponent = __builtin_elementwise_max(field - 127, (Ints)smallest);
  out->exponent = zero ? (Ints)rule->zero_exponent : out->exponent;
}

/* Infinities and NaN of 16 columns: the sum of what makes them, finite in all other lanes. In f64,
 * where no sum of finite products becomes infinite. */
static inline Floats odd_sum(const float *a, const float *b, u32 depth, Floats c, Ints c_odd) {
  Doubles sum = __builtin_convertvector(c_odd ? c : (Floats)0, Doubles);
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES)
    sum += (double)a[k] * __builtin_convertvector(LOAD(Floats, b + k), Doubles);
  Longs odd = (AS(Longs, sum) & 0x7ff0000000000000) == 0x7ff0000000000000;
  return __builtin_convertvector(odd ? sum : (Doubles)0, Floats);
}

/* The code of a NaN where sums are kept as f32; those of f16 have theirs when they are stored. */
static inline Floats with_odd(Floats values, Floats odd, const SumRule *rule) {
  Words magnitude = AS(Words, odd) & 0x7fffffff;
  u32 nan = rule->result == RESULT_F16 ? 0x7fffffff : rule->nan;
  values = magnitude >= 0x7f800000 ? odd : values;
  return magnitude > 0x7f800000 ? AS(Floats, (Words)nan) : values;
}

/* Sums of f16 are kept as f32: those that are too large become infinite before the next is added. */
static inline Floats overflowed(Floats values, const SumRule *rule) {
  Words bits = AS(Words, values);
  if (rule->result != RESULT_F16) return values;
  bits = (bits & 0x7fffffff) >= 143 << 23 ? (bits & 0x80000000) | 0x7f800000 : bits;
  return AS(Floats, bits);
}

/* Where one row of A and 16 columns of B lie, from one element of k to the next 16 apart; `scale`:
 * exponents by which all their products are larger. */
typedef struct {
  const float *a, *b;
  const i16 *a_exponent, *b_exponent;
  u32 depth, odd, wide;
  Ints scale;
} Strip;

/* The sum of products, each multiplied by 2^raise and truncated; it fits into 31 bits. In f32,
 * where all products that are not zero are normal numbers. If 2^raise is below what f32 can hold,
 * every term is zero, as it is with the smallest factor. Lanes of infinities and NaN are unused. */
static inline Ints cut_sum(const Strip *s, u32 from, u32 to, Ints raise) {
  Ints power = __builtin_elementwise_min(__builtin_elementwise_max(raise, (Ints)-126), (Ints)127);
  Floats factor = AS(Floats, (power + 127) << 23);
  Ints sum = 0;
  for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += PANEL_LINES)
    sum += __builtin_convertvector(s->a[k] * LOAD(Floats, s->b + k) * factor, Ints);
  return sum;
}

/* The same in f64, which holds every product. */
static inline Ints cut_sum_wide(const Strip *s, u32 from, u32 to, Ints raise) {
  Doubles factor = powers(raise);
  Ints sum = 0;
  for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += PANEL_LINES) {
    Doubles columns = __builtin_convertvector(LOAD(Floats, s->b + k), Doubles);
    sum += __builtin_convertvector((double)s->a[k] * columns * factor, Ints);
  }
  return sum;
}

/* One block of k: c <- a . b + c. */
static inline Floats aligned_block(const Strip *s, Floats c, const SumRule *rule) {
  Addend addend;
  split_addend(&addend, c, rule);
  Shorts highest = -8192;
  for (u32 k = 0; k < s->depth * PANEL_LINES; k += PANEL_LINES)
    highest = __builtin_elementwise_max(highest, LOAD(Shorts, s->b_exponent + k) +
                                        s->a_exponent[k]);
  Ints most = __builtin_convertvector(highest, Ints) + s->scale;
  most = __builtin_elementwise_max(most, addend.exponent);
  Ints raise = (i32)rule->fraction - most;
  Ints power = __builtin_elementwise_max(addend.exponent + raise, (Ints)-127) + 127;
  Doubles total = __builtin_convertvector(
      __builtin_convertvector(addend.significand * AS(Floats, power << 23), Ints), Doubles);
  u32 terms = 1u << (29 - rule->fraction);   /* below 4 * 2^fraction each */
  for (u32 from = 0; from < s->depth; from += terms) {
    u32 to = s->depth - from < terms ? s->depth : from + terms;
    Ints sum = s->wide ? cut_sum_wide(s, from, to, raise + s->scale)
                       : cut_sum(s, from, to, raise + s->scale);
    total += __builtin_convertvector(sum, Doubles);
  }
  total *= powers(-raise);
  Ints tiny = most < rule->smallest_exponent + (i32)rule->fraction;
  Floats result = __builtin_convertvector(
      __builtin_reduce_or(tiny) ? rounded(total, rule) : rounded_normal(total, rule), Floats);
  result = overflowed(result, rule);
  if (s->odd || __builtin_reduce_or(addend.odd))
    result = with_odd(result, odd_sum(s->a, s->b, s->depth, c, addend.odd), rule);
  return result;
}

/* The exponents that the scales of a row and of 16 columns add, at one k. */
static inline Ints scale_exponents(const Panel *a, const Panel *b, u32 i, u32 j, u32 k) {
  Ints sum = 0;
  if (a->scale_depth)
    sum += a->scale_exponent[(i / PANEL_LINES * (a->depth / a->scale_depth) + k / a->scale_depth) *
                             PANEL_LINES + i % PANEL_LINES];
  if (b->scale_depth)
    sum += LOAD(Ints, b->scale_exponent + j * (b->depth / b->scale_depth) +
                      k / b->scale_depth * PANEL_LINES);
  return sum;
}

/* C, which was kept apart, and the sum of the products, as IEEE 754 adds them. */
static inline Floats add_apart(Floats c, Floats sum, const SumRule *rule) {
  if (rule->result == RESULT_F32) {
    Floats total = c + sum;
    return with_odd(total, total, rule);
  }
  /* The sum of two f16 is exact in f64. */
  Doubles total = __builtin_convertvector(c, Doubles) + __builtin_convertvector(sum, Doubles);
  Longs odd = (AS(Longs, total) & 0x7ff0000000000000) == 0x7ff0000000000000;
  SumRule nearest = *rule;
  nearest.nearest = 1;
  return __builtin_convertvector(odd ? total : rounded(total, &nearest), Floats);
}

static void sum_aligned(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  Strip s;
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      u32 ib = i / PANEL_LINES, jb = j / PANEL_LINES;
      u32 line = ib * depth * PANEL_LINES + i % PANEL_LINES, column = j * depth;
      s.odd = a->odd[ib] | b->odd[jb];
      s.wide = a->least[ib] + b->least[jb] < -100 || a->greatest[ib] + b->greatest[jb] > 124;
      u8 *strip = strips[i * across + jb];
      u32 count = strip_columns(b, j);
      Floats first = load_floats(strip, count, rule), c = rule->apart ? (Floats)0 : first;
      for (u32 k = 0; k < depth; k += rule->block) {
        u32 at = line + k * PANEL_LINES, from = column + k * PANEL_LINES;
        s.a = a->value + at;
        s.b = b->value + from;
        s.a_exponent = a->exponent + at;
        s.b_exponent = b->exponent + from;
        s.depth = depth - k < rule->block ? depth - k : rule->block;
        s.scale = scale_exponents(a, b, i, j, k);
        c = aligned_block(&s, c, rule);
      }
      store_floats(strip, count, rule, rule->apart ? add_apart(first, c, rule) : c);
    }
}

/* -- groups, summed before they are scaled ------------------------------------------- */

#define MAX_GROUPS 8

/* The groups of one block of k; `a` and `b` begin at it, `at` and `from` number its groups. */
static inline Floats grouped_block(const Panel *a, const Panel *b, const float *line,
                                   const float *column, u32 at, u32 from, u32 groups, Floats c,
                                   const SumRule *rule) {
  Floats sums[MAX_GROUPS];
  Ints exponents[MAX_GROUPS];
  Addend addend;
  split_addend(&addend, c, rule);
  Ints most = addend.exponent;
  for (u32 g = 0; g < groups; g++, at += PANEL_LINES, from += PANEL_LINES) {
    Floats sum = 0;
    for (u32 k = 0; k < GROUP; k++, line += PANEL_LINES, column += PANEL_LINES)
      sum += line[0] * LOAD(Floats, column);
    Floats scale = a->scale[at] * LOAD(Floats, b->scale + from);
    Ints zero = ((LOAD(Words, b->nonzero + from) & a->nonzero[at]) == 0) | (scale == 0);
    Ints exponent = a->scale_exponent[at] + LOAD(Ints, b->scale_exponent + from);
    exponents[g] = zero ? (Ints)rule->zero_exponent : exponent;
    sums[g] = sum * scale;   /* multiples of 1/4 up to 576 times 8 bits: exact */
    most = __builtin_elementwise_max(most, exponents[g]);
  }
  Ints raise = (i32)rule->fraction - most;
  const Ints least = -1022;
  Doubles total = __builtin_elementwise_trunc(
      __builtin_convertvector(addend.significand, Doubles) *
      powers(__builtin_elementwise_max(addend.exponent + raise, least)));
  Floats odd = addend.odd ? c : (Floats)0;
  for (u32 g = 0; g < groups; g++) {
    Doubles wide = __builtin_convertvector(sums[g], Doubles);
    total += __builtin_elementwise_trunc(
        wide * powers(__builtin_elementwise_max(exponents[g] + raise, least)));
    odd += sums[g];
  }
  total *= powers(most - (i32)rule->fraction);
  return with_odd(__builtin_convertvector(rounded(total, rule), Floats), odd, rule);
}

static void sum_grouped(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  u32 groups = depth / GROUP, block = rule->block / GROUP;
  if (block > MAX_GROUPS) block = MAX_GROUPS;
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const float *line = a->value + i / PANEL_LINES * depth * PANEL_LINES;
      const float *column = b->value + j * depth;
      u32 at = i / PANEL_LINES * groups * PANEL_LINES + i % PANEL_LINES, from = j * groups;
      u8 *strip = strips[i * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Floats c = load_floats(strip, count, rule);
      for (u32 g = 0; g < groups; g += block)
        c = grouped_block(a, b, line + i % PANEL_LINES + g * GROUP * PANEL_LINES,
                          column + g * GROUP * PANEL_LINES, at + g * PANEL_LINES,
                          from + g * PANEL_LINES, groups - g < block ? groups - g : block, c, rule);
      store_floats(strip, count, rule, c);
    }
}

void multiply(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  switch (rule->sum) {
    case SUM_I32:
    case SUM_XOR: sum_i32(a, b, rule, strips); break;
    case SUM_FUSED: sum_fused(a, b, rule, strips); break;
    case SUM_ALIGNED: sum_aligned(a, b, rule, strips); break;
    case SUM_GROUPED: sum_grouped(a, b, rule, strips); break;
    default: sum_f64(a, b, rule, strips);
  }
}
