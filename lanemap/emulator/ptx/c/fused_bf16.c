/* Fused products and sums of bf16, two in a word, rounded once.
 *
 * A product of two has 16 bits and is exact in f32 unless it is near the ends of the exponents. A
 * sum of it, rounded to odd, stays right when it is rounded to the 8 bits of bf16 (Boldo,
 * Melquiond, Emulation of a FMA and Correctly-Rounded Sums, IEEE Transactions on Computers 57).
 * Lanes near the ends, infinities and NaN are computed in f64 in the same way.
 */
#include "floats.h"

enum { CANONICAL_BF16 = 0x7fff };

static Float8 exact_f32(Word8 code) { return (Float8)(code << 16); }

static Word8 bf16_magnitude(Float8 x) { return (Word8)x & 0x7fffffff; }

static Word8 rounded_bf16(Word8 bits) { return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; }

static Word8 chosen_words(Word8 condition, Word8 yes, Word8 no) {
  return (condition & yes) | (~condition & no);
}

/* near + error rounded to odd. */
static Float8 odd_f32(Float8 near, Float8 error) {
  Word8 bits = (Word8)near, inward = (Word8)((error < 0) ^ (near < 0));
  Word8 moves = (Word8)(error != 0) & ((bits & 1) - 1);
  return (Float8)(bits + (moves & ((inward & -2u) + 1)));
}

static Double8 odd_f64(Double8 near, Double8 error) {
  Long8 bits = (Long8)near, inward = (Long8)((error < 0) ^ (near < 0));
  Long8 moves = (Long8)((error < 0) | (error > 0)) & ((bits & 1) - 1);
  return (Double8)(bits + (moves & ((inward & -2ull) + 1)));
}

/* The same of any codes: their products are exact in f64. */
static Word8 eight_bf16_in_f64(Float8 a, Float8 b, Float8 c) {
  Double8 product = __builtin_convertvector(a, Double8) * __builtin_convertvector(b, Double8);
  Double8 addend = __builtin_convertvector(c, Double8);
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
  Word8 found = rounded_bf16(bits + (moves & ((inward & -2u) + 1)));
  return chosen_words((Word8)(near != near), (Word8)CANONICAL_BF16, found);
}

static Word8 eight_bf16(Word8 a, Word8 b, Word8 c) {
  Float8 x = exact_f32(a), y = exact_f32(b), z = exact_f32(c);
  Float8 product = x * y;
  Float8 sum = product + z, of_z = sum - product;
  Float8 lost = product - (sum - of_z);
  Word8 found = rounded_bf16((Word8)odd_f32(sum, lost + (z - of_z)));
  /* From 2^-100 up no bit of a product is lost, below 2^126 no sum is infinite. */
  const u32 least = 27u << 23, most = 253u << 23;
  Word8 normal = (Word8)(bf16_magnitude(product) - least < (Word8)(most - least));
  Word8 zero = (Word8)(bf16_magnitude(x) == 0) | (Word8)(bf16_magnitude(y) == 0);
  Word8 finite =
      (Word8)(bf16_magnitude(x) < (Word8)most) & (Word8)(bf16_magnitude(y) < (Word8)most);
  Word8 safe = (normal | (zero & finite)) & (Word8)(bf16_magnitude(z) < (Word8)most);
  if (!__builtin_reduce_and(safe)) found = chosen_words(safe, found, eight_bf16_in_f64(x, y, z));
  return found;
}

/* Operands in a row each, two codes in every lane; the results replace the first. */
void lm_ptx_fused_bf16(Wave *w, u32 instruction, u64 mask, u32 row) {
  (void)instruction, (void)mask;
  for (u32 lane = 0; lane < w->launch->lanes; lane += 8) {
    Word8 *a = (Word8 *)&w->value[row][lane];
    Word8 b = *(const Word8 *)&w->value[row + 1][lane],
          c = *(const Word8 *)&w->value[row + 2][lane];
    Word8 low = eight_bf16(*a & 0xffff, b & 0xffff, c & 0xffff);
    *a = low | eight_bf16(*a >> 16, b >> 16, c >> 16) << 16;
  }
}
