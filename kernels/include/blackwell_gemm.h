// A persistent, warp-specialized C = A @ B.T on Blackwell; the kernels differ in how a stage is
// multiplied, and in what happens to A before.
//
// Warps 0 to 3 are the epilogue, each for the 32 lanes of tensor memory that it can reach. Then come
// MOVERS warps that take A to tensor memory, a warp that copies and one that multiplies. Two
// accumulators lie in tensor memory, so that one is stored while the other is summed up. A cluster
// of two CTAs (CLUSTER_M 2) computes a tile of 256 rows together: each has half of A's rows, half of
// B's rows and half of C's, and the first one issues the products of both.
#pragma once
#include "blackwell_output.h"

constexpr int CTAS = CLUSTER_M;
constexpr unsigned ACCUMULATORS = 2;
constexpr int TILE_M = 128;
constexpr int STEP = 32 / ELEMENT_BYTES;     // k of one tcgen05.mma: 32 bytes
constexpr int TILE_K = 128 / ELEMENT_BYTES;  // k of a stage: a row of the 128-byte swizzle
constexpr int LOAD_WARP = 4 + MOVERS, MMA_WARP = LOAD_WARP + 1;
constexpr int THREADS = 32 * (MMA_WARP + 1);
constexpr unsigned A_BYTES = TILE_M * 128, B_BYTES = TILE_N / CTAS * 128;
constexpr unsigned STAGE_BYTES = A_BYTES + B_BYTES;
// Shared memory: stages, two boxes of C for each warp of the epilogue, mbarriers of the stages and
// of the accumulators, the address of tensor memory.
constexpr unsigned BOXES = STAGES * STAGE_BYTES;
constexpr unsigned BARRIERS = BOXES + 4 * 2 * BOX_BYTES;
constexpr unsigned ACCUMULATOR_BARRIERS = BARRIERS + STAGES * 32;
constexpr unsigned SLOT = ACCUMULATOR_BARRIERS + ACCUMULATORS * 16;
constexpr unsigned DESCRIPTOR = instruction_descriptor(TILE_M * CTAS, TILE_N);

