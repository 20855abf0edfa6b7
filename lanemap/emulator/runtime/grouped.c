/* Groups of products that are summed before they are scaled: SUM_GROUPED of panel.h.
 *
 * Nearly always no addend has a bit that would be cut off. Then it does not matter to which
 * exponent they are aligned: the sum is exact in f64, and only its rounding is left. Bounds on
 * the exponents of a row's and a column's scales tell when. */
#include "sums.h"

#define EACH_ROW _Pragma("clang loop unroll(full)") for (u32 r = 0; r < BLOCK_ROWS; r++)
enum { MAX_GROUPS = 8 };

/* -- as the rule is stated --------------------------------------------------------------------- */

/* The groups of one block of k; `a` and `b` begin at it, `at` and `from` number its groups. */
static COLD Floats grouped_block(const Panel *a, const Panel *b, const float *line,
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
    sums[g] = sum * scale; /* multiples of 1/4 up to 576 times 8 bits: exact */
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

/* -- where nothing is cut off ------------------------------------------------------------------ */

/* Exponents of C between which a block of a row and 16 columns is exact; a zero C may be below. */
typedef struct { Ints low, high; } Limits;

/* `unit`: the exponent of a group's lowest bit, less that of its scales. All terms are normal
 * numbers of f32, and so is their sum, if it is not exact. */
static inline Limits limits_of(Ints least, Ints greatest, i32 unit, const SumRule *rule) {
  Limits l;
  Ints lowest_top =
      least + unit + (i32)rule->fraction; /* a larger exponent would cut off bits of a group */
  Ints good = (greatest <= lowest_top) & (least >= -100) & (greatest <= 100);
  l.high = good ? __builtin_elementwise_min(lowest_top, (Ints)127) : (Ints)-1024;
  l.low = greatest + 23 - (i32)rule->fraction; /* a smaller one would have bits of C cut off */
  return l;
}

static inline Ints is_exact(Floats c, const Limits *l) {
  Ints bits = AS(Ints, c), exponent = (bits >> 23 & 255) - 127;
  return (exponent <= l->high) & ((exponent >= l->low) | ((bits & 0x7fffffff) == 0));
}

/* c <- a . b + c of a block of groups for each row, where nothing is cut off. */
static inline void exact_block(const Panel *a, const Panel *b, const float *line,
                               const float *column, u32 at, u32 from, u32 groups, Floats *c,
                               const SumRule *rule) {
#pragma STDC FP_CONTRACT ON
  Doubles total[BLOCK_ROWS];
  EACH_ROW total[r] = __builtin_convertvector(c[r], Doubles);
  for (u32 g = 0; g < groups; g++, at += PANEL_LINES, from += PANEL_LINES) {
    Floats sum[BLOCK_ROWS];
    EACH_ROW sum[r] = 0;
    _Pragma("clang loop unroll(full)") for (u32 k = 0; k < GROUP; k++) {
      Floats columns = LOAD(Floats, column + k * PANEL_LINES);
      EACH_ROW sum[r] += line[k * PANEL_LINES + r] * columns;
    }
    line += GROUP * PANEL_LINES;
    column += GROUP * PANEL_LINES;
    Floats scale = LOAD(Floats, b->factor + from);
    EACH_ROW total[r] += __builtin_convertvector(sum[r] * (a->factor[at + r] * scale), Doubles);
  }
  EACH_ROW c[r] = __builtin_convertvector(rounded_normal(total[r], rule), Floats);
}

/* Rows from i on and 16 columns from j on. */
static inline void grouped_rows(const Panel *a, const Panel *b, const SumRule *rule,
                                u8 *const *strips, u32 i, u32 j) {
  u32 depth = a->depth, groups = depth / GROUP, block = rule->block / GROUP,
      across = strips_of(b->lines);
  u32 ib = i / PANEL_LINES, jb = j / PANEL_LINES, count = strip_columns(b, j);
  u32 rows = a->lines - i < BLOCK_ROWS ? a->lines - i : BLOCK_ROWS;
  u32 at = ib * groups * PANEL_LINES + i % PANEL_LINES, from = j * groups;
  const float *line = a->value + ib * depth * PANEL_LINES + i % PANEL_LINES,
              *column = b->value + j * depth;
  Limits limits[BLOCK_ROWS];
  Floats c[BLOCK_ROWS];
  if (block > MAX_GROUPS) block = MAX_GROUPS;
  EACH_ROW {
    c[r] = r < rows ? load_floats(strips[(i + r) * across + jb], count, rule) : (Floats)0;
    limits[r] = limits_of(a->low[i + r] + LOAD(Ints, b->low + j),
                          a->high[i + r] + LOAD(Ints, b->high + j), a->unit + b->unit, rule);
  }
  for (u32 g = 0; g < groups; g += block) {
    u32 here = groups - g < block ? groups - g : block, k = g * GROUP * PANEL_LINES,
        of = g * PANEL_LINES;
    Ints good = !(a->odd[ib] | b->odd[jb]) ? (Ints)-1 : (Ints)0;
    EACH_ROW good &= is_exact(c[r], &limits[r]);
    if (__builtin_reduce_and(good))
      exact_block(a, b, line + k, column + k, at + of, from + of, here, c, rule);
    else
      for (u32 r = 0; r < BLOCK_ROWS; r++)
        c[r] =
            grouped_block(a, b, line + k + r, column + k, at + of + r, from + of, here, c[r], rule);
  }
  for (u32 r = 0; r < rows; r++) store_floats(strips[(i + r) * across + jb], count, rule, c[r]);
}

void sum_grouped(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  for (u32 j = 0; j < b->lines; j += PANEL_LINES)
    for (u32 i = 0; i < a->lines; i += BLOCK_ROWS) grouped_rows(a, b, rule, strips, i, j);
}
