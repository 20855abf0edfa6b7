// What block-scaled kernels of sm_100a share: atoms of scales, their way to tensor memory, and the
// products. A step takes SCALE_VECTOR scales of a row; a source includes blackwell.h before.
#pragma once
#include "debug.h"

#if SCALE_VECTOR == 4
#define SCALED "kind::mxf4nvf4.block_scale.scale_vec::4X"
#elif SCALE_VECTOR == 2
#define SCALED "kind::mxf4.block_scale.scale_vec::2X"
#else
#define SCALED "kind::mxf8f6f4.block_scale.scale_vec::1X"
#endif

// An atom holds 4 scales of each of 128 rows, and takes 4 columns of tensor memory.
constexpr int ATOM_ROWS = 128, ATOM_COLUMNS = 4, ATOM_BYTES = ATOM_ROWS * ATOM_COLUMNS;
constexpr int COPY_COLUMNS = 4;

// Where an atom in memory has the scale of a row and a block of k (cuBLAS, "1D Block Scaling
// Factors Layout").
DEVICE constexpr int atom_place(int row, int block) {
  return row % 32 * 16 + row / 32 * 4 + block;
}

// Where an atom's copy takes a cell of tensor memory from.
DEVICE constexpr int copied_from(int lane, int column, int byte) {
  return cp_row(lane, column, byte) * 16 + cp_byte(lane, column, byte);
}

// Shared-memory descriptor of an atom: 32 rows of 16 bytes without swizzle, SBO from 8 rows to the
// next.
DEVICE unsigned long long atom_descriptor(unsigned address) {
  unsigned long long eight_rows = 8 * (atom_byte(1, 0, 0) - atom_byte(0, 0, 0));
  return (address & 0x3ffff) >> 4 | 1ull << 16 | eight_rows >> 4 << 32 | 1ull << 46;
}

// Copies an atom to four columns, with the copies for all four warps' lanes; in a pair each CTA's, from
// this address of its own shared memory (probe tcgen05_cp_pair).
DEVICE void copy_atom(unsigned columns, unsigned address) {
  unsigned long long descriptor = atom_descriptor(address);
  check_shared_descriptor(descriptor, address, 128, 0);
  asm volatile("tcgen05.cp." PAIR ".32x128b.warpx4 [%0], %1;" ::"r"(columns), "l"(descriptor)
               : "memory");
}

// D = A @ B.T of 32 bytes of k with scales in tensor memory, or D += with `add`.
DEVICE void mma_scaled(unsigned d, unsigned long long a, unsigned long long b, unsigned descriptor,
                       unsigned sfa, unsigned sfb, bool add) {
  asm volatile("{\n"
               ".reg .pred add;\n"
               "setp.ne.u32 add, %6, 0;\n"
               "tcgen05.mma." PAIR "." SCALED " [%0], %1, %2, %3, [%4], [%5], add;\n"
               "}" ::"r"(d), "l"(a), "l"(b), "r"(descriptor), "r"(sfa), "r"(sfb),
               "r"(unsigned(add)) : "memory");
}