// The stage that comes next, and the parity of the phase that makes it full.
struct Pipeline {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned a() const { return base + stage * STAGE_BYTES; }
  __device__ __forceinline__ unsigned b() const { return a() + A_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + BARRIERS + stage * 32; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ unsigned a_full() const { return full() + 16; }
  __device__ __forceinline__ unsigned a_moved() const { return full() + 24; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

#include "blackwell_accumulator.h"

// Where a tile begins; a pair's CTAs compute it together.
struct Place {
  unsigned row, column;
  __device__ __forceinline__ Place(unsigned entry)
      : row((entry >> 16) * CTAS * TILE_M), column((entry & 0xffff) * TILE_N) {}
};

DEVICE void produce(Pipeline &pipe, const TensorMap &a, const TensorMap &b, const Place &place,
                    unsigned k_blocks, unsigned rank) {
  unsigned a_row = place.row + rank * TILE_M, b_row = place.column + rank * (TILE_N / CTAS);
  for (unsigned block = 0; block < k_blocks; ++block) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    unsigned k = block * TILE_K;
    if constexpr (MOVERS > 0) {
      // This CTA's warps wait for A, the pair's first CTA waits for both halves of B.
      if (rank == 0) mbarrier_expect(pipe.full(), B_BYTES * CTAS);
      mbarrier_expect(pipe.a_full(), A_BYTES);
      tma_load(pipe.a(), a, k, a_row, pipe.a_full());
    } else {
      if (rank == 0) mbarrier_expect(pipe.full(), STAGE_BYTES * CTAS);
      tma_load_for_pair(pipe.a(), a, k, a_row, pipe.full());
    }
    tma_load_for_pair(pipe.b(), b, k, b_row, pipe.full());
    pipe.advance();
  }
}

// Stores a warp's 32 lanes of an accumulator.
DEVICE void store(Accumulator &sum, const TensorMap &map, const Output &c, unsigned boxes,
                  const Place &place, unsigned rank, unsigned warp, unsigned lane) {
  finish(sum, rank, warp, lane, [&](const Box &d, const Part &part, unsigned turn) {
#if TMA_STORE
    unsigned box = boxes + turn * BOX_BYTES;
    fill_box(box, d, part, lane);
    if (lane == 0)
      tma_store(map, place.column + box_column(part), place.row + box_row(part), box);
#else
    store_part(c, d, part, place.row, place.column, lane);
#endif
  });
}

DEVICE void initialize(unsigned base) {
  for (int i = 0; i < STAGES; ++i) {
    Pipeline pipe = {base, unsigned(i), 0};
    mbarrier_init(pipe.full(), 1);
    mbarrier_init(pipe.empty(), 1 + MOVERS);
    mbarrier_init(pipe.a_full(), 1);
    if constexpr (MOVERS > 0) mbarrier_init(pipe.a_moved(), MOVERS * CTAS);
  }
  init_accumulators(base);
  fence_mbarrier_init();
}

// What all warps do; `columns` are those behind the accumulators. `move(pipe, columns, warp, lane)`
// takes the A of a stage to tensor memory, `sum_up(pipe, sum, columns)` multiplies a tile, and
// `store_tile(sum, boxes, place, rank, warp, lane)` takes it to C, through two boxes of the warp.
template <typename Move, typename SumUp, typename Store>
DEVICE void roles(const TensorMap &a, const TensorMap &b, const TensorMap &map,
                  const unsigned *schedule, unsigned tiles, unsigned k_blocks, Move move,
                  SumUp sum_up, Store store_tile) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  unsigned first = blockIdx.x / CTAS, clusters = gridDim.x / CTAS;
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  if (warp == LOAD_WARP && lane == 0) {
    prefetch_tensor_map(a);
    prefetch_tensor_map(b);
    prefetch_tensor_map(map);
    initialize(base);
  }
  // tcgen05.alloc of a pair needs a peer that runs (PTX ISA, tcgen05.alloc).
  if constexpr (CTAS > 1) cluster_barrier();
  if (warp == MMA_WARP) allocate_columns(base + SLOT);
  barrier_of_all();
  unsigned columns = *reinterpret_cast<unsigned *>(memory + SLOT);
  Pipeline pipe = {base, 0, 0};
  Accumulator sum = {base, columns, 0, 0};

  if (warp == LOAD_WARP) {
    // Role: load.
    if (lane == 0)
      for (unsigned tile = first; tile < tiles; tile += clusters)
        produce(pipe, a, b, Place(schedule[tile]), k_blocks, rank);
  } else if (warp == MMA_WARP) {
    // Role: mma.
    if (lane == 0 && rank == 0)
      for (unsigned tile = first; tile < tiles; tile += clusters)
        sum_up(pipe, sum, columns + 2 * TILE_N);
  } else if (warp >= 4) {
    // Role: move.
    if constexpr (MOVERS > 0)
      for (unsigned tile = first; tile < tiles; tile += clusters)
        for (unsigned block = 0; block < k_blocks; ++block, pipe.advance())
          move(pipe, columns + 2 * TILE_N, warp - 4, lane);
  } else {
    // Role: epilogue.
    unsigned boxes = base + BOXES + warp * 2 * BOX_BYTES;
    for (unsigned tile = first; tile < tiles; tile += clusters)
      store_tile(sum, boxes, Place(schedule[tile]), rank, warp, lane);
    if (lane == 0) tma_store_wait_read<0>();
  }
  // Role: all.
  // No CTA may end, or free tensor memory, while another one still uses it or arrives there.
  barrier_of_all();
  if (warp == MMA_WARP) free_columns(columns);
}

// What all warps do where a tile is one sum; `move` is that of `roles`, and `multiply` that of
// `accumulate`, with the address of the columns behind the accumulators.
template <typename Move, typename Multiply>
DEVICE void gemm(const TensorMap &a, const TensorMap &b, const TensorMap &map, const Output &c,
                 const unsigned *schedule, unsigned tiles, unsigned k_blocks, Move move,
                 Multiply multiply) {
  roles(
      a, b, map, schedule, tiles, k_blocks, move,
      [=](Pipeline &pipe, Accumulator &sum, unsigned columns) {
        accumulate(pipe, sum, k_blocks, [=](unsigned d, const Pipeline &stage, bool add) {
          multiply(d, columns, stage, add);
        });
      },
      [&](Accumulator &sum, unsigned boxes, const Place &place, unsigned rank, unsigned warp,
          unsigned lane) { store(sum, map, c, boxes, place, rank, warp, lane); });
}
