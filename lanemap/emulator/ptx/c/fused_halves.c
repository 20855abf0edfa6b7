/* Fused products and sums of bf16 and f16, two in a word, rounded once.
 *
 * A product and sum of f32, fused, has more bits than these. Rounding it again gives what one
 * rounding gives, unless it lies in the middle of two of them: there what the first rounding took
 * away decides. Such words are computed again: of products that are exact, in f64 or f32, and sums
 * rounded to odd, which stay right when they are rounded further (Boldo, Melquiond, Emulation of a
 * FMA and Correctly-Rounded Sums, IEEE Transactions on Computers 57).
 */
#include "floats.h"
#include "narrow_vectors.h"
#include "ptx_warp.h"

enum { CANONICAL_BF16 = 0x7fff, MIDDLE_BF16 = 0x8000 };

static Word8 chosen_words(Word8 condition, Word8 yes, Word8 no) {
  return (condition & yes) | (~condition & no);
}

static Double8 odd_f64(Double8 near, Double8 error) {
  Long8 bits = (Long8)near, inward = (Long8)((error < 0) ^ (near < 0));
  Long8 moves = (Long8)((error < 0) | (error > 0)) & ((bits & 1) - 1);
  return (Double8)(bits + (moves & ((inward & -2ull) + 1)));
}

/* Eight codes from the upper halves of words of which all other bits are 0. */
static Word8 eight_bf16(Word8 a, Word8 b, Word8 c) {
  Double8 product =
      __builtin_convertvector((Float8)a, Double8) * __builtin_convertvector((Float8)b, Double8);
  Double8 addend = __builtin_convertvector((Float8)c, Double8);
  Double8 sum = product + addend, of_addend = sum - product;
  Double8 lost = product - (sum - of_addend);
  Double8 exact = odd_f64(sum, lost + (addend - of_addend));
  Float8 near = __builtin_convertvector(exact, Float8);
  /* Infinity less infinity is NaN, which is neither below nor above 0. */
  Double8 rest = exact - __builtin_convertvector(near, Double8);
  Word8 below = __builtin_convertvector((Long8)(rest < 0), Word8);
  Word8 above = __builtin_convertvector((Long8)(rest > 0), Word8);
  Word8 bits = (Word8)near, inward = below ^ (Word8)(near < 0);
  Word8 moves = (below | above) & ((bits & 1) - 1);
  bits += moves & ((inward & -2u) + 1);
  Word8 found = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return chosen_words((Word8)(near != near), (Word8)CANONICAL_BF16, found);
}

/* The same of 16 words and both halves, wherever they lie. */
static COLD void each_in_f64(u32 *a, const u32 *b, const u32 *c) {
  for (u32 i = 0; i < 16; i += 8) {
    Word8 x = LOAD(Word8, a + i), y = LOAD(Word8, b + i), z = LOAD(Word8, c + i);
    Word8 low = eight_bf16(x << 16, y << 16, z << 16);
    STORE(a + i, low | eight_bf16(x & 0xffff0000, y & 0xffff0000, z & 0xffff0000) << 16);
  }
}

/* Codes in the upper halves of words; `middle`: whether one of them is not known. */
static inline Words fused_bf16(Words a, Words b, Words c, Ints *middle) {
  Floats sum = __builtin_elementwise_fma(AS(Floats, a), AS(Floats, b), AS(Floats, c));
  Words bits = AS(Words, sum);
  *middle |= (bits & 0xffff) == MIDDLE_BF16;
  Words rounded = bits + 0x7fff + (bits >> 16 & 1);
  return sum != sum ? (Words)(CANONICAL_BF16 << 16) : rounded;
}

/* Operands in a row each, two codes in every lane; the results replace the first. */
void lm_ptx_fused_bf16(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction, (void)mask;
  for (u32 lane = 0; lane < w->launch->lanes; lane += 16) {
    u32 *at[3] = {&w->value[row][lane], &w->value[row + 1][lane], &w->value[row + 2][lane]};
    Words a = LOAD(Words, at[0]), b = LOAD(Words, at[1]), c = LOAD(Words, at[2]);
    Ints middle = 0;
    Words low = fused_bf16(a << 16, b << 16, c << 16, &middle);
    Words high = fused_bf16(a & 0xffff0000, b & 0xffff0000, c & 0xffff0000, &middle);
    if (__builtin_reduce_or(middle)) each_in_f64(at[0], at[1], at[2]);
    else STORE(at[0], low >> 16 | (high & 0xffff0000));
  }
}

typedef _Float16 Halves __attribute__((ext_vector_type(16)));
typedef short Codes __attribute__((ext_vector_type(16)));

static inline Floats widened(const u32 *codes) {
  return __builtin_convertvector(LOAD(Halves, codes), Floats);
}

static inline Codes rounded_f16(Floats sum) {
  Codes found = AS(Codes, __builtin_convertvector(sum, Halves));
  return (found & 0x7fff) > 0x7c00 ? (Codes)0x7fff : found;
}

/* A product of f16 is exact in f32; the sum is rounded to odd there. */
static COLD void each_in_f32(u32 *a, const u32 *b, const u32 *c) {
  for (u32 i = 0; i < LANES; i += 8) {
    Floats product = widened(a + i) * widened(b + i), addend = widened(c + i);
    Floats sum = product + addend, of_addend = sum - product;
    Floats error = (product - (sum - of_addend)) + (addend - of_addend);
    Words bits = AS(Words, sum), inexact = AS(Words, (error < 0) | (error > 0));
    Words step = AS(Words, (AS(Ints, error) ^ AS(Ints, sum)) >> 31) | 1;
    STORE(a + i, rounded_f16(AS(Floats, bits + (step & inexact & ((bits & 1) - 1)))));
  }
}

/* The same as lm_ptx_fused_bf16. The second rounding could be wrong in the middle of two normal
 * f16, where the last 13 bits of f32 are these, and where the result is a subnormal one, whose
 * middles lie elsewhere. */
void lm_ptx_fused_f16(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction, (void)mask;
  const u32 middle = 0x1000, smallest_normal = 0x38800000;
  u32 *a = w->value[row], *b = w->value[row + 1], *c = w->value[row + 2];
  Codes found[LANES / 8];
  Words to_middle = ~(Words)0, magnitude = ~(Words)0; /* the least ones; 0 is no subnormal number */
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < LANES / 8; i++) {
    Floats sum =
        __builtin_elementwise_fma(widened(a + 8 * i), widened(b + 8 * i), widened(c + 8 * i));
    Words bits = AS(Words, sum);
    to_middle = __builtin_elementwise_min(to_middle, (bits ^ middle) << 19);
    magnitude = __builtin_elementwise_min(magnitude, bits + bits - 1);
    found[i] = rounded_f16(sum);
  }
  if (!__builtin_reduce_min(to_middle) ||
      __builtin_reduce_min(magnitude) < 2 * smallest_normal - 1) {
    each_in_f32(a, b, c);
    return;
  }
  _Pragma("clang loop unroll(full)") for (u32 i = 0; i < LANES / 8; i++) STORE(a + 8 * i, found[i]);
}
