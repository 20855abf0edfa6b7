/* Products and sums of packed operands: one kernel for each rule, 16 columns at a time. Sums
 * that are aligned and truncated: aligned.c, grouped.c; in steps: steps.c. */
#include "sums.h"

/* -- sums in f64 ------------------------------------------------------------------------------- */

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

/* -- fused multiply-adds ----------------------------------------------------------------------- */

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

/* Two rows side by side: a sum waits for the one before it. */
static inline void fused_doubles(const double *line, const double *columns, u32 depth, Doubles *c) {
  Doubles first = c[0], second = c[1];
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Doubles column = LOAD(Doubles, columns + k);
    first = __builtin_elementwise_fma((Doubles)line[k], column, first);
    second = __builtin_elementwise_fma((Doubles)line[k + 1], column, second);
  }
  Longs odd = (AS(Longs, first) & 0x7fffffffffffffff) > 0x7ff0000000000000;
  odd |= (AS(Longs, second) & 0x7fffffffffffffff) > 0x7ff0000000000000;
  if (__builtin_reduce_or(odd)) {
    first = fused_nan(line, columns, depth, c[0]);
    second = fused_nan(line + 1, columns, depth, c[1]);
  }
  c[0] = first;
  c[1] = second;
}

static void sum_fused(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i += 2)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *line = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const double *columns = b->f64 + j * depth;
      u8 *const *strip = strips + i * across + j / PANEL_LINES;
      u32 count = strip_columns(b, j), rows = a->lines - i < 2 ? 1 : 2;
      if (rule->result == RESULT_F64) {
        Doubles c[2] = {load_doubles(strip[0], count, rule), 0};
        if (rows > 1) c[1] = load_doubles(strip[across], count, rule);
        fused_doubles(line, columns, depth, c);
        for (u32 r = 0; r < rows; r++) store_doubles(strip[r * across], count, rule, c[r]);
        continue;
      }
      for (u32 r = 0; r < rows; r++) {
        Floats c = load_floats(strip[r * across], count, rule);
        store_floats(strip[r * across], count, rule,
                     fused_floats(line + r, columns, depth, c, rule));
      }
    }
}

/* -- integers ---------------------------------------------------------------------------------- */

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

/* -- two of every four elements of A ----------------------------------------------------------- */

/* The k of kept element c of a line of A. */
static inline u32 kept_at(const u8 *pairs, u32 c) {
  return c / 2 * 4 + (pairs[c / 2] >> c % 2 * 2 & 3);
}

void multiply_kept(const Panel *a, const Panel *b, const u8 *pairs, const SumRule *rule,
                   u8 *const *strips) {
  u32 kept = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      u32 line = i / PANEL_LINES * kept * PANEL_LINES + i % PANEL_LINES, columns = j * b->depth;
      u32 count = strip_columns(b, j);
      u8 *strip = strips[i * across + j / PANEL_LINES];
      const u8 *places = pairs + i * (kept / 2);
      if (rule->sum == SUM_I32) {
        u8 copy[64] __attribute__((aligned(64))) = {0};
        Words sum = LOAD(Words, columns_of(strip, count, 4, copy));
        for (u32 c = 0; c < kept; c++)
          sum += (u32)a->whole[line + c * PANEL_LINES] *
                 LOAD(Words, b->whole + columns + kept_at(places, c) * PANEL_LINES);
        STORE(copy, sum);
        copy_bytes(strip, copy, count * 4);
        continue;
      }
      Doubles sum = load_doubles(strip, count, rule);
      for (u32 c = 0; c < kept; c++)
        sum += a->f64[line + c * PANEL_LINES] *
               LOAD(Doubles, b->f64 + columns + kept_at(places, c) * PANEL_LINES);
      store_doubles(strip, count, rule, sum);
    }
}

void multiply(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  switch (rule->sum) {
  case SUM_I32:
  case SUM_XOR: sum_i32(a, b, rule, strips); break;
  case SUM_FUSED: sum_fused(a, b, rule, strips); break;
  case SUM_ALIGNED: sum_aligned(a, b, rule, strips); break;
  case SUM_GROUPED: sum_grouped(a, b, rule, strips); break;
  case SUM_STEPS:
  case SUM_HALF_STEPS: sum_steps(a, b, rule, strips); break;
  case SUM_TREES: sum_trees(a, b, rule, strips); break;
  default: sum_f64(a, b, rule, strips);
  }
}
