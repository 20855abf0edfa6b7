/* __half and __half2 (HIP documentation, "Half precision"): IEEE binary16, over clang's
 * _Float16. */
#pragma once
#include <hip/hip_vector_types.h>
#include <hip/math_functions.h>

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
typedef _Float16 __lanemap_half2 __attribute__((ext_vector_type(2)));

struct __half {
  _Float16 __value;
  __half() = default;
  __host__ __device__ __half(_Float16 x) : __value(x) {}
  __host__ __device__ __half(float x) : __value((_Float16)x) {}
  __host__ __device__ __half(double x) : __value((_Float16)x) {}
  __host__ __device__ __half(__half_raw x) : __value(__builtin_bit_cast(_Float16, x)) {}
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  __host__ __device__ __half(T x) : __value((_Float16)x) {}
  __host__ __device__ operator float() const { return (float)__value; }
  __host__ __device__ operator __half_raw() const {
    return __builtin_bit_cast(__half_raw, __value);
  }
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half low, __half high) : x(low), y(high) {}
  __host__ __device__ __half2(__lanemap_half2 both) : x(both[0]), y(both[1]) {}
  __host__ __device__ operator __lanemap_half2() const { return {x.__value, y.__value}; }
};
typedef __half half;
typedef __half2 half2;

#define __LANEMAP_OPERATOR(op, name)                                                              \
  __LANEMAP_BOTH __half operator op(__half a, __half b) {                                         \
    return __half((_Float16)(a.__value op b.__value));                                            \
  }                                                                                               \
  __LANEMAP_BOTH __half& operator op##=(__half& a, __half b) { return a = a op b; }               \
  __LANEMAP_BOTH __half2 operator op(__half2 a, __half2 b) {                                      \
    return (__lanemap_half2)a op (__lanemap_half2)b;                                              \
  }                                                                                               \
  __LANEMAP_BOTH __half2& operator op##=(__half2& a, __half2 b) { return a = a op b; }            \
  __LANEMAP_BOTH __half __h##name(__half a, __half b) { return a op b; }                          \
  __LANEMAP_BOTH __half2 __h##name##2(__half2 a, __half2 b) { return a op b; }
__LANEMAP_OPERATOR(+, add)
__LANEMAP_OPERATOR(-, sub)
__LANEMAP_OPERATOR(*, mul)
__LANEMAP_OPERATOR(/, div)
#undef __LANEMAP_OPERATOR
__LANEMAP_BOTH __half operator-(__half a) { return __half((_Float16)-a.__value); }
__LANEMAP_BOTH __half2 operator-(__half2 a) { return -(__lanemap_half2)a; }

#define __LANEMAP_COMPARISON(op, name)                                                            \
  __LANEMAP_BOTH bool operator op(__half a, __half b) { return a.__value op b.__value; }          \
  __LANEMAP_BOTH bool __h##name(__half a, __half b) { return a.__value op b.__value; }
__LANEMAP_COMPARISON(==, eq)
__LANEMAP_COMPARISON(!=, ne)
__LANEMAP_COMPARISON(<, lt)
__LANEMAP_COMPARISON(<=, le)
__LANEMAP_COMPARISON(>, gt)
__LANEMAP_COMPARISON(>=, ge)
#undef __LANEMAP_COMPARISON
__LANEMAP_BOTH bool __hisnan(__half a) { return a.__value != a.__value; }
__LANEMAP_BOTH int __hisinf(__half a) { return __builtin_isinf((float)a); }

/* Fused, negated, absolute, the smaller and the larger. */
__LANEMAP_DEVICE __half __hfma(__half a, __half b, __half c) {
  return __half(__builtin_fmaf16(a.__value, b.__value, c.__value));
}
__LANEMAP_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __builtin_elementwise_fma((__lanemap_half2)a, (__lanemap_half2)b, (__lanemap_half2)c);
}
__LANEMAP_BOTH __half __hneg(__half a) { return -a; }
__LANEMAP_BOTH __half2 __hneg2(__half2 a) { return -a; }
__LANEMAP_BOTH __half __habs(__half a) { return __half(__builtin_fabsf16(a.__value)); }
__LANEMAP_BOTH __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
__LANEMAP_DEVICE __half __hmin(__half a, __half b) {
  return __half(__builtin_fminf16(a.__value, b.__value));
}
__LANEMAP_DEVICE __half __hmax(__half a, __half b) {
  return __half(__builtin_fmaxf16(a.__value, b.__value));
}
__LANEMAP_DEVICE __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
__LANEMAP_DEVICE __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}

