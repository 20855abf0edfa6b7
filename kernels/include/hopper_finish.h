// What happens to an accumulator before C is rounded: D + bias of its column, then the activation.
#pragma once
#include "hopper.h"

#if OUTPUT_F32
using Bias = float;
#else
using Bias = unsigned short;
#endif

// The bias of each column of C.
struct Finish {
  const Bias *bias;
  unsigned columns;
};

#if BIAS
DEVICE float widened(Bias x) {
#if OUTPUT_F32
  return x;
#elif OUTPUT_F16
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
#else
  return __uint_as_float(static_cast<unsigned>(x) << 16);
#endif
}
#endif

// ACTIVATION: 1 relu, 2 gelu by erf, 3 gelu by tanh, 4 silu; a NaN stays one.
DEVICE float activated(float x) {
#if ACTIVATION == 1
  return x < 0 ? 0 : x;
#elif ACTIVATION == 2
  return 0.5f * x * (1 + erff(x * 0.70710678f));
#elif ACTIVATION == 3
  return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
#elif ACTIVATION == 4
  return x / (1 + __expf(-x));
#else
  return x;
#endif
}

// Finishes a warp's registers of 64 rows of D, whose first row and column are `row` and `column` of
// C, or with SWAPPED of its transpose.
template <int count>
DEVICE void finish(float (&d)[count], const Finish &how, unsigned row, unsigned column, int warp,
                   int lane) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
#if BIAS
    unsigned own = SWAPPED ? row + d_row(warp, lane, i, 0) : column + d_column(warp, lane, i, 0);
    if (own < how.columns) d[i] += widened(how.bias[own]);
#endif
    d[i] = activated(d[i]);
  }
}
