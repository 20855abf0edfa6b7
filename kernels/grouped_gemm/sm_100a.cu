// C = A @ B.T of groups of rows with tcgen05.mma; README.md draws the data path.
#define TMA_STORE 1
constexpr int MOVERS = 0;
#if TWO_LEVEL
#include "blackwell_blocks.h"
#else
#include "blackwell_gemm.h"
#endif
#include "grouped.h"

// Behind all else in shared memory: a map of A, and one of C for each warp of the epilogue. In
// memory a CTA has two of A, then those of C.
constexpr unsigned STAGED = (SLOT + 8 + 127) / 128 * 128, MAP_BYTES = sizeof(TensorMap);
constexpr int MAPS = 2 + 4;

#if !TWO_LEVEL
// D += A @ B.T of a stage, or D = without `add`.
DEVICE void multiply(unsigned d, const Pipeline &pipe, bool add) {
  unsigned long long a = operand_descriptor(pipe.a()), b = operand_descriptor(pipe.b());
#pragma unroll
  for (int step = 0; step < TILE_K / STEP; ++step) {
    unsigned long long k = descriptor_step(step * STEP);
    mma_ss(d, a + k, b + k, DESCRIPTOR, add || step > 0);
  }
}
#endif

// A pair's loads complete at the first CTA's mbarriers: the other one knows of its own when their
// stage is empty again.
DEVICE void wait_for_load(const Pipeline &stage, unsigned parity) {
  mbarrier_wait(CTAS > 1 ? stage.empty() : stage.full(), parity);
}

// Each CTA of a pair loads its own rows of A and half of B's; the first one expects all bytes.
DEVICE void load_stage(const Pipeline &pipe, const TensorMap &a, const TensorMap &b,
                       const Walk &walk, unsigned k) {
  unsigned b_row = walk.column() + walk.rank * (TILE_N / CTAS);
  if (walk.rank == 0) mbarrier_expect(pipe.full(), STAGE_BYTES * CTAS);
  tma_load_for_pair(pipe.a(), a, k, walk.row(), pipe.full());
  tma_load_3d_for_pair(pipe.b(), b, k, b_row, walk.group, pipe.full());
}

// Stores a warp's lanes of every tile, through a map of its own.
DEVICE void store_tiles(Accumulator sum, const TensorMap *map, unsigned staged, unsigned boxes,
                        Walk walk, unsigned k_blocks, int warp, int lane) {
#if TWO_LEVEL
  unsigned turn = 0;  // of the warp's boxes
#endif
  for (unsigned group = ~0u; walk.find(); walk.advance()) {
#if TWO_LEVEL
    float sums[BOXES_OF_TILE][BOX_COLUMNS];
    Corner corner = {walk.top(), walk.column()};
    add_stages(sums, sum, walk.scales(), corner, k_blocks, walk.rank, warp, lane);
#endif
    if (walk.group != group) {
      if (lane == 0) tma_store_wait_read<0>();
      __syncwarp();
      make_group_map(map, staged, walk.begin_of(walk.groups.c), walk.rows, lane);
    }
    group = walk.group;
#if TWO_LEVEL
    store_sums(sums, *map, boxes, turn, corner, walk.rank, warp, lane);
#else
    finish(sum, walk.rank, warp, lane, [&](const Box &d, const Part &part, unsigned turn) {
      unsigned box = boxes + turn * BOX_BYTES;
      fill_box(box, d, part, lane);
      if (lane == 0)
        tma_store(*map, walk.column() + box_column(part), walk.top() + box_row(part), box);
    });
#endif
  }
  if (lane == 0) tma_store_wait_read<0>();
}

// `maps` is memory for MAPS tensor maps of each CTA.
extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
grouped_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
             const __grid_constant__ TensorMap c, TensorMap *maps, unsigned k_blocks,
             const __grid_constant__ Groups groups) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  maps += blockIdx.x * MAPS;
  if (warp == LOAD_WARP && lane == 0) {
    prefetch_tensor_map(b);
    initialize(base);
    stage_map(base + STAGED, a);
  }
  unsigned staged = base + STAGED + (1 + warp) * MAP_BYTES;
  if (warp < 4 && lane == 0) stage_map(staged, c);
  // tcgen05.alloc of a pair needs a peer that runs (PTX ISA, tcgen05.alloc).
  if constexpr (CTAS > 1) cluster_barrier();
  if (warp == MMA_WARP) allocate_columns(base + SLOT);
  barrier_of_all();
  unsigned columns = *reinterpret_cast<unsigned *>(memory + SLOT);
  Pipeline pipe = {base, 0, 0};
  Accumulator sum = {base, columns, 0, 0};
  Walk walk(groups, rank);

  if (warp == LOAD_WARP) {
    // Role: load.
    load(pipe, GroupMaps{maps, base + STAGED, 0, 0, 0}, b, walk, k_blocks, lane);
  } else if (warp == MMA_WARP) {
    // Role: mma.
    if (lane == 0 && rank == 0)
      for (; walk.find(); walk.advance())
#if TWO_LEVEL
        multiply_stages(pipe, sum, k_blocks);
#else
        accumulate(pipe, sum, k_blocks, multiply);
#endif
  } else {
    // Role: epilogue.
    store_tiles(sum, maps + 2 + warp, staged, base + BOXES + warp * 2 * BOX_BYTES, walk, k_blocks,
                warp, lane);
  }
  // Role: all.
  // No CTA may end, or free tensor memory, while another one still uses it or arrives there.
  barrier_of_all();
  if (warp == MMA_WARP) free_columns(columns);
}
