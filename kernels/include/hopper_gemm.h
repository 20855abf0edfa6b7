// A persistent, warp-specialized C = A @ B.T on Hopper; the kernels differ in how a consumer
// multiplies a stage.
// A CTA has one warpgroup that copies and CONSUMERS that multiply. A cluster of
// CLUSTER_M x CLUSTER_N CTAs computes adjacent tiles; each CTA loads its part of what they share
// and multicasts it. A cluster of CLUSTER_K CTAs computes one tile; each has a part of k.
//
// With SWAPPED the host exchanges A and B, so that rows of D are columns of C.
#pragma once
#include "hopper_finish.h"
#include "hopper_sums.h"
#include "overlap.h"
#if SWAPPED
#include "hopper_transposed.h"
#endif

// Warps that copy. A thread needs 270 cycles to copy a stage, in which the SM would receive more than
// that of narrower tiles: there warps take turns. There are no more than stages: a warp that waits for
// a stage has waited for all that were released up to its phase before, so that a parity tells which
// phase it is.
constexpr unsigned COPYING = A_ROWS + TILE_N > 232 ? 1 : A_ROWS + TILE_N > 88 ? 2 : 4;
constexpr unsigned COPYING_WARPS = STAGES < COPYING ? STAGES : COPYING;

// Copies `rows` rows of a stage of an operand, from `row` and `k` on, to all CTAs of the mask: a box of
// TILE_K of each row, or, where rows are adjacent in memory, boxes of 64 rows of each k.
template <bool transposed, int rows, bool multicast>
DEVICE void load_operand(unsigned to, const TensorMap &map, unsigned k, unsigned row,
                         unsigned barrier, unsigned short ctas) {
  static_assert(!transposed || rows % 64 == 0, "boxes have 64 rows each");
#pragma unroll
  for (int first = 0; first < (transposed ? rows : 1); first += 64) {
    unsigned inner = transposed ? row + first : k, outer = transposed ? k : row;
    if constexpr (multicast)
      tma_load_multicast(to + first * 128, map, inner, outer, barrier, ctas);
    else
      tma_load(to + first * 128, map, inner, outer, barrier);
  }
}

// Copies every COPYING_WARPS-th stage from the `first` one on; returns which stage of the next tile
// is the next one.
DEVICE unsigned produce(Pipeline &pipe, const TensorMap &a, const TensorMap &b, const Place &place,
                        const Work &work, unsigned rank, bool backward, unsigned first) {
  constexpr unsigned a_rows = A_ROWS / CLUSTER_N, b_rows = TILE_N / CLUSTER_M;
  unsigned in_m = rank % CLUSTER_M, in_n = rank % SHARING / CLUSTER_M;
  unsigned short sharing_a = 0, sharing_b = ((1u << CLUSTER_M) - 1) << (in_n * CLUSTER_M);
  for (int i = 0; i < CLUSTER_N; ++i) sharing_a |= 1u << (in_m + CLUSTER_M * i);
  unsigned block = first;
  for (; block < work.stages; block += COPYING_WARPS) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    mbarrier_expect(pipe.full(), LOADED_BYTES);
    unsigned k = (work.begin + (backward ? work.stages - 1 - block : block)) * TILE_K;
    unsigned a_part = in_n * a_rows, b_part = in_m * b_rows;
    load_operand<A_TRANSPOSED, a_rows, (CLUSTER_N > 1)>(pipe.a() + a_part * 128, a, k,
                                                      place.row + a_part, pipe.full(), sharing_a);
    load_operand<B_TRANSPOSED, b_rows, (CLUSTER_M > 1)>(pipe.b() + b_part * 128, b, k,
                                                      place.column + b_part, pipe.full(), sharing_b);
    pipe.advance(COPYING_WARPS);
  }
  return block - work.stages;
}

// Tells the producers of the cluster that this consumer has read a stage: after a wait for wgmma
// one warp speaks for the warpgroup, but each warp for what its lanes read (RELEASING_WARPS 4).
DEVICE void release(unsigned empty, unsigned warp, unsigned lane) {
  if constexpr (RELEASING_WARPS > 1) __syncwarp();
  if (warp < RELEASING_WARPS && lane < SHARING)
    mbarrier_arrive(empty, CLUSTER_K > 1 ? cluster_rank() : lane);
}

