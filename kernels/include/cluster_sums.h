// Sums that the CTAs of a cluster leave in shared memory for each other.
#pragma once
#include "async.h"

// Four floats to shared memory, and from that of any CTA of the cluster, added to others.
DEVICE void store_floats(unsigned to, const float *x) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
               ::"r"(to), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]) : "memory");
}

DEVICE unsigned in_cta(unsigned address, unsigned cta) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(cta));
  return there;
}

DEVICE void add_floats(float *sum, unsigned from) {
  float x[4];
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3]) : "r"(from) : "memory");
  for (int i = 0; i < 4; ++i) sum[i] += x[i];
}
