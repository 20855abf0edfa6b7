/* f64 arithmetic rounded toward zero, down or up, for PTX.
 *
 * Eight lanes are rounded to nearest and moved by the sign of the error, which is exact (Dekker's
 * and Knuth's products and sums) unless something comes near the ends of the exponents. What does
 * is computed in integers: a finite number is an integer times a power of two; results are formed
 * exactly (with a sticky bit below) and rounded once.
 */
#include "numeric_ptx.h"
#include "floats.h"

enum Operation {
  OPERATION_ADD,
  OPERATION_SUB,
  OPERATION_MUL,
  OPERATION_FMA,
  OPERATION_DIV,
  OPERATION_SQRT
};
enum { CLASS_FINITE, CLASS_INFINITE, CLASS_NAN };

typedef unsigned __int128 u128;
typedef struct { u64 w[4]; } u256;
typedef struct {
  u32 class, sign;
  i32 exponent;
  u256 mantissa;
  u32 sticky;
} Number;

static u256 wide_of(u64 x) { return (u256){{x, 0, 0, 0}}; }

static int is_zero(u256 a) { return !(a.w[0] | a.w[1] | a.w[2] | a.w[3]); }

static u256 shift_left(u256 a, u32 by) {
  u256 r = wide_of(0);
  for (u32 i = 0; i < 4; i++) {
    i32 from = (i32)i - (i32)(by / 64);
    if (from < 0) continue;
    r.w[i] = a.w[from] << (by % 64);
    if (by % 64 && from > 0) r.w[i] |= a.w[from - 1] >> (64 - by % 64);
  }
  return r;
}

/* Shifted right; `*lost` is set if a one fell out. */
static u256 shift_right(u256 a, u32 by, u32 *lost) {
  u256 r = wide_of(0);
  if (by >= 256) {
    *lost |= !is_zero(a);
    return r;
  }
  for (u32 i = 0; i < 4; i++) {
    u32 from = i + by / 64;
    if (from < 4) {
      r.w[i] = a.w[from] >> (by % 64);
      if (by % 64 && from < 3) r.w[i] |= a.w[from + 1] << (64 - by % 64);
    }
  }
  for (u32 i = 0; i < by / 64; i++) *lost |= a.w[i] != 0;
  if (by % 64) *lost |= a.w[by / 64] << (64 - by % 64) != 0;
  return r;
}

static u256 wide_plus(u256 a, u256 b) {
  u64 carry = 0;
  for (u32 i = 0; i < 4; i++) {
    u128 s = (u128)a.w[i] + b.w[i] + carry;
    a.w[i] = (u64)s;
    carry = (u64)(s >> 64);
  }
  return a;
}

static u256 wide_minus(u256 a, u256 b) {
  u64 borrow = 0;
  for (u32 i = 0; i < 4; i++) {
    u128 d = (u128)a.w[i] - b.w[i] - borrow;
    a.w[i] = (u64)d;
    borrow = (u64)(d >> 64) & 1;
  }
  return a;
}

static int is_less(u256 a, u256 b) {
  for (u32 i = 4; i-- > 0;)
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i];
  return 0;
}

static u32 bit_length(u256 a) {
  for (u32 i = 4; i-- > 0;)
    if (a.w[i]) return i * 64 + 64 - (u32)__builtin_clzll(a.w[i]);
  return 0;
}

static Number soft_unpack(u64 bits) {
  u64 fraction = bits & ((1ull << 52) - 1);
  u32 exponent = (u32)(bits >> 52) & 0x7ff;
  Number n = {CLASS_FINITE, (u32)(bits >> 63), 0, wide_of(0), 0};
  if (exponent == 0x7ff) {
    n.class = fraction ? CLASS_NAN : CLASS_INFINITE;
    return n;
  }
  n.mantissa = wide_of(exponent ? fraction | 1ull << 52 : fraction);
  n.exponent = (i32)(exponent ? exponent : 1) - 1075;
  return n;
}

/* Whether a mode rounds away from zero what has this sign. */
static u32 is_away(u32 mode, u32 sign) {
  return mode == ROUND_DOWN ? sign : mode == ROUND_UP && !sign;
}

