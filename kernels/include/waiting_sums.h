// Sums of parts of a tile that one CTA waits for, in memory. A word that is no longer 0 says itself
// that it is there, so that no fence and no counter lie between a sum and its addition.
// `hopper_gemm.h` includes it.
#pragma once
#include "async.h"

// Four sums for another CTA. -0 stands for 0; that makes no difference to what they are added to.
DEVICE void leave(float4 *to, const float *x) {
  float y[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) y[i] = x[i] == 0 ? -0.f : x[i];
  asm volatile("st.relaxed.gpu.global.v4.f32 [%0], {%1, %2, %3, %4};"
               ::"l"(to), "f"(y[0]), "f"(y[1]), "f"(y[2]), "f"(y[3]) : "memory");
}

// What another CTA left, or -0 unless it is wanted. No branch is around the load: with one ptxas makes
// loads wait for each other.
DEVICE float4 look(const float4 *from, bool wanted) {
  float4 x = make_float4(-0.f, -0.f, -0.f, -0.f);
  asm volatile("{\n"
               ".reg .pred wanted;\n"
               "setp.ne.u32 wanted, %5, 0;\n"
               "@wanted ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               "}" : "+f"(x.x), "+f"(x.y), "+f"(x.z), "+f"(x.w)
               : "l"(from), "r"(unsigned(wanted)) : "memory");
  return x;
}

// Whether all four are there.
DEVICE bool there(const float4 &x) {
  return min(min(__float_as_uint(x.x), __float_as_uint(x.y)),
             min(__float_as_uint(x.z), __float_as_uint(x.w))) != 0;
}

// Adds up `parts` parts of some quads of registers, in their order, `at_once` of them on their way at
// one time, since memory answers slowly. There are `wanted` quads. Parts are `apart` float4 from each
// other, and quads 32. Each is waited for, and its words are 0 again behind that.
template <unsigned quads, unsigned at_once>
DEVICE void add_waited(float (&sum)[4 * quads], float4 *from, unsigned wanted, unsigned parts,
                       unsigned apart) {
#pragma unroll 1
  for (unsigned part = 0; part < parts;) {
    float4 more[at_once][quads];
    bool all = true;
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i)
#pragma unroll
      for (unsigned j = 0; j < quads; ++j)
        more[i][j] = look(from + i * apart + j * 32, part + i < parts && j < wanted);
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i)
#pragma unroll
      for (unsigned j = 0; j < quads; ++j) all = all && there(more[i][j]);
    if (__any_sync(~0u, !all)) continue;
#pragma unroll
    for (unsigned i = 0; i < at_once; ++i)
#pragma unroll
      for (unsigned j = 0; j < quads; ++j) {
        sum[4 * j] += more[i][j].x, sum[4 * j + 1] += more[i][j].y;
        sum[4 * j + 2] += more[i][j].z, sum[4 * j + 3] += more[i][j].w;
        if (part + i < parts && j < wanted) from[i * apart + j * 32] = make_float4(0, 0, 0, 0);
      }
    part += at_once, from += at_once * apart;
  }
}
