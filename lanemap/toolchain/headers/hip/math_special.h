/* Error functions and gamma functions of double precision; see math_cores.h. */
#pragma once
#include <hip/math_trigonometry.h>

namespace __lanemap {

/* erf(x) for |x| <= 1 */
__LANEMAP_DEVICE double erf_near(double x) {
  double z = x * x;
  double p = poly(z, -0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b51p-6,
                  0x1.565bcd0e6a53dp-8, -0x1.c02db40040a69p-11, 0x1.f9a326f9b36c8p-14,
                  -0x1.f4d25c3d100bfp-17, 0x1.b9e6c9bb863f1p-20, -0x1.5f742bbc76a3ep-23,
                  0x1.fcc50b31dd28ep-27, -0x1.51d22be7805d4p-30, 0x1.9e1449da0a371p-34,
                  -0x1.d4191d8688feep-38, 0x1.d3e88f2256d66p-42, -0x1.440e0410d01ddp-46);
  return fma(x, 0x1.20dd750429b6dp+0, x * fma(z, p, 0x1.1ae3a914fed80p-56));
}
/* exp(x^2) erfc(x) for x >= 1/2: a polynomial in (x - 3) / (x + 3), over x + 1 */
__LANEMAP_DEVICE double erfcx_far(double x) {
  if (x > 0x1p60) return 0x1.20dd750429b6dp-1 / x;
  double t = (x - 3) / (x + 3);
  double p = poly(t, 0x1.6e9827d229d2dp-1, -0x1.d8f06dfac798dp-3, 0x1.9596c92adafe1p-4,
                  -0x1.4f64aa4aa2225p-7, -0x1.8600d91460cafp-6, 0x1.67c18994f2567p-6,
                  -0x1.3f82b5d0af942p-7, 0x1.a84c55e6920eap-10, 0x1.5297b7925471dp-11,
                  -0x1.812141bad8889p-12, -0x1.58ccfdcc7a23dp-16, 0x1.d6c3cdaff4a30p-15,
                  -0x1.965c5f89b359dp-20, -0x1.2daed9fe76a45p-17, 0x1.16008b7dc4ed3p-22,
                  0x1.ab207b56d12b6p-20, 0x1.137acfcc5ac07p-24, -0x1.40676a6abf5a1p-22,
                  -0x1.b38c877ac70ddp-25, 0x1.ee56ef2f2daf5p-25, 0x1.34217383fbc20p-26,
                  -0x1.a06c6cf9f8f65p-27, -0x1.9a2371c9549adp-29, 0x1.37d4be3094ff3p-29,
                  -0x1.0fe1ad4250f7bp-32);
  return p / (x + 1);
}
__LANEMAP_DEVICE double erfc(double x) {
  if (!(x >= 0.5)) return x < -1 ? 2 - erfc(-x) : 1 - erf_near(x);
  pair square = product(x, x);
  return x > 28 ? 0.0 : exp(pair{-square.hi, -square.lo}) * erfcx_far(x);
}
__LANEMAP_DEVICE double erf(double x) {
  double a = __builtin_fabs(x);
  return a > 1 ? __builtin_copysign(1 - erfc(a), x) : erf_near(x);
}
__LANEMAP_DEVICE double erfcx(double x) {
  if (x >= 0.5) return erfcx_far(x);
  pair square = product(x, x);
  return x < -27 ? __builtin_inf() : exp(square) * erfc(x);
}
__LANEMAP_DEVICE double normcdf(double x) {
  if (x != x) return x;
  if (x > -0.75) return 0.5 * erfc(-0x1.6a09e667f3bcdp-1 * x);
  pair square = product(0.5 * x, x);
  return x < -40 ? 0.0
                 : exp(pair{-square.hi, -square.lo}, -1) * erfcx_far(-0x1.6a09e667f3bcdp-1 * x);
}

/* ln Gamma(x) = result - ln(factor) for x > 0: Stirling's series where it has converged, from 15
 * on. */
struct gamma { pair log; pair factor; };
__LANEMAP_DEVICE gamma gamma_pair(pair at) {
  pair factor = {1, 0};
  while (at.hi < 15) {
    factor = product(factor, at);
    at = sum(at, pair{1, 0});
  }
  double i = 1 / at.hi;
  double series = i * poly(i * i, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9,
                           0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11,
                           -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8, -0x1.e4286cb0f5398p-6);
  pair l = log_pair(at.hi);
  l = sum(l, pair{at.lo * i, 0});
  pair power = product(sum(at, pair{-0.5, 0}), l);
  pair rest = sum(sum(pair{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}, pair{series, 0}),
                  pair{-at.hi, -at.lo});
  return {sum(power, rest), factor};
}
__LANEMAP_DEVICE double tgamma(double x) {
  bool whole = x == __builtin_trunc(x);
  if (x == 0) return 1 / x;
  if (x != x || x == __builtin_inf()) return x;
  if (x < 0 && whole) return __builtin_nan("");
  if (x > 172) return __builtin_inf();
  if (x < -184) return __builtin_copysign(0.0, __builtin_fmod(x, 2.0) > -1 ? -1.0 : 1.0);
  if (x > 0) {
    gamma g = gamma_pair(pair{x, 0});
    return exp(g.log) / g.factor.hi * (1 - g.factor.lo / g.factor.hi);
  }
  /* Gamma(x) Gamma(1 - x) = pi / sin(pi x) */
  double turns = x - 2 * __builtin_floor(0.5 * x);
  gamma g = gamma_pair(sum(1.0, -x));
  double s = sinpi(turns), f = exp(pair{-g.log.hi, -g.log.lo}, 0);
  return 0x1.921fb54442d18p+1 / s * g.factor.hi * f;
}
__LANEMAP_DEVICE double lgamma(double x) {
  if (!finite(x)) return x * x;
  if (x <= 0 && x == __builtin_trunc(x)) return __builtin_inf();
  if (x > 0x1p60) return x * (log(x) - 1);
  gamma g = gamma_pair(x > 0 ? pair{x, 0} : sum(1.0, -x));
  pair f = log_pair(g.factor.hi);
  pair l = sum(g.log, pair{-f.hi, -f.lo - g.factor.lo / g.factor.hi});
  if (x > 0) return rounded(l);
  double turns = x - 2 * __builtin_floor(0.5 * x);
  pair s = log_pair(__builtin_fabs(sinpi(turns)));
  pair reflected = sum(pair{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57}, pair{-s.hi, -s.lo});
  return rounded(sum(reflected, pair{-l.hi, -l.lo}));
}

}  // namespace __lanemap
