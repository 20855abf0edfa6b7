/* Trigonometric and hyperbolic functions of double precision; see math_cores.h. */
#pragma once
#include <hip/math_cores.h>

namespace __lanemap {

/* x = quadrant * pi/2 + r, |r| <= pi/4; the quadrant counts modulo 4. */
struct reduced { pair r; int quadrant; };

/* Far from 0: 2/pi as an integer of 1344 bits, of which the 192 that matter are multiplied by x's
 * mantissa (Payne and Hanek, "Radian reduction for trigonometric functions", 1983). */
__LANEMAP_DEVICE reduced reduce_far(double x) {
  static const unsigned long long digits[] = {
      0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
      0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
      0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
      0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
      0xa9e391615ee61b08};
  unsigned long long bits, w[4], c[3];
  __builtin_memcpy(&bits, &x, 8);
  unsigned long long m = (bits & 0xfffffffffffff) | 0x10000000000000;
  int at = (int)(bits >> 52 & 0x7ff) - 1075 - 2 + 64; /* the first digit wanted has weight 2 */
  for (int i = 0; i < 4; i++) w[i] = digits[(at >> 6) + i];
  int shift = at & 63;
  for (int i = 0; i < 3; i++) c[i] = shift ? w[i] << shift | w[i + 1] >> (64 - shift) : w[i];
  unsigned __int128 low = (unsigned __int128)c[2] * m;
  unsigned __int128 mid = (unsigned __int128)c[1] * m + (unsigned long long)(low >> 64);
  unsigned long long top = c[0] * m + (unsigned long long)(mid >> 64);
  unsigned long long next = (unsigned long long)mid;
  int quadrant = (int)(top >> 62);
  unsigned long long high = top << 2 | next >> 62;
  unsigned long long rest = next << 2 | (unsigned long long)low >> 62;
  bool nearer = high >> 63; /* to the next quadrant: count from there */
  if (nearer) high = ~high, rest = ~rest, quadrant++;
  pair f = sum((double)(high >> 11) * 0x1p-53,
               (double)((high & 0x7ff) << 53 | rest >> 11) * 0x1p-117);
  double sign = nearer ? -1 : 1;
  pair r = product(pair{sign * f.hi, sign * f.lo},
                   pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  if (x < 0) return {{-r.hi, -r.lo}, -quadrant & 3};
  return {r, quadrant & 3};
}
__LANEMAP_DEVICE reduced reduce(double x) {
  if (!(__builtin_fabs(x) < 0x1p27)) return finite(x) ? reduce_far(x) : reduced{{x - x, 0}, 0};
  double k = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  pair first = product(-k, 0x1.921fb54442d18p+0), second = product(-k, 0x1.1a62633145c07p-54);
  pair r = sum(sum(x, first.hi), pair{first.lo, 0}); /* the inner sum is exact */
  r = sum(r, sum(second, pair{k * 0x1.f1976b7ed8fbcp-110, 0}));
  return {r, (int)((long long)k & 3)};
}
/* sine and cosine of |r| <= pi/4 */
__LANEMAP_DEVICE double sin_near(pair r) {
  double z = r.hi * r.hi;
  double p = poly(z, -0x1.5555555555555p-3, 0x1.1111111111111p-7, -0x1.a01a01a01a019p-13,
                  0x1.71de3a556c2c3p-19, -0x1.ae64567e723afp-26, 0x1.61245fb3dc7eep-33,
                  -0x1.ae7c524f65a8dp-41, 0x1.9241fe47ad07ep-49);
  return r.hi == 0 ? r.hi : r.hi + fma(r.hi * z, p, r.lo * fma(-0.5, z, 1));
}
__LANEMAP_DEVICE double cos_near(pair r) {
  double z = r.hi * r.hi;
  double p = poly(z, 0x1.5555555555555p-5, -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a019p-16,
                  -0x1.27e4fb7789d95p-22, 0x1.1eed8eff330f8p-29, -0x1.93974953593b7p-37,
                  0x1.ae7ce7af01cb4p-45, -0x1.65d2281ab58cdp-53);
  pair half = product(-0.5 * r.hi, r.hi), most = quick_sum(1, half.hi);
  return most.hi + (most.lo + (half.lo + fma(z * z, p, -r.hi * r.lo)));
}
__LANEMAP_DEVICE double sin(reduced x) {
  double s = x.quadrant & 1 ? cos_near(x.r) : sin_near(x.r);
  return x.quadrant & 2 ? -s : s;
}
__LANEMAP_DEVICE double cos(reduced x) { return sin(reduced{x.r, (x.quadrant + 1) & 3}); }
__LANEMAP_DEVICE double sin(double x) { return x == 0 ? x : sin(reduce(x)); }
__LANEMAP_DEVICE double cos(double x) { return cos(reduce(x)); }
__LANEMAP_DEVICE double tan(double x) {
  reduced a = reduce(x);
  double s = sin_near(a.r), c = cos_near(a.r);
  return x == 0 ? x : a.quadrant & 1 ? -c / s : s / c;
}
/* pi * x, reduced */
__LANEMAP_DEVICE reduced reduce_pi(double x) {
  if (!finite(x)) return {{x - x, 0}, 0};
  double turn = x - 2 * __builtin_rint(0.5 * x), k = __builtin_rint(2 * turn);
  pair r = product(pair{fma(-0.5, k, turn), 0}, pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53});
  return {r, (int)k & 3};
}
__LANEMAP_DEVICE double sinpi(double x) {
  return x == __builtin_trunc(x) && finite(x) ? __builtin_copysign(0.0, x) : sin(reduce_pi(x));
}
__LANEMAP_DEVICE double cospi(double x) {
  reduced a = reduce_pi(x);
  return a.r.hi == 0 && a.quadrant & 1 ? 0.0 : cos(a);
}

/* arctangent of a quotient, 0 <= num / den */
__LANEMAP_DEVICE pair atan_pair(double num, double den) {
  pair t, base = {0, 0};
  if (num > 0x1.3504f333f9de6p+1 * den) {
    t = quotient(-den, pair{num, 0});
    base = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  } else if (num > 0x1.a827999fcef32p-2 * den) {
    pair below = sum(num, -den), above = sum(num, den);
    t = quotient(below.hi, above);
    t.lo += below.lo / above.hi;
    base = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  } else {
    t = quotient(num, pair{den, 0});
  }
  double z = t.hi * t.hi;
  double p = poly(z, -0x1.5555555555555p-2, 0x1.9999999999999p-3, -0x1.2492492492460p-3,
                  0x1.c71c71c718c88p-4, -0x1.745d1744b2fc3p-4, 0x1.3b13b10683d24p-4,
                  -0x1.11110acd30390p-4, 0x1.e1e0dd669df36p-5, -0x1.af199a80abfacp-5,
                  0x1.857f2c9658650p-5, -0x1.5fc6bdfd0f53fp-5, 0x1.30fca09e373c7p-5,
                  -0x1.beb6fa2ef5811p-6, 0x1.8799d6d183201p-7);
  return sum(base, quick_sum(t.hi, fma(t.hi * z, p, t.lo)));
}
__LANEMAP_DEVICE double atan(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0x1p-30)) return x;
  return __builtin_copysign(finite(a) ? rounded(atan_pair(a, 1)) : 0x1.921fb54442d18p+0, x);
}
__LANEMAP_DEVICE double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
  if (!finite(ax) || !finite(ay)) { /* only the quadrant counts */
    ax = finite(ax) ? 0 : 1;
    ay = finite(ay) ? 0 : 1;
  }
  int scale = ax > ay ? exponent(ax) : ay > 0 ? exponent(ay) : 0;
  bool left = __builtin_signbit(x);
  double result;
  if (!left && ay < ax * 0x1p-30) {
    result = ay / ax; /* the arctangent of it is as near as rounding gets */
  } else {
    pair a = ay == 0 ? pair{0, 0}
                     : atan_pair(__builtin_ldexp(ay, -scale), __builtin_ldexp(ax, -scale));
    result = rounded(left ? sum(pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                                pair{-a.hi, -a.lo}) : a);
  }
  return __builtin_copysign(result, y);
}

