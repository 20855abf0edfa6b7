/* Products and sums of packed operands: one kernel for each rule, 16 columns at a time. Sums
 * that are aligned and truncated: aligned.c, grouped.c; in steps: steps.c. */
#include "floats.h"
#include "sums.h"

/* -- sums in f64 ------------------------------------------------------------------------------- */

static inline void store_doubles(u8 *strip, u32 columns, const SumRule *rule, Doubles values) {
  if (rule->result == RESULT_F16) {
    Longs odd = (AS(Longs, values) & 0x7ff0000000000000) == 0x7ff0000000000000;
    values = odd ? values : rounded(values, rule);
  }
  store_floats(strip, columns, rule, __builtin_convertvector(values, Floats));
}

static inline Longs quiet_nan(Doubles values, Longs found) {
  return values != values ? AS(Longs, values) | 1ll << 51 : found;
}

/* A chain of products and sums, some of which is infinite or NaN: of several NaN the result is that
 * of the sum, else of `line`, else of the column. */
static COLD Doubles odd_chain(const double *line, const double *columns, u32 depth, Doubles sum) {
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Doubles row = line[k], column = LOAD(Doubles, columns + k), next = sum + row * column;
    Longs code = next != next ? (Longs)(0x1fffll << 51) : AS(Longs, next);
    sum = AS(Doubles, quiet_nan(sum, quiet_nan(row, quiet_nan(column, code))));
  }
  return sum;
}

/* Two rows by 16 columns of factors that are no doubles: products are exact, so that a fused
 * multiply-add gives what a product and a sum give. */
static void sum_f64(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i += 2)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *lines = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const double *columns = b->f64 + j * depth;
      u8 *upper = strips[i * across + j / PANEL_LINES];
      u8 *lower = strips[(i + 1) * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Doubles first = load_doubles(upper, count, rule), above = first;
      Doubles second = load_doubles(lower, count, rule), below = second;
      {
#pragma STDC FP_CONTRACT ON
        for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
          Doubles line = LOAD(Doubles, columns + k);
          first += lines[k] * line;
          second += lines[k + 1] * line;
        }
      }
      if (__builtin_reduce_or((first != first) | (second != second))) {
        first = odd_chain(lines, columns, depth, above);
        second = odd_chain(lines + 1, columns, depth, below);
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

/* A chain of f64, some of which is NaN: see SUM_FUSED and SUM_F64. */
static COLD void chain_of_nan(const double *line, const double *columns, u32 depth, Double8 *c,
                              int fuses) {
  Double8 sum = *c;
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Double8 row = line[k], column = LOAD(Double8, columns + k);
    Double8 next = fuses ? fused(row, column, sum) : sum + row * column;
    Long8 code = next != next ? (Long8)(0x1fffull << 51) : (Long8)next;
    if (fuses) code = nan_codes(row, nan_codes(sum, nan_codes(column, code)));
    else code = nan_codes(sum, nan_codes(row, nan_codes(column, code)));
    sum = (Double8)code;
  }
  *c = sum;
}

/* BLOCK_ROWS rows and 8 columns, which registers hold. Products that do not fuse are rounded. */
INLINE void sum_doubles(const double *const *lines, const double *columns, u32 depth, Double8 *c,
                        int fuses) {
  Double8 sum[BLOCK_ROWS];
  EACH_ROW sum[r] = c[r];
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Double8 column = LOAD(Double8, columns + k);
    EACH_ROW sum[r] =
        fuses ? fused((Double8)lines[r][k], column, sum[r]) : sum[r] + lines[r][k] * column;
  }
  if (some_nan(sum)) EACH_ROW chain_of_nan(lines[r], columns, depth, &c[r], fuses);
  else EACH_ROW c[r] = sum[r];
}

/* Eight results of f64 of a strip, from column `at` on. */
static inline Double8 load_eight(const u8 *strip, u32 at, u32 count, const SumRule *rule) {
  double copy[8] __attribute__((aligned(64))) = {0};
  if (rule->fresh) return (Double8)0;
  if (count - at >= 8) return LOAD(Double8, strip + at * 8);
  for (u32 i = 0; i < count - at; i++) copy[i] = LOAD(double, strip + (at + i) * 8);
  return LOAD(Double8, copy);
}

static inline void store_eight(u8 *strip, u32 at, u32 count, Double8 values) {
  if (count - at >= 8) STORE(strip + at * 8, values);
  else
    for (u32 i = 0; i < count - at; i++) STORE(strip + (at + i) * 8, values[i]);
}

/* Results of f64. */
INLINE void wide_sums(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips,
                      int fuses) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i += BLOCK_ROWS) {
    const double *lines[BLOCK_ROWS];
    u32 rows = a->lines - i < BLOCK_ROWS ? a->lines - i : BLOCK_ROWS;
    EACH_ROW { /* the last row again in place of one that does not exist */
      u32 row = r < rows ? i + r : i + rows - 1;
      lines[r] = a->f64 + row / PANEL_LINES * depth * PANEL_LINES + row % PANEL_LINES;
    }
    for (u32 j = 0; j < b->lines; j += 8) {
      u32 at = j % PANEL_LINES, count = strip_columns(b, j - at);
      u8 *const *strip = strips + i * across + j / PANEL_LINES;
      Double8 c[BLOCK_ROWS];
      EACH_ROW c[r] = load_eight(strip[(r < rows ? r : rows - 1) * across], at, count, rule);
      sum_doubles(lines, b->f64 + (j - at) * depth + at, depth, c, fuses);
      EACH_ROW if (r < rows) store_eight(strip[r * across], at, count, c[r]);
    }
  }
}

/* The same of whole blocks and strips whose halves lie in two rows of registers. */
INLINE void wide_words(const Panel *a, const Panel *b, u8 *const *strips, int fuses) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i += BLOCK_ROWS) {
    const double *lines[BLOCK_ROWS];
    EACH_ROW lines[r] = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES + r;
    for (u32 j = 0; j < b->lines; j += 8) {
      u32 at = j % PANEL_LINES;
      u8 *const *strip = strips + i * across + j / PANEL_LINES;
      Double8 c[BLOCK_ROWS];
      EACH_ROW c[r] = joined_eight((const u32 *)strip[r * across] + at);
      sum_doubles(lines, b->f64 + (j - at) * depth + at, depth, c, fuses);
      EACH_ROW part_eight((u32 *)strip[r * across] + at, c[r]);
    }
  }
}

static void sum_fused(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *line = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      u8 *strip = strips[i * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Floats c = load_floats(strip, count, rule);
      store_floats(strip, count, rule, fused_floats(line, b->f64 + j * depth, depth, c, rule));
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
  case SUM_FUSED:
    if (rule->result == RESULT_F64 && rule->words) wide_words(a, b, strips, 1);
    else if (rule->result == RESULT_F64) wide_sums(a, b, rule, strips, 1);
    else sum_fused(a, b, rule, strips);
    break;
  case SUM_ALIGNED: sum_aligned(a, b, rule, strips); break;
  case SUM_GROUPED: sum_grouped(a, b, rule, strips); break;
  case SUM_STEPS:
  case SUM_HALF_STEPS: sum_steps(a, b, rule, strips); break;
  case SUM_TREES: sum_trees(a, b, rule, strips); break;
  default:
    if (rule->result == RESULT_F64 && rule->words) wide_words(a, b, strips, 0);
    else if (rule->result == RESULT_F64) wide_sums(a, b, rule, strips, 0);
    else sum_f64(a, b, rule, strips);
  }
}
