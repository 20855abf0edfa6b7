/* Float arithmetic in every rounding mode and narrow format, exactly, for PTX.
 *
 * A finite number is an integer times a power of two; results are formed exactly (with a sticky bit
 * below) and rounded once. This is slow and simple; LLVM's arithmetic handles the
 * common cases (f32 and f64 to nearest).
 */
#include "numeric_ptx.h"

enum Operation {
  OPERATION_ADD,
  OPERATION_SUB,
  OPERATION_MUL,
  OPERATION_FMA,
  OPERATION_DIV,
  OPERATION_SQRT
};
enum { CLASS_FINITE, CLASS_INFINITE, CLASS_NAN };
/* Flags of lm_ptx_float and lm_ptx_convert. */
enum Flag { FLAG_FTZ = 1, FLAG_SAT = 2, FLAG_RELU = 4, FLAG_FINITE = 8 };

typedef unsigned __int128 u128;
typedef struct { u64 w[4]; } u256;
typedef struct {
  u32 class, sign;
  i32 exponent;
  u256 mantissa;
  u32 sticky;
} Number;
typedef struct { u32 exponent_bits, mantissa_bits; } Layout;

static Layout layout_of(u32 format) {
  switch (format) {
  case FORMAT_F64: return (Layout){11, 52};
  case FORMAT_F16: return (Layout){5, 10};
  case FORMAT_BF16: return (Layout){8, 7};
  default: return (Layout){8, 23};
  }
}

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
  for (u32 bit = 0; bit < by; bit++) *lost |= (u32)(a.w[bit / 64] >> (bit % 64)) & 1;
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
    for (u32 bit = 64; a.w[i] && bit-- > 0;)
      if (a.w[i] >> bit & 1) return i * 64 + bit + 1;
  return 0;
}

static Number soft_unpack(u32 format, u64 bits, u32 flags) {
  Layout f = layout_of(format);
  u64 fraction = bits & ((1ull << f.mantissa_bits) - 1);
  u32 top = (1u << f.exponent_bits) - 1, exponent = (u32)(bits >> f.mantissa_bits) & top;
  Number n = {CLASS_FINITE, (u32)(bits >> (f.mantissa_bits + f.exponent_bits)) & 1, 0, wide_of(0),
              0};
  if (exponent == top) {
    n.class = fraction ? CLASS_NAN : CLASS_INFINITE;
    return n;
  }
  if (!exponent && flags & FLAG_FTZ) fraction = 0;
  n.mantissa = wide_of(exponent ? fraction | 1ull << f.mantissa_bits : fraction);
  n.exponent = (i32)(exponent ? exponent : 1) - (i32)(top >> 1) - (i32)f.mantissa_bits;
  return n;
}

static u64 nan_of(u32 format) {
  switch (format) {
  case FORMAT_F64: return 0xfff8000000000000ull;
  case FORMAT_F16:
  case FORMAT_BF16: return 0x7fff;
  default: return 0x7fffffff;
  }
}

/* Does a value with this tail (above, exactly at or below half) move away from zero? */
static int soft_round_up(u32 mode, u32 sign, u32 odd, int half, u32 below) {
  switch (mode) {
  case ROUND_NEAREST: return half && (below || odd);
  case ROUND_AWAY: return half;
  case ROUND_DOWN: return sign && (half || below);
  case ROUND_UP: return !sign && (half || below);
  default: return 0;
  }
}

/* With .ftz, as on an H200, a result that would be subnormal with unbounded exponents is zero.
 * So a result that reaches the smallest normal number only by subnormal rounding is zero too. */
