/* Functions of math, and the bits of floats. */
#ifndef LANEMAP_FLOATS_H
#define LANEMAP_FLOATS_H
#include "runtime.h"

double exp2(double), log2(double), sqrt(double), sin(double), cos(double), floor(double);
double ldexp(double, int), tanh(double), fma(double, double, double);
float ldexpf(float, int), fmaf(float, float, float);

typedef union {
  float f;
  u32 u;
} F32;
typedef union {
  double f;
  u64 u;
} F64;

/* Eight lanes. */
typedef double Double8 __attribute__((ext_vector_type(8)));
typedef u64 Long8 __attribute__((ext_vector_type(8)));
typedef float Float8 __attribute__((ext_vector_type(8), aligned(4)));
typedef u32 Word8 __attribute__((ext_vector_type(8), aligned(4)));

static inline Double8 blend(Long8 condition, Double8 yes, Double8 no) {
  return (Double8)((condition & (Long8)yes) | (~condition & (Long8)no));
}

/* a * b + c, rounded once. */
static inline Double8 fused(Double8 a, Double8 b, Double8 c) {
  return __builtin_elementwise_fma(a, b, c);
}

/* A double in two rows of a lane, or one of its registers. */
double row_f64(const Wave *w, u32 row, u32 lane);
void set_row_f64(Wave *w, u32 row, u32 lane, double value);
#endif