static u64 soft_pack(Number n, u32 mode) {
  const u64 infinity = 0x7ffull << 52;
  const i32 smallest = -1074;
  u64 sign = (u64)n.sign << 63;
  if (n.class == CLASS_NAN) return 0xfff8ull << 48;
  if (n.class == CLASS_INFINITE) return sign | infinity;
  if (is_zero(n.mantissa)) {
    if (!n.sticky) return sign;
    n.mantissa = wide_of(1); /* only the sticky bit is left */
    n.exponent = -4000;
  }
  i32 exponent = n.exponent + (i32)bit_length(n.mantissa) - 53;
  if (exponent < smallest) exponent = smallest;
  i32 drop = exponent - n.exponent;
  u32 below = n.sticky;
  if (drop > 0) n.mantissa = shift_right(n.mantissa, (u32)drop, &below);
  else n.mantissa = shift_left(n.mantissa, (u32)-drop);
  u64 m = n.mantissa.w[0];
  m += below && is_away(mode, n.sign);
  /* A carry moves into the exponent by itself. */
  u64 code = m >> 52 ? ((u64)(exponent - smallest) << 52) + m : m;
  if (code >= infinity) code = is_away(mode, n.sign) ? infinity : infinity - 1;
  return sign | code;
}

static Number soft_add(Number a, Number b, u32 mode) {
  Number r = a;
  if (a.class == CLASS_NAN || b.class == CLASS_NAN ||
      (a.class == CLASS_INFINITE && b.class == CLASS_INFINITE && a.sign != b.sign)) {
    r.class = CLASS_NAN;
    return r;
  }
  if (a.class == CLASS_INFINITE) return a;
  if (b.class == CLASS_INFINITE) return b;
  if (is_zero(a.mantissa) && is_zero(b.mantissa)) {
    r.sign = a.sign == b.sign ? a.sign : mode == ROUND_DOWN;
    return r;
  }
  if (is_zero(a.mantissa)) return b;
  if (is_zero(b.mantissa)) return a;
  if (a.exponent < b.exponent) {
    Number t = a;
    a = b;
    b = t;
  }
  /* a is moved up as far as there is room; what b then lacks goes into the sticky bit */
  u32 apart = (u32)(a.exponent - b.exponent), room = 250 - bit_length(a.mantissa);
  u32 up = apart < room ? apart : room;
  a.mantissa = shift_left(a.mantissa, up);
  a.exponent -= (i32)up;
  u32 lost = 0;
  b.mantissa = shift_right(b.mantissa, apart - up, &lost);
  r.exponent = a.exponent;
  r.sticky = lost;
  if (a.sign == b.sign) {
    r.sign = a.sign;
    r.mantissa = wide_plus(a.mantissa, b.mantissa);
  } else if (is_less(a.mantissa, b.mantissa)) {
    r.sign = b.sign;
    r.mantissa = wide_minus(b.mantissa, a.mantissa);
  } else {
    r.sign = a.sign;
    r.mantissa = wide_minus(a.mantissa, b.mantissa);
    if (lost) r.mantissa = wide_minus(r.mantissa, wide_of(1)); /* b was a little more */
    if (is_zero(r.mantissa) && !lost) r.sign = mode == ROUND_DOWN;
  }
  return r;
}

static Number soft_multiply(Number a, Number b) {
  Number r = {CLASS_FINITE, a.sign ^ b.sign, a.exponent + b.exponent, wide_of(0), 0};
  int zero_a = a.class == CLASS_FINITE && is_zero(a.mantissa);
  int zero_b = b.class == CLASS_FINITE && is_zero(b.mantissa);
  if (a.class == CLASS_NAN || b.class == CLASS_NAN || (a.class == CLASS_INFINITE && zero_b) ||
      (b.class == CLASS_INFINITE && zero_a)) {
    r.class = CLASS_NAN;
  } else if (a.class == CLASS_INFINITE || b.class == CLASS_INFINITE) {
    r.class = CLASS_INFINITE;
  } else {
    u128 product = (u128)a.mantissa.w[0] * b.mantissa.w[0];
    r.mantissa.w[0] = (u64)product;
    r.mantissa.w[1] = (u64)(product >> 64);
  }
  return r;
}

