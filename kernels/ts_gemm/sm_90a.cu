// C = A @ B.T with A from registers (wgmma RS); README.md draws the data path.
constexpr int RELEASING_WARPS = 4;
#include "hopper_gemm.h"

static_assert(BLOCKS == 1, "a consumer loads the fragments of 64 rows");

constexpr int STEPS = TILE_K / STEP;

// The A of a stage in registers: four for each wgmma.
using Fragments = unsigned[STEPS][4];

// The element of a fragment's register that begins a 16-bit part of what lane l's address names.
DEVICE constexpr int fragment_element(int lane, int half) {
  return matrix_half(lane, half) * 2 / ELEMENT_BYTES;
}

// ldmatrix takes 16 bytes of a row of A at an address: the two maps together must say so.
DEVICE constexpr bool ldmatrix_reads_rows() {
  for (int lane = 0; lane < 32; ++lane)
    for (int half = 0; half < 8; ++half) {
      int to = matrix_lane(lane, half), r = matrix_reg(lane, half);
      int first = matrix_lane(lane, 0), s = matrix_reg(lane, 0);
      int e = fragment_element(lane, half), e_first = fragment_element(lane, 0);
      int k = fragment_k(0, first, s, e_first) + half * 2 / ELEMENT_BYTES;
      if (fragment_row(0, to, r, e) != fragment_row(0, first, s, e_first) ||
          fragment_k(0, to, r, e) != k)
        return false;
    }
  return true;
}
static_assert(ldmatrix_reads_rows(), "ldmatrix does not fill A's registers row by row");

// Reads this warp's rows of a stage as wgmma wants them. Lane l names the 16 bytes that ldmatrix
// gives to the lanes of matrix l / 8.
DEVICE void load(Fragments &fragments, const Pipeline &pipe, unsigned consumer, int warp,
                 int lane) {
  mbarrier_wait(pipe.full(), pipe.parity);
  unsigned a = pipe.a() + consumer * ROWS * 128;
  int to = matrix_lane(lane, 0), r = matrix_reg(lane, 0);
  int element = fragment_element(lane, 0);
  int row = fragment_row(warp, to, r, element), k = fragment_k(warp, to, r, element);
#pragma unroll
  for (int step = 0; step < STEPS; ++step)
    ldmatrix_x4(fragments[step], a + operand_byte(row, step * STEP + k, 0));
}

// Begins D += A @ B.T of a stage, or D = without `add`.
DEVICE void multiply(Tile &d, Fragments &fragments, const Pipeline &pipe, bool add) {
  unsigned long long b = operand_descriptor(pipe.b());
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < STEPS; ++step)
    wgmma_rs(d[0], fragments[step], b + descriptor_step(step * STEP), add || step > 0);
  wgmma_commit();
}

// Two sets of fragments: one is in the tensor core while the other is loaded. The registers of a
// set are written only when a wait has shown that the tensor core has read them.
DEVICE void consume(Tile &d, Pipeline &pipe, unsigned consumer, unsigned k_blocks, unsigned warp,
                    unsigned lane) {
  Fragments even, odd;
  unsigned before = 0;
  load(even, pipe, consumer, warp, lane);
  for (unsigned block = 0; block < k_blocks; block += 2) {
    multiply(d, even, pipe, block > 0);
    wgmma_wait<1>();
    if (block > 0) release(before, warp, lane);
    before = pipe.empty();
    pipe.advance();
    if (block + 1 == k_blocks) break;
    load(odd, pipe, consumer, warp, lane);
    multiply(d, odd, pipe, true);
    wgmma_wait<1>();
    release(before, warp, lane);
    before = pipe.empty();
    pipe.advance();
    if (block + 2 < k_blocks) load(even, pipe, consumer, warp, lane);
  }
  wgmma_wait<0>();
  pin_blocks(d);
  release(before, warp, lane);
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) CLUSTER_OF_CTAS
ts_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
        const __grid_constant__ TensorMap c, const __grid_constant__ TensorMap last_c,
        unsigned whole_tiles, const __grid_constant__ Order order, const Work *schedule,
        unsigned works, float4 *sums, unsigned *arrived, Finish finish) {
  gemm(a, b, Output{c, last_c, whole_tiles, finish}, order, schedule, works, Partials{sums, arrived},
       [](Tile &d, Pipeline &pipe, const Share &share, unsigned consumer, unsigned warp,
          unsigned lane) { consume(d, pipe, consumer, share.stages, warp, lane); });
}
