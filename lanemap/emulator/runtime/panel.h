/* The matrix engine: D = A x B + C for operands at any place, under a rule for the sum.
 *
 * An operand is a view: bytes and the places of its elements in them, be they registers of a
 * wave, shared memory behind a descriptor, or a memory of its own. `pack` decodes it once into a
 * panel, in the order in which `multiply` reads it. D replaces C in place. Neither checks
 * anything: the caller checks bounds, order and definedness, which views.c does for bytes in a
 * memory.
 */
#ifndef LANEMAP_PANEL_H
#define LANEMAP_PANEL_H
#include "floats.h"
#include "narrow_vectors.h"

#define PANEL_LINES 16            /* lines that lie side by side in a panel */
#define PANEL_ELEMENTS (256 * 64) /* of one panel: lines, a multiple of 16, times k */
#define PANEL_DEPTH 128           /* the largest k */
#define GROUP 16                  /* k of a group that is summed before it is scaled */

typedef int16_t i16;
typedef i16 Pairs __attribute__((ext_vector_type(32)));

/* Where elements lie. Bits are counted from `base`, which is aligned to 4 bytes; whole words are
 * read. The elements of a run are `step` bits apart. Runs go along k if `along_k`, and the first
 * element of each is at places[line][k / run]; else from line to line, at places[k][line / run].
 * An element may reach into a second word, `next` bytes after its first. `used`: which bits of
 * every word belong to elements, where whole words are accessed for their sake: all others may
 * be undefined, and what is written leaves them so. 0: the elements' bytes alone are accessed. */
typedef struct View {
  const u8 *base;
  const u32 *places;
  u32 run, step, along_k, next, used, unused;
} View;

/* Rows of A or columns of B. `scales`: null, or a code for every line and `scale_depth` k.
 * `negate`: each element counts with its other sign. */
typedef struct Operand {
  View view;
  const u8 *scales;
  u32 lines, format, scale_format, scale_depth, negate, unused;
} Operand;

/* How products become a result.
 *
 * SUM_F64: products and sums in f64, in the order of k, rounded to nearest at the end. Of several
 *   NaN the result is that of the sum, else of A, else of B.
 * SUM_FUSED: fused multiply-adds in the order of k, each rounded to nearest even. Of several NaN
 *   in f64 the result is that of A, else of the sum, else of B. C of results in f32 may be added
 *   `apart`: chains of `block` products from zero are added to it one after the other; if there
 *   are several, each begins with a product, which keeps the sign of a zero.
 * SUM_I32: 32-bit integers, modulo 2^32 or, if `saturate`, clamped.
 * SUM_XOR: the same, where each product is the exclusive or of its factors.
 * SUM_ALIGNED: C and `block` products are added at once. Exact significands are shifted to the
 *   largest exponent among them, truncated `fraction` (at most 27) bits below it, and summed
 *   exactly. The significand of a product is not normalized: it lies below 4. The sum is rounded
 *   to `bits` significant bits (to nearest even if `nearest`, else toward zero) and is C of the
 *   next block. A zero C has the exponent `zero_exponent`, which is at most that of any other C;
 *   a zero product has none. NaN becomes `nan`. Operands have at most 11 significant bits; one
 *   that is subnormal where the unit multiplies has the exponent `operand_exponent`, by default
 *   that of its format's smallest normal number. Scales are E8M0, and `block`, an even number,
 *   divides the k of a scale. If C is added `apart`, the blocks begin with zero, and the last
 *   sum and C are added as in IEEE 754, to nearest even.
 * SUM_GROUPED: the same for groups of 16 products of E2M1. Each group is summed exactly and
 *   multiplied by its two scales; the exponents of the scales alone align it. A group whose
 *   products are all zero has `zero_exponent`. `fraction` is at most 35.
 * SUM_STEPS: `block` products are aligned to the largest exponent among them, truncated `fraction`
 *   bits below it and summed exactly. That sum and C are aligned to the larger exponent of both
 *   and cut off toward minus infinity, C `fraction` bits below it, the sum 8 bits lower. What
 *   they add up to is cut off 31 bits below its own exponent, toward minus infinity, and rounded
 *   to nearest even; it is C of the next block. A product beyond f32 is infinite.
 * SUM_HALF_STEPS: the same, but the products of even k and those of odd k are summed apart, and
 *   both sums cut off `fraction` bits below the larger exponent before they are added; a C below
 *   that counts for nothing.
 * SUM_TREES: products and sums of two in f32, pairs of pairs if `block` is 4, else pairs, which
 *   are added to C one after the other; each is rounded to nearest even. Operands below
 *   2^operand_exponent and a C below 2^smallest_exponent are +0, and results below it are zero.
 *
 * Sources: arXiv 2511.10909 and 2512.07004 on the rounding of matrix units; the package mmasim
 * 2.1.1. */
