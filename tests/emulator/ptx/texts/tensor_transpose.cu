// Transposes 128 x 64 words between the fragments of two shapes, through tensor memory, with the
// wrappers that `lanemap emit --wrappers` writes. Four warps; the output is one word a thread and row.
#include "lanemap_tcgen05.h"

extern "C" __global__ void transpose(const unsigned *given, unsigned *taken, unsigned *halves) {
  __shared__ unsigned slot;
  const unsigned thread = threadIdx.x, warp = thread / 32;
  if (warp == 0) {
    lanemap::tcgen05_alloc<128>(&slot);
    lanemap::tcgen05_relinquish_alloc_permit();
  }
  lanemap::tcgen05_fence_before_thread_sync();
  __syncthreads();
  lanemap::tcgen05_fence_after_thread_sync();
  const unsigned base = slot + (warp << 21);

  // A thread has a row: 64 words to its lane of columns 0 to 63.
  unsigned row[64];
  for (int i = 0; i < 64; ++i) row[i] = given[64 * thread + i];
  lanemap::tcgen05_st_32x32b_x64(row, base);
  lanemap::tcgen05_wait_st();

  // The same words as two issues of 16 lanes give them.
  unsigned fragment[64];
  lanemap::tcgen05_ld_2x16x256b_x8(fragment, base);
  lanemap::tcgen05_wait_ld(fragment);
  for (int i = 0; i < 64; ++i) taken[64 * thread + i] = fragment[i];

  // Halves apart, and together again from where 16x32bx2 finds them.
  unsigned some[4] = {row[0], row[1], row[2], row[3]}, other[8];
  lanemap::tcgen05_st_32x32b_x4_unpack_16b(some, base + 64);
  lanemap::tcgen05_wait_st();
  lanemap::tcgen05_ld_2x16x32bx2_x4_pack_16b<0>(other, base + 64);
  lanemap::tcgen05_wait_ld(other);
  for (int i = 0; i < 8; ++i) halves[8 * thread + i] = other[i];

  lanemap::tcgen05_fence_before_thread_sync();
  __syncthreads();
  lanemap::tcgen05_fence_after_thread_sync();
  if (warp == 0) lanemap::tcgen05_dealloc<128>(slot);
}
