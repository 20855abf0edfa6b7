// A persistent, warp-specialized C = A @ B.T on Hopper; the kernels differ in how a consumer
// multiplies a stage.
// A CTA has one warpgroup that copies and CONSUMERS that multiply. A cluster of
// CLUSTER_M x CLUSTER_N CTAs computes adjacent tiles; each CTA loads its part of what they share
// and multicasts it. A cluster of CLUSTER_K CTAs computes one tile; each has a part of k.
//
// With SWAPPED the host exchanges A and B, so that rows of D are columns of C.
#pragma once
#include "cluster_sums.h"
#include "hopper_finish.h"
#include "named_barriers.h"
#include "overlap.h"
#if SWAPPED
#include "hopper_transposed.h"
#endif

constexpr int STEP = 32 / ELEMENT_BYTES;     // k of one wgmma: 32 bytes
constexpr int TILE_K = 128 / ELEMENT_BYTES;  // k of a stage: a row of the 128-byte swizzle
constexpr int ROWS = 64 * BLOCKS;            // rows of a consumer
constexpr int TILE_M = ROWS * CONSUMERS;
static_assert(STAGES <= 32, "each lane of a warp makes the mbarriers of a stage");
constexpr int SHARING = CLUSTER_M * CLUSTER_N;  // CTAs that multicast to each other
constexpr int CTAS = SHARING * CLUSTER_K;
#if CLUSTER_M * CLUSTER_N * CLUSTER_K > 1
#define CLUSTER_OF_CTAS __cluster_dims__(CTAS, 1, 1)
#else
#define CLUSTER_OF_CTAS
#endif
static_assert(SHARING == 1 || CLUSTER_K == 1, "clusters share tiles or k, not both");
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr unsigned A_BYTES = TILE_M * 128, B_BYTES = TILE_N * 128;
constexpr unsigned STAGE_BYTES = A_BYTES + B_BYTES;
// Of A only the first A_ROWS rows are loaded, where there are no more.
constexpr unsigned LOADED_BYTES = A_ROWS * 128 + B_BYTES;
// Columns of D that a CTA finishes and stores.
constexpr int SLICE = TILE_N / CLUSTER_K;
// With SWAPPED they are rows of one box, or of two, of which the first one may be larger.
constexpr int BOX_ROWS = SLICE > 128 ? (SLICE / 2 + 7) / 8 * 8 : SLICE;
// Output of a consumer: such a box, which is written by sixteens, or two boxes of each warp.
constexpr unsigned CONSUMER_BOXES = SWAPPED ? (BOX_ROWS + 15) / 16 * 2048 : 4 * 2 * BOX_BYTES;
// Shared memory: stages, output of the consumers, mbarriers. With ONCE a CTA has one tile, and the
// output lies in its stages, which leaves room for another stage.
constexpr unsigned ALL_BOXES = CONSUMERS * CONSUMER_BOXES;
constexpr unsigned BOXES = ONCE ? 0 : STAGES * STAGE_BYTES;
constexpr unsigned BARRIERS = STAGES * STAGE_BYTES + (ONCE ? 0 : ALL_BOXES);
static_assert(!ONCE || (ALL_BOXES <= BARRIERS && CLUSTER_K == 1 && !SHARED_TILES),
              "boxes lie in stages that nobody else reads");

// A consumer's part of D: BLOCKS times 64 rows.
using Tile = float[BLOCKS][TILE_N / 2];

