/* Sums that are rounded in steps, products first: SUM_STEPS, SUM_HALF_STEPS and SUM_TREES of
 * panel.h. */
#include "sums.h"

enum { NO_PRODUCT = -999, SUM_BELOW = 8, KEPT_BELOW = 31 };

/* A row of A and 16 columns of B from the same k on; exponents as `pack` leaves them. */
typedef struct Lines {
  const float *a, *b;
  const i16 *a_exponent, *b_exponent;
  u32 wide; /* a product may be too large for f32 */
} Lines;

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

/* Every `step`-th product, truncated `fraction` bits below the largest exponent among them. */
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

/* Exponents of f64, at least that of the smallest normal number of the result; of 0 too. */
static inline Ints exponents_of_doubles(Doubles values, i32 smallest) {
  Ints field = __builtin_convertvector(AS(Longs, values) >> 52 & 0x7ff, Ints);
  return __builtin_elementwise_max(field - 1023, (Ints)smallest);
}

/* Infinities and NaN: the sum of what makes them, finite where nothing is odd. */
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
static inline Floats step_block(const Lines *l, u32 from, u32 to, Floats c, const SumRule *rule) {
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

static inline Floats step_row(const Lines *l, u32 depth, Floats c, u32 odd, const SumRule *rule) {
  for (u32 k = 0; k < depth; k += rule->block) {
    u32 to = depth - k < rule->block ? depth : k + rule->block;
    Floats result = step_block(l, k, to, c, rule);
    if (odd || l->wide || __builtin_reduce_or(is_odd(c)))
      result = with_odd(result, odd_step(l, k, to, c), rule);
    c = result;
  }
  return c;
}

void sum_steps(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 j = 0; j < b->lines; j += PANEL_LINES)
    for (u32 i = 0; i < a->lines; i++) {
      u32 ib = i / PANEL_LINES, jb = j / PANEL_LINES, count = strip_columns(b, j);
      const i16 *exponents = a->exponent + ib * depth * PANEL_LINES + i % PANEL_LINES * 2;
      Lines l = {.a = a->value + ib * depth * PANEL_LINES + i % PANEL_LINES,
                 .b = b->value + j * depth,
                 .a_exponent = exponents,
                 .b_exponent = b->exponent + j * depth,
                 .wide = a->greatest[ib] + b->greatest[jb] > 125};
      u8 *strip = strips[i * across + jb];
      Floats c = load_floats(strip, count, rule);
      store_floats(strip, count, rule, step_row(&l, depth, c, a->odd[ib] | b->odd[jb], rule));
    }
}

/* -- trees of two or four products ------------------------------------------------------------- */

/* Zero where a value is below 2^exponent: +0, or one of its own sign. */
static inline Floats tree_flushed(Floats values, i32 exponent, u32 keep_sign) {
  Words bits = AS(Words, values), magnitude = bits & 0x7fffffff;
  Words zero = keep_sign ? bits & 0x80000000 : (Words)0;
  return AS(Floats, magnitude < (u32)(exponent + 127) << 23 ? zero : bits);
}

static inline Floats tree_product(const double *line, const double *columns, u32 k,
                                  const SumRule *rule) {
  Floats a = (Floats)(float)line[k * PANEL_LINES];
  Floats b = __builtin_convertvector(LOAD(Doubles, columns + k * PANEL_LINES), Floats);
  Floats product =
      tree_flushed(a, rule->operand_exponent, 0) * tree_flushed(b, rule->operand_exponent, 0);
  return tree_flushed(product, rule->smallest_exponent, 1);
}

static inline Floats tree_sum(Floats a, Floats b, const SumRule *rule) {
  return tree_flushed(a + b, rule->smallest_exponent, 1);
}

void sum_trees(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips) {
  u32 depth = a->depth, across = strips_of(b->lines);
  for (u32 i = 0; i < a->lines; i++)
    for (u32 j = 0; j < b->lines; j += PANEL_LINES) {
      const double *line = a->f64 + i / PANEL_LINES * depth * PANEL_LINES + i % PANEL_LINES;
      const double *columns = b->f64 + j * depth;
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
