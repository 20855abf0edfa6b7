// C = A @ B.T with wgmma from shared memory; README.md draws the data path.
constexpr int RELEASING_WARPS = 1;
#include "hopper_parts.h"

#if TWO_LEVEL
static_assert(BLOCKS == 1, "a thread has registers for one sum of two levels");

// The tensor core keeps few bits of a sum of FP8 products: every stage's sum starts from zero and
// is added to an f32 sum in registers. It has PART_N columns at a time, so that both sums fit.
DEVICE void consume(Tile &sum, Pipeline &pipe, unsigned consumer, unsigned k_blocks, unsigned warp,
                    unsigned lane) {
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i) sum[0][i] = 0;
  for (unsigned block = 0; block < k_blocks; ++block) {
    unsigned long long a = wait_for_rows(pipe, consumer);
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
      float d[BLOCKS][PART_REGISTERS];
      unsigned long long b = operand_descriptor(pipe.b()) + part * PART_N / 64 * descriptor_block();
      multiply(d, a, b, false);
      wgmma_wait<0>();
      pin(d[0]);
      if (part == PARTS - 1) release(pipe.empty(), warp, lane);
#pragma unroll
      for (int i = 0; i < PART_REGISTERS; ++i) sum[0][part * PART_REGISTERS + i] += d[0][i];
    }
    pipe.advance();
  }
}
#else
// Stages that are in the tensor core while the next one begins: a narrow tile's are done so soon that
// one alone would end before it.
#ifndef QUEUED
#define QUEUED (TILE_N > 128 ? 1 : TILE_N > 64 ? 2 : 3)
#endif
constexpr int AHEAD = QUEUED < STAGES ? QUEUED : STAGES - 1;

DEVICE void consume(Tile &d, Pipeline &pipe, unsigned consumer,
                    unsigned k_blocks, unsigned warp, unsigned lane) {
  Pipeline before = pipe;
  multiply(d, wait_for_rows(pipe, consumer), descriptor<B_TRANSPOSED>(pipe.b()), false);
  pipe.advance();
  for (unsigned block = 1; block < k_blocks; ++block) {
    multiply(d, wait_for_rows(pipe, consumer), descriptor<B_TRANSPOSED>(pipe.b()), true);
    pipe.advance();
    if (block >= AHEAD) {
      wgmma_wait<AHEAD>();
      release(before.empty(), warp, lane);
      before.advance();
    }
  }
  wgmma_wait<0>();
  pin_blocks(d);
  for (; before.stage != pipe.stage; before.advance()) release(before.empty(), warp, lane);
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) CLUSTER_OF_CTAS
ss_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
        const __grid_constant__ TensorMap c, const __grid_constant__ TensorMap last_c,
        unsigned whole_tiles, const __grid_constant__ Order order, const Work *schedule,
        unsigned works, float4 *sums, unsigned *arrived, Finish finish) {
  gemm(a, b, Output{c, last_c, whole_tiles, finish}, order, schedule, works, Partials{sums, arrived},
       [](Tile &d, Pipeline &pipe, const Share &share, unsigned consumer, unsigned warp,
          unsigned lane) { consume(d, pipe, consumer, share.stages, warp, lane); });
}