static u64 soft_pack(u32 format, Number n, u32 mode, u32 flags) {
  Layout f = layout_of(format);
  u32 top = (1u << f.exponent_bits) - 1, bias = top >> 1;
  u64 sign = (u64)n.sign << (f.mantissa_bits + f.exponent_bits);
  u64 infinity = (u64)top << f.mantissa_bits;
  if (n.class == CLASS_NAN) return flags & (FLAG_SAT) ? 0 : nan_of(format);
  if (n.class == CLASS_INFINITE) return sign | (flags & FLAG_FINITE ? infinity - 1 : infinity);
  if (is_zero(n.mantissa)) {
    if (!n.sticky) return sign;
    n.mantissa = wide_of(1); /* too small for every format: only the sticky bit is left */
    n.exponent = -4000;
  }
  i32 smallest = 1 - (i32)bias - (i32)f.mantissa_bits;
  i32 exponent = n.exponent + (i32)bit_length(n.mantissa) - 1 - (i32)f.mantissa_bits;
  if (exponent < smallest && !(flags & FLAG_FTZ)) exponent = smallest;
  i32 drop = exponent - n.exponent;
  u32 below = n.sticky;
  int half = 0;
  if (drop > 0) {
    u32 lost = 0;
    u256 kept = shift_right(n.mantissa, (u32)drop - 1, &lost);
    below |= lost;
    half = (int)(kept.w[0] & 1);
    u32 ignored = 0;
    n.mantissa = shift_right(kept, 1, &ignored);
  } else {
    n.mantissa = shift_left(n.mantissa, (u32)-drop);
  }
  u64 m = n.mantissa.w[0];
  m += (u64)soft_round_up(mode, n.sign, (u32)m & 1, half, below);
  if (m >> (f.mantissa_bits + 1)) {
    m >>= 1;
    exponent++;
  }
  if (exponent < smallest) return sign;
  u64 code = m >> f.mantissa_bits ? (u64)(exponent - smallest) << f.mantissa_bits : 0;
  code += m;
  if (code >= infinity) {
    int to_largest =
        mode == ROUND_ZERO || (mode == ROUND_DOWN && !n.sign) || (mode == ROUND_UP && n.sign);
    code = to_largest || flags & FLAG_FINITE ? infinity - 1 : infinity;
  }
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

u64 soft_fused(u32 format, u64 a, u64 b, u64 c, u32 mode) {
  Number product = soft_multiply(soft_unpack(format, a, 0), soft_unpack(format, b, 0));
  return soft_pack(format, soft_add(product, soft_unpack(format, c, 0), mode), mode, 0);
}

static u64 row_bits(const Wave *w, u32 row, u32 lane, u32 format) {
  u64 low = w->value[row][lane];
  if (format == FORMAT_F64) return low | (u64)w->value[row + 1][lane] << 32;
  return format == FORMAT_F16 || format == FORMAT_BF16 ? low & 0xffff : low;
}

static void set_row_bits(Wave *w, u32 row, u32 lane, u32 format, u64 bits) {
  w->value[row][lane] = (u32)bits;
  if (format == FORMAT_F64) w->value[row + 1][lane] = (u32)(bits >> 32);
}

/* .sat: clamp to [0, 1]; .relu: negative numbers and NaN become +0 and the canonical NaN. */
static u64 soft_clamp(u32 format, u64 bits, u32 flags) {
  Layout f = layout_of(format);
  u64 one = (u64)((1u << f.exponent_bits) / 2 - 1) << f.mantissa_bits;
  u64 sign = 1ull << (f.mantissa_bits + f.exponent_bits);
  if (flags & (FLAG_SAT | FLAG_RELU) && bits & sign) return 0;
  return flags & FLAG_SAT && bits > one ? one : bits;
}

/* Operands in rows of one or two words; the result replaces the first one. */
void lm_ptx_float(Wave *w, u32 instruction, u64 mask, u32 row, u32 operation, u32 format, u32 mode,
                  u32 flags) {
  (void)instruction;
  u32 step = format == FORMAT_F64 ? 2 : 1;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    Number a = soft_unpack(format, row_bits(w, row, lane, format), flags), b = a, r;
    if (operation != OPERATION_SQRT)
      b = soft_unpack(format, row_bits(w, row + step, lane, format), flags);
    switch (operation) {
    case OPERATION_SUB:
      b.sign ^= 1;
      r = soft_add(a, b, mode);
      break;
    case OPERATION_MUL: r = soft_multiply(a, b); break;
    case OPERATION_FMA:
      r = soft_add(soft_multiply(a, b),
                   soft_unpack(format, row_bits(w, row + 2 * step, lane, format), flags), mode);
      break;
    case OPERATION_DIV: r = soft_divide(a, b); break;
    case OPERATION_SQRT: r = soft_square_root(a); break;
    default: r = soft_add(a, b, mode);
    }
    u64 bits = soft_pack(format, r, mode, flags);
    set_row_bits(w, row, lane, format,
                 r.class == CLASS_NAN ? bits : soft_clamp(format, bits, flags));
  }
}

/* A NaN of f64 keeps its sign and the upper bits of its payload, and is made quiet. */
static u64 narrowed_nan(u64 bits, u32 to) {
  Layout f = layout_of(to);
  u64 fraction = bits >> (52 - f.mantissa_bits) & ((1ull << f.mantissa_bits) - 1);
  u64 top = (1ull << f.exponent_bits) - 1;
  return bits >> 63 << (f.mantissa_bits + f.exponent_bits) | top << f.mantissa_bits |
         1ull << (f.mantissa_bits - 1) | fraction;
}

/* From one float format to another. */
void lm_ptx_convert(Wave *w, u32 instruction, u64 mask, u32 row, u32 from, u32 to, u32 mode,
                    u32 flags) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    Number a = soft_unpack(from, row_bits(w, row, lane, from), flags);
    u64 bits = soft_pack(to, a, mode, flags);
    if (a.class == CLASS_NAN && from == FORMAT_F64 && !(flags & FLAG_SAT))
      bits = narrowed_nan(row_bits(w, row, lane, from), to);
    set_row_bits(w, row, lane, to, a.class == CLASS_NAN ? bits : soft_clamp(to, bits, flags));
  }
}

/* From a 64-bit integer (rows of two words) to a float. */
void lm_ptx_from_integer(Wave *w, u32 instruction, u64 mask, u32 row, u32 is_signed, u32 to,
                         u32 mode) {
  (void)instruction;
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 bits = row_bits(w, row, lane, FORMAT_F64);
    Number n = {CLASS_FINITE, 0, 0, wide_of(bits), 0};
    if (is_signed && bits >> 63) {
      n.sign = 1;
      n.mantissa = wide_of(0 - bits);
    }
    set_row_bits(w, row, lane, to, soft_pack(to, n, mode, 0));
  }
}
