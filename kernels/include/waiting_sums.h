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

DEVICE float4 look(const float4 *from) {
  float4 x;
  asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w) : "l"(from) : "memory");
  return x;
}

// Whether all four are there.
DEVICE bool there(const float4 &x) {
  return min(min(__float_as_uint(x.x), __float_as_uint(x.y)),
             min(__float_as_uint(x.z), __float_as_uint(x.w))) != 0;
}

// Adds up `parts` parts of some quads of registers, in their order. Parts are `apart` float4 from each
// other, and quads 32. Each is waited for, and its words are 0 again behind that.
template <int quads>
DEVICE void add_waited(float (&sum)[4 * quads], float4 *from, unsigned parts, unsigned apart) {
  // What is on its way at one time: memory answers slowly.
  constexpr unsigned AT_ONCE = 16 / quads;
#pragma unroll 1
  for (unsigned part = 0; part < parts;) {
    // Behind the last part the last one is loaded again: with a branch around each load they wait for
    // each other.
    float4 more[AT_ONCE][quads];
    bool all = true;
#pragma unroll
    for (unsigned i = 0; i < AT_ONCE; ++i)
#pragma unroll
      for (unsigned j = 0; j < quads; ++j)
        more[i][j] = look(from + min(part + i, parts - 1) * apart + j * 32);
#pragma unroll
    for (unsigned i = 0; i < AT_ONCE; ++i)
#pragma unroll
      for (unsigned j = 0; j < quads; ++j) all = all && there(more[i][j]);
    if (__any_sync(~0u, !all)) continue;
#pragma unroll
    for (unsigned i = 0; i < AT_ONCE; ++i) {
      bool counts = part + i < parts;
#pragma unroll
      for (unsigned j = 0; j < quads; ++j) {
        sum[4 * j] += counts ? more[i][j].x : 0, sum[4 * j + 1] += counts ? more[i][j].y : 0;
        sum[4 * j + 2] += counts ? more[i][j].z : 0, sum[4 * j + 3] += counts ? more[i][j].w : 0;
        if (counts) from[(part + i) * apart + j * 32] = make_float4(0, 0, 0, 0);
      }
    }
    part += AT_ONCE;
  }
}
