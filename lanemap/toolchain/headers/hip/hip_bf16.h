/* __hip_bfloat16 and __hip_bfloat162 (HIP documentation, "Bfloat16 precision"), over clang's
 * __bf16. Arithmetic is that of float, rounded to nearest even. */
#pragma once
#include <hip/hip_vector_types.h>
#include <hip/math_functions.h>

struct __hip_bfloat16_raw { unsigned short x; };

struct __hip_bfloat16 {
  __bf16 __value;
  __hip_bfloat16() = default;
  __host__ __device__ __hip_bfloat16(__bf16 x) : __value(x) {}
  __host__ __device__ __hip_bfloat16(float x) : __value((__bf16)x) {}
  __host__ __device__ __hip_bfloat16(double x) : __value((__bf16)x) {}
  __host__ __device__ __hip_bfloat16(__hip_bfloat16_raw x)
      : __value(__builtin_bit_cast(__bf16, x)) {}
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  __host__ __device__ __hip_bfloat16(T x) : __value((__bf16)(float)x) {}
  __host__ __device__ operator float() const { return (float)__value; }
  __host__ __device__ operator __hip_bfloat16_raw() const {
    return __builtin_bit_cast(__hip_bfloat16_raw, __value);
  }
};
struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  __host__ __device__ __hip_bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) : x(low), y(high) {}
};
typedef __hip_bfloat16 hip_bfloat16;

#define __LANEMAP_OPERATOR(op, name)                                                              \
  __LANEMAP_BOTH __hip_bfloat16 operator op(__hip_bfloat16 a, __hip_bfloat16 b) {                 \
    return __hip_bfloat16((float)a op (float)b);                                                  \
  }                                                                                               \
  __LANEMAP_BOTH __hip_bfloat16& operator op##=(__hip_bfloat16& a, __hip_bfloat16 b) {            \
    return a = a op b;                                                                            \
  }                                                                                               \
  __LANEMAP_BOTH __hip_bfloat162 operator op(__hip_bfloat162 a, __hip_bfloat162 b) {              \
    return {a.x op b.x, a.y op b.y};                                                              \
  }                                                                                               \
  __LANEMAP_BOTH __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return a op b; }  \
  __LANEMAP_BOTH __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {             \
    return a op b;                                                                                \
  }
__LANEMAP_OPERATOR(+, add)
__LANEMAP_OPERATOR(-, sub)
__LANEMAP_OPERATOR(*, mul)
__LANEMAP_OPERATOR(/, div)
#undef __LANEMAP_OPERATOR

#define __LANEMAP_COMPARISON(op, name)                                                            \
  __LANEMAP_BOTH bool operator op(__hip_bfloat16 a, __hip_bfloat16 b) {                           \
    return (float)a op (float)b;                                                                  \
  }                                                                                               \
  __LANEMAP_BOTH bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b) { return (float)a op (float)b; }
__LANEMAP_COMPARISON(==, eq)
__LANEMAP_COMPARISON(!=, ne)
__LANEMAP_COMPARISON(<, lt)
__LANEMAP_COMPARISON(<=, le)
__LANEMAP_COMPARISON(>, gt)
__LANEMAP_COMPARISON(>=, ge)
#undef __LANEMAP_COMPARISON

__LANEMAP_BOTH unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) {
  return __builtin_bit_cast(unsigned short, x.__value);
}
__LANEMAP_BOTH __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __hip_bfloat16(__hip_bfloat16_raw{x});
}
__LANEMAP_BOTH __hip_bfloat16 __hneg(__hip_bfloat16 a) {
  return __ushort_as_bfloat16(__bfloat16_as_ushort(a) ^ 0x8000);
}
__LANEMAP_BOTH __hip_bfloat16 operator-(__hip_bfloat16 a) { return __hneg(a); }
__LANEMAP_BOTH __hip_bfloat16 __habs(__hip_bfloat16 a) {
  return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fff);
}
__LANEMAP_BOTH bool __hisnan(__hip_bfloat16 a) { return (float)a != (float)a; }
__LANEMAP_DEVICE __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __hip_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
}
__LANEMAP_DEVICE __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__LANEMAP_DEVICE __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat16(__builtin_fminf((float)a, (float)b));
}
__LANEMAP_DEVICE __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat16(__builtin_fmaxf((float)a, (float)b));
}

__LANEMAP_BOTH __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
__LANEMAP_BOTH __hip_bfloat16 __float2bfloat16_rn(float x) { return __hip_bfloat16(x); }
__LANEMAP_BOTH __hip_bfloat16 __double2bfloat16(double x) { return __hip_bfloat16(x); }
__LANEMAP_BOTH float __bfloat162float(__hip_bfloat16 x) { return (float)x; }
__LANEMAP_BOTH __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x) { return {x, x}; }
__LANEMAP_BOTH __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 low, __hip_bfloat16 high) {
  return {low, high};
}
__LANEMAP_BOTH __hip_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {__hip_bfloat16(low), __hip_bfloat16(high)};
}
__LANEMAP_BOTH __hip_bfloat162 __float22bfloat162_rn(float2 x) {
  return __floats2bfloat162_rn(x.x, x.y);
}
__LANEMAP_BOTH float2 __bfloat1622float2(__hip_bfloat162 x) { return {(float)x.x, (float)x.y}; }
__LANEMAP_BOTH __hip_bfloat16 __low2bfloat16(__hip_bfloat162 x) { return x.x; }
__LANEMAP_BOTH __hip_bfloat16 __high2bfloat16(__hip_bfloat162 x) { return x.y; }
__LANEMAP_BOTH float __low2float(__hip_bfloat162 x) { return (float)x.x; }
__LANEMAP_BOTH float __high2float(__hip_bfloat162 x) { return (float)x.y; }

/* Both at once, by the GPU's own instruction. */
__LANEMAP_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  typedef short bits __attribute__((ext_vector_type(2)));
  bits old = __builtin_amdgcn_flat_atomic_fadd_v2bf16((bits*)address,
                                                      __builtin_bit_cast(bits, value));
  return __builtin_bit_cast(__hip_bfloat162, old);
}