// The stage that comes next, and the parity of the phase that makes it full.
struct Pipeline {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned a() const { return base + stage * STAGE_BYTES; }
  __device__ __forceinline__ unsigned b() const { return a() + A_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + BARRIERS + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
  // By up to COPYING_WARPS stages.
  __device__ __forceinline__ void advance(unsigned stages) {
    for (stage += stages; stage >= STAGES; stage -= STAGES) parity ^= 1;
  }
};

// What a cluster does in a turn: some stages of a tile of the cluster, whose row and column of tiles
// are in the halves of `tile`. Without stages it does nothing.
struct alignas(16) Work {
  unsigned tile, begin, stages;
  // Of the tile's partial sums: which one is this, how many there are, and where they are kept.
  unsigned char part, parts;
  unsigned short slot;
};

// Partial sums of tiles that several clusters share, four registers of a thread at a time, and how
// many of them are there.
struct Partials {
  float4 *sums;
  unsigned *arrived;
};

// Where a CTA's tile begins, and which column of tiles it is in.
struct Place {
  unsigned row, tile, column;
  __device__ __forceinline__ Place(const Work &work, unsigned rank)
      : row(((work.tile >> 16) * CLUSTER_M + rank % CLUSTER_M) * TILE_M),
        tile((work.tile & 0xffff) * CLUSTER_N + rank % SHARING / CLUSTER_M), column(tile * TILE_N) {}
};

// A consumer's share of a tile: stages of k, and where its rows and columns of D begin.
struct Share {
  unsigned begin, stages;
  bool backward;
  unsigned row, column;
  // The stage of k that comes i-th.
  __device__ __forceinline__ unsigned stage(unsigned i) const {
    return begin + (backward ? stages - 1 - i : i);
  }
};

// C by (column of a tile, column of tiles, row), so that a store is clipped where its tile ends, or a
// CTA's slice of it: all columns of tiles but the last one, and that one, which ends where C does.
// With SWAPPED both are C by (column, row), with the boxes of a tile's first and second store.
struct Output {
  const TensorMap &whole, &last;
  unsigned whole_tiles;
  Finish finish;
};

// Cluster tiles in the order in which clusters take them (tiling.py, `order`): groups of rows, column
// by column, back and forth.
struct Order {
  unsigned rows, columns, group, stages;
  __device__ __forceinline__ Work at(unsigned i) const {
    unsigned turn = i / (group * columns), first = turn * group, rest = i - first * columns;
    unsigned height = min(group, rows - first), along = rest / height;
    unsigned row = first + rest - along * height;
    unsigned column = turn % 2 ? columns - 1 - along : along;
    return {row << 16 | column, 0, stages, 0, 1, 0};
  }
};

// What a cluster does, turn by turn. Tiles that clusters share are in a schedule; each entry is read
// while the cluster works on the one before it, because memory answers slowly.
struct Turns {
  const Order &order;
  const Work *schedule;
  unsigned works, clusters, i;
  Work next;
  __device__ __forceinline__ Turns(const Order &order, const Work *schedule, unsigned works)
      : order(order), schedule(schedule), works(works), clusters(gridDim.x / CTAS),
        i(blockIdx.x / CTAS) {
    read();
  }
  __device__ __forceinline__ bool more() const { return i < works; }
  __device__ __forceinline__ void read() {
    if constexpr (SHARED_TILES) next = schedule[i];
    else next = order.at(i);
  }
  __device__ __forceinline__ Work take() {
    Work work = next;
    i += clusters;
    if (more()) read();
    return work;
  }
};

// The stages of a tile that a CTA of a cluster along k multiplies.
DEVICE Work part_of(Work work, unsigned rank) {
  if constexpr (CLUSTER_K > 1) {
    unsigned first = work.stages * rank / CLUSTER_K, end = work.stages * (rank + 1) / CLUSTER_K;
    work.begin += first;
    work.stages = end - first;
  }
  return work;
}

// Warps that copy. A thread needs 270 cycles to copy a stage, in which the SM would receive more of a
// narrow tile's: there warps take turns. There are no more than stages: a warp that waits for a stage
// has waited for all that were released up to its phase before, so that a parity tells which phase
// it is.
constexpr unsigned COPYING_WARPS = A_ROWS + TILE_N > 88 ? 1 : STAGES < 4 ? STAGES : 4;

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

#if SHARED_TILES
// Arrives for a part of a tile whose sums are in memory; says whether the other parts are there. The
// last one makes the counter zero again, for the next launch.
DEVICE bool arrives_last(unsigned *arrived, const Work &work) {
  unsigned before;
  asm volatile("atom.global.inc.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(before) : "l"(arrived), "r"(work.parts - 1u) : "memory");
  return before + 1 == work.parts;
}

// Adds up the parts of a tile that several clusters share: each warp leaves its `count` registers in
// memory, and the one that comes last has the sum of all in them. The order of the additions is that
// of the parts, whoever comes last, so that the sum is always the same. Says whether this warp came
// last; the warps of a consumer that stores with all of them come together.
template <unsigned count>
DEVICE bool add_parts(float *registers, const Partials &partials, const Work &work, unsigned rank,
                      unsigned warp, unsigned lane) {
  constexpr unsigned WARPS = CONSUMERS * 4, QUADS = count / 4, PART = CTAS * WARPS;
  unsigned first = (work.slot * CTAS + rank) * WARPS + warp;
  float4 *sums = partials.sums + static_cast<unsigned long long>(first) * QUADS * 32 + lane;
  float4 *own = sums + work.part * PART * QUADS * 32;
#pragma unroll
  for (unsigned i = 0; i < QUADS; ++i)
    own[i * 32] = make_float4(registers[4 * i], registers[4 * i + 1], registers[4 * i + 2],
                              registers[4 * i + 3]);
  bool last = false;
#if SWAPPED
  unsigned consumer = warp / 4;
  named_barrier<128>(1 + consumer);
  if (warp % 4 == 0 && lane == 0) last = arrives_last(partials.arrived + first, work);
  last = barrier_or<128>(1 + consumer, last);
#else
  __syncwarp();
  if (lane == 0) last = arrives_last(partials.arrived + first, work);
  last = __shfl_sync(~0u, last, 0);
#endif
  if (!last) return false;
  __syncwarp();
  // Of two parts this warp has one in its registers, and their order makes no difference.
  bool two = work.parts == 2;
#pragma unroll
  for (unsigned i = 0; i < QUADS * 4; ++i) registers[i] = two ? registers[i] : 0;
  // Several parts of few registers are on their way at once.
#pragma unroll(QUADS < 8 ? 8 / QUADS : 1)
  for (unsigned part = 0; part < work.parts; ++part, sums += PART * QUADS * 32) {
    if (two && part == work.part) continue;
#pragma unroll
    for (unsigned i = 0; i < QUADS; ++i) {
      float4 more = sums[i * 32];
      registers[4 * i] += more.x, registers[4 * i + 1] += more.y;
      registers[4 * i + 2] += more.z, registers[4 * i + 3] += more.w;
    }
  }
  return true;
}
#endif

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

#if CLUSTER_K > 1
static_assert(SLICE % 8 == 0 && BLOCKS == 1, "slices are of whole quads of registers");

// Adds up the parts of a tile, in the order of k: each CTA leaves its part in its stages, which no
// copy and no wgmma uses any more, and adds its slice of all of them.
template <int count>
DEVICE void add_slices(float (&sum)[count], const Tile &d, unsigned base, unsigned rank, unsigned warp,
                       unsigned lane) {
  constexpr unsigned QUADS = TILE_N / 8;
  static_assert(CONSUMERS * 4 * QUADS * 512 <= STAGES * STAGE_BYTES, "the stages hold a tile");
  named_barrier<128 * CONSUMERS>(1 + CONSUMERS);
  unsigned own = base + (warp * QUADS * 32 + lane) * 16;
#pragma unroll
  for (unsigned i = 0; i < QUADS; ++i) store_floats(own + i * 512, &d[0][4 * i]);
  cluster_barrier();
  unsigned slice = own + rank * (SLICE / 8) * 512;
#pragma unroll
  for (unsigned i = 0; i < count; ++i) sum[i] = 0;
#pragma unroll
  for (unsigned part = 0; part < CLUSTER_K; ++part) {
    unsigned there = in_cta(slice, part);
#pragma unroll
    for (unsigned i = 0; i < SLICE / 8; ++i) add_floats(&sum[4 * i], there + i * 512);
  }
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
  add_slices(sum[0], d, base, rank, consumer * 4 + warp, lane);
  unsigned column = place.column + rank * SLICE, tile = place.tile * CLUSTER_K + rank;
#else
  Tile &sum = d;
  unsigned column = place.column, tile = place.tile;
#endif
#if SHARED_TILES
  constexpr unsigned registers = sizeof(sum) / sizeof(float);
  if (work.parts > 1 && !add_parts<registers>(&sum[0][0], partials, work, rank, consumer * 4 + warp,
                                              lane))
    return;
#endif
#pragma unroll
  for (int i = 0; i < BLOCKS; ++i, row += 64) {
    if constexpr (BIAS || ACTIVATION) finish(sum[i], c.finish, row, column, warp, lane);
#if SWAPPED
    store_columns<BOX_ROWS>(c.whole, boxes, sum[i], 0, row, column, consumer, warp, lane);
    if constexpr (SLICE > BOX_ROWS)
      store_columns<SLICE - BOX_ROWS>(c.last, boxes, sum[i], BOX_ROWS, row, column, consumer, warp,
                                      lane);
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
  unsigned used = SHARED_TILES || works > gridDim.x / CTAS ? STAGES : order.stages;
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
    if constexpr (CLUSTER_K > 1) cluster_barrier();  // that of `add_slices`
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    unsigned consumer = warpgroup - 1, warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
    for (unsigned turn = 0; turns.more(); ++turn) {
      Work work = part_of(turns.take(), rank);
      Place place(work, rank);
      Share share = {work.begin, work.stages, turn % 2 == 1, place.row + consumer * ROWS,
                     place.column};
      if (SHARED_TILES && work.stages == 0) continue;
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