static Number soft_divide(Number a, Number b) {
  Number r = {CLASS_FINITE, a.sign ^ b.sign, 0, wide_of(0), 0};
  int zero_a = a.class == CLASS_FINITE && is_zero(a.mantissa);
  int zero_b = b.class == CLASS_FINITE && is_zero(b.mantissa);
  if (a.class == CLASS_NAN || b.class == CLASS_NAN || (zero_a && zero_b) ||
      (a.class == CLASS_INFINITE && b.class == CLASS_INFINITE)) {
    r.class = CLASS_NAN;
    return r;
  }
  if (a.class == CLASS_INFINITE || zero_b) {
    r.class = CLASS_INFINITE;
    return r;
  }
  if (b.class == CLASS_INFINITE || zero_a) return r;
  u32 up = 130 + bit_length(b.mantissa) - bit_length(a.mantissa);
  u256 rest = wide_of(0), dividend = shift_left(a.mantissa, up);
  r.exponent = a.exponent - b.exponent - (i32)up;
  for (u32 bit = bit_length(dividend); bit-- > 0;) {
    rest = shift_left(rest, 1);
    rest.w[0] |= dividend.w[bit / 64] >> (bit % 64) & 1;
    r.mantissa = shift_left(r.mantissa, 1);
    if (!is_less(rest, b.mantissa)) {
      rest = wide_minus(rest, b.mantissa);
      r.mantissa.w[0] |= 1;
    }
  }
  r.sticky = !is_zero(rest);
  return r;
}

static Number soft_square_root(Number a) {
  Number r = a;
  if (a.class == CLASS_NAN || (a.class == CLASS_FINITE && is_zero(a.mantissa))) return r;
  if (a.sign) {
    r.class = CLASS_NAN;
    return r;
  }
  if (a.class == CLASS_INFINITE) return r;
  u32 up = 140 - bit_length(a.mantissa);
  if ((a.exponent - (i32)up) & 1) up++;
  u256 value = shift_left(a.mantissa, up), root = wide_of(0), rest = wide_of(0);
  r.exponent = (a.exponent - (i32)up) / 2;
  for (u32 pair = 75; pair-- > 0;) {
    rest = shift_left(rest, 2);
    rest.w[0] |= value.w[pair * 2 / 64] >> (pair * 2 % 64) & 3;
    u256 trial = shift_left(root, 2);
    trial.w[0] |= 1;
    root = shift_left(root, 1);
    if (!is_less(rest, trial)) {
      rest = wide_minus(rest, trial);
      root.w[0] |= 1;
    }
  }
  r.mantissa = root;
  r.sticky = !is_zero(rest);
  return r;
}

static u64 soft(u32 operation, u64 first, u64 second, u64 third, u32 mode) {
  Number a = soft_unpack(first), b = soft_unpack(second), r;
  switch (operation) {
  case OPERATION_SUB:
    b.sign ^= 1;
    r = soft_add(a, b, mode);
    break;
  case OPERATION_MUL: r = soft_multiply(a, b); break;
  case OPERATION_FMA: r = soft_add(soft_multiply(a, b), soft_unpack(third), mode); break;
  case OPERATION_DIV: r = soft_divide(a, b); break;
  case OPERATION_SQRT: r = soft_square_root(a); break;
  default: r = soft_add(a, b, mode);
  }
  return soft_pack(r, mode);
}

u64 soft_fused(u64 a, u64 b, u64 c, u32 mode) { return soft(OPERATION_FMA, a, b, c, mode); }

/* A value and what is to be added to it, exactly. */
typedef struct Pair { Double8 near, error; } Pair;

static Pair two_sum(Double8 a, Double8 b) {
  Double8 sum = a + b, of_b = sum - a, lost_of_a = a - (sum - of_b);
  return (Pair){sum, lost_of_a + (b - of_b)};
}

/* The neighbour of `near` on the side of the error if that is where the mode rounds to. */
static Double8 directed(Pair exact, u32 mode) {
  Long8 bits = (Long8)exact.near, negative = -(bits >> 63);
  Long8 below = (Long8)(exact.error < 0), above = (Long8)(exact.error > 0);
  Long8 inward = (below & ~negative) | (above & negative);
  if (mode == ROUND_ZERO) return (Double8)(bits + inward); /* by -1 */
  Long8 moves = mode == ROUND_UP ? above : below;
  return (Double8)(bits + ((moves & inward) - (moves & ~inward)));
}

