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
  // Loads those of the stage that comes `i`-th, if there is one.
  __device__ __forceinline__ void load(const Scales &scales, const Share &share, unsigned i,
                                       unsigned warp, unsigned lane) {
    if (i >= share.stages) return;
    unsigned stage = share.stage(i);
#pragma unroll
    for (int line = 0; line < LINES; ++line)
      a[line] = scales.of_a(share.row + part_row(warp, lane, 2 * line, 0), stage);
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      b[part] = scales.of_b(share.column + part * PART_N, stage);
  }
};

// Stages whose scales are loaded ahead: memory answers in the time of several stages of a small tile.
constexpr unsigned AHEAD = PARTS > 1 ? 2 : 4;

// Multiplies a stage from zero in the tensor core, and adds that to an f32 sum in registers, times
// both scales.
DEVICE void add_stage(Tile &sum, Pipeline &pipe, const StageScales &scales, unsigned consumer,
                      unsigned warp, unsigned lane) {
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
    for (int line = 0; line < LINES; ++line) scale[line] = scales.a[line] * scales.b[part];
#pragma unroll
    for (int i = 0; i < PART_REGISTERS; ++i) {
      float &own = sum[0][part * PART_REGISTERS + i];
      own = fmaf(d[0][i], scale[line_of(i)], own);
    }
  }
  pipe.advance();
}

DEVICE void consume(Tile &sum, Pipeline &pipe, const Scales &scales, const Share &share,
                    unsigned consumer, unsigned warp, unsigned lane) {
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i) sum[0][i] = 0;
  StageScales ahead[AHEAD];
#pragma unroll
  for (unsigned i = 0; i < AHEAD; ++i) ahead[i].load(scales, share, i, warp, lane);
  for (unsigned first = 0; first < share.stages; first += AHEAD)
#pragma unroll
    for (unsigned i = 0; i < AHEAD; ++i) {
      if (first + i >= share.stages) break;
      StageScales now = ahead[i];
      ahead[i].load(scales, share, first + i + AHEAD, warp, lane);
      add_stage(sum, pipe, now, consumer, warp, lane);
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
