// C = A @ B.T with wgmma from shared memory; README.md draws the data path.
constexpr int RELEASING_WARPS = 1;
#include "hopper_gemm.h"

// Begins D = A @ B.T of a stage, or D += with `add`.
DEVICE void multiply(Tile &d, const Pipeline &pipe, unsigned consumer,
                     bool add) {
  mbarrier_wait(pipe.full(), pipe.parity);
  unsigned long long a = operand_descriptor(pipe.a() + consumer * ROWS * 128);
  unsigned long long b = operand_descriptor(pipe.b());
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step) {
    unsigned long long k = descriptor_step(step * STEP);
#pragma unroll
    for (int i = 0; i < BLOCKS; ++i)
      wgmma_ss(d[i], a + i * descriptor_block() + k, b + k, add || step > 0);
  }
  wgmma_commit();
}

#if TWO_LEVEL
// The tensor core keeps few bits of a sum of FP8 products: every stage's sum starts from zero and
// is added to an f32 sum in registers.
DEVICE void consume(Tile &sum, Pipeline &pipe, unsigned consumer,
                    unsigned k_blocks, unsigned warp, unsigned lane) {
#pragma unroll
  for (int i = 0; i < BLOCKS * TILE_N / 2; ++i) (&sum[0][0])[i] = 0;
  for (unsigned block = 0; block < k_blocks; ++block) {
    Tile d;
    multiply(d, pipe, consumer, false);
    wgmma_wait<0>();
    pin_blocks(d);
    release(pipe.empty(), warp, lane);
    pipe.advance();
#pragma unroll
    for (int i = 0; i < BLOCKS * TILE_N / 2; ++i) (&sum[0][0])[i] += (&d[0][0])[i];
  }
}
#else
// One stage is always in the tensor core while the next one begins.
DEVICE void consume(Tile &d, Pipeline &pipe, unsigned consumer,
                    unsigned k_blocks, unsigned warp, unsigned lane) {
  multiply(d, pipe, consumer, false);
  unsigned before = pipe.empty();
  pipe.advance();
  for (unsigned block = 1; block < k_blocks; ++block) {
    multiply(d, pipe, consumer, true);
    wgmma_wait<1>();
    release(before, warp, lane);
    before = pipe.empty();
    pipe.advance();
  }
  wgmma_wait<0>();
  pin_blocks(d);
  release(before, warp, lane);
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
ss_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
        const __grid_constant__ TensorMap c, const unsigned *schedule, unsigned tiles,
        unsigned k_blocks) {
  gemm(a, b, c, schedule, tiles, k_blocks,
       [=](Tile &d, Pipeline &pipe, unsigned consumer, unsigned warp, unsigned lane) {
         consume(d, pipe, consumer, k_blocks, warp, lane);
       });
}
