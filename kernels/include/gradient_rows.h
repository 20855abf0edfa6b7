// What is done to rows of queries before the kernel that multiplies: the statistics that it reads,
// and zeros where it adds. The source of the backward kernel includes it.
#pragma once

constexpr int ROW_THREADS = 256;
constexpr int ROW_LANES = HEAD_DIM / 8;  // 16 bytes of a row each

// Writes, for each query of a tile of one head, the logarithm of its sum of exponentials in base 2,
// and the sum of dO * O; zeros over dQ's sums and turns. A query without keys, or past the end, has
// a logarithm of +inf, so that its weights are zero.
extern "C" __global__ void __launch_bounds__(ROW_THREADS)
fmha_prepare(const uint4 *o, const uint4 *d_o, const float *log_sum_exp, const Packed *sequences,
             const unsigned *query_tiles, float *statistics, float4 *sums, unsigned *turns,
             const __grid_constant__ Sizes sizes) {
  const Shape &shape = sizes.shape;
  QueryTile mine(blockIdx.x, shape, sequences, query_tiles);
  int head = blockIdx.y, lane = threadIdx.x % ROW_LANES;
  long long block = static_cast<long long>(head) * sizes.tiles + blockIdx.x;
#pragma unroll
  for (int i = threadIdx.x; i < BLOCK_FLOATS / 4; i += ROW_THREADS)
    sums[block * (BLOCK_FLOATS / 4) + i] = float4{0, 0, 0, 0};
#if DETERMINISTIC
  if (threadIdx.x < CHUNKS) turns[block * CHUNKS + threadIdx.x] = 0;
#endif
  statistics += block * 2 * TILE_M;
#pragma unroll
  for (int row = threadIdx.x / ROW_LANES; row < TILE_M; row += ROW_THREADS / ROW_LANES) {
    int query = mine.tile * TILE_M + row;
    float sum = 0, logarithm = -minus_infinity();
    if (query < mine.queries) {
      long long at = mine.start + query;
      uint4 a = o[(at * shape.heads + head) * ROW_LANES + lane];
      uint4 b = d_o[(at * shape.heads + head) * ROW_LANES + lane];
      unsigned left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
        sum = fmaf(unpack(left[i / 2], i % 2), unpack(right[i / 2], i % 2), sum);
      long long of = VARLEN ? static_cast<long long>(head) * shape.queries + at
                            : (static_cast<long long>(mine.sequence) * shape.heads + head) *
                                  shape.queries + query;
      float natural = log_sum_exp[of];
      constexpr float log2_e = 1.44269504088896f;
      if (natural != minus_infinity()) logarithm = natural * log2_e;
    }
#pragma unroll
    for (int apart = 1; apart < ROW_LANES; apart *= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (lane == 0) {
      statistics[row] = logarithm;
      statistics[TILE_M + row] = sum;
    }
  }
}
