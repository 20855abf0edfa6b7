/* Elementary functions of double precision, of IEEE operations alone, so that a GPU gives the
 * bits that the emulator gives. Polynomials interpolate at Chebyshev nodes, computed with 80
 * digits. A pair hi + lo is an unevaluated sum of about 106 bits. docs/hip.md has the errors, as
 * measured. */
#pragma once
#include <hip/host_defines.h>

namespace __lanemap {

struct pair { double hi, lo; };

__LANEMAP_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__LANEMAP_DEVICE bool finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }

/* The exponent of a finite x that is not 0; that of 0 and the rest are ilogb's. */
__LANEMAP_DEVICE int exponent(double x) {
  int e;
  __builtin_frexp(x, &e);
  return x == 0 || x != x ? -0x7fffffff - 1 : finite(x) ? e - 1 : 0x7fffffff;
}

__LANEMAP_DEVICE double poly(double, double c) { return c; }
template <class... C> __LANEMAP_DEVICE double poly(double x, double c, C... more) {
  return fma(poly(x, more...), x, c);
}

__LANEMAP_DEVICE pair quick_sum(double a, double b) { /* |a| >= |b|, or a is 0 */
#pragma clang fp contract(off) reassociate(off)
  double s = a + b;
  return {s, b - (s - a)};
}
__LANEMAP_DEVICE pair sum(double a, double b) {
#pragma clang fp contract(off) reassociate(off)
  double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
__LANEMAP_DEVICE pair sum(pair a, pair b) {
  pair s = sum(a.hi, b.hi);
  return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}
__LANEMAP_DEVICE pair product(double a, double b) {
  double p = a * b;
  return {p, fma(a, b, -p)};
}
__LANEMAP_DEVICE pair product(pair a, pair b) {
  pair p = product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}
__LANEMAP_DEVICE pair quotient(double a, pair b) {
  double q = a / b.hi;
  return quick_sum(q, fma(-q, b.lo, fma(-q, b.hi, a)) / b.hi);
}

/* exp(hi + lo) * 2^scale, for any hi; lo is small beside it. */
__LANEMAP_DEVICE double exp(pair x, int scale = 0) {
  double clamped = __builtin_fmin(__builtin_fmax(x.hi, -2000.0), 2000.0);
  double k = __builtin_rint(clamped * 0x1.71547652b82fep+0);
  double high = fma(-k, 0x1.62e42feep-1, clamped); /* exact: 33 bits of ln 2, 12 of k */
  double low = fma(-k, 0x1.a39ef35793c76p-33, finite(x.lo) && clamped == x.hi ? x.lo : 0.0);
  pair s = sum(high, low);
  double r = s.hi;
  double p = poly(r, 0x1p-1, 0x1.5555555555555p-3, 0x1.5555555555557p-5, 0x1.1111111111111p-7,
                  0x1.6c16c16c15a6cp-10, 0x1.a01a01a0196aep-13, 0x1.a01a01a9e80fep-16,
                  0x1.71de3a5aa6edbp-19, 0x1.27e4d41d6f553p-22, 0x1.ae642c8730352p-26,
                  0x1.1f7f2000f4cf3p-29, 0x1.61bfa22dd3437p-33);
  double e = 1 + (r + fma(r * r, p, s.lo));
  return x.hi != x.hi ? x.hi : __builtin_ldexp(e, (int)k + scale);
}
__LANEMAP_DEVICE double exp(double x) { return exp(pair{x, 0}); }
__LANEMAP_DEVICE double exp2(double x) {
  x = x < -2000 ? -2000.0 : x > 2000 ? 2000.0 : x;
  double k = x != x ? 0 : __builtin_rint(x);
  pair p = product(pair{x - k, 0}, pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
  return exp(p, (int)k);
}
__LANEMAP_DEVICE double exp10(double x) {
  x = x < -500 ? -500.0 : x > 500 ? 500.0 : x;
  return exp(product(pair{x, 0}, pair{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}));
}
__LANEMAP_DEVICE double expm1(double x) {
  if (!(__builtin_fabs(x) < 40)) return exp(x) - 1;
  double k = __builtin_rint(x * 0x1.71547652b82fep+0);
  pair s = sum(fma(-k, 0x1.62e42feep-1, x), -k * 0x1.a39ef35793c76p-33);
  double r = s.hi;
  double p = poly(r, 0x1p-1, 0x1.5555555555555p-3, 0x1.5555555555557p-5, 0x1.1111111111111p-7,
                  0x1.6c16c16c15a6cp-10, 0x1.a01a01a0196aep-13, 0x1.a01a01a9e80fep-16,
                  0x1.71de3a5aa6edbp-19, 0x1.27e4d41d6f553p-22, 0x1.ae642c8730352p-26,
                  0x1.1f7f2000f4cf3p-29, 0x1.61bfa22dd3437p-33);
  if (k == 0) return r == 0 ? x : r + fma(r * r, p, s.lo);
  double power = __builtin_ldexp(1.0, (int)k);
  pair whole = sum(pair{power - 1, 0}, quick_sum(power * r, power * fma(r * r, p, s.lo)));
  return whole.hi + whole.lo;
}

/* ln x of a positive finite x, to about 2^-65 of it. */
__LANEMAP_DEVICE pair log_pair(double x) {
  int exponent;
  double m = __builtin_frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) m += m, exponent--;
  double f = m - 1, k = exponent;
  pair s = quotient(f, sum(m, 1.0));
  pair z = product(s, s);
  double tail = poly(z.hi, 0x1.999999999999ap-2, 0x1.2492492492492p-2, 0x1.c71c71c71c705p-3,
                     0x1.745d1745d3f32p-3, 0x1.3b13b138ee205p-3, 0x1.111112205c9b4p-3,
                     0x1.e1e13f14a2b01p-4, 0x1.af46927e517b2p-4, 0x1.82bd1267b9795p-4,
                     0x1.9871e3a35ad5fp-4);
  pair cubic = sum(pair{0x1.5555555555555p-1, 0x1.5555555555555p-55}, pair{z.hi * tail, 0});
  pair p = product(product(s, z), cubic);
  pair mantissa = sum(pair{2 * s.hi, 2 * s.lo}, p);
  pair power = sum(pair{k * 0x1.62e42feep-1, 0}, product(pair{k, 0},
                   pair{0x1.a39ef35793c76p-33, 0x1.cc01f97b57a08p-87}));
  return sum(power, mantissa);
}
__LANEMAP_DEVICE bool has_log(double x) { return x > 0 && x < __builtin_inf(); }
__LANEMAP_DEVICE double no_log(double x) {
  return x == 0 ? -__builtin_inf() : x > 0 ? x : __builtin_nan("");
}
__LANEMAP_DEVICE double rounded(pair p) { return p.hi + p.lo; }
__LANEMAP_DEVICE double log(double x) { return has_log(x) ? rounded(log_pair(x)) : no_log(x); }
__LANEMAP_DEVICE double log2(double x) {
  pair scale = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  return has_log(x) ? rounded(product(log_pair(x), scale)) : no_log(x);
}
__LANEMAP_DEVICE double log10(double x) {
  pair scale = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  return has_log(x) ? rounded(product(log_pair(x), scale)) : no_log(x);
}
__LANEMAP_DEVICE double log1p(double x) {
  if (!(x > -1 && x < __builtin_inf())) return no_log(1 + x);
  if (__builtin_fabs(x) < 0x1p-54) return x;
  pair u = sum(1.0, x);
  return rounded(sum(log_pair(u.hi), pair{u.lo / u.hi, 0}));
}

__LANEMAP_DEVICE double pow(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  double ax = __builtin_fabs(x), whole = __builtin_trunc(y);
  bool integer = whole == y, odd = integer && __builtin_fabs(y) < 0x1p53 && ((long long)y & 1);
  double sign = odd ? __builtin_copysign(1.0, x) : 1.0, result;
  if (!finite(y)) result = ax == 1 ? 1 : (ax > 1) == (y > 0) ? __builtin_inf() : 0.0;
  else if (ax == 0 || !finite(ax)) result = (ax == 0) == (y > 0) ? 0.0 : __builtin_inf();
  else if (x < 0 && !integer) return __builtin_nan("");
  else {
    pair l = log_pair(ax), p = product(y, l.hi);
    double low = fma(y, l.lo, p.lo);
    result = finite(p.hi) && finite(low) ? exp(quick_sum(p.hi, low)) : exp(p.hi);
  }
  return sign * result;
}

__LANEMAP_DEVICE double cbrt(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0 && finite(a))) return x;
  pair l = log_pair(a);
  double y = exp(pair{l.hi / 3, l.lo / 3});
  pair square = product(y, y);
  double off = fma(square.hi, y, -a) + square.lo * y;
  return __builtin_copysign(y - off / (3 * square.hi), x);
}

