/* Sums of products that are aligned to the largest exponent and truncated: SUM_ALIGNED of
 * panel.h. */
#include "sums.h"

/* Where rows of A, one after the other, and 16 columns of B lie in the panels, from one element
 * of k to the next 16 apart, from one pair of exponents to the next 32. */
typedef struct Strip {
  const float *a, *b;
  const i16 *a_exponent, *b_exponent;
  u32 depth, odd, wide;
} Strip;

/* Infinities and NaN of 16 columns: the sum of what makes them, finite in all other lanes. In f64,
 * where no sum of finite products becomes infinite. */
static COLD Floats odd_sum(const float *a, const float *b, u32 depth, Floats c, Ints c_odd) {
  Doubles sum = __builtin_convertvector(c_odd ? c : (Floats)0, Doubles);
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES)
    sum += (double)a[k] * __builtin_convertvector(LOAD(Floats, b + k), Doubles);
  Longs odd = (AS(Longs, sum) & 0x7ff0000000000000) == 0x7ff0000000000000;
  return __builtin_convertvector(odd ? sum : (Doubles)0, Floats);
}

/* The largest exponents of the products of each row. */
static inline void highest(const Strip *s, Ints *most) {
  Pairs pairs[BLOCK_ROWS];
  EACH_ROW pairs[r] = (Pairs)-8192;
  for (u32 k = 0; k < s->depth * PANEL_LINES; k += 2 * PANEL_LINES) {
    Pairs columns = LOAD(Pairs, s->b_exponent + k);
    EACH_ROW {
      Words row = LOAD(u32, s->a_exponent + k + 2 * r);
      pairs[r] = __builtin_elementwise_max(pairs[r], columns + AS(Pairs, row));
    }
  }
  EACH_ROW most[r] =
      __builtin_elementwise_max(AS(Ints, pairs[r]) << 16 >> 16, AS(Ints, pairs[r]) >> 16);
}

/* Sums of products, each multiplied by 2^raise and truncated; they fit into 31 bits. In f32,
 * where all products that are not zero are normal numbers. If 2^raise is below what f32 can
 * hold, every term is zero, as it is with the smallest factor. Lanes of infinities and NaN are
 * unused. */
static inline void cut_sums(const Strip *s, u32 from, u32 to, const Ints *raise, Ints *sum) {
  Floats factor[BLOCK_ROWS];
  EACH_ROW {
    Ints power =
        __builtin_elementwise_min(__builtin_elementwise_max(raise[r], (Ints)-126), (Ints)127);
    factor[r] = AS(Floats, (power + 127) << 23);
    sum[r] = 0;
  }
  for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += PANEL_LINES) {
    Floats columns = LOAD(Floats, s->b + k);
    EACH_ROW sum[r] += __builtin_convertvector(s->a[k + r] * columns * factor[r], Ints);
  }
}

/* The same of one row in f64, which holds every product. */
static COLD Ints cut_sum_wide(const float *a, const float *b, u32 depth, Ints raise) {
  Doubles factor = powers(raise);
  Ints sum = 0;
  for (u32 k = 0; k < depth * PANEL_LINES; k += PANEL_LINES) {
    Doubles columns = __builtin_convertvector(LOAD(Floats, b + k), Doubles);
    sum += __builtin_convertvector((double)a[k] * columns * factor, Ints);
  }
  return sum;
}

/* A total in units of 2^-raise, rounded. */
static inline Floats rounded_total(Doubles total, Ints raise, const SumRule *rule) {
  Ints outside = (raise > -rule->smallest_exponent) | (raise < -127);
  if (!__builtin_reduce_or(outside)) { /* so that the factor and the result are normal numbers */
    Floats whole = __builtin_convertvector(rounded_normal(total, rule), Floats);
    return overflowed(whole * AS(Floats, (127 - raise) << 23), rule);
  }
  return overflowed(__builtin_convertvector(rounded(total * powers(-raise), rule), Floats), rule);
}

/* One block of k: c <- a . b + c for each row; `scale`: exponents by which the products of a row
 * are larger. */
