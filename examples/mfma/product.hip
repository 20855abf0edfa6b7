// D = A @ B by one v_mfma_f32_32x32x16_bf16: docs/layouts.md. A is 32 x 16, B 16 x 32, D 32 x 32.
#include <hip/hip_runtime.h>

// `lanemap emit` wrote these: which element of the matrix each register of each lane holds.
#include "a.h"
#include "b.h"
#include "d.h"

typedef __bf16 Operand __attribute__((ext_vector_type(8)));
typedef float Result __attribute__((ext_vector_type(16)));

extern "C" __global__ void product(const __bf16* a, const __bf16* b, float* d) {
  int lane = threadIdx.x;
  Operand x, y;
  for (int i = 0; i < 8; ++i) {
    int reg = i / 2, half = i % 2;
    x[i] = a[a_row(lane, reg, half) * 16 + a_k(lane, reg, half)];
    y[i] = b[b_k(lane, reg, half) * 32 + b_column(lane, reg, half)];
  }
  Result z = {};
  z = __builtin_amdgcn_mfma_f32_32x32x16_bf16(x, y, z, 0, 0, 0);
  for (int reg = 0; reg < 16; ++reg) d[d_row(lane, reg, 0) * 32 + d_column(lane, reg, 0)] = z[reg];
}
