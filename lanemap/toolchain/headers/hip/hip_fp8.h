/* FP8 (HIP documentation, "FP8 numbers"): e4m3 and e5m2 as the Open Compute Project defines them on
 * gfx950, and their FNUZ flavor on gfx942. Conversions are the GPU's instructions, which round to
 * nearest even; with __HIP_SATFINITE a finite number beyond the largest becomes the largest. No GPU
 * has instructions for the other flavor, whose types are not here. */
#pragma once
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#ifdef __gfx942__
#define HIP_FP8_TYPE_OCP 0
#define HIP_FP8_TYPE_FNUZ 1
#define __LANEMAP_E4M3 __HIP_E4M3_FNUZ
#define __LANEMAP_E5M2 __HIP_E5M2_FNUZ
#define __LANEMAP_MOST_E4M3 240.0f
#else
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 0
#define __LANEMAP_E4M3 __HIP_E4M3
#define __LANEMAP_E5M2 __HIP_E5M2
#define __LANEMAP_MOST_E4M3 448.0f
#endif

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned __hip_fp8x4_storage_t;
enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3
};
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

__LANEMAP_DEVICE float __lanemap_limited(float x, __hip_saturation_t saturation, float most) {
  if (saturation == __HIP_NOSAT || !__builtin_isfinite(x)) return x;
  return __builtin_amdgcn_fmed3f(x, most, -most);
}
__LANEMAP_DEVICE __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(
    float2 x, __hip_saturation_t saturation, __hip_fp8_interpretation_t type) {
  float most = type == __LANEMAP_E4M3 ? __LANEMAP_MOST_E4M3 : 57344.0f;
  float low = __lanemap_limited(x.x, saturation, most);
  float high = __lanemap_limited(x.y, saturation, most);
  return (__hip_fp8x2_storage_t)(type == __LANEMAP_E4M3
                                     ? __builtin_amdgcn_cvt_pk_fp8_f32(low, high, 0, false)
                                     : __builtin_amdgcn_cvt_pk_bf8_f32(low, high, 0, false));
}
__LANEMAP_DEVICE __hip_fp8_storage_t __hip_cvt_float_to_fp8(float x, __hip_saturation_t saturation,
                                                            __hip_fp8_interpretation_t type) {
  return (__hip_fp8_storage_t)__hip_cvt_float2_to_fp8x2(float2{x, 0.0f}, saturation, type);
}
__LANEMAP_DEVICE float __lanemap_fp8_to_float(__hip_fp8_storage_t x,
                                              __hip_fp8_interpretation_t type) {
  return type == __LANEMAP_E4M3 ? __builtin_amdgcn_cvt_f32_fp8(x, 0)
                            : __builtin_amdgcn_cvt_f32_bf8(x, 0);
}
__LANEMAP_DEVICE __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t x,
                                                     __hip_fp8_interpretation_t type) {
  return __half(__lanemap_fp8_to_float(x, type));
}

#define __LANEMAP_FP8(name, type)                                                                 \
  struct name {                                                                                   \
    __hip_fp8_storage_t __x;                                                                      \
    name() = default;                                                                             \
    __device__ explicit name(float x) : __x(__hip_cvt_float_to_fp8(x, __HIP_SATFINITE, type)) {}  \
    __device__ explicit name(double x) : name((float)x) {}                                        \
    __device__ explicit name(int x) : name((float)x) {}                                           \
    __device__ explicit name(__half x) : name((float)x) {}                                        \
    __device__ explicit name(__hip_bfloat16 x) : name((float)x) {}                                \
    __device__ operator float() const { return __lanemap_fp8_to_float(__x, type); }               \
    __device__ explicit operator double() const { return (float)*this; }                          \
    __device__ explicit operator __half() const { return __half((float)*this); }                  \
    __device__ explicit operator __hip_bfloat16() const { return __hip_bfloat16((float)*this); }  \
  };
#ifdef __gfx942__
__LANEMAP_FP8(__hip_fp8_e4m3_fnuz, __HIP_E4M3_FNUZ)
__LANEMAP_FP8(__hip_fp8_e5m2_fnuz, __HIP_E5M2_FNUZ)
#else
__LANEMAP_FP8(__hip_fp8_e4m3, __HIP_E4M3)
__LANEMAP_FP8(__hip_fp8_e5m2, __HIP_E5M2)
#endif
#undef __LANEMAP_FP8

#define __LANEMAP_FP8_VECTORS(x2, x4, type)                                                       \
  struct x2 {                                                                                     \
    __hip_fp8x2_storage_t __x;                                                                    \
    x2() = default;                                                                               \
    __device__ explicit x2(float2 x) : __x(__hip_cvt_float2_to_fp8x2(x, __HIP_SATFINITE, type)) {} \
    __device__ operator float2() const {                                                          \
      return {__lanemap_fp8_to_float((__hip_fp8_storage_t)__x, type),                             \
              __lanemap_fp8_to_float((__hip_fp8_storage_t)(__x >> 8), type)};                     \
    }                                                                                             \
  };                                                                                              \
  struct x4 {                                                                                     \
    __hip_fp8x4_storage_t __x;                                                                    \
    x4() = default;                                                                               \
    __device__ explicit x4(float4 x)                                                              \
        : __x(x2(float2{x.x, x.y}).__x | (unsigned)x2(float2{x.z, x.w}).__x << 16) {}             \
    __device__ operator float4() const {                                                          \
      x2 low, high;                                                                               \
      low.__x = (__hip_fp8x2_storage_t)__x, high.__x = (__hip_fp8x2_storage_t)(__x >> 16);        \
      float2 a = low, b = high;                                                                   \
      return {a.x, a.y, b.x, b.y};                                                                \
    }                                                                                             \
  };
#ifdef __gfx942__
__LANEMAP_FP8_VECTORS(__hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz, __HIP_E4M3_FNUZ)
__LANEMAP_FP8_VECTORS(__hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz, __HIP_E5M2_FNUZ)
#else
__LANEMAP_FP8_VECTORS(__hip_fp8x2_e4m3, __hip_fp8x4_e4m3, __HIP_E4M3)
__LANEMAP_FP8_VECTORS(__hip_fp8x2_e5m2, __hip_fp8x4_e5m2, __HIP_E5M2)
#endif
#undef __LANEMAP_FP8_VECTORS
