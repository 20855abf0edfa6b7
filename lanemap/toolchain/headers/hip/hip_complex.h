/* Complex numbers as pairs (HIP documentation, "Complex math API"). */
#pragma once
#include <hip/hip_vector_types.h>
#include <hip/math_functions.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define __LANEMAP_COMPLEX(type, of, f)                                                            \
  __LANEMAP_BOTH type make_##type(of real, of imaginary) { return {real, imaginary}; }            \
  __LANEMAP_BOTH of hipCreal##f(type z) { return z.x; }                                           \
  __LANEMAP_BOTH of hipCimag##f(type z) { return z.y; }                                           \
  __LANEMAP_BOTH type hipConj##f(type z) { return {z.x, -z.y}; }                                  \
  __LANEMAP_BOTH of hipCsqabs##f(type z) { return z.x * z.x + z.y * z.y; }                        \
  __LANEMAP_BOTH type hipCadd##f(type a, type b) { return {a.x + b.x, a.y + b.y}; }               \
  __LANEMAP_BOTH type hipCsub##f(type a, type b) { return {a.x - b.x, a.y - b.y}; }               \
  __LANEMAP_BOTH type hipCmul##f(type a, type b) {                                                \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                        \
  }                                                                                               \
  __LANEMAP_BOTH type hipCdiv##f(type a, type b) {                                                \
    of square = hipCsqabs##f(b);                                                                  \
    return {(a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square};                  \
  }                                                                                               \
  __LANEMAP_BOTH type hipCfma##f(type a, type b, type c) {                                        \
    return hipCadd##f(hipCmul##f(a, b), c);                                                       \
  }                                                                                               \
  __LANEMAP_DEVICE of hipCabs##f(type z) { return hypot(z.x, z.y); }
__LANEMAP_COMPLEX(hipFloatComplex, float, f)
__LANEMAP_COMPLEX(hipDoubleComplex, double, )
#undef __LANEMAP_COMPLEX
