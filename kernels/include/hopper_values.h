// P @ V on Hopper: P as wgmma's A in registers, V as its B in shared memory.
//
// Of 16-bit types, V is N-major as it lies in memory, and the registers in which S leaves the
// tensor core are those in which P enters it. Of FP8, B must be K-major, and P enters with four
// adjacent k in a register where S left with two. A sum over keys may take them in any order, so
// k is not the key but `key_of(k)`: P stays in its thread, and V is transposed in that order.
#pragma once
#include "hopper_softmax.h"

using Weights = unsigned[TILE_N / STEP][4];

// Key of a position along k, in both the register of P and V's tile.
DEVICE constexpr int key_of(int k) {
  return FP8 ? (k & ~15) + (k % 4 / 2 * 8) + k % 16 / 4 * 2 + k % 2 : k;
}

// Register of S whose weight is an element of a register of P, of the same STEP keys.
DEVICE constexpr int logit_of(int reg, int element) {
  return FP8 ? reg / 2 * 8 + element / 2 * 4 + reg % 2 * 2 + element % 2 : 2 * reg + element;
}

DEVICE constexpr bool weights_are_fragments() {
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      for (int element = 0; element < 4 / ELEMENT_BYTES; ++element) {
        int from = logit_of(reg, element);
        if (d_row(0, lane, from, 0) != fragment_row(0, lane, reg, element) ||
            d_column(0, lane, from, 0) != key_of(fragment_k(0, lane, reg, element)))
          return false;
      }
  return true;
}
static_assert(weights_are_fragments(), "registers of S are not those of P");

DEVICE void convert(Weights &p, const Logits &s) {
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i)
#pragma unroll
    for (int reg = 0; reg < 4; ++reg) {
      const float *from = &s[i * STEP / 2];
#if ELEMENT_BYTES == 1
      p[i][reg] = pack_e4m3(from[logit_of(reg, 0)], from[logit_of(reg, 1)],
                            from[logit_of(reg, 2)], from[logit_of(reg, 3)]);
#else
      p[i][reg] = pack(from[logit_of(reg, 0)], from[logit_of(reg, 1)]);
#endif
    }
}

DEVICE void pin_weights(Weights &p) {
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i) pin(p[i]);
}

// Descriptor of V's tile under the 128-byte swizzle. N-major: 64 columns further are KEYS_PART
// bytes (LBO), 8 keys further as many as the map says (SBO). K-major: SBO is 8 columns further.
DEVICE unsigned long long value_descriptor(unsigned address) {
  unsigned long long eight = (FP8 ? value_byte(8, 0, 0) : value_byte(0, 8, 0)) -
                             value_byte(0, 0, 0);
  unsigned long long next_part = FP8 ? 1 : KEYS_PART >> 4;
  return (address & 0x3ffff) >> 4 | next_part << 16 | eight >> 4 << 32 | 1ull << 62;
}

// What the keys of one wgmma add to it.
DEVICE constexpr unsigned value_step() {
  return ((FP8 ? value_byte(0, STEP, 0) : 2 * value_byte(0, 8, 0)) - value_byte(0, 0, 0)) >> 4;
}

#if ELEMENT_BYTES == 1
static_assert(TILE_N <= 128, "a row of V transposed is one row of the 128-byte swizzle");
static_assert(VALUE_DIM <= PART_BYTES, "a row of V is one row of its swizzle");

// The transpose of 32 keys and 16 columns takes three steps. ldmatrix.trans gives a register two
// keys of two columns; two registers give one with four keys of the even column, and one of the odd
// column; stmatrix writes 16 keys of a column at each lane's address. Matrix i of stmatrix has the
// columns of parity i % 2 and the keys of half i / 2. The three maps together must say so.
DEVICE constexpr int transposed_column(int lane) { return lane % 8 * 2 + lane / 8 % 2; }
DEVICE constexpr int transposed_k(int lane) { return lane / 16 * 16; }

DEVICE constexpr bool transposes_values() {
  for (int lane = 0; lane < 32; ++lane)
    for (int byte = 0; byte < 16; ++byte) {
      int from = chunk_lane(lane, byte / 2), reg = chunk_reg(lane, byte / 2);
      int place = 2 * chunk_half(lane, byte / 2) + byte % 2;  // in that register
      int loaded = reg / 2 * 2 + place / 2, half = place % 2;
      if (piece_lane(from, loaded, half) != key_of(transposed_k(lane) + byte) ||
          2 * piece_half(from, loaded, half) + reg % 2 != transposed_column(lane))
        return false;
    }
  return true;
}
static_assert(transposes_values(), "ldmatrix and stmatrix do not transpose V");

// Transposes a tile of V; the warps share the work.
DEVICE void transpose_values(unsigned to, unsigned from, int warp, int warps, int lane) {
  constexpr int across = VALUE_DIM / 16, pieces = TILE_N / 32 * across;
  for (int piece = warp; piece < pieces; piece += warps) {
    int keys = piece / across * 32, columns = piece % across * 16;
    unsigned r[4], t[4];
    ldmatrix_x4_trans(r, from + keys * PART_BYTES + (lane & ~7) * PART_BYTES +
                             operand_byte(lane & 7, columns, 0));
#pragma unroll
    for (int i = 0; i < 4; ++i)
      t[i] = __byte_perm(r[i / 2 * 2], r[i / 2 * 2 + 1], i % 2 ? 0x7531 : 0x6420);
    int column = columns + transposed_column(lane);
    stmatrix_x4(to + (column & ~7) * 128 + value_byte(column & 7, keys + transposed_k(lane), 0), t);
  }
}
#endif
