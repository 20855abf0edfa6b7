// Checkpoints and checks of descriptors, compiled in with LANEMAP_DEBUG=1 in the environment; else
// they are nothing. A checkpoint prints in one thread of block 0. A check prints and traps in the
// thread that finds a field which is not what it must be.
// Fields: PTX ISA 9.0, tcgen05, "Shared memory descriptor" and "Instruction descriptor".
#pragma once
#include "async.h"

#if LANEMAP_DEBUG
#define CHECKPOINT(thread, ...)                                               \
  do {                                                                        \
    if (blockIdx.x + blockIdx.y + blockIdx.z == 0 && threadIdx.x == (thread)) \
      printf(__VA_ARGS__);                                                    \
  } while (0)

DEVICE void check_equal(const char *what, unsigned found, unsigned expected) {
  if (found != expected) {
    printf("block %u thread %u: %s is %u, not %u\n", blockIdx.x, threadIdx.x, what, found,
           expected);
    asm volatile("trap;");
  }
}

DEVICE unsigned field(unsigned long long word, int low, int bits) {
  return unsigned(word >> low) & ((1u << bits) - 1);
}

// Of an operand of tcgen05.mma, or the source of tcgen05.cp: bytes from 8 rows to the next 8, and
// the code of the swizzle (0 none, 2 128 bytes, 4 64 bytes, 6 32 bytes).
DEVICE void check_shared_descriptor(unsigned long long descriptor, unsigned address,
                                    unsigned stride_bytes, unsigned swizzle) {
  check_equal("the descriptor's start address", field(descriptor, 0, 14) << 4, address & 0x3ffff);
  check_equal("the descriptor's SBO", field(descriptor, 32, 14) << 4, stride_bytes);
  check_equal("the descriptor's field of fixed bits", field(descriptor, 46, 3), 1);
  check_equal("the descriptor's base offset", field(descriptor, 49, 3), 0);
  check_equal("the descriptor's LBO mode", field(descriptor, 52, 1), 0);
  check_equal("the descriptor's swizzle", field(descriptor, 61, 3), swizzle);
}

// Of a block-scaled tcgen05.mma whose operands are K-major.
DEVICE void check_scaled_descriptor(unsigned descriptor, unsigned m, unsigned n, unsigned a_type,
                                    unsigned b_type, unsigned ue8m0, unsigned scale_id) {
  check_equal("M of the instruction descriptor", field(descriptor, 24, 5) << 4, m);
  check_equal("N of the instruction descriptor", field(descriptor, 17, 6) << 3, n);
  check_equal("A's type in the instruction descriptor", field(descriptor, 7, 3), a_type);
  check_equal("B's type in the instruction descriptor", field(descriptor, 10, 3), b_type);
  check_equal("the scales' type in the instruction descriptor", field(descriptor, 23, 1), ue8m0);
  check_equal("SFA's id in the instruction descriptor", field(descriptor, 29, 2), scale_id);
  check_equal("SFB's id in the instruction descriptor", field(descriptor, 4, 2), scale_id);
  check_equal("negation or major in the instruction descriptor", field(descriptor, 13, 4), 0);
}
#else
#define CHECKPOINT(thread, ...)
DEVICE void check_equal(const char *, unsigned, unsigned) {}
DEVICE void check_shared_descriptor(unsigned long long, unsigned, unsigned, unsigned) {}
DEVICE void check_scaled_descriptor(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                    unsigned) {}
#endif