DEVICE void pin_blocks(Tile &d) {
#pragma unroll
  for (int i = 0; i < BLOCKS; ++i) pin(d[i]);
}

// Stores a warp's rows of 64 rows of D that begin at `row` of C; what lies outside is clipped.
// `boxes` is the warp's own shared memory.
template <int count>
DEVICE void store_tile(const Output &c, unsigned boxes, const float (&d)[count], unsigned tile,
                       int row, int warp, int lane) {
  constexpr int columns = 2 * count, stores = (columns + BOX_COLUMNS - 1) / BOX_COLUMNS;
  const TensorMap &map = tile < c.whole_tiles ? c.whole : c.last;
  unsigned in_map = tile < c.whole_tiles ? tile : tile - c.whole_tiles;
#pragma unroll
  for (int i = 0; i < stores; ++i) {
    unsigned box = boxes + i % 2 * BOX_BYTES;
    // The newest store may still read the other box; with an odd number of stores the newest one of
    // the tile before has read from the box of the first.
    if (lane == 0) {
      if (i == 0 && stores % 2) tma_store_wait_read<0>();
      else tma_store_wait_read<1>();
    }
    __syncwarp();
    write_box(box, d, i * BOX_COLUMNS / 2, warp, lane);
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) tma_store_3d(map, i * BOX_COLUMNS, in_map, row + 16 * warp, box);
  }
}

#if SWAPPED
// Stores 64 rows and some columns of D, from `first` on, by a warpgroup: columns of C from `column` on,
// and rows from `row` on. What lies outside is clipped. `buffer` is the warpgroup's own shared memory.
template <int columns, int count>
DEVICE void store_columns(const TensorMap &c, unsigned buffer, const float (&d)[count], int first,
                          unsigned column, unsigned row, int consumer, int warp, int lane) {
  static_assert(columns % 8 == 0, "a store is of whole rows of the swizzle's pattern");
  if (warp == 0 && lane == 0) tma_store_wait_read<0>();
  named_barrier<128>(1 + consumer);
  write_transposed<columns>(buffer, d, first, warp, lane);
  fence_proxy_async();
  named_barrier<128>(1 + consumer);
  if (warp == 0 && lane == 0) tma_store(c, column, row + first, buffer);
}
#endif

// Makes the rows of A that are not loaded zeros, in every stage.
DEVICE void clear_rows(unsigned base) {
  constexpr unsigned units = (TILE_M - A_ROWS) * 8;
  const unsigned zeros[4] = {0, 0, 0, 0};
  for (unsigned i = threadIdx.x; i < STAGES * units; i += THREADS)
    store_unit(base + i / units * STAGE_BYTES + A_ROWS * 128 + i % units * 16, zeros);
  fence_proxy_async();
}

