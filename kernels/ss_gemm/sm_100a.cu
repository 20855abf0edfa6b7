// C = A @ B.T with tcgen05.mma, both operands in shared memory; README.md draws the data path.
constexpr int MOVERS = 0;
#include "blackwell_gemm.h"

// D += A @ B.T of a stage, or D = without `add`.
DEVICE void multiply(unsigned d, const Pipeline &pipe, bool add) {
  unsigned long long a = operand_descriptor(pipe.a()), b = operand_descriptor(pipe.b());
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step) {
    unsigned long long k = descriptor_step(step * STEP);
    mma_ss(d, a + k, b + k, DESCRIPTOR, add || step > 0);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
ss_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
        const __grid_constant__ TensorMap c, const unsigned *schedule, unsigned tiles,
        unsigned k_blocks, unsigned char *output, unsigned long long row_bytes, unsigned rows,
        unsigned columns) {
  gemm(a, b, c, Output{output, row_bytes, rows, columns}, schedule, tiles, k_blocks,
       [](Pipeline &, unsigned, unsigned, unsigned) {},
       [](unsigned d, unsigned, const Pipeline &pipe, bool add) { multiply(d, pipe, add); });
}