static COLD void aligned_block(const Strip *s, const Ints *scale, Floats *c, const SumRule *rule) {
  Addend addend[BLOCK_ROWS];
  Ints most[BLOCK_ROWS], raise[BLOCK_ROWS], cut[BLOCK_ROWS], sum[BLOCK_ROWS];
  Doubles total[BLOCK_ROWS];
  highest(s, most);
  EACH_ROW {
    split_addend(&addend[r], c[r], rule);
    Ints top = __builtin_elementwise_max(most[r] + scale[r], addend[r].exponent);
    raise[r] = (i32)rule->fraction - top;
    cut[r] = raise[r] + scale[r];
    Ints power = __builtin_elementwise_max(addend[r].exponent + raise[r], (Ints)-127) + 127;
    total[r] = __builtin_convertvector(
        __builtin_convertvector(addend[r].significand * AS(Floats, power << 23), Ints), Doubles);
  }
  u32 terms = 1u << (29 - rule->fraction); /* below 4 * 2^fraction each */
  for (u32 from = 0; from < s->depth; from += terms) {
    u32 to = s->depth - from < terms ? s->depth : from + terms;
    if (!s->wide) cut_sums(s, from, to, cut, sum);
    EACH_ROW {
      u32 k = from * PANEL_LINES;
      if (s->wide) sum[r] = cut_sum_wide(s->a + k + r, s->b + k, to - from, cut[r]);
      total[r] += __builtin_convertvector(sum[r], Doubles);
    }
  }
  EACH_ROW {
    Floats result = rounded_total(total[r], raise[r], rule);
    if (s->odd || __builtin_reduce_or(addend[r].odd))
      result = with_odd(result, odd_sum(s->a + r, s->b, s->depth, c[r], addend[r].odd), rule);
    c[r] = result;
  }
}

