// What fmha can do to the logits beside scaling and masking them. Macros, 1 or 0:
//   SOFTCAP  a logit is cap * tanh(logit / cap)
//   ALIBI    each key costs as much as it is far from the query's own
//   SINKS    a head has a weight that belongs to no key
#pragma once
#include "attention.h"

#define ADDS (SOFTCAP || ALIBI || SINKS)

// The host packs it: lanemap/benching/attention/additions.py.
struct Additions {
  const float *slopes, *sinks;  // (sequence, head) or (head); (head)
  int slopes_of_sequence;       // how many slopes a sequence has of its own: those of heads, or 0
  float before_tanh;            // factor of Q @ K.T; Shape's scale is that of tanh
};

// What a head has of them.
struct HeadAdditions {
  float before_tanh, slope, sink;

  // Makes `scale`, which has the descales, that of what `add` leaves.
  __device__ __forceinline__ HeadAdditions(const Additions &from, const Work &work, float &scale,
                                           const Shape &shape) {
    constexpr float log2e = 1.44269504088896f;
    if constexpr (SOFTCAP) {
      before_tanh = from.before_tanh * (scale / shape.scale);
      scale = shape.scale;
    }
    if constexpr (ALIBI)
      slope = from.slopes[work.sequence * from.slopes_of_sequence + work.head] * log2e / scale;
    if constexpr (SINKS) sink = from.sinks[work.head] * log2e;
  }
};

DEVICE float tanh_approx(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
