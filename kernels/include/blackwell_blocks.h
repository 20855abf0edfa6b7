// Sums of FP8 products with scales of blocks on Blackwell: a stage is a block of k, whose products are
// an accumulator of their own, and threads add that times both scales to a sum in registers.
#pragma once
#include "blackwell_gemm.h"
#include "block_scales.h"

// A stage is a block of k, and a tile has columns of one block.
static_assert(TILE_K == 128 && 128 % TILE_N == 0, "a tile has several scales of B");

// A thread's registers of a box are of several rows of C, those of these registers.
constexpr int LINES = STMATRIX ? 4 : 1, BOXES_OF_TILE = TILE_N / BOX_COLUMNS;
DEVICE constexpr int line_of(int i) { return STMATRIX ? i / 2 % 2 + i / HALF * 2 : 0; }
DEVICE constexpr int register_of(int line) { return line % 2 * 2 + line / 2 * HALF; }
DEVICE constexpr bool registers_are_of_lines() {
  for (int cta = 0; cta < CTAS; ++cta)
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < BOX_COLUMNS; ++i)
        if (output_row(Part{cta, 0, BOXES_OF_TILE - 1}, lane, i) !=
            output_row(Part{cta, 0, 0}, lane, register_of(line_of(i))))
          return false;
  return true;
}
static_assert(registers_are_of_lines(), "a thread has registers of other rows of C");

// First row and column of a tile.
struct Corner {
  unsigned row, column;
};

// The scales of a stage that a thread needs: of its rows of A, and of the tile's columns.
struct StageScales {
  float a[LINES], b;
  __device__ __forceinline__ StageScales(const Scales &scales, const Corner &place, unsigned stage,
                                         unsigned rank, unsigned warp, unsigned lane) {
    Part part = {int(rank), int(warp), 0};
#pragma unroll
    for (int line = 0; line < LINES; ++line)
      a[line] = scales.of_a(place.row + output_row(part, lane, register_of(line)), stage);
    b = scales.of_b(place.column, stage);
  }
};

// D = A @ B.T of a stage.
DEVICE void multiply_stage(unsigned d, const Pipeline &pipe) {
  unsigned long long a = operand_descriptor(pipe.a()), b = operand_descriptor(pipe.b());
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step) {
    unsigned long long k = descriptor_step(step * STEP);
    mma_ss(d, a + k, b + k, DESCRIPTOR, step > 0);
  }
}

// Issues the products of a tile, a stage for each accumulator.
DEVICE void multiply_stages(Pipeline &pipe, Accumulator &sum, unsigned k_blocks) {
  for (unsigned block = 0; block < k_blocks; ++block)
    accumulate(pipe, sum, 1, [](unsigned d, const Pipeline &stage, bool) {
      multiply_stage(d, stage);
    });
}

// Adds up a tile in registers: every stage's sum is an accumulator of its own, which is added times
// both scales.
DEVICE void add_stages(float (&sums)[BOXES_OF_TILE][BOX_COLUMNS], Accumulator &sum,
                       const Scales &scales, const Corner &place, unsigned k_blocks, unsigned rank,
                       unsigned warp, unsigned lane) {
#pragma unroll
  for (int box = 0; box < BOXES_OF_TILE; ++box)
#pragma unroll
    for (int i = 0; i < BOX_COLUMNS; ++i) sums[box][i] = 0;
  StageScales next(scales, place, 0, rank, warp, lane);
  for (unsigned block = 0; block < k_blocks; ++block) {
    float scale[LINES];
#pragma unroll
    for (int line = 0; line < LINES; ++line) scale[line] = next.a[line] * next.b;
    // Those of the next stage arrive while this one is multiplied.
    if (block + 1 < k_blocks)
      next = StageScales(scales, place, block + 1, rank, warp, lane);
    finish<BOXES_OF_TILE>(sum, rank, warp, lane, [&](const Box &d, const Part &part, unsigned) {
#pragma unroll
      for (int i = 0; i < BOX_COLUMNS; ++i) {
        float &own = sums[part.box][i];
        own = fmaf(__uint_as_float(d[i]), scale[line_of(i)], own);
      }
    });
  }
}

// Stores a warp's 32 rows of a tile; two boxes take turns, from tile to tile too.
DEVICE void store_sums(const float (&sums)[BOXES_OF_TILE][BOX_COLUMNS], const TensorMap &map,
                       unsigned boxes, unsigned &turn, const Corner &place, unsigned rank,
                       unsigned warp, unsigned lane) {
#pragma unroll
  for (int i = 0; i < BOXES_OF_TILE; ++i, turn ^= 1) {
    Part part = {int(rank), int(warp), i};
    Box d;
#pragma unroll
    for (int j = 0; j < BOX_COLUMNS; ++j) d[j] = __float_as_uint(sums[i][j]);
    unsigned box = boxes + turn * BOX_BYTES;
    fill_box(box, d, part, lane);
    if (lane == 0) tma_store(map, place.column + box_column(part), place.row + box_row(part), box);
  }
}
