// C = A @ B.T with tcgen05.mma and A in tensor memory, where four warps take it by way of their
// registers (tcgen05.st); README.md draws the data path.
constexpr int MOVERS = 4;
#include "blackwell_gemm.h"

// Columns of tensor memory that a stage's A takes, 128 bytes of each row; registers of one
// tcgen05.st, which a 16-lane shape needs twice.
constexpr int A_COLUMNS = UNPACK ? 64 : 32;
constexpr int A_REGISTERS = 32, A_HALF = STORE_32X32B ? A_REGISTERS : A_REGISTERS / 2;

// Row (of a warp's 32) and 32-bit column of a register of A.
DEVICE constexpr int a_row(int lane, int i) { return a_lane(lane, i % A_HALF, 0) + i / A_HALF * 16; }
DEVICE constexpr int a_word(int lane, int i) { return a_column(lane, i % A_HALF, 0); }

// How many registers in a row take neighboring words of one row of A, in all lanes.
DEVICE constexpr bool in_runs(int length) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < A_REGISTERS; ++i) {
      int first = i - i % length;
      if (a_row(lane, i) != a_row(lane, first) || a_word(lane, i) != a_word(lane, first) + i - first)
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
    load_words(r + i, pipe.a() + operand_byte(32 * warp + a_row(lane, i),
                                              a_word(lane, i) * 4 / ELEMENT_BYTES, 0));
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

// D += A @ B.T of a stage, or D = without `add`. 32 bytes of k are 8 columns of A.
DEVICE void multiply(unsigned d, unsigned columns, const Pipeline &pipe, bool add) {
  mbarrier_wait(pipe.a_moved(), pipe.parity);
  tcgen05_fence_after_thread_sync();
  unsigned a = columns + pipe.stage * A_COLUMNS;
  unsigned long long b = operand_descriptor(pipe.b());
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step)
    mma_ts(d, a + 8 * step, b + descriptor_step(step * STEP), DESCRIPTOR, add || step > 0);
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
