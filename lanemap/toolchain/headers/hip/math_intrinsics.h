/* HIP's intrinsics with two underscores: the GPU's own approximations, roundings and
 * conversions. */
#pragma once
#include <hip/host_defines.h>

/* Approximations: as near as the instruction is. */
__LANEMAP_DEVICE float __expf(float x) { return __builtin_amdgcn_exp2f(0x1.715476p+0f * x); }
__LANEMAP_DEVICE float __exp10f(float x) { return __builtin_amdgcn_exp2f(0x1.a934f0p+1f * x); }
__LANEMAP_DEVICE float __logf(float x) { return 0x1.62e430p-1f * __builtin_amdgcn_logf(x); }
__LANEMAP_DEVICE float __log2f(float x) { return __builtin_amdgcn_logf(x); }
__LANEMAP_DEVICE float __log10f(float x) { return 0x1.344136p-2f * __builtin_amdgcn_logf(x); }
__LANEMAP_DEVICE float __powf(float x, float y) {
  return __builtin_amdgcn_exp2f(y * __builtin_amdgcn_logf(x));
}
__LANEMAP_DEVICE float __sinf(float x) {
  return __builtin_amdgcn_sinf(__builtin_amdgcn_fractf(0x1.45f306p-3f * x));
}
__LANEMAP_DEVICE float __cosf(float x) {
  return __builtin_amdgcn_cosf(__builtin_amdgcn_fractf(0x1.45f306p-3f * x));
}
__LANEMAP_DEVICE float __tanf(float x) { return __sinf(x) * __builtin_amdgcn_rcpf(__cosf(x)); }
__LANEMAP_DEVICE void __sincosf(float x, float* s, float* c) { *s = __sinf(x), *c = __cosf(x); }
__LANEMAP_DEVICE float __fdividef(float x, float y) { return x * __builtin_amdgcn_rcpf(y); }
__LANEMAP_DEVICE float __frsqrt_rn(float x) { return __builtin_amdgcn_rsqf(x); }
__LANEMAP_DEVICE float __saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

/* Rounded to nearest, never contracted. */
#define __LANEMAP_ROUNDED(name, type, expression)                                                 \
  __LANEMAP_DEVICE type name(type x, type y) {                                                    \
    _Pragma("clang fp contract(off)") return expression;                                          \
  }
__LANEMAP_ROUNDED(__fadd_rn, float, x + y)
__LANEMAP_ROUNDED(__fsub_rn, float, x - y)
__LANEMAP_ROUNDED(__fmul_rn, float, x * y)
__LANEMAP_ROUNDED(__fdiv_rn, float, x / y)
__LANEMAP_ROUNDED(__dadd_rn, double, x + y)
__LANEMAP_ROUNDED(__dsub_rn, double, x - y)
__LANEMAP_ROUNDED(__dmul_rn, double, x * y)
__LANEMAP_ROUNDED(__ddiv_rn, double, x / y)
#undef __LANEMAP_ROUNDED
__LANEMAP_DEVICE float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LANEMAP_DEVICE double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
__LANEMAP_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
__LANEMAP_DEVICE double __drcp_rn(double x) { return 1.0 / x; }
__LANEMAP_DEVICE float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__LANEMAP_DEVICE double __dsqrt_rn(double x) { return __builtin_sqrt(x); }

/* Conversions to integers: to nearest even, down, up, towards zero; out of range, the nearest
 * there is. */
#define __LANEMAP_SATURATED(name, type, to, rounding, low, high)                                  \
  __LANEMAP_DEVICE to name(type x) {                                                              \
    type whole = rounding(x);                                                                     \
    return whole != whole ? 0 : whole <= (type)low ? low : whole >= (type)high ? high : (to)whole; \
  }
#define __LANEMAP_TO(name, from, f, to, low, high)                                                \
  __LANEMAP_SATURATED(name##_rn, from, to, __builtin_rint##f, low, high)                          \
  __LANEMAP_SATURATED(name##_rd, from, to, __builtin_floor##f, low, high)                         \
  __LANEMAP_SATURATED(name##_ru, from, to, __builtin_ceil##f, low, high)                          \
  __LANEMAP_SATURATED(name##_rz, from, to, __builtin_trunc##f, low, high)
__LANEMAP_TO(__float2int, float, f, int, (-0x7fffffff - 1), 0x7fffffff)
__LANEMAP_TO(__float2uint, float, f, unsigned, 0u, 0xffffffffu)
__LANEMAP_TO(__float2ll, float, f, long long, (-0x7fffffffffffffffll - 1), 0x7fffffffffffffffll)
__LANEMAP_TO(__float2ull, float, f, unsigned long long, 0ull, 0xffffffffffffffffull)
__LANEMAP_TO(__double2int, double, , int, (-0x7fffffff - 1), 0x7fffffff)
__LANEMAP_TO(__double2uint, double, , unsigned, 0u, 0xffffffffu)
__LANEMAP_TO(__double2ll, double, , long long, (-0x7fffffffffffffffll - 1), 0x7fffffffffffffffll)
__LANEMAP_TO(__double2ull, double, , unsigned long long, 0ull, 0xffffffffffffffffull)
#undef __LANEMAP_TO
#undef __LANEMAP_SATURATED

__LANEMAP_DEVICE float __int2float_rn(int x) { return (float)x; }
__LANEMAP_DEVICE float __uint2float_rn(unsigned x) { return (float)x; }
__LANEMAP_DEVICE float __ll2float_rn(long long x) { return (float)x; }
__LANEMAP_DEVICE float __ull2float_rn(unsigned long long x) { return (float)x; }
__LANEMAP_DEVICE double __int2double_rn(int x) { return x; }
__LANEMAP_DEVICE double __uint2double_rn(unsigned x) { return x; }
__LANEMAP_DEVICE double __ll2double_rn(long long x) { return (double)x; }
__LANEMAP_DEVICE double __ull2double_rn(unsigned long long x) { return (double)x; }
__LANEMAP_DEVICE float __double2float_rn(double x) { return (float)x; }

/* The same bits as another type. */
#define __LANEMAP_BITS(name, from, to)                                                            \
  __LANEMAP_DEVICE to name(from x) { return __builtin_bit_cast(to, x); }
__LANEMAP_BITS(__float_as_int, float, int)
__LANEMAP_BITS(__float_as_uint, float, unsigned)
__LANEMAP_BITS(__int_as_float, int, float)
__LANEMAP_BITS(__uint_as_float, unsigned, float)
__LANEMAP_BITS(__double_as_longlong, double, long long)
__LANEMAP_BITS(__longlong_as_double, long long, double)
#undef __LANEMAP_BITS
__LANEMAP_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__LANEMAP_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__LANEMAP_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
