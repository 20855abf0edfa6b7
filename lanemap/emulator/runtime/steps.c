/* Sums that are rounded in steps, products first: SUM_STEPS, SUM_HALF_STEPS and
 * SUM_TREES of panel.h. */
#include "sums.h"

enum { NO_PRODUCT = -999, SUM_BELOW = 8, KEPT_BELOW = 31 };

/* A row of A and 16 columns of B from the same k on; exponents as `pack` leaves
 * them. */
typedef struct Lines {
  const float *a, *b;
  const i16 *a_exponent, *b_exponent;
  u32 wide; /* a product may be too large for f32 */
} Lines;
/* What is quick needs products from above 2^LEAST_PRODUCT to 2^MOST_PRODUCT. */
enum { LEAST_PRODUCT = -100, MOST_PRODUCT = 120 };

/* A sum of products and the largest exponent among them. */
typedef struct Partial {
  Doubles sum;
  Ints exponent;
} Partial;

static inline Doubles product_of(const Lines *l, u32 k) {
  Doubles columns = __builtin_convertvector(LOAD(Floats, l->b + k * PANEL_LINES), Doubles);
  return (double)l->a[k * PANEL_LINES] * columns;
}

static inline Ints product_exponent(const Lines *l, u32 k) {
  u32 pair = k / 2 * 2 * PANEL_LINES;
  Ints columns = LOAD(Ints, l->b_exponent + pair);
  Ints own = k % 2 ? columns >> 16 : columns << 16 >> 16;
  return own + (i32)l->a_exponent[pair + k % 2];
}

/* Every `step`-th product, truncated `fraction` bits below the largest exponent
 * among them. */
static inline Partial truncated_sum(const Lines *l, u32 from, u32 to, u32 step, u32 fraction) {
  Partial p = {.sum = 0, .exponent = NO_PRODUCT};
  for (u32 k = from; k < to; k += step)
    p.exponent = __builtin_elementwise_max(p.exponent, product_exponent(l, k));
  Doubles up = powers((i32)fraction - p.exponent), down = powers(p.exponent - (i32)fraction);
  for (u32 k = from; k < to; k += step) p.sum += __builtin_elementwise_trunc(product_of(l, k) * up);
  p.sum *= down;
  return p;
}

/* Multiples of 2^(exponent - bits), toward minus infinity. */
static inline Doubles floored(Doubles values, Ints exponent, i32 bits) {
  return __builtin_elementwise_floor(values * powers(bits - exponent)) * powers(exponent - bits);
}

/* Exponents of f64, at least that of the smallest normal number of the result;
 * of 0 too. */
static inline Ints exponents_of_doubles(Doubles values, i32 smallest) {
  Ints field = __builtin_convertvector(AS(Longs, values) >> 52 & 0x7ff, Ints);
  return __builtin_elementwise_max(field - 1023, (Ints)smallest);
}

/* Infinities and NaN: the sum of what makes them, finite where nothing is odd.
 */
static COLD Floats odd_step(const Lines *l, u32 from, u32 to, Floats c) {
  Longs c_odd = __builtin_convertvector(is_odd(c), Longs);
  Doubles sum = c_odd ? __builtin_convertvector(c, Doubles) : (Doubles)0;
  for (u32 k = from; k < to; k++) {
    Doubles product = product_of(l, k);
    Longs large = (AS(Longs, product) & 0x7fffffffffffffff) >= (1023ll + 128) << 52;
    sum += large ? product * (Doubles)__builtin_inf() : product;
  }
  Longs odd = (AS(Longs, sum) & 0x7ff0000000000000) == 0x7ff0000000000000;
  return __builtin_convertvector(odd ? sum : (Doubles)0, Floats);
}

/* c <- a . b + c of one block of k. */
static COLD Floats step_block(const Lines *l, u32 from, u32 to, Floats c, const SumRule *rule) {
  i32 fraction = (i32)rule->fraction, smallest = rule->smallest_exponent;
  Partial p;
  if (rule->sum == SUM_STEPS) {
    p = truncated_sum(l, from, to, 1, rule->fraction);
  } else {
    Partial even = truncated_sum(l, from, to, 2, rule->fraction);
    Partial odd = truncated_sum(l, from + 1, to, 2, rule->fraction);
    p.exponent = __builtin_elementwise_max(even.exponent, odd.exponent);
    p.sum = floored(even.sum, p.exponent, fraction) + floored(odd.sum, p.exponent, fraction);
  }
  Doubles addend = __builtin_convertvector(c, Doubles);
  Ints own = exponents_of_doubles(addend, smallest);
  Ints most = __builtin_elementwise_max(p.exponent, own);
  Doubles kept = floored(addend, most, fraction);
  if (rule->sum == SUM_HALF_STEPS) {
    Longs far = __builtin_convertvector(own < most - fraction - 1, Longs);
    kept = far ? (Doubles)0 : kept;
  }
  Doubles total = floored(p.sum, most, fraction + SUM_BELOW) + kept;
  total = floored(total, exponents_of_doubles(total, smallest), KEPT_BELOW);
  return __builtin_convertvector(total, Floats);
}