/* arcsine of x = root of z, less x, for z <= 1/4 */
__LANEMAP_DEVICE double asin_rest(double x, double z) {
  double p = poly(z, 0x1.5555555555555p-3, 0x1.3333333333333p-4, 0x1.6db6db6db6db5p-5,
                  0x1.f1c71c71c74c5p-6, 0x1.6e8ba2e8a96cep-6, 0x1.1c4ec4efde32fp-6,
                  0x1.c9999899c17f7p-7, 0x1.7a87a08e846dfp-7, 0x1.3fdc8c46ef7cfp-7,
                  0x1.1306dc76be757p-7, 0x1.dd62c5835ddf8p-8, 0x1.b4786b6b26ef8p-8,
                  0x1.28fde5ddf6949p-8, 0x1.502ac4d3b891cp-7, -0x1.692ac29530fa5p-7,
                  0x1.352216e2840aap-5, -0x1.55b2bd7417158p-5, 0x1.23357ba090b42p-5);
  return x * z * p;
}
/* arccosine of x in [1/2, 1], as twice an arcsine */
__LANEMAP_DEVICE pair acos_pair(double x) {
  double z = 0.5 * (1 - x), s = __builtin_sqrt(z);
  double low = s > 0 ? fma(-s, s, z) / (2 * s) : 0;
  return quick_sum(2 * s, 2 * (low + asin_rest(s, z)));
}
__LANEMAP_DEVICE double asin(double x) {
  double a = __builtin_fabs(x);
  if (!(a <= 1)) return __builtin_nan("");
  if (a <= 0.5) return x == 0 ? x : x + asin_rest(x, x * x);
  pair c = acos_pair(a);
  return __builtin_copysign(rounded(sum(pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                        pair{-c.hi, -c.lo})), x);
}
__LANEMAP_DEVICE double acos(double x) {
  if (!(__builtin_fabs(x) <= 1)) return __builtin_nan("");
  if (x > 0.5) return rounded(acos_pair(x));
  pair whole = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, less = {-x, -asin_rest(x, x * x)};
  if (x < -0.5) {
    whole = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    less = acos_pair(-x);
    less = {-less.hi, -less.lo};
  }
  return rounded(sum(whole, less));
}