/* The exponents that the scales of a row and of 16 columns add, at one k. */
static inline Ints scale_exponents(const Panel *a, const Panel *b, u32 i, u32 j, u32 k) {
  Ints sum = 0;
  if (a->scale_depth)
    sum += a->scale_exponent[(i / PANEL_LINES * (a->depth / a->scale_depth) + k / a->scale_depth) *
                                 PANEL_LINES +
                             i % PANEL_LINES];
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

/* -- where f32 and 32 bits hold everything ----------------------------------------------------- */

/* How the sum of a block is rounded: it has at most 24 bits; toward zero to the 24 bits of f32; as
 * `rounded_total` does. */
enum Rounding { ROUND_SHORT, ROUND_CUT, ROUND_ANY };

enum {
  LOW =
      -100, /* other products than from above LOW to HIGH, and a smaller C, are not for this path */
  HIGH = 124,
  ONE = 127 << 23 /* f32's 1; times 2^n is plus n << 23 */
};

/* The largest exponents of the products of each row, or LOW, as the bits of that power of two. */
INLINE void quick_highest(const Strip *s, Ints *most) {
  Pairs pairs[BLOCK_ROWS];
  EACH_ROW pairs[r] = (Pairs)LOW;
  for (u32 k = 0; k < s->depth * PANEL_LINES; k += 2 * PANEL_LINES) {
    Pairs columns = LOAD(Pairs, s->b_exponent + k);
    EACH_ROW {
      Words row = LOAD(u32, s->a_exponent + k + 2 * r);
      pairs[r] = __builtin_elementwise_max(pairs[r], columns + AS(Pairs, row));
    }
  }
  EACH_ROW {
    Ints both = AS(Ints, pairs[r] + 127);
    most[r] = __builtin_elementwise_max(both << 23, both >> 16 << 23);
  }
}

/* What is rounded toward zero to the 24 bits of f32. A conversion rounds to nearest. Of a number of
 * n bits, the highest of those beyond 24 is cleared, and perhaps lower ones, so that what is left
 * of them is less than half: it rounds down. */
INLINE Floats cut_float(Ints total) {
  Words magnitude = AS(Words, __builtin_elementwise_abs(total));
  Ints kept = AS(Ints, magnitude & ~(magnitude >> 24));
  return AS(Floats, AS(Ints, __builtin_convertvector(kept, Floats)) | (total & (i32)0x80000000));
}

/* The exponents of a scaled row's products, or LOW, as powers of two. */
INLINE Ints scaled_highest(Ints most, Ints scale, Ints *wrong) {
  Ints power = (most >> 23) - 127;
  power = power == LOW ? power : power + scale;
  *wrong |= (power < LOW) | (power > HIGH);
  return (power + 127) << 23;
}

/* One block of k, as `aligned_block`; 0 where some lane is not for this path, and nothing is done.
 * `scale`: null where products are not scaled.
 *
 * Each step is exact. A product of at most 22 bits is a normal number of f32, and so is that times
 * 2^raise, or it is below 1 and counts as 0. Below 4 * 2^fraction each, `terms` of them stay below
 * 2^31; sums of these and C are checked for overflow. The total, a multiple of 2^(top - fraction)
 * and of 2^-127, is rounded in integers; no result but 0 is subnormal, so that scaling rounds
 * nothing. */
INLINE int quick_block(const Strip *s, const Ints *scale, Floats *c, const SumRule *rule,
                       u32 rounding) {
  Ints top[BLOCK_ROWS], total[BLOCK_ROWS], wrong = 0;
  Floats factor[BLOCK_ROWS];
  i32 fraction = (i32)rule->fraction << 23;
  quick_highest(s, top);
  EACH_ROW {
    Ints own = AS(Ints, c[r]) & 0x7f800000;
    if (rounding == ROUND_ANY) {
      own = __builtin_elementwise_max(own, (Ints)((rule->smallest_exponent + 127) << 23));
      own = c[r] == 0 ? (Ints)((rule->zero_exponent + 127) << 23) : own;
    }
    if (scale) top[r] = scaled_highest(top[r], scale[r], &wrong);
    top[r] = __builtin_elementwise_max(top[r], own);
    Ints odd = top[r] == 0x7f800000;
    wrong |= odd | ((top[r] <= (LOW + 127) << 23) & (c[r] != 0));
    factor[r] = AS(Floats, fraction + 2 * ONE - top[r]);
    total[r] = __builtin_convertvector((odd ? (Floats)0 : c[r]) * factor[r], Ints);
    if (scale) {
      Ints power = AS(Ints, factor[r]) >> 23;
      power = __builtin_elementwise_max(power + scale[r], (Ints)1);
      factor[r] = AS(Floats, __builtin_elementwise_min(power, (Ints)254) << 23);
    }
  }
  u32 terms = 1u << (29 - rule->fraction);
  for (u32 from = 0; from < s->depth; from += terms) {
    u32 to = s->depth - from < terms ? s->depth : from + terms;
    Ints sum[BLOCK_ROWS];
    EACH_ROW sum[r] = 0;
    for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += PANEL_LINES) {
      Floats columns = LOAD(Floats, s->b + k);
      EACH_ROW sum[r] += __builtin_convertvector(s->a[k + r] * columns * factor[r], Ints);
    }
    EACH_ROW {
      Ints both = AS(Ints, AS(Words, sum[r]) + AS(Words, total[r]));
      wrong |= (sum[r] ^ both) & (total[r] ^ both);
      total[r] = both;
    }
  }
  if (__builtin_reduce_or(wrong < 0)) return 0;
  EACH_ROW {
    if (rounding == ROUND_ANY) {
      Ints raise = (i32)rule->fraction + 127 - (top[r] >> 23);
      c[r] = rounded_total(__builtin_convertvector(total[r], Doubles), raise, rule);
      continue;
    }
    Floats whole;
    if (rounding == ROUND_CUT) whole = cut_float(total[r]);
    else
      whole = AS(Floats,
                 AS(Words, __builtin_convertvector(total[r], Floats)) & ~0u << (24 - rule->bits));
    c[r] = whole * AS(Floats, top[r] - fraction);
  }
  return 1;
}

static COLD Floats load_sums(const u8 *strip, u32 columns, const SumRule *rule) {
  return load_floats(strip, columns, rule);
}

