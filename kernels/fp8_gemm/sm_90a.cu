// C = A @ B.T of FP8 matrices with scales of blocks; README.md draws the data path.
constexpr int RELEASING_WARPS = 1;
#include "hopper_scaled.h"

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