/* a + b where that is zero. */
static Double8 zero_sum(Double8 a, Double8 b, u32 mode) {
  return mode == ROUND_DOWN ? -(-a - b) : a + b;
}

/* a * b + c. The odd rounding of the last addends: Boldo, Melquiond, Emulation of a FMA and
 * Correctly-Rounded Sums, IEEE Transactions on Computers 57. */
static Double8 fused_directed(Double8 a, Double8 b, Double8 c, u32 mode) {
  Double8 high = a * b, low = fused(a, b, -high);
  Pair lower = two_sum(c, low), upper = two_sum(high, lower.near);
  Pair rest = two_sum(lower.error, upper.error);
  Long8 bits = (Long8)rest.near, inward = (Long8)((rest.error < 0) ^ (rest.near < 0));
  Long8 odd = bits + ((inward & 1) * -2 + 1);
  rest.near = blend((Long8)(rest.error != 0) & -(~bits & 1), (Double8)odd, rest.near);
  Double8 found = directed(two_sum(upper.near, rest.near), mode);
  return blend((Long8)(found == 0), zero_sum(high, c, mode), found);
}

static Long8 exponents(Double8 x) { return (Long8)x >> 52 & 0x7ff; }

static Long8 between(Double8 x, u64 low, u64 high) {
  Long8 e = exponents(x);
  return (Long8)(e >= low) & (Long8)(e <= high);
}

/* No error of a result with exponent LEAST or more is below the smallest number, and nothing that
 * is made of numbers up to MOST is infinite. */
enum { LEAST = 110, MOST = 2040 };

/* Returns in `safe` where the result is right. */
static Double8 eight(u32 operation, Double8 a, Double8 b, Double8 c, u32 mode, Long8 *safe) {
  Long8 zero = (Long8)(a == 0) | (Long8)(b == 0);
  Long8 finite = between(a, 0, MOST) & between(b, 0, MOST);
  Double8 near;
  switch (operation) {
  case OPERATION_MUL:
    near = a * b;
    *safe = finite & (zero | between(near, LEAST, MOST));
    return directed((Pair){near, fused(a, b, -near)}, mode);
  case OPERATION_FMA:
    *safe = finite & between(c, 0, MOST) & (zero | between(a * b, LEAST, MOST));
    return fused_directed(a, b, c, mode);
  case OPERATION_DIV:
    near = a / b;
    *safe = between(b, 1, MOST) & between(near, 1, MOST) & between(a, LEAST, MOST);
    Double8 left = fused(-near, b, a);
    return directed((Pair){near, (Double8)((Long8)left ^ ((Long8)b & 1ull << 63))}, mode);
  case OPERATION_SQRT:
    near = __builtin_elementwise_sqrt(a);
    *safe = (Long8)(a == 0) | ((Long8)(a > 0) & between(a, LEAST, MOST));
    return directed((Pair){near, fused(-near, near, a)}, mode);
  default:
    if (operation == OPERATION_SUB) b = -b;
    *safe = finite;
    Double8 found = directed(two_sum(a, b), mode);
    return blend((Long8)(found == 0), zero_sum(a, b, mode), found);
  }
}

static Long8 *eight_doubles(Wave *w, u32 row, u32 lane) {
  return (Long8 *)((u64 *)w->value[row] + lane);
}

/* Operands fill a row each, of which every second one is used; the result replaces the first. */
void lm_ptx_double(Wave *w, u32 instruction, u64 mask, u32 row, u32 operation, u32 mode) {
  (void)instruction;
  u32 second = operation == OPERATION_SQRT ? row : row + 2;
  u32 third = operation == OPERATION_FMA ? row + 4 : row;
  for (u32 lane = 0; lane < w->launch->lanes; lane += 8) {
    Long8 *place = eight_doubles(w, row, lane), a = *place, b = *eight_doubles(w, second, lane);
    Long8 c = *eight_doubles(w, third, lane), safe;
    Long8 found = (Long8)eight(operation, (Double8)a, (Double8)b, (Double8)c, mode, &safe);
    if (!__builtin_reduce_and(safe))
      for (u32 i = 0; i < 8; i++)
        if (!safe[i] && mask >> (lane + i) & 1) found[i] = soft(operation, a[i], b[i], c[i], mode);
    *place = found;
  }
}
