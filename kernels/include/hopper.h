// What a kernel of warpgroups (sm_90a) needs besides async.h and stmatrix.h: descriptors, the order of
// wgmma, and the way of a tile of D into shared memory. Its index arithmetic is that of
// layouts.h, which lanemap emits from results/.
#pragma once
#include "stmatrix.h"
#include "wgmma.h"

// Shared-memory descriptor of an operand that is K-major under the swizzle of 128 or 64 bytes
// (PTX ISA 9.0, "Matrix descriptor format"): address, 8 rows further, and the swizzle's code.
template <int swizzle_bytes = 128>
DEVICE unsigned long long operand_descriptor(unsigned address) {
  unsigned long long eight_rows = operand_byte(8, 0, 0) - operand_byte(0, 0, 0);
  unsigned long long code = swizzle_bytes == 128 ? 1 : 2;
  return (address & 0x3ffff) >> 4 | 1ull << 16 | eight_rows >> 4 << 32 | code << 62;
}

// What 64 rows add to a descriptor.
DEVICE unsigned long long descriptor_block() {
  return 8 * (operand_byte(8, 0, 0) - operand_byte(0, 0, 0)) >> 4;
}

// What a step of `elements` along k adds to a descriptor.
DEVICE unsigned long long descriptor_step(int elements) {
  return (operand_byte(0, elements, 0) - operand_byte(0, 0, 0)) >> 4;
}

DEVICE void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

DEVICE void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int pending>
DEVICE void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// Keeps the compiler from moving uses of registers across a wait or fence.
template <int count>
DEVICE void pin(float (&registers)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(registers[i])::"memory");
}

template <int count>
DEVICE void pin(unsigned (&registers)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+r"(registers[i])::"memory");
}

DEVICE void ldmatrix_x4(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
}

DEVICE void ldmatrix_x4_trans(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
}

// D goes to memory in boxes of 16 rows (a warp's) and 128 bytes, each warp for itself, through two
// boxes of shared memory in turn.
constexpr int BOX_BYTES = 16 * 128;

#if !OUTPUT_F32 && !SWAPPED
// Row and column of a register of D, of a warp whose rows are the first ones.
DEVICE constexpr int output_row(int lane, int i) { return d_row(0, lane, i, 0); }
DEVICE constexpr int output_column(int lane, int i) { return d_column(0, lane, i, 0); }
static_assert(stmatrix_writes_rows(output_row, output_column),
              "stmatrix does not take D's registers row by row");
#endif

template <int count>
DEVICE void write_box(unsigned box, const float (&d)[count], int first, int warp, int lane) {
  constexpr int registers = BOX_COLUMNS / 2;
  int origin_row = warp * 16;
#if OUTPUT_F32
#pragma unroll
  for (int i = 0; i < registers && first + i < count; i += 2) {
    int row = d_row(warp, lane, first + i, 0) - origin_row;
    int byte = (d_column(warp, lane, first + i, 0) % BOX_COLUMNS) * 4;
    unsigned to = box + swizzled(row, byte / 16) + byte % 16;
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};"
                 ::"r"(to), "f"(d[first + i]), "f"(d[first + i + 1]) : "memory");
  }
#else
  // The 8 elements that lane l's address receives are those of these lanes and registers.
  int source = chunk_lane(lane, 0), part = 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
#pragma unroll
  for (int i = 0; i < registers && first + i < count; i += 8) {
    unsigned r[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) r[j] = pack(d[first + i + 2 * j], d[first + i + 2 * j + 1]);
    int row = d_row(warp, source, first + i + part, 0) - origin_row;
    int column = d_column(warp, source, first + i + part, 0) % BOX_COLUMNS;
    stmatrix_x4(box + swizzled(row, column / 8), r);
  }
#endif
}
