// What a CTA of a product on Hopper has to do: its tile, the stages of its pipeline, its turns.
// CTAs that share a tile, or adjacent ones, are a cluster; clusters may share tiles along k, too.
#pragma once
#include "hopper.h"

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
// With SWAPPED they are rows of one box, or of several, of which the last one may be smaller.
constexpr int BOXES_OF_SLICE = SLICE <= 128 ? 1 : CONSUMERS < 3 ? 2 : 3;
constexpr int BOX_ROWS = (SLICE / BOXES_OF_SLICE + 7) / 8 * 8;
// Output of a consumer: such a box, which is written by sixteens, or two boxes of each warp.
constexpr unsigned CONSUMER_BOXES = SWAPPED ? (BOX_ROWS + 15) / 16 * 2048 : 4 * 2 * BOX_BYTES;
// Shared memory: stages, output of the consumers, mbarriers. With ONCE a CTA has one tile, and the
// output lies in its stages, which leaves room for another stage.
constexpr unsigned ALL_BOXES = CONSUMERS * CONSUMER_BOXES;
constexpr unsigned BOXES = ONCE ? 0 : STAGES * STAGE_BYTES;
constexpr unsigned BARRIERS = STAGES * STAGE_BYTES + (ONCE ? 0 : ALL_BOXES);
// Clusters share tiles so that those of a tile's last part wait for the other sums, or that whichever
// comes last adds them.
constexpr bool WAITS = SHARED_TILES == 2;
static_assert(!ONCE || (ALL_BOXES <= BARRIERS && (WAITS || (CLUSTER_K == 1 && !SHARED_TILES))),
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
// With SWAPPED both are C by (column, row), with the boxes of all stores of a tile but the last one, and
// of that one if it is smaller.
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
// while the cluster works on the one before it, because memory answers slowly. Of clusters that wait
// each has one part of one tile, and waits for clusters that were launched before it.
struct Turns {
  const Order &order;
  const Work *schedule;
  unsigned works, clusters, i;
  Work next;
  __device__ __forceinline__ Turns(const Order &order, const Work *schedule, unsigned works)
      : order(order), schedule(schedule), works(works), clusters(gridDim.x / CTAS),
        i(blockIdx.x / CTAS) {
    if constexpr (WAITS) divide();
    else read();
  }
  __device__ __forceinline__ void divide() {
    unsigned parts = clusters / works, part = i / works, tile = i - part * works;
    i = tile;
    next = order.at(tile);
    next.part = part, next.parts = parts, next.slot = tile;
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
  if constexpr (CLUSTER_K > 1 || WAITS) {
    unsigned parts = CLUSTER_K, part = CLUSTER_K > 1 ? rank : 0;
    if constexpr (WAITS) parts *= work.parts, part += work.part * CLUSTER_K;
    unsigned first = work.stages * part / parts, end = work.stages * (part + 1) / parts;
    work.begin += first;
    work.stages = end - first;
  }
  return work;
}
