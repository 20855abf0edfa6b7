// C = A @ B.T of FP8 matrices with scales of blocks; README.md draws the data path.
constexpr int RELEASING_WARPS = 1;
#include "hopper_parts.h"
#include "block_scales.h"

// A stage is a block of k, and no part of a tile has columns of two blocks.
static_assert(TILE_K == 128 && 128 % PART_N == 0 && BLOCKS == 1, "a part has one scale of B");

// A thread's registers of D are of two rows; those of a part have the rows of registers 0 and 2.
constexpr int LINES = 2;
DEVICE constexpr int line_of(int i) { return i / 2 % LINES; }
DEVICE constexpr bool registers_are_of_two_rows() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < PART_REGISTERS; ++i)
      if (part_row(0, lane, i, 0) != part_row(0, lane, 2 * line_of(i), 0)) return false;
  return true;
}
static_assert(registers_are_of_two_rows(), "a thread has registers of D of other rows");

// The scales of a stage that a thread needs: of its rows of A, and of each part's columns.
struct StageScales {
  float a[LINES], b[PARTS];
  __device__ __forceinline__ StageScales(const Scales &scales, const Share &share, unsigned stage,
                                         unsigned warp, unsigned lane) {
#pragma unroll
    for (int line = 0; line < LINES; ++line)
      a[line] = scales.of_a(share.row + part_row(warp, lane, 2 * line, 0), stage);
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      b[part] = scales.of_b(share.column + part * PART_N, stage);
  }
};

// Every stage's sum starts from zero in the tensor core, and is added to an f32 sum in registers,
// times both scales.
DEVICE void consume(Tile &sum, Pipeline &pipe, const Scales &scales, const Share &share,
                    unsigned consumer, unsigned warp, unsigned lane) {
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i) sum[0][i] = 0;
  StageScales next(scales, share, share.stage(0), warp, lane);
  for (unsigned block = 0; block < share.stages; ++block) {
    StageScales now = next;
    // Those of the next stage arrive while this one is multiplied.
    if (block + 1 < share.stages)
      next = StageScales(scales, share, share.stage(block + 1), warp, lane);
    unsigned long long a = wait_for_rows(pipe, consumer);
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
      float d[BLOCKS][PART_REGISTERS];
      unsigned long long b = operand_descriptor(pipe.b()) + part * PART_N / 64 * descriptor_block();
      multiply(d, a, b, false);
      wgmma_wait<0>();
      pin(d[0]);
      if (part == PARTS - 1) release(pipe.empty(), warp, lane);
      float scale[LINES];
#pragma unroll
      for (int line = 0; line < LINES; ++line) scale[line] = now.a[line] * now.b[part];
#pragma unroll
      for (int i = 0; i < PART_REGISTERS; ++i) {
        float &own = sum[0][part * PART_REGISTERS + i];
        own = fmaf(d[0][i], scale[line_of(i)], own);
      }
    }
    pipe.advance();
  }
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) CLUSTER_OF_CTAS
fp8_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
         const __grid_constant__ TensorMap c, const __grid_constant__ TensorMap last_c,
         unsigned whole_tiles, const __grid_constant__ Order order, const Work *schedule,
         unsigned works, float4 *sums, unsigned *arrived, const __grid_constant__ Scales scales) {
  gemm(a, b, Output{c, last_c, whole_tiles, Finish{}}, order, schedule, works,
       Partials{sums, arrived},
       [&](Tile &d, Pipeline &pipe, const Share &share, unsigned consumer, unsigned warp,
           unsigned lane) { consume(d, pipe, scales, share, consumer, warp, lane); });
}
