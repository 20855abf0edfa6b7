// Instructions of Blackwell that the exhibits share, one function each.
#pragma once
#include "hopper.cuh"

// One warp allocates 32 columns and leaves their address in shared memory.
__device__ __forceinline__ void alloc_columns(unsigned slot) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(slot)
               : "memory");
}

__device__ __forceinline__ void dealloc_columns(unsigned address) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(address) : "memory");
}

__device__ __forceinline__ void fence_before() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}

__device__ __forceinline__ void fence_after() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

__device__ __forceinline__ void wait_load() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wait_store() {
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

// Four columns of the 32 lanes that the warp reaches.
__device__ __forceinline__ void load_columns(unsigned (&to)[4], unsigned address) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void store_columns(unsigned address, const unsigned (&from)[4]) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
               : "memory");
}

// Of a K-major operand without swizzle: core matrices of 8 rows of 16 bytes, the next along k after
// 128 bytes, the next 8 rows after 256.
__device__ __forceinline__ unsigned long long descriptor_of(unsigned tile) {
  return (unsigned long long)((tile & 0x3ffff) >> 4) | 8ull << 16 | 16ull << 32 | 1ull << 46;
}

// D = A B, or D += A B: m128n16k16 of bf16, by one thread.
__device__ __forceinline__ void multiply(unsigned d, unsigned a, unsigned b, bool add) {
  const unsigned instruction = 1 << 4 | 1 << 7 | 1 << 10 | (16 >> 3) << 17 | (128 >> 4) << 24;
  asm volatile(
      "{\n\t.reg .pred add;\n\tsetp.ne.u32 add, %4, 0;\n\t"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, add;\n}" ::"r"(d),
      "l"(descriptor_of(a)), "l"(descriptor_of(b)), "r"(instruction), "r"((unsigned)add)
      : "memory");
}

__device__ __forceinline__ void commit_products(unsigned barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   barrier)
               : "memory");
}