__LANEMAP_DEVICE double sinh(double x) {
  double a = __builtin_fabs(x), result;
  if (a < 20) {
    double t = expm1(a);
    result = 0.5 * (t + t / (t + 1));
  } else {
    result = exp(pair{a, 0}, -1);
  }
  return a < 0x1p-28 ? x : __builtin_copysign(result, x);
}
__LANEMAP_DEVICE double cosh(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 20)) return exp(pair{a, 0}, -1);
  double e = exp(a);
  return fma(0.5, e, 0.5 / e);
}
__LANEMAP_DEVICE double tanh(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 22)) return x != x ? x : __builtin_copysign(1.0, x);
  double t = expm1(-2 * a);
  return a < 0x1p-28 ? x : __builtin_copysign(t / (t + 2), x);
}
__LANEMAP_DEVICE double asinh(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0x1p-28 && finite(a))) return x;
  pair s = sum(product(a, a), pair{1, 0});
  double big = log(a) + 0x1.62e42fefa39efp-1;
  double small = log1p(a + a * a / (1 + __builtin_sqrt(s.hi)));
  return __builtin_copysign(a > 0x1p28 ? big : small, x);
}
__LANEMAP_DEVICE double acosh(double x) {
  double t = x - 1;
  if (!(x >= 1)) return __builtin_nan("");
  return x > 0x1p28 ? log(x) + 0x1.62e42fefa39efp-1 : log1p(t + __builtin_sqrt(fma(t, t, 2 * t)));
}
__LANEMAP_DEVICE double atanh(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0x1p-28)) return x;
  if (!(a <= 1)) return __builtin_nan("");
  return __builtin_copysign(0.5 * (a < 0.5 ? log1p(2 * a + 2 * a * a / (1 - a))
                                           : log1p(2 * a / (1 - a))), x);
}

}  // namespace __lanemap
