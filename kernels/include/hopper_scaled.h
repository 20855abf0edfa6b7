// Sums of FP8 products with scales of blocks: a stage is a block of k, whose products the tensor core
// adds from zero, and threads add that sum times both scales to one in registers.
#pragma once
#include "block_scales.h"
#include "hopper_parts.h"

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

using PartOfTile = float[BLOCKS][PART_REGISTERS];

// Begins D = A @ B.T of a stage and a part of its columns, from zero; `a` is that of `wait_for_rows`.
DEVICE void begin(PartOfTile &d, const Pipeline &pipe, unsigned long long a, int part) {
  unsigned long long b = operand_descriptor(pipe.b()) + part * PART_N / 64 * descriptor_block();
  multiply(d, a, b, false);
}

// Adds a part's products to the sum, times both scales.
DEVICE void add(Tile &sum, const PartOfTile &d, int part, const StageScales &scales) {
  float scale[LINES];
#pragma unroll
  for (int line = 0; line < LINES; ++line) scale[line] = scales.a[line] * scales.b[part];
#pragma unroll
  for (int i = 0; i < PART_REGISTERS; ++i) {
    float &own = sum[0][part * PART_REGISTERS + i];
    own = fmaf(d[0][i], scale[line_of(i)], own);
  }
}

// Adds a stage, one part after another; while one is added the next one is in the tensor core. No
// wgmma is in flight when it ends, as in `add_stages`.
DEVICE void add_stage(Tile &sum, Pipeline &pipe, const StageScales &scales, unsigned consumer,
                      unsigned warp, unsigned lane) {
  unsigned long long a = wait_for_rows(pipe, consumer);
  PartOfTile d[2];
  begin(d[0], pipe, a, 0);
#pragma unroll
  for (int part = 0; part < PARTS; ++part) {
    if (part + 1 < PARTS) {
      begin(d[(part + 1) % 2], pipe, a, part + 1);
      wgmma_wait<1>();
    } else {
      wgmma_wait<0>();
    }
    pin(d[part % 2][0]);
    if (part == PARTS - 1) release(pipe.empty(), warp, lane);
    add(sum, d[part % 2], part, scales);
  }
  pipe.advance();
}

// Adds AHEAD stages of one part each; while one is added the next one is in the tensor core.
// `used(i)` says that the scales of a stage are not needed any more. No wgmma is in flight when it
// ends: with one in flight across a loop's end, ptxas serializes them all (C7514).
template <typename Used>
DEVICE void add_stages(Tile &sum, Pipeline &pipe, const StageScales (&scales)[AHEAD], Used used,
                       unsigned consumer, unsigned warp, unsigned lane) {
  PartOfTile d[2];
  begin(d[0], pipe, wait_for_rows(pipe, consumer), 0);
#pragma unroll
  for (unsigned i = 0; i < AHEAD; ++i) {
    unsigned empty = pipe.empty();
    pipe.advance();
    if (i + 1 < AHEAD) {
      begin(d[(i + 1) % 2], pipe, wait_for_rows(pipe, consumer), 0);
      wgmma_wait<1>();
    } else {
      wgmma_wait<0>();
    }
    pin(d[i % 2][0]);
    release(empty, warp, lane);
    add(sum, d[i % 2], 0, scales[i]);
    used(i);
  }
}

DEVICE void consume(Tile &sum, Pipeline &pipe, const Scales &scales, const Share &share,
                    unsigned consumer, unsigned warp, unsigned lane) {
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i) sum[0][i] = 0;
  StageScales ahead[AHEAD];
#pragma unroll
  for (unsigned i = 0; i < AHEAD; ++i) ahead[i].load(scales, share, i, warp, lane);
  unsigned first = 0;
  if constexpr (PARTS == 1)
    for (; first + AHEAD <= share.stages; first += AHEAD)
      add_stages(sum, pipe, ahead, [&](unsigned i) {
        ahead[i].load(scales, share, first + i + AHEAD, warp, lane);
      }, consumer, warp, lane);
  for (; first < share.stages; first += AHEAD)
#pragma unroll
    for (unsigned i = 0; i < AHEAD; ++i) {
      if (first + i >= share.stages) break;
      StageScales now = ahead[i];
      ahead[i].load(scales, share, first + i + AHEAD, warp, lane);
      add_stage(sum, pipe, now, consumer, warp, lane);
    }
}