enum Sum {
  SUM_F64,
  SUM_I32,
  SUM_ALIGNED,
  SUM_GROUPED,
  SUM_XOR,
  SUM_FUSED,
  SUM_STEPS,
  SUM_HALF_STEPS,
  SUM_TREES
};
enum Result { RESULT_F32, RESULT_I32, RESULT_F64, RESULT_F16 };
typedef struct SumRule {
  u32 sum, result, block, fraction;
  i32 zero_exponent, smallest_exponent; /* of a normal number of the result */
  u32 bits, nearest, saturate, nan;
  u32 fresh, apart; /* fresh: C counts as zero and is not read */
  i32 operand_exponent;
  u32 lower; /* C counts 2^-lower of itself; of results in f32 or f16 */
  /* words: each f16 of C and D is the low half of a word, each f64 in two rows of registers.
   * quads: strips of four rows are 16 lanes of registers (load_quad in sums.h); SUM_ALIGNED, f32 */
  u32 words, quads;
} SumRule;

/* A packed operand. Element (line, k) has the number (line / 16 * depth + k) * 16 + line % 16;
 * exponents lie in pairs of k, and k is even where they do. The rule decides which of the arrays
 * are filled. */
typedef struct Panel {
  u32 lines, depth, scale_depth; /* scale_depth: 0 without scales */
  i32 unit;                      /* of groups: exponent of an element's and a scale's lowest bit */
  /* Of each 16 lines: whether any is infinite or NaN; the range of exponents without scales. */
  u32 odd[PANEL_ELEMENTS / PANEL_LINES];
  i32 least[PANEL_ELEMENTS / PANEL_LINES], greatest[PANEL_ELEMENTS / PANEL_LINES];
  double f64[PANEL_ELEMENTS] __attribute__((aligned(64)));
  float value[PANEL_ELEMENTS] __attribute__((aligned(64)));
  i32 whole[PANEL_ELEMENTS] __attribute__((aligned(64)));
  i16 exponent[PANEL_ELEMENTS] __attribute__((aligned(64)));
  /* Scales, as significand and exponent: number (line / 16 * scales + scale) * 16 + line % 16.
   * Where groups are summed first, one for each group, and which of its elements are not zero. */
  float scale[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
  i32 scale_exponent[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
  u32 nonzero[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
  /* Where groups are summed first: the scales' values, 0 of a group without other elements; for
   * each line the range of its scales' exponents. */
  float factor[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
  i32 low[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
  i32 high[PANEL_ELEMENTS / GROUP] __attribute__((aligned(64)));
} Panel;

#define NO_EXPONENT (-4096) /* of a zero: so small that it never counts */

/* tile[k][line] of up to 16 lines, codes and then values; lines that do not exist are zeros. */
typedef u32 Tile[PANEL_DEPTH][PANEL_LINES];

/* Eight words, each the fourth after the one before; 32 are read. */
typedef u32 EightWords __attribute__((ext_vector_type(8)));
static inline EightWords every_fourth(const u8 *from) {
  return __builtin_shufflevector(LOAD(Words, from), LOAD(Words, from + sizeof(Words)), 0, 4, 8, 12,
                                 16, 20, 24, 28);
}

/* Eight numbers of f64 whose halves lie apart. */
static inline Double8 joined_halves(EightWords low, EightWords high) {
  return AS(Double8, (Words)__builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5,
                                                    13, 6, 14, 7, 15));
}

/* Of neighboring lanes, whose registers of high halves follow those of low ones. */
static inline Double8 joined_eight(const u32 *low) {
  return joined_halves(LOAD(EightWords, low), LOAD(EightWords, low + MAX_LANES));
}

static inline void part_eight(u32 *low, Double8 values) {
  Words words = AS(Words, values);
  STORE(low, ((EightWords)__builtin_shufflevector(words, words, 0, 2, 4, 6, 8, 10, 12, 14)));
  STORE(low + MAX_LANES,
        ((EightWords)__builtin_shufflevector(words, words, 1, 3, 5, 7, 9, 11, 13, 15)));
}

u32 lm_multiply(const Operand *a, const Operand *b, u32 depth, const SumRule *rule,
                u8 *const *strips);
void pack(Panel *p, const Operand *o, u32 depth, const SumRule *rule);
/* What that makes of 16 lines of bf16 or f16 for sums that are aligned; 0 where the codes of two k
 * do not share words. `unit`: see SumRule.operand_exponent. */
int pack_halves(Panel *p, const Operand *o, u32 first, u32 lines, i32 unit);
/* Codes of at most 8 bits: codes[line * depth + k]. */
void view_codes(const View *v, u32 lines, u32 depth, u32 bits, u8 *codes);
static inline u32 strips_of(u32 columns) { return (columns + PANEL_LINES - 1) / PANEL_LINES; }
/* C and D are strips of 16 columns of a row, the last of b->lines % 16: that from column j of
 * row i on is at strips[i * strips_of(b->lines) + j / 16], in the type of the result. a->lines
 * is even. */
void multiply(const Panel *a, const Panel *b, const SumRule *rule, u8 *const *strips);
/* The same for A that keeps two of every four elements along k, so that its depth is half that
 * of B. pairs: for each line and each four the places of both among them, 2 bits each. Rules:
 * SUM_F64 and SUM_I32. */
void multiply_kept(const Panel *a, const Panel *b, const u8 *pairs, const SumRule *rule,
                   u8 *const *strips);
/* The strips of a view whose runs go along the rows, each of whole strips. */
void view_strips(const View *v, u32 rows, u32 columns, u8 **strips);
#endif
