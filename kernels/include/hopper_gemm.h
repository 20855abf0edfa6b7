// A persistent, warp-specialized C = A @ B.T on Hopper; the kernels differ in how a consumer
// multiplies a stage.
//
// A CTA has one warpgroup that copies and CONSUMERS that multiply. A cluster of
// CLUSTER_M x CLUSTER_N CTAs computes adjacent tiles; each CTA loads its part of what they share
// and multicasts it.
#pragma once
#include "hopper_finish.h"

constexpr int STEP = 32 / ELEMENT_BYTES;     // k of one wgmma: 32 bytes
constexpr int TILE_K = 128 / ELEMENT_BYTES;  // k of a stage: a row of the 128-byte swizzle
constexpr int ROWS = 64 * BLOCKS;            // rows of a consumer
constexpr int TILE_M = ROWS * CONSUMERS;
constexpr int CTAS = CLUSTER_M * CLUSTER_N;
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr unsigned A_BYTES = TILE_M * 128, B_BYTES = TILE_N * 128;
constexpr unsigned STAGE_BYTES = A_BYTES + B_BYTES;
// Of A only the first A_ROWS rows are loaded, where there are no more.
constexpr unsigned LOADED_BYTES = A_ROWS * 128 + B_BYTES;
// Shared memory: stages, two boxes of output for each consumer's warps, mbarriers.
constexpr unsigned BOXES = STAGES * STAGE_BYTES;
constexpr unsigned BARRIERS = BOXES + CONSUMERS * 4 * 2 * BOX_BYTES;

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
        tile((work.tile & 0xffff) * CLUSTER_N + rank / CLUSTER_M), column(tile * TILE_N) {}
};

// C by (column of a tile, column of tiles, row), so that a store is clipped where its tile ends:
// all columns of tiles but the last one, and that one, which ends where C does.
struct Output {
  const TensorMap &whole, &last;
  unsigned whole_tiles;
  Finish finish;
};

// A cluster's entries of the schedule. Each is read while the cluster works on the one before it,
// because memory answers slowly.
struct Turns {
  const Work *schedule;
  unsigned works, clusters, i;
  Work next;
  __device__ __forceinline__ Turns(const Work *schedule, unsigned works)
      : schedule(schedule), works(works), clusters(gridDim.x / CTAS), i(blockIdx.x / CTAS),
        next(schedule[i]) {}
  __device__ __forceinline__ bool more() const { return i < works; }
  __device__ __forceinline__ Work take() {
    Work work = next;
    i += clusters;
    if (more()) next = schedule[i];
    return work;
  }
};

DEVICE void produce(Pipeline &pipe, const TensorMap &a, const TensorMap &b, const Place &place,
                    const Work &work, unsigned rank, bool backward) {
  constexpr unsigned a_rows = A_ROWS / CLUSTER_N, b_rows = TILE_N / CLUSTER_M;
  unsigned in_m = rank % CLUSTER_M, in_n = rank / CLUSTER_M;
  unsigned short sharing_a = 0, sharing_b = ((1u << CLUSTER_M) - 1) << (in_n * CLUSTER_M);
  for (int i = 0; i < CLUSTER_N; ++i) sharing_a |= 1u << (in_m + CLUSTER_M * i);
  for (unsigned block = 0; block < work.stages; ++block) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    mbarrier_expect(pipe.full(), LOADED_BYTES);
    unsigned k = (work.begin + (backward ? work.stages - 1 - block : block)) * TILE_K;
    unsigned a_part = in_n * a_rows, b_part = in_m * b_rows;
    if constexpr (CLUSTER_N > 1)
      tma_load_multicast(pipe.a() + a_part * 128, a, k, place.row + a_part, pipe.full(), sharing_a);
    else
      tma_load(pipe.a(), a, k, place.row, pipe.full());
    if constexpr (CLUSTER_M > 1)
      tma_load_multicast(pipe.b() + b_part * 128, b, k, place.column + b_part, pipe.full(),
                         sharing_b);
    else
      tma_load(pipe.b(), b, k, place.column, pipe.full());
    pipe.advance();
  }
}

// Tells the producers of the cluster that this consumer has read a stage: after a wait for wgmma
// one warp speaks for the warpgroup, but each warp for what its lanes read (RELEASING_WARPS 4).
DEVICE void release(unsigned empty, unsigned warp, unsigned lane) {
  if constexpr (RELEASING_WARPS > 1) __syncwarp();
  if (warp < RELEASING_WARPS && lane < CTAS) mbarrier_arrive(empty, lane);
}

DEVICE void pin_blocks(Tile &d) {
#pragma unroll
  for (int i = 0; i < BLOCKS; ++i) pin(d[i]);
}