/* Conversions; rounded to nearest even unless the name says towards zero. */
__LANEMAP_BOTH __half __float2half(float x) { return __half(x); }
__LANEMAP_BOTH __half __float2half_rn(float x) { return __half(x); }
__LANEMAP_DEVICE __half __float2half_rz(float x) {
  __half near(x);
  unsigned short bits = __builtin_bit_cast(unsigned short, near.__value);
  bool beyond = __builtin_fabsf((float)near) > __builtin_fabsf(x);
  return beyond ? __half(__half_raw{(unsigned short)(bits - 1)}) : near;
}
__LANEMAP_BOTH __half __double2half(double x) { return __half(x); }
__LANEMAP_BOTH float __half2float(__half x) { return (float)x.__value; }
__LANEMAP_BOTH __half __int2half_rn(int x) { return __half(x); }
__LANEMAP_BOTH __half __uint2half_rn(unsigned x) { return __half(x); }
__LANEMAP_DEVICE int __half2int_rn(__half x) { return __float2int_rn((float)x); }
__LANEMAP_DEVICE int __half2int_rz(__half x) { return __float2int_rz((float)x); }
__LANEMAP_DEVICE unsigned __half2uint_rn(__half x) { return __float2uint_rn((float)x); }
__LANEMAP_BOTH unsigned short __half_as_ushort(__half x) {
  return __builtin_bit_cast(unsigned short, x.__value);
}
__LANEMAP_BOTH short __half_as_short(__half x) { return __builtin_bit_cast(short, x.__value); }
__LANEMAP_BOTH __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
__LANEMAP_BOTH __half __short_as_half(short x) { return __half(__half_raw{(unsigned short)x}); }

/* Pairs. */
__LANEMAP_BOTH __half2 make_half2(__half low, __half high) { return {low, high}; }
__LANEMAP_BOTH __half2 __halves2half2(__half low, __half high) { return {low, high}; }
__LANEMAP_BOTH __half2 __half2half2(__half x) { return {x, x}; }
__LANEMAP_BOTH __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
__LANEMAP_BOTH __half2 __floats2half2_rn(float low, float high) {
  return {__half(low), __half(high)};
}
__LANEMAP_BOTH __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
__LANEMAP_BOTH float2 __half22float2(__half2 x) { return {(float)x.x, (float)x.y}; }
__LANEMAP_BOTH __half __low2half(__half2 x) { return x.x; }
__LANEMAP_BOTH __half __high2half(__half2 x) { return x.y; }
__LANEMAP_BOTH float __low2float(__half2 x) { return (float)x.x; }
__LANEMAP_BOTH float __high2float(__half2 x) { return (float)x.y; }
__LANEMAP_BOTH __half2 __lowhigh2highlow(__half2 x) { return {x.y, x.x}; }
__LANEMAP_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__LANEMAP_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

/* Functions: those of float, rounded once more. */
#define __LANEMAP_FUNCTION(name, of_float)                                                        \
  __LANEMAP_DEVICE __half h##name(__half x) { return __half(of_float((float)x)); }                \
  __LANEMAP_DEVICE __half2 h2##name(__half2 x) { return {h##name(x.x), h##name(x.y)}; }
__LANEMAP_FUNCTION(exp, expf)
__LANEMAP_FUNCTION(exp2, exp2f)
__LANEMAP_FUNCTION(exp10, exp10f)
__LANEMAP_FUNCTION(log, logf)
__LANEMAP_FUNCTION(log2, log2f)
__LANEMAP_FUNCTION(log10, log10f)
__LANEMAP_FUNCTION(sin, sinf)
__LANEMAP_FUNCTION(cos, cosf)
__LANEMAP_FUNCTION(tanh, tanhf)
__LANEMAP_FUNCTION(sqrt, sqrtf)
__LANEMAP_FUNCTION(rsqrt, rsqrtf)
__LANEMAP_FUNCTION(rcp, 1.0f /)
__LANEMAP_FUNCTION(floor, floorf)
__LANEMAP_FUNCTION(ceil, ceilf)
__LANEMAP_FUNCTION(trunc, truncf)
__LANEMAP_FUNCTION(rint, rintf)
#undef __LANEMAP_FUNCTION

/* Both halves at once, by the GPU's own instruction. */
__LANEMAP_DEVICE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  __lanemap_half2 both = value; /* the builtin takes any type and converts none */
  return __builtin_amdgcn_flat_atomic_fadd_v2f16((__lanemap_half2*)address, both);
}