static COLD void store_sums(u8 *strip, u32 columns, const SumRule *rule, Floats first, Floats sum) {
  store_floats(strip, columns, rule, rule->apart ? add_apart(first, sum, rule) : sum);
}

/* Rows from i on and 16 columns from j on. */
INLINE void aligned_rows(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips,
                         u32 i, u32 j, u32 rounding, u32 scaled) {
  u32 depth = a->depth, ib = i / PANEL_LINES, jb = j / PANEL_LINES;
  u32 line = ib * depth * PANEL_LINES + i % PANEL_LINES, column = j * depth;
  u32 across = strips_of(b->lines), count = strip_columns(b, j);
  u32 rows = a->lines - i < BLOCK_ROWS ? a->lines - i : BLOCK_ROWS;
  u32 whole = rows == BLOCK_ROWS && count == PANEL_LINES && rule->result == RESULT_F32 &&
              !rule->apart && !rule->lower && !rule->quads;
  u8 *const *strip = strips + i * across + jb;
  Floats first[BLOCK_ROWS], c[BLOCK_ROWS];
  Ints scale[BLOCK_ROWS];
  if (rule->quads && !rule->fresh) load_quad(strip, across, count, first);
  EACH_ROW {
    if (whole && !rule->fresh) first[r] = LOAD(Floats, strip[r * across]);
    else if (!rule->quads || rule->fresh)
      first[r] = r < rows && !rule->fresh ? load_sums(strip[r * across], count, rule) : (Floats)0;
    c[r] = rule->apart ? (Floats)0 : first[r];
  }
  Strip s = {.odd = a->odd[ib] | b->odd[jb],
             .wide =
                 a->least[ib] + b->least[jb] <= LOW || a->greatest[ib] + b->greatest[jb] > HIGH};
  for (u32 k = 0; k < depth; k += rule->block) {
    u32 at = line + k * PANEL_LINES, from = column + k * PANEL_LINES;
    s.a = a->value + at;
    s.b = b->value + from;
    s.a_exponent = a->exponent + at + i % PANEL_LINES;
    s.b_exponent = b->exponent + from;
    s.depth = depth - k < rule->block ? depth - k : rule->block;
    if (scaled) EACH_ROW scale[r] = scale_exponents(a, b, i + r, j, k);
    if (!(s.odd | s.wide) && quick_block(&s, scaled ? scale : 0, c, rule, rounding)) continue;
    Strip slow = s;
    Floats sums[BLOCK_ROWS];
    Ints scales[BLOCK_ROWS];
    EACH_ROW sums[r] = c[r], scales[r] = scaled ? scale[r] : (Ints)0;
    aligned_block(&slow, scales, sums, rule);
    EACH_ROW c[r] = sums[r];
  }
  if (rule->quads) {
    store_quad(strip, across, count, c);
    return;
  }
  EACH_ROW {
    if (whole) STORE(strip[r * across], c[r]);
    else if (r < rows) store_sums(strip[r * across], count, rule, first[r], c[r]);
  }
}

INLINE void aligned_tile(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips,
                         u32 rounding, u32 scaled) {
  for (u32 j = 0; j < b->lines; j += PANEL_LINES)
    for (u32 i = 0; i < a->lines; i += BLOCK_ROWS)
      aligned_rows(a, b, rule, strips, i, j, rounding, scaled);
}

void sum_aligned(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 scaled = a->scale_depth || b->scale_depth,
      plain = rule->result == RESULT_F32 && !rule->nearest;
  if ((u64)(rule->block + 1) << (rule->fraction + 2) <= 1 << 24 && plain && !scaled)
    aligned_tile(a, b, rule, strips, ROUND_SHORT, 0);
  else if (rule->bits == 24 && plain && !scaled) aligned_tile(a, b, rule, strips, ROUND_CUT, 0);
  else if (rule->bits == 24 && plain) aligned_tile(a, b, rule, strips, ROUND_CUT, 1);
  else aligned_tile(a, b, rule, strips, ROUND_ANY, scaled);
}