#if SHARED_TILES
// Adds up the parts of a tile that several clusters share: each warp leaves its registers in memory,
// and the one that comes last has the sum of all in d. The order of the additions is that of the
// parts, whoever comes last, so that the sum is always the same. Says whether this warp came last.
DEVICE bool add_parts(Tile &d, const Partials &partials, const Work &work, unsigned rank,
                      unsigned warp, unsigned lane) {
  constexpr unsigned WARPS = CONSUMERS * 4, QUADS = BLOCKS * TILE_N / 8, PART = CTAS * WARPS;
  float *registers = &d[0][0];
  unsigned first = (work.slot * CTAS + rank) * WARPS + warp;
  float4 *sums = partials.sums + static_cast<unsigned long long>(first) * QUADS * 32 + lane;
  float4 *own = sums + work.part * PART * QUADS * 32;
#pragma unroll
  for (unsigned i = 0; i < QUADS; ++i)
    own[i * 32] = make_float4(registers[4 * i], registers[4 * i + 1], registers[4 * i + 2],
                              registers[4 * i + 3]);
  __syncwarp();
  unsigned before = 0;
  if (lane == 0)
    // The last one makes it zero again, for the next launch.
    asm volatile("atom.global.inc.acq_rel.gpu.u32 %0, [%1], %2;"
                 : "=r"(before) : "l"(partials.arrived + first), "r"(work.parts - 1u) : "memory");
  before = __shfl_sync(~0u, before, 0);
  if (before + 1 < work.parts) return false;
  __syncwarp();
  // Of two parts this warp has one in its registers, and their order makes no difference.
  bool two = work.parts == 2;
#pragma unroll
  for (unsigned i = 0; i < QUADS * 4; ++i) registers[i] = two ? registers[i] : 0;
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

// Makes the rows of A that are not loaded zeros, in every stage.
DEVICE void clear_rows(unsigned base) {
  constexpr unsigned units = (TILE_M - A_ROWS) * 8;
  const unsigned zeros[4] = {0, 0, 0, 0};
  for (unsigned i = threadIdx.x; i < STAGES * units; i += THREADS)
    store_unit(base + i / units * STAGE_BYTES + A_ROWS * 128 + i % units * 16, zeros);
  fence_proxy_async();
}

// What all warps do. `consume(d, pipe, stages, consumer, warp, lane)` leaves the sum of so many
// stages of a tile in d.
template <typename Consume>
DEVICE void gemm(const TensorMap &a, const TensorMap &b, const Output &c, const Work *schedule,
                 unsigned works, const Partials &partials, Consume consume) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Pipeline pipe = {shared_address(memory), 0, 0};
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  Turns turns(schedule, works);
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(a);
    prefetch_tensor_map(b);
    prefetch_tensor_map(c.whole);
    prefetch_tensor_map(c.last);
    for (int i = 0; i < STAGES; ++i) {
      mbarrier_init(pipe.base + BARRIERS + i * 16, 1);
      mbarrier_init(pipe.base + BARRIERS + i * 16 + 8, CONSUMERS * RELEASING_WARPS * CTAS);
    }
    fence_mbarrier_init();
  }
  if constexpr (A_ROWS < TILE_M) clear_rows(pipe.base);
  if constexpr (CTAS > 1) cluster_barrier();
  else __syncthreads();

  if (warpgroup == 0) {
    // Role: producer.
    give_registers<PRODUCER_REGISTERS>();
    if (thread == 0)
      // Every other tile goes through k backward: it begins with what the L2 cache still holds.
      for (unsigned turn = 0; turns.more(); ++turn) {
        Work work = turns.take();
        produce(pipe, a, b, Place(work, rank), work, rank, turn % 2);
      }
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    unsigned consumer = warpgroup - 1, warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
    unsigned boxes = pipe.base + BOXES + (consumer * 4 + warp) * 2 * BOX_BYTES;
    while (turns.more()) {
      Work work = turns.take();
      Place place(work, rank);
      Tile d;
#if SHARED_TILES
      if (work.stages == 0) continue;
      consume(d, pipe, work.stages, consumer, warp, lane);
      if (work.parts > 1 && !add_parts(d, partials, work, rank, consumer * 4 + warp, lane)) continue;
#else
      consume(d, pipe, work.stages, consumer, warp, lane);
#endif
#pragma unroll
      for (int i = 0; i < BLOCKS; ++i) {
        if constexpr (BIAS || ACTIVATION) finish(d[i], c.finish, place.column, lane);
        store_tile(c, boxes, d[i], place.tile, place.row + consumer * ROWS + 64 * i, warp, lane);
      }
    }
    if (lane == 0) tma_store_wait_read<0>();
  }
  // Role: all.
  // No CTA may end while another one still copies into its memory or arrives there.
  if constexpr (CTAS > 1) cluster_barrier();
}
