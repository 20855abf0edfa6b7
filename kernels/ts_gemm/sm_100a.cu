// C = A @ B.T with tcgen05.mma and A in tensor memory, where four warps take it by way of their
// registers (tcgen05.st); README.md draws the data path.
constexpr int MOVERS = 4;
#include "blackwell_gemm.h"

// Columns of tensor memory that a stage's A takes, 128 bytes of each row; registers of one
// tcgen05.st, which a 16-lane shape needs twice.
constexpr int A_COLUMNS = UNPACK ? 64 : 32;
constexpr int A_REGISTERS = 32, A_HALF = STORE_32X32B ? A_REGISTERS : A_REGISTERS / 2;

// Row (of the CTA's 128) and first k of a register of A of a warp: tcgen05.st says to which cell of
// tensor memory it goes, and tcgen05.mma which elements of A it reads there, in a step of k.
constexpr int STEP_COLUMNS = 32 / 4;
DEVICE constexpr int cell_lane(int warp, int lane, int i) {
  return 32 * warp + a_lane(lane, i % A_HALF, 0) + i / A_HALF * 16;
}
DEVICE constexpr int cell_column(int lane, int i) { return a_column(lane, i % A_HALF, 0); }
#if CLUSTER_M == 2
#define PLACE_OF_A(cta, warp, lane, i, part) \
  cta, cell_lane(warp, lane, i), cell_column(lane, i) % STEP_COLUMNS, part
#else
#define PLACE_OF_A(cta, warp, lane, i, part) \
  cell_lane(warp, lane, i), cell_column(lane, i) % STEP_COLUMNS, part
#endif
DEVICE constexpr int a_row(int warp, int lane, int i, int part = 0, int cta = 0) {
  return factor_row(PLACE_OF_A(cta, warp, lane, i, part)) - cta * TILE_M;
}
DEVICE constexpr int a_k(int warp, int lane, int i, int part = 0, int cta = 0) {
  return factor_k(PLACE_OF_A(cta, warp, lane, i, part)) + cell_column(lane, i) / STEP_COLUMNS * STEP;
}

// A register takes 4 bytes of a row of A, as they lie in shared memory; alike in both CTAs.
DEVICE constexpr bool registers_are_words() {
  for (int part = 0; part < 4 / ELEMENT_BYTES; ++part)
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < A_REGISTERS; ++i)
        if (a_row(0, lane, i, part, CLUSTER_M - 1) != a_row(0, lane, i) ||
            a_k(0, lane, i, part, CLUSTER_M - 1) != a_k(0, lane, i) + part)
          return false;
  return true;
}
static_assert(registers_are_words(), "tcgen05.mma does not read words of A's rows");

// How many registers in a row take neighboring words of one row of A, in all lanes.
DEVICE constexpr bool in_runs(int length) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < A_REGISTERS; ++i) {
      int first = i - i % length;
      if (a_row(0, lane, i) != a_row(0, lane, first) ||
          a_k(0, lane, i) != a_k(0, lane, first) + (i - first) * 4 / ELEMENT_BYTES)
        return false;
    }
  return true;
}
constexpr int RUN = in_runs(4) ? 4 : in_runs(2) ? 2 : 1;

DEVICE void load_words(unsigned *r, unsigned address) {
  if constexpr (RUN == 4)
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
  else if constexpr (RUN == 2)
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(address) : "memory");
  else
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(r[0]) : "r"(address) : "memory");
}

DEVICE void store_words(const unsigned (&r)[A_REGISTERS], unsigned address) {
#if UNPACK
  // The wrong way: a half of each register in a column of its own. The tensor core wants two 16-bit
  // elements, or four of FP8, in a column.
  tcgen05_st_32x32b_x32_unpack_16b(r, address);
#elif STORE_16X64B
  tcgen05_st_2x16x64b_x16(r, address);
#elif STORE_16X128B
  tcgen05_st_2x16x128b_x8(r, address);
#elif STORE_16X256B
  tcgen05_st_2x16x256b_x4(r, address);
#elif STORE_16X32BX2
  tcgen05_st_2x16x32bx2_x16<16>(r, address);
#else
  tcgen05_st_32x32b_x32(r, address);
#endif
}

// Takes a warp's 32 rows of a stage's A to tensor memory.
DEVICE void move(const Pipeline &pipe, unsigned columns, unsigned warp, unsigned lane) {
  unsigned r[A_REGISTERS];
  mbarrier_wait(pipe.a_full(), pipe.parity);
#pragma unroll
  for (int i = 0; i < A_REGISTERS; i += RUN)
    load_words(r + i, pipe.a() + operand_byte(a_row(warp, lane, i), a_k(warp, lane, i), 0));
  // The products that read these columns before are complete.
  mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
  tcgen05_fence_after_thread_sync();
  store_words(r, columns + pipe.stage * A_COLUMNS + (32 * warp << 16));
  tcgen05_wait_st();
  tcgen05_fence_before_thread_sync();
  __syncwarp();
  if (lane == 0) {
    mbarrier_arrive(pipe.a_moved(), 0);
    mbarrier_arrive(pipe.empty(), CTAS > 1 ? cluster_rank() : 0);
  }
}

// D += A @ B.T of a stage, or D = without `add`.
DEVICE void multiply(unsigned d, unsigned columns, const Pipeline &pipe, bool add) {
  mbarrier_wait(pipe.a_moved(), pipe.parity);
  tcgen05_fence_after_thread_sync();
  unsigned a = columns + pipe.stage * A_COLUMNS;
  unsigned long long b = operand_descriptor(pipe.b());
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step)
    mma_ts(d, a + STEP_COLUMNS * step, b + descriptor_step(step * STEP), DESCRIPTOR,
           add || step > 0);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
ts_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
        const __grid_constant__ TensorMap c, const unsigned *schedule, unsigned tiles,
        unsigned k_blocks, unsigned char *output, unsigned long long row_bytes, unsigned rows,
        unsigned columns) {
  gemm(a, b, c, Output{output, row_bytes, rows, columns}, schedule, tiles, k_blocks,
       [](const Pipeline &pipe, unsigned columns, unsigned warp, unsigned lane) {
         move(pipe, columns, warp, lane);
       },
       [](unsigned d, unsigned columns, const Pipeline &pipe, bool add) {
         multiply(d, columns, pipe, add);
       });
}