/* -- where f32 and 32 bits hold every product
 * -------------------------------------------------- */

enum { STEP_ROWS = 2 }; /* that are added up side by side */
#define EACH_LINE _Pragma("clang loop unroll(full)") for (u32 r = 0; r < STEP_ROWS; r++)

/* The largest exponents of a row's products of even and of odd k, or LEAST_PRODUCT. */
static inline void quick_exponents(const Lines *l, u32 from, u32 to, Ints *even, Ints *odd) {
  Pairs most = (Pairs)LEAST_PRODUCT;
  for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += 2 * PANEL_LINES) {
    Words row = LOAD(u32, l->a_exponent + k);
    most = __builtin_elementwise_max(most, LOAD(Pairs, l->b_exponent + k) + AS(Pairs, row));
  }
  *even = AS(Ints, most) << 16 >> 16;
  *odd = AS(Ints, most) >> 16;
}

/* Every `step`-th product, truncated `fraction` bits below the exponent and summed in such units.
 */
static inline Ints quick_sum(const Lines *l, u32 from, u32 to, u32 step, Ints exponent,
                             i32 fraction) {
  Floats factor = AS(Floats, (fraction + 127 - exponent) << 23);
  Ints sum = 0;
  for (u32 k = from * PANEL_LINES; k < to * PANEL_LINES; k += step * PANEL_LINES)
    sum += __builtin_convertvector(l->a[k] * LOAD(Floats, l->b + k) * factor, Ints);
  return sum;
}

/* A sum of products in units of 2^(exponent - fraction), `behind` bits below the units of C, plus
 * C, in units 2^SUM_BELOW lower; `c` in its own units, a whole number. What the lower units hold, 8
 * bits, is kept apart. The total is cut off KEPT_BELOW bits below its exponent and rounded in one
 * conversion: a total of at most 31 bits as it is, a longer one without its last 6 bits, of which
 * the lowest bit that is left says whether they were 0. `large`: its units of C exceed what that
 * takes. */
static inline Floats step_total(Ints sum, Ints behind, Ints c, Ints *large) {
  Ints over = __builtin_elementwise_max(behind - SUM_BELOW, (Ints)0);
  Ints lower = __builtin_elementwise_max(SUM_BELOW - behind, (Ints)0);
  Ints units = c + (sum >> __builtin_elementwise_min(behind, (Ints)31));
  Ints parts = sum >> __builtin_elementwise_min(over, (Ints)31) << lower & ((1 << SUM_BELOW) - 1);
  *large |= ((units + (1 << 29)) >> 30) != 0;
  /* as many bits as the total has more than KEPT_BELOW + 1 */
  Ints magnitude = units ^ units >> 31;
  Ints exponent = AS(Ints, __builtin_convertvector(magnitude & ~255, Floats)) >> 23;
  Ints cut = __builtin_elementwise_max(exponent - (127 + KEPT_BELOW - SUM_BELOW), (Ints)0);
  parts = parts >> cut << cut;
  Ints longer = units << 2 | parts >> 6 | ((parts & 63) + 63) >> 6;
  Ints fits = magnitude < 1 << 23;
  Floats total = __builtin_convertvector(fits ? units << SUM_BELOW | parts : longer, Floats);
  return total * (fits ? (Floats)0x1p-8f : (Floats)0x1p-2f);
}

/* As `step_block` for each row; 0 where that must do, and nothing is done. Sums of products are
 * integers below 2^30 in units of 2^(exponent - fraction). C below 2^LEAST_PRODUCT counts only
 * beside larger products. */
static inline int quick_steps(const Lines *l, u32 from, u32 to, Floats *c, const SumRule *rule,
                              u32 halves) {
  i32 fraction = (i32)rule->fraction;
  Ints wrong = 0;
  Floats result[STEP_ROWS];
  EACH_LINE {
    Ints even, odd, sum;
    quick_exponents(&l[r], from, to, &even, &odd);
    Ints own = (AS(Ints, c[r]) >> 23 & 255) - 127;
    Ints exponent = __builtin_elementwise_max(even, odd);
    Ints most = __builtin_elementwise_max(exponent, own);
    wrong |= (own == 128) | ((most == LEAST_PRODUCT) & (c[r] != 0));
    if (halves) {
      sum = quick_sum(&l[r], from, to, 2, even, fraction) >>
            __builtin_elementwise_min(exponent - even, (Ints)31);
      sum += quick_sum(&l[r], from + 1, to, 2, odd, fraction) >>
             __builtin_elementwise_min(exponent - odd, (Ints)31);
    } else {
      sum = quick_sum(&l[r], from, to, 1, exponent, fraction);
    }
    Floats kept = own == 128 ? (Floats)0 : c[r];
    if (halves) kept = own < most - fraction - 1 ? (Floats)0 : kept;
    /* a C far below 1 is between 0 and 1, or 0 and -1, of any such power */
    Ints power = __builtin_elementwise_max(fraction - most, -2 - own);
    kept = __builtin_elementwise_floor(kept * AS(Floats, (power + 127) << 23));
    Floats total = step_total(sum, most - exponent, __builtin_convertvector(kept, Ints), &wrong);
    result[r] = total * AS(Floats, (most - fraction + 127) << 23);
  }
  if (__builtin_reduce_or(wrong)) return 0;
  EACH_LINE c[r] = result[r];
  return 1;
}

