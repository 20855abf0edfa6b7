// C = A @ B.T of groups of rows with wgmma; README.md draws the data path.
constexpr int RELEASING_WARPS = 1;
#include "hopper_parts.h"
#include "grouped.h"
#if TWO_LEVEL
#include "hopper_scaled.h"
#endif

// Behind all else in shared memory: a map of A, and one of C for each warp that stores. In memory a
// CTA has two of A, then those of C.
constexpr int STORING = CONSUMERS * 4, MAPS = 2 + STORING;
constexpr unsigned STAGED = (BARRIERS + STAGES * 16 + 127) / 128 * 128;
constexpr unsigned MAP_BYTES = sizeof(TensorMap);

DEVICE void wait_for_load(const Pipeline &stage, unsigned parity) {
  mbarrier_wait(stage.full(), parity);
}

DEVICE void load_stage(const Pipeline &pipe, const TensorMap &a, const TensorMap &b,
                       const Walk &walk, unsigned k) {
  mbarrier_expect(pipe.full(), STAGE_BYTES);
  tma_load(pipe.a(), a, k, walk.row(), pipe.full());
  if constexpr (CTAS > 1) {
    constexpr unsigned part = TILE_N / CTAS;
    tma_load_3d_multicast(pipe.b() + walk.rank * part * 128, b, k,
                          walk.column() + walk.rank * part, walk.group, pipe.full(),
                          (1u << CTAS) - 1);
  } else {
    tma_load_3d(pipe.b(), b, k, walk.column(), walk.group, pipe.full());
  }
}

#if !TWO_LEVEL
// Sums up a tile. One stage is always in the tensor core while the next one begins.
DEVICE void consume(Tile &d, Pipeline &pipe, unsigned consumer, unsigned k_blocks, unsigned warp,
                    unsigned lane) {
  multiply(d, wait_for_rows(pipe, consumer), operand_descriptor(pipe.b()), false);
  unsigned before = pipe.empty();
  pipe.advance();
  for (unsigned block = 1; block < k_blocks; ++block) {
    multiply(d, wait_for_rows(pipe, consumer), operand_descriptor(pipe.b()), true);
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

// Stores a warp's rows of 64 rows of D, a box at a time; two boxes take turns.
template <int count>
DEVICE void store_rows(const TensorMap &map, unsigned boxes, const float (&d)[count],
                       unsigned column, unsigned row, int warp, int lane) {
#pragma unroll
  for (int i = 0; i < TILE_N / BOX_COLUMNS; ++i) {
    unsigned box = boxes + i % 2 * BOX_BYTES;
    // The newest store may still read the other box; if a tile has one box, this one.
    if (lane == 0) tma_store_wait_read<(TILE_N > BOX_COLUMNS)>();
    __syncwarp();
    write_box(box, d, i * BOX_COLUMNS / 2, warp, lane);
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) tma_store(map, column + i * BOX_COLUMNS, row + 16 * warp, box);
  }
}
static_assert(TILE_N % BOX_COLUMNS == 0 && (TILE_N == BOX_COLUMNS || TILE_N / BOX_COLUMNS % 2 == 0),
              "boxes of two tiles take turns as those of one do");

// Computes this consumer's rows of every tile; each warp stores through a map of its own.
DEVICE void compute(Pipeline pipe, const TensorMap *map, unsigned staged, unsigned boxes, Walk walk,
                    unsigned k_blocks, unsigned consumer, int warp, int lane) {
  for (unsigned group = ~0u; walk.find(); walk.advance()) {
    Tile d;
#if TWO_LEVEL
    Share share = {0, k_blocks, false, walk.row() + consumer * ROWS, walk.column()};
    consume(d, pipe, walk.scales(), share, consumer, warp, lane);
#else
    consume(d, pipe, consumer, k_blocks, warp, lane);
#endif
    if (walk.group != group) {
      if (lane == 0) tma_store_wait_read<0>();
      __syncwarp();
      make_group_map(map, staged, walk.begin_of(walk.groups.c), walk.rows, lane);
    }
    group = walk.group;
#pragma unroll
    for (int i = 0; i < BLOCKS; ++i)
      store_rows(*map, boxes, d[i], walk.column(), walk.row() + consumer * ROWS + 64 * i, warp,
                 lane);
  }
  if (lane == 0) tma_store_wait_read<0>();
}

// `maps` is memory for MAPS tensor maps of each CTA.
extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
grouped_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
             const __grid_constant__ TensorMap c, TensorMap *maps, unsigned k_blocks,
             const __grid_constant__ Groups groups) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Pipeline pipe = {shared_address(memory), 0, 0};
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
  unsigned warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
  maps += blockIdx.x * MAPS;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(b);
    for (int i = 0; i < STAGES; ++i) {
      mbarrier_init(pipe.base + BARRIERS + i * 16, 1);
      mbarrier_init(pipe.base + BARRIERS + i * 16 + 8, CONSUMERS * RELEASING_WARPS * CTAS);
    }
    fence_mbarrier_init();
    stage_map(pipe.base + STAGED, a);
  }
  unsigned storing = (warpgroup - 1) * 4 + warp;
  unsigned staged = pipe.base + STAGED + (1 + storing) * MAP_BYTES;
  if (warpgroup > 0 && lane == 0) stage_map(staged, c);
  if constexpr (CTAS > 1) cluster_barrier();
  else __syncthreads();
  Walk walk(groups, rank);
  if (warpgroup == 0) {
    // Role: producer.
    give_registers<PRODUCER_REGISTERS>();
    if (warp == 0)
      load(pipe, GroupMaps{maps, pipe.base + STAGED, 0, 0, 0}, b, walk, k_blocks, lane);
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    compute(pipe, maps + 2 + storing, staged, pipe.base + BOXES + storing * 2 * BOX_BYTES, walk,
            k_blocks, warpgroup - 1, warp, lane);
  }
  // Role: all.
  // No CTA may end while another one still copies into its memory or arrives there.
  if constexpr (CTAS > 1) cluster_barrier();
}