/* sqrt(a^2 + b^2 + ..) without overflow: the largest is scaled to about 1. */
__LANEMAP_DEVICE double norm(double a, double b, double c = 0, double d = 0) {
  a = __builtin_fabs(a), b = __builtin_fabs(b), c = __builtin_fabs(c), d = __builtin_fabs(d);
  double most = __builtin_fmax(__builtin_fmax(a, b), __builtin_fmax(c, d));
  if (most == __builtin_inf()) return most;
  if (most == 0) return a + b + c + d;
  int e;
  __builtin_frexp(most, &e);
  double of[4] = {a, b, c, d};
  pair s = {0, 0};
  for (double each : of) {
    double scaled = __builtin_ldexp(each, -e);
    s = sum(s, product(scaled, scaled));
  }
  double root = __builtin_sqrt(s.hi);
  root += (fma(-root, root, s.hi) + s.lo) / (2 * root);
  return __builtin_ldexp(root, e);
}

/* The remainder of |x| by |y|, exact: each step takes up to 50 bits of the quotient away. */
__LANEMAP_DEVICE double fmod(double x, double y) {
  double r = __builtin_fabs(x), d = __builtin_fabs(y);
  if (!finite(r) || !(d > 0)) return __builtin_nan("");
  while (r >= d) {
    int far = exponent(r) - exponent(d) - 50;
    double step = __builtin_ldexp(d, far > 0 ? far : 0);
    r = fma(-__builtin_trunc(r / step), step, r);
    if (r < 0) r += step;
  }
  return __builtin_copysign(r, x);
}
__LANEMAP_DEVICE double remainder(double x, double y) {
  double d = __builtin_fabs(y), half = 0.5 * d;
  if (!finite(x) || !(d > 0)) return __builtin_nan("");
  double r = d < 0x1p1023 ? __builtin_fabs(fmod(x, 2 * d)) : __builtin_fabs(x);
  if (d < 0x1p-1021 ? r + r > d : r > half) {
    r -= d;
    if (d < 0x1p-1021 ? r + r >= d : r >= half) r -= d;
  }
  return x < 0 ? -r : r;
}

}  // namespace __lanemap