static COLD Floats slow_step(const Lines *l, u32 from, u32 to, Floats c, u32 odd,
                             const SumRule *rule) {
  Floats result = step_block(l, from, to, c, rule);
  if (odd || l->wide || __builtin_reduce_or(is_odd(c)))
    result = with_odd(result, odd_step(l, from, to, c), rule);
  return result;
}

/* Rows i and i + 1, which may be one, and 16 columns from j on. */
static inline void step_rows(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips,
                             u32 i, u32 j, u32 quick, u32 halves) {
  u32 depth = a->depth, across = strips_of(b->lines), ib = i / PANEL_LINES, jb = j / PANEL_LINES,
      count = strip_columns(b, j), odd = a->odd[ib] | b->odd[jb];
  i32 least = a->least[ib] + b->least[jb], greatest = a->greatest[ib] + b->greatest[jb];
  Lines l[STEP_ROWS];
  u8 *strip[STEP_ROWS];
  Floats c[STEP_ROWS];
  EACH_LINE {
    u32 line = i + r < a->lines ? i + r : i, at = line % PANEL_LINES;
    strip[r] = strips[line * across + jb];
    l[r] = (Lines){.a = a->value + ib * depth * PANEL_LINES + at,
                   .b = b->value + j * depth,
                   .a_exponent = a->exponent + ib * depth * PANEL_LINES + at * 2,
                   .b_exponent = b->exponent + j * depth,
                   .wide = greatest > 125};
    c[r] = load_floats(strip[r], count, rule);
  }
  quick = quick && !odd && least > LEAST_PRODUCT && greatest <= MOST_PRODUCT;
  for (u32 k = 0; k < depth; k += rule->block) {
    u32 to = depth - k < rule->block ? depth : k + rule->block;
    if (quick && quick_steps(l, k, to, c, rule, halves)) continue;
    EACH_LINE c[r] = slow_step(&l[r], k, to, c[r], odd, rule);
  }
  EACH_LINE store_floats(strip[r], count, rule, c[r]);
}

void sum_steps(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  /* so many products stay below 2^30, and pairs of k begin with even ones */
  u32 quick = rule->block << rule->fraction <= 1 << 28 && rule->block % 2 == 0 &&
              a->depth % 2 == 0 && rule->smallest_exponent == -126;
  for (u32 j = 0; j < b->lines; j += PANEL_LINES)
    for (u32 i = 0; i < a->lines; i += STEP_ROWS)
      if (rule->sum == SUM_STEPS) step_rows(a, b, rule, strips, i, j, quick, 0);
      else step_rows(a, b, rule, strips, i, j, quick, 1);
}

/* -- trees of two or four products
 * ------------------------------------------------------------- */

/* Zero where a value is below 2^exponent: +0, or one of its own sign. */
static inline Floats tree_flushed(Floats values, i32 exponent, u32 keep_sign) {
  Words bits = AS(Words, values), magnitude = bits & 0x7fffffff;
  Words zero = keep_sign ? bits & 0x80000000 : (Words)0;
  return AS(Floats, magnitude < (u32)(exponent + 127) << 23 ? zero : bits);
}

static inline Floats tree_product(const float *line, const float *columns, u32 k,
                                  const SumRule *rule) {
  Floats product = line[k * PANEL_LINES] * LOAD(Floats, columns + k * PANEL_LINES);
  return tree_flushed(product, rule->smallest_exponent, 1);
}

static inline Floats tree_sum(Floats a, Floats b, const SumRule *rule) {
  return tree_flushed(a + b, rule->smallest_exponent, 1);
}

void sum_trees(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const float *line = a->value + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const float *columns = b->value + j * depth;
      u8 *strip = strips[i * across + j / PANEL_LINES];
      u32 count = strip_columns(b, j);
      Floats c = tree_flushed(load_floats(strip, count, rule), rule->smallest_exponent, 0);
      for (u32 k = 0; k < depth; k += rule->block) {
        Floats sum = tree_sum(tree_product(line, columns, k, rule),
                              tree_product(line, columns, k + 1, rule), rule);
        if (rule->block == 4) {
          Floats other = tree_sum(tree_product(line, columns, k + 2, rule),
                                  tree_product(line, columns, k + 3, rule), rule);
          sum = tree_sum(sum, other, rule);
        }
        c = tree_sum(c, sum, rule);
      }
      store_floats(strip, count, rule, with_odd(c, c, rule));
    }
}