// Adds up the parts of a consumer's part of a tile, if there are several, finishes and stores it.
DEVICE void store(const Output &c, Tile &d, const Partials &partials, const Work &work,
                  const Place &place, unsigned base, unsigned consumer, unsigned rank, unsigned warp,
                  unsigned lane) {
  unsigned boxes = base + BOXES + consumer * CONSUMER_BOXES, row = place.row + consumer * ROWS;
  if constexpr (ONCE) named_barrier<128 * CONSUMERS>(1 + CONSUMERS);  // all have read the stages
#if CLUSTER_K > 1
  float sum[1][SWAPPED ? SLICE / 2 : (SLICE + 15) / 16 * 8];  // stmatrix writes sixteens
#if SHARED_TILES != 2
  add_slices(sum[0], d, base, rank, consumer * 4 + warp, lane);
#endif
  unsigned column = place.column + rank * SLICE, tile = place.tile * CLUSTER_K + rank;
#else
  Tile &sum = d;
  unsigned column = place.column, tile = place.tile;
#endif
#if SHARED_TILES == 2
  if (!add_waiting(sum, d, partials.sums, work, rank, consumer * 4 + warp, lane)) return;
#elif SHARED_TILES
  constexpr unsigned registers = sizeof(sum) / sizeof(float);
  if (work.parts > 1 && !add_parts<registers>(&sum[0][0], partials, work, rank, consumer * 4 + warp,
                                              lane))
    return;
#endif
#pragma unroll
  for (int i = 0; i < BLOCKS; ++i, row += 64) {
    if constexpr (BIAS || ACTIVATION) finish(sum[i], c.finish, row, column, warp, lane);
#if SWAPPED
    constexpr int rest = SLICE % BOX_ROWS;
#pragma unroll
    for (int first = 0; first < SLICE - rest; first += BOX_ROWS)
      store_columns<BOX_ROWS>(c.whole, boxes, sum[i], first, row, column, consumer, warp, lane);
    if constexpr (rest > 0)
      store_columns<rest>(c.last, boxes, sum[i], SLICE - rest, row, column, consumer, warp, lane);
#else
    store_tile(c, boxes + warp * (CONSUMER_BOXES / 4), sum[i], tile, row, warp, lane);
#endif
  }
}

// What all warps do. `consume(d, pipe, share, consumer, warp, lane)` leaves the sum of a share of a
// tile in d.
template <typename Consume>
DEVICE void gemm(const TensorMap &a, const TensorMap &b, const Output &c, const Order &order,
                 const Work *schedule, unsigned works, const Partials &partials, Consume consume) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Pipeline pipe = {shared_address(memory), 0, 0};
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  Turns turns(order, schedule, works);
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
  // A launch of one turn needs no more stages than a tile has.
  unsigned used = (SHARED_TILES && !WAITS) || works > gridDim.x / CTAS ? STAGES : order.stages;
  if (threadIdx.x < STAGES && threadIdx.x < used) {
    unsigned full = pipe.base + BARRIERS + threadIdx.x * 16;
    mbarrier_init(full, 1);
    mbarrier_init(full + 8, CONSUMERS * RELEASING_WARPS * SHARING);
    fence_mbarrier_init();
  } else if (threadIdx.x == 32) {
    prefetch_tensor_map(a);
    prefetch_tensor_map(b);
    prefetch_tensor_map(c.whole);
    prefetch_tensor_map(c.last);
  }
  if constexpr (A_ROWS < TILE_M) clear_rows(pipe.base);
  if constexpr (SHARING > 1) cluster_barrier();
  else __syncthreads();
  // Earlier work may write A, B and the bias, and read C and the partial sums.
  wait_for_earlier_work();

  if (warpgroup == 0) {
    // Role: producer.
    give_registers<PRODUCER_REGISTERS>();
    unsigned next = thread / 32;
    if (thread % 32 == 0 && next < COPYING_WARPS) {
      pipe.advance(next);
      // Every other tile goes through k backward: it begins with what the L2 cache still holds.
      for (unsigned turn = 0; turns.more(); ++turn) {
        Work work = part_of(turns.take(), rank);
        next = produce(pipe, a, b, Place(work, rank), work, rank, turn % 2, next);
      }
      // Later work has begun by the time that what has been copied is multiplied and stored.
      let_later_work_begin();
    }
    if constexpr (CLUSTER_K > 1 && !WAITS) cluster_barrier();  // that of `add_slices`
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    unsigned consumer = warpgroup - 1, warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
    for (unsigned turn = 0; turns.more(); ++turn) {
      Work work = part_of(turns.take(), rank);
      Place place(work, rank);
      Share share = {work.begin, work.stages, turn % 2 == 1, place.row + consumer * ROWS,
                     place.column};
      if (SHARED_TILES && !WAITS && work.stages == 0) continue;
      Tile d;
      consume(d, pipe, share, consumer, warp, lane);
      store(c, d, partials, work, place, pipe.base, consumer, rank, warp, lane);
    }
    if (lane == 0) tma_store_wait_read<0>();
  }
  // Role: all.
  // No CTA may end while another one still copies into its memory or arrives there.
  if constexpr (CTAS > 1) cluster_barrier();
}
