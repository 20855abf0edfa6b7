// Tensor maps that a kernel makes of others, for a part of their rows.
// PTX ISA 9.0: "tensormap.replace", "tensormap.cp_fenceproxy".
#pragma once
#include "async.h"

// Copies the map of a whole matrix to shared memory, where `make_group_map` edits it; one thread.
DEVICE void stage_map(unsigned staged, const TensorMap &whole) {
#pragma unroll
  for (int i = 0; i < 16; ++i)
    asm volatile("st.shared.b64 [%0], %1;" ::"r"(staged + 8 * i), "l"(whole.words[i]) : "memory");
}

// Makes a map of a group's rows and copies it to memory; a whole warp. No copy may still read the
// map that was there.
DEVICE void make_group_map(const TensorMap *map, unsigned staged, const void *begin, unsigned rows,
                           int lane) {
  if (lane == 0) {
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;"
                 ::"r"(staged), "l"(__cvta_generic_to_global(begin)) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;"
                 ::"r"(staged), "r"(rows) : "memory");
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu"
               ".sync.aligned [%0], [%1], 128;"
               ::"l"(__cvta_generic_to_global(map)), "r"(staged) : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}
