// C = A @ B.T of FP8 matrices with scales of blocks; README.md draws the data path.
constexpr int MOVERS = 0;
#include "blackwell_blocks.h"

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
fp8_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
         const __grid_constant__ TensorMap c, const unsigned *schedule, unsigned tiles,
         unsigned k_blocks, const __grid_constant__ Scales scales) {
  unsigned turn = 0;  // of a warp's boxes
  roles(
      a, b, c, schedule, tiles, k_blocks, [](Pipeline &, unsigned, unsigned, unsigned) {},
      [=](Pipeline &pipe, Accumulator &sum, unsigned) { multiply_stages(pipe, sum, k_blocks); },
      [&](Accumulator &sum, unsigned boxes, const Place &place, unsigned rank, unsigned warp,
          unsigned lane) {
        float sums[BOXES_OF_TILE][BOX_COLUMNS];
        Corner corner = {place.row, place.column};
        add_stages(sums, sum, scales, corner, k_blocks, rank, warp, lane);
        store_sums(sums, c, boxes, turn, corner, rank, warp, lane);
      });
}
