/* The math functions of C and HIP for device code: each for float and double under C's names,
 * and overloaded under one name as in C++, in namespace std too. docs/hip.md lists them with
 * their errors. */
#pragma once
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <hip/math_special.h>

#define __LANEMAP_IF_INTEGER(T) std::enable_if_t<std::is_integral_v<T>, int> = 0

/* name(double) and namef(float) as given; name(float) is namef, and integers go to double. */
#define __LANEMAP_UNARY(name, of_float, of_double)                                                \
  __LANEMAP_DEVICE float name##f(float x) { return of_float; }                                    \
  __LANEMAP_DEVICE float name(float x) { return name##f(x); }                                     \
  __LANEMAP_DEVICE double name(double x) { return of_double; }                                    \
  template <class T, __LANEMAP_IF_INTEGER(T)> __LANEMAP_DEVICE double name(T x) {                 \
    return name((double)x);                                                                       \
  }
#define __LANEMAP_BINARY(name, of_float, of_double)                                               \
  __LANEMAP_DEVICE float name##f(float x, float y) { return of_float; }                           \
  __LANEMAP_DEVICE float name(float x, float y) { return name##f(x, y); }                         \
  __LANEMAP_DEVICE double name(double x, double y) { return of_double; }                          \
  template <class A, class B,                                                                     \
            std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> &&                \
                                 (!std::is_same_v<A, B> || std::is_integral_v<A>),                \
                             int> = 0>                                                            \
  __LANEMAP_DEVICE double name(A x, B y) { return name((double)x, (double)y); }

/* float through double: rounded once, so nearly always correctly. */
#define __LANEMAP_CORE(name) \
  __LANEMAP_UNARY(name, (float)__lanemap::name((double)x), __lanemap::name(x))
/* float as the compiler expands it over the GPU's own instruction. */
#define __LANEMAP_OWN(name) __LANEMAP_UNARY(name, __builtin_##name##f(x), __lanemap::name(x))
/* exact, or as IEEE 754 rounds */
#define __LANEMAP_EXACT(name) \
  __LANEMAP_UNARY(name, __builtin_##name##f(x), __builtin_##name(x))

__LANEMAP_OWN(exp)
__LANEMAP_OWN(exp2)
__LANEMAP_OWN(exp10)
__LANEMAP_OWN(log)
__LANEMAP_OWN(log2)
__LANEMAP_OWN(log10)
__LANEMAP_CORE(expm1)
__LANEMAP_CORE(log1p)
__LANEMAP_CORE(sin)
__LANEMAP_CORE(cos)
__LANEMAP_CORE(tan)
__LANEMAP_CORE(sinpi)
__LANEMAP_CORE(cospi)
__LANEMAP_CORE(asin)
__LANEMAP_CORE(acos)
__LANEMAP_CORE(atan)
__LANEMAP_CORE(sinh)
__LANEMAP_CORE(cosh)
__LANEMAP_CORE(tanh)
__LANEMAP_CORE(asinh)
__LANEMAP_CORE(acosh)
__LANEMAP_CORE(atanh)
__LANEMAP_CORE(cbrt)
__LANEMAP_CORE(erf)
__LANEMAP_CORE(erfc)
__LANEMAP_CORE(erfcx)
__LANEMAP_CORE(normcdf)
__LANEMAP_CORE(tgamma)
__LANEMAP_CORE(lgamma)
__LANEMAP_UNARY(rcbrt, (float)(1 / __lanemap::cbrt((double)x)), 1 / __lanemap::cbrt(x))
__LANEMAP_UNARY(rsqrt, (float)(1 / __builtin_sqrt((double)x)), 1 / __builtin_sqrt(x))
__LANEMAP_EXACT(sqrt)
__LANEMAP_EXACT(fabs)
__LANEMAP_EXACT(floor)
__LANEMAP_EXACT(ceil)
__LANEMAP_EXACT(trunc)
__LANEMAP_EXACT(rint)
__LANEMAP_EXACT(nearbyint)
__LANEMAP_EXACT(round)
__LANEMAP_DEVICE double logb(double x);
__LANEMAP_UNARY(logb, (float)logb((double)x),
                x == 0 ? -__builtin_inf() : x - x != 0 ? x * x : (double)__lanemap::exponent(x))

__LANEMAP_BINARY(pow, (float)__lanemap::pow((double)x, (double)y), __lanemap::pow(x, y))
__LANEMAP_BINARY(atan2, (float)__lanemap::atan2((double)x, (double)y), __lanemap::atan2(x, y))
__LANEMAP_BINARY(hypot, (float)__lanemap::norm((double)x, (double)y), __lanemap::norm(x, y))
__LANEMAP_BINARY(rhypot, (float)(1 / __lanemap::norm((double)x, (double)y)),
                 1 / __lanemap::norm(x, y))
__LANEMAP_BINARY(fmod, (float)__lanemap::fmod((double)x, (double)y), __lanemap::fmod(x, y))
__LANEMAP_BINARY(remainder, (float)__lanemap::remainder((double)x, (double)y),
                 __lanemap::remainder(x, y))
__LANEMAP_BINARY(fmin, __builtin_fminf(x, y), __builtin_fmin(x, y))
__LANEMAP_BINARY(fmax, __builtin_fmaxf(x, y), __builtin_fmax(x, y))
__LANEMAP_BINARY(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))
__LANEMAP_BINARY(fdim, x <= y ? 0.0f : x - y, x <= y ? 0.0 : x - y)
__LANEMAP_BINARY(fdivide, x / y, x / y)

#define __LANEMAP_NEXT(name, type, bits)                                                          \
  __LANEMAP_DEVICE type name(type x, type y) {                                                    \
    bits i;                                                                                       \
    if (x != x || y != y) return x + y;                                                           \
    if (x == y) return y;                                                                         \
    __builtin_memcpy(&i, &x, sizeof i);                                                           \
    if (x == 0) i = (y < 0 ? (bits)1 << (8 * sizeof i - 1) : 0) | 1;                              \
    else i += (x < y) == (x > 0) ? 1 : -1;                                                        \
    __builtin_memcpy(&x, &i, sizeof i);                                                           \
    return x;                                                                                     \
  }
__LANEMAP_NEXT(nextafterf, float, unsigned)
__LANEMAP_NEXT(nextafter, float, unsigned)
__LANEMAP_NEXT(nextafter, double, unsigned long long)

#define __LANEMAP_FOR(type, f)                                                                    \
  __LANEMAP_DEVICE type ldexp##f(type x, int n) { return __builtin_ldexp##f(x, n); }              \
  __LANEMAP_DEVICE type scalbn##f(type x, int n) { return __builtin_ldexp##f(x, n); }             \
  __LANEMAP_DEVICE type frexp##f(type x, int* n) { return __builtin_frexp##f(x, n); }             \
  __LANEMAP_DEVICE int ilogb##f(type x) { return __lanemap::exponent(x); }                         \
  __LANEMAP_DEVICE type modf##f(type x, type* whole) {                                            \
    *whole = __builtin_trunc##f(x);                                                               \
    return __builtin_copysign##f(x == *whole ? 0 : x - *whole, x);                                \
  }                                                                                               \
  __LANEMAP_DEVICE type fma##f(type x, type y, type z) { return __builtin_fma##f(x, y, z); }      \
  __LANEMAP_DEVICE long lrint##f(type x) { return (long)__builtin_rint##f(x); }                   \
  __LANEMAP_DEVICE long lround##f(type x) { return (long)__builtin_round##f(x); }                 \
  __LANEMAP_DEVICE long long llrint##f(type x) { return (long long)__builtin_rint##f(x); }        \
  __LANEMAP_DEVICE long long llround##f(type x) { return (long long)__builtin_round##f(x); }      \
  __LANEMAP_DEVICE type norm3d##f(type a, type b, type c) {                                       \
    return (type)__lanemap::norm(a, b, c);                                                        \
  }                                                                                               \
  __LANEMAP_DEVICE type norm4d##f(type a, type b, type c, type d) {                               \
    return (type)__lanemap::norm(a, b, c, d);                                                     \
  }                                                                                               \
  __LANEMAP_DEVICE void sincos##f(type x, type* s, type* c) { *s = sin(x), *c = cos(x); }         \
  __LANEMAP_DEVICE void sincospi##f(type x, type* s, type* c) { *s = sinpi(x), *c = cospi(x); }   \
  __LANEMAP_DEVICE bool isnan(type x) { return __builtin_isnan(x); }                              \
  __LANEMAP_DEVICE bool isinf(type x) { return __builtin_isinf(x); }                              \
  __LANEMAP_DEVICE bool isfinite(type x) { return __builtin_isfinite(x); }                        \
  __LANEMAP_DEVICE bool signbit(type x) { return __builtin_signbit(x); }                          \
  __LANEMAP_DEVICE type abs(type x) { return __builtin_fabs##f(x); }
__LANEMAP_FOR(float, f)
__LANEMAP_FOR(double, )
__LANEMAP_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
__LANEMAP_DEVICE float scalbn(float x, int n) { return ldexpf(x, n); }
__LANEMAP_DEVICE float frexp(float x, int* n) { return frexpf(x, n); }
__LANEMAP_DEVICE float modf(float x, float* whole) { return modff(x, whole); }
__LANEMAP_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
__LANEMAP_DEVICE int ilogb(float x) { return ilogbf(x); }
__LANEMAP_DEVICE long lrint(float x) { return lrintf(x); }
__LANEMAP_DEVICE long lround(float x) { return lroundf(x); }
__LANEMAP_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
__LANEMAP_DEVICE float powif(float x, int n) { return powf(x, (float)n); }
__LANEMAP_DEVICE double powi(double x, int n) { return pow(x, (double)n); }
__LANEMAP_DEVICE int abs(int x) { return x < 0 ? -x : x; }
__LANEMAP_DEVICE long abs(long x) { return x < 0 ? -x : x; }
__LANEMAP_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
__LANEMAP_DEVICE long labs(long x) { return abs(x); }
__LANEMAP_DEVICE long long llabs(long long x) { return abs(x); }

/* min and max of any two numbers, on both sides. */
template <class A, class B> __LANEMAP_BOTH std::common_type_t<A, B> min(A a, B b) {
  typedef std::common_type_t<A, B> T;
  if constexpr (std::is_same_v<T, float>) return __builtin_fminf(a, b);
  else if constexpr (std::is_same_v<T, double>) return __builtin_fmin(a, b);
  else return (T)a < (T)b ? (T)a : (T)b;
}
template <class A, class B> __LANEMAP_BOTH std::common_type_t<A, B> max(A a, B b) {
  typedef std::common_type_t<A, B> T;
  if constexpr (std::is_same_v<T, float>) return __builtin_fmaxf(a, b);
  else if constexpr (std::is_same_v<T, double>) return __builtin_fmax(a, b);
  else return (T)a < (T)b ? (T)b : (T)a;
}

#include <hip/math_intrinsics.h>

namespace std {
using ::abs, ::acos, ::acosf, ::acosh, ::acoshf, ::asin, ::asinf, ::asinh, ::asinhf, ::atan,
    ::atan2, ::atan2f, ::atanf, ::atanh, ::atanhf, ::cbrt, ::cbrtf, ::ceil, ::ceilf, ::copysign,
    ::copysignf, ::cos, ::cosf, ::cosh, ::coshf, ::erf, ::erfc, ::erfcf, ::erff, ::exp, ::exp2,
    ::exp2f, ::expf, ::expm1, ::expm1f, ::fabs, ::fabsf, ::fdim, ::fdimf, ::floor, ::floorf,
    ::fma, ::fmaf, ::fmax, ::fmaxf, ::fmin, ::fminf, ::fmod, ::fmodf, ::frexp, ::frexpf,
    ::hypot, ::hypotf, ::ilogb, ::ilogbf, ::isfinite, ::isinf, ::isnan, ::labs, ::ldexp,
    ::ldexpf, ::lgamma, ::lgammaf, ::llabs, ::llrint, ::llrintf, ::llround, ::llroundf, ::log,
    ::log10, ::log10f, ::log1p, ::log1pf, ::log2, ::log2f, ::logb, ::logbf, ::logf, ::lrint,
    ::lrintf, ::lround, ::lroundf, ::modf, ::modff, ::nearbyint, ::nearbyintf, ::nextafter,
    ::nextafterf, ::pow, ::powf, ::remainder, ::remainderf, ::rint, ::rintf, ::round, ::roundf,
    ::scalbn, ::scalbnf, ::signbit, ::sin, ::sinf, ::sinh, ::sinhf, ::sqrt, ::sqrtf, ::tan,
    ::tanf, ::tanh, ::tanhf, ::tgamma, ::tgammaf, ::trunc, ::truncf;
}

#undef __LANEMAP_IF_INTEGER
#undef __LANEMAP_UNARY
#undef __LANEMAP_BINARY
#undef __LANEMAP_CORE
#undef __LANEMAP_OWN
#undef __LANEMAP_EXACT
#undef __LANEMAP_NEXT
#undef __LANEMAP_FOR
