// What a kernel of sm_100a needs besides async.h: descriptors, tcgen05.mma and its commit, pairs of
// CTAs, and the way of an accumulator from tensor memory to C. Its index arithmetic is that of
// layouts.h, which lanemap emits from results/; tcgen05.ld and st are the wrappers that lanemap
// emits as tcgen05.h.
#pragma once
#include "async.h"
#include "tcgen05.h"
#include "layouts.h"

using namespace lanemap;

#if CLUSTER_M == 2
#define PAIR "cta_group::2"
#else
#define PAIR "cta_group::1"
#endif
#if ELEMENT_BYTES == 1
#define KIND "kind::f8f6f4"
#else
#define KIND "kind::f16"
#endif

// Code of the swizzle of 128 or 64 bytes in a shared-memory descriptor.
DEVICE constexpr unsigned long long swizzle_code(int swizzle_bytes) {
  return (swizzle_bytes == 128 ? 2ull : 4ull) << 61;
}

// Shared-memory descriptor of an operand that is K-major under a swizzle (PTX ISA 9.0, tcgen05,
// "Shared memory descriptor"): address, LBO (which a swizzle ignores), SBO, that is 8 rows further,
// the fixed bit and the swizzle's code.
template <int swizzle_bytes = 128>
DEVICE unsigned long long operand_descriptor(unsigned address) {
  unsigned long long eight_rows = operand_byte(8, 0, 0) - operand_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | 1ull << 16 | eight_rows >> 4 << 32 | 1ull << 46 |
         swizzle_code(swizzle_bytes);
}

// What a step of `elements` along k adds to a descriptor.
DEVICE unsigned long long descriptor_step(int elements) {
  return (operand_byte(0, elements, 0) - operand_byte(0, 0, 0)) >> 4;
}

// Instruction descriptor (PTX ISA 9.0, tcgen05, "Instruction descriptor"): D is f32; the code of
// bf16 is 1, of f16 and e4m3 0; A and B are K-major.
DEVICE constexpr unsigned instruction_descriptor(unsigned m, unsigned n) {
  return 1u << 4 | ELEMENT_BF16 << 7 | ELEMENT_BF16 << 10 | n / 8 << 17 | m / 16 << 24;
}

// D = A @ B.T of 32 bytes of k, or D += with `add`; A and B in shared memory.
DEVICE void mma_ss(unsigned d, unsigned long long a, unsigned long long b, unsigned descriptor,
                   bool add) {
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.u32 add, %4, 0;\n"
               "tcgen05.mma." PAIR "." KIND " [%0], %1, %2, %3, add;\n"
               "}" ::"r"(d), "l"(a), "l"(b), "r"(descriptor), "r"(unsigned(add)) : "memory");
}

// The same with A in tensor memory.
DEVICE void mma_ts(unsigned d, unsigned a, unsigned long long b, unsigned descriptor, bool add) {
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.u32 add, %4, 0;\n"
               "tcgen05.mma." PAIR "." KIND " [%0], [%1], %2, %3, add;\n"
               "}" ::"r"(d), "r"(a), "l"(b), "r"(descriptor), "r"(unsigned(add)) : "memory");
}

// Arrives at an mbarrier, in a pair at that of both CTAs, when all that this thread has issued to
// the tensor core is complete.
DEVICE void mma_commit(unsigned barrier) {
#if CLUSTER_M == 2
  asm volatile("tcgen05.commit." PAIR ".mbarrier::arrive::one.shared::cluster"
               ".multicast::cluster.b64 [%0], %1;"
               ::"r"(barrier), "h"(static_cast<unsigned short>(3)) : "memory");
#else
  asm volatile("tcgen05.commit." PAIR ".mbarrier::arrive::one.shared::cluster.b64 [%0];"
               ::"r"(barrier) : "memory");
#endif
}

// One warp, in a pair one of each CTA, allocates all columns and writes their address.
DEVICE void allocate_columns(unsigned slot) {
  asm volatile("tcgen05.alloc." PAIR ".sync.aligned.shared::cta.b32 [%0], 512;" ::"r"(slot)
               : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit." PAIR ".sync.aligned;" ::: "memory");
}

DEVICE void free_columns(unsigned address) {
  asm volatile("tcgen05.dealloc." PAIR ".sync.aligned.b32 %0, 512;" ::"r"(address) : "memory");
}

// All threads of the cluster: hands over tensor memory too, its address and what was done in it.
template <int ctas = CLUSTER_M>
DEVICE void barrier_of_all() {
  tcgen05_fence_before_thread_sync();
  if constexpr (ctas > 1) cluster_barrier();
  else __syncthreads();
  tcgen05_fence_after_thread_sync();
}

// The address of the same place in the pair's first CTA, which issues the products.
DEVICE unsigned leaders(unsigned address) {
#if CLUSTER_M == 2
  unsigned found;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(found) : "r"(address));
  return found;
#else
  return address;
#endif
}

// A copy whose bytes an mbarrier of the pair's first CTA counts.
DEVICE void tma_load_for_pair(unsigned to, const TensorMap &map, unsigned column, unsigned row,
                              unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes." PAIR
               " [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(&map), "r"(column), "r"(row), "r"(leaders(barrier)) : "memory");
}

// The same of three dimensions.
DEVICE void tma_load_3d_for_pair(unsigned to, const TensorMap &map, unsigned x, unsigned y,
                                 unsigned z, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes." PAIR
               " [%0], [%1, {%2, %3, %4}], [%5];"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(leaders(barrier)) : "memory");
}

// A copy to the same place in both CTAs of a pair; an mbarrier of the first one counts the bytes of
// both.
DEVICE void tma_load_3d_to_pair(unsigned to, const TensorMap &map, unsigned x, unsigned y,
                                unsigned z, unsigned barrier) {
#if CLUSTER_M == 2
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster." PAIR " [%0], [%1, {%2, %3, %4}], [%5], %6;"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(leaders(barrier)),
                 "h"(static_cast<unsigned short>(3)) : "memory");
#else
  tma_load_3d_for_pair(to, map, x, y, z, barrier);
#endif
}
