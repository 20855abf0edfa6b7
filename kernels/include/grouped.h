// Groups of rows of A and C, each of which has a matrix of B. How many rows a group has is in memory
// when the kernel begins. Every role walks through the groups by itself, and makes tensor maps that
// end where its group does: no row of the next group is read or written. The source includes its
// target's GEMM before.
#pragma once
#include "block_scales.h"
#include "edited_maps.h"

// A or C: where a group begins.
struct Rows {
  unsigned char *begin;
  unsigned long long row_bytes, group_bytes;
};

// The host packs these: kernels/grouped_gemm/kernel.py.
struct Groups {
  Rows a, c;
  const int *sizes;
  unsigned count;     // of groups
  unsigned rows;      // of A and C; with a capacity, that of each group
  unsigned capacity;  // 1 where every group has room for `rows`, 0 where they lie one after another
  unsigned columns;   // tiles along N
  // Of FP8 with scales of blocks: those of the first group, and how far the next one's are, in f32.
  Scales scales;
  unsigned long long a_scales_group, b_scales_group;
};

// What a cluster computes next: CTAS tiles, one below the other. They are numbered row by row within
// a column of tiles, so that clusters which run at one time read the same columns of B.
struct Walk {
  const Groups &groups;
  unsigned rank;        // of this CTA
  unsigned tile;        // number of the cluster's next tiles in their group
  unsigned group, rows; // rows of the group
  unsigned first;       // its first row, where groups lie one after another

  __device__ __forceinline__ Walk(const Groups &groups, unsigned rank)
      : groups(groups), rank(rank), tile(blockIdx.x / CTAS), group(0), first(0) {
    enter();
  }
  // Rows that lie outside A are no rows, whatever the sizes say.
  __device__ __forceinline__ void enter() {
    int size = group < groups.count ? max(groups.sizes[group], 0) : 0;
    rows = min(static_cast<unsigned>(size), groups.rows - first);
  }
  __device__ __forceinline__ unsigned row_tiles() const {
    return (rows + CTAS * TILE_M - 1) / (CTAS * TILE_M);
  }
  // Finds the group of the next tile; false if there is none.
  __device__ __forceinline__ bool find() {
    for (unsigned tiles; group < groups.count && tile >= (tiles = row_tiles() * groups.columns);) {
      tile -= tiles;
      if (!groups.capacity) first += rows;
      ++group;
      enter();
    }
    return group < groups.count;
  }
  __device__ __forceinline__ void advance() { tile += gridDim.x / CTAS; }
  // Where this CTA's tile begins, in its group; it may have no rows there.
  __device__ __forceinline__ unsigned row() const {
    return (tile % row_tiles() * CTAS + rank) * TILE_M;
  }
  __device__ __forceinline__ unsigned column() const { return tile / row_tiles() * TILE_N; }
  __device__ __forceinline__ unsigned char *begin_of(const Rows &matrix) const {
    return matrix.begin + first * matrix.row_bytes + group * matrix.group_bytes;
  }
  // The scales of the group's rows.
  __device__ __forceinline__ Scales scales() const {
    Scales own = groups.scales;
    own.a += static_cast<unsigned long long>(first) * own.a_row + group * groups.a_scales_group;
    own.b += group * groups.b_scales_group;
    own.rows = rows;
    return own;
  }
};

// The maps of A that a warp makes, in two places that take turns, so that a group's first copies do
// not wait for the last ones of the group before. A copy reads its map until it is complete.
struct GroupMaps {
  const TensorMap *maps;
  unsigned staged;
  unsigned loads, before, turn;  // stages loaded so far, and until the newest map was made

  // Returns a map of the walk's group. `full(load)` waits until a stage's load is complete; those
  // before the last STAGES are, since their stages were empty again.
  template <typename Full>
  __device__ __forceinline__ const TensorMap &next(const Walk &walk, int lane, Full full) {
    if (lane == 0)
      for (unsigned load = loads > STAGES ? loads - STAGES : 0; load < before; ++load) full(load);
    __syncwarp();
    before = loads;
    turn ^= 1;
    make_group_map(maps + turn, staged, walk.begin_of(walk.groups.a), walk.rows, lane);
    return maps[turn];
  }
};

// Loads the stages of a tile; B has a matrix for each group, and a cluster's CTAs share its rows.
DEVICE void produce_tile(Pipeline &pipe, const TensorMap &a, const TensorMap &b, const Walk &walk,
                         unsigned k_blocks) {
  for (unsigned block = 0; block < k_blocks; ++block) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    mbarrier_expect(pipe.full(), STAGE_BYTES);
    tma_load(pipe.a(), a, block * TILE_K, walk.row(), pipe.full());
    if constexpr (CTAS > 1) {
      constexpr unsigned part = TILE_N / CTAS;
      tma_load_3d_multicast(pipe.b() + walk.rank * part * 128, b, block * TILE_K,
                            walk.column() + walk.rank * part, walk.group, pipe.full(),
                            (1u << CTAS) - 1);
    } else {
      tma_load_3d(pipe.b(), b, block * TILE_K, walk.column(), walk.group, pipe.full());
    }
    pipe.advance();
  }
}

// The warp that loads all tiles of a CTA.
DEVICE void load(Pipeline pipe, GroupMaps maps, const TensorMap &b, Walk walk, unsigned k_blocks,
                 int lane) {
  const TensorMap *a = nullptr;
  for (unsigned group = ~0u; walk.find(); walk.advance(), maps.loads += k_blocks) {
    if (walk.group != group)
      a = &maps.next(walk, lane, [&](unsigned load) {
        mbarrier_wait(Pipeline{pipe.base, load % STAGES, 0}.full(), load / STAGES % 2);
      });
    group = walk.group;
    if (lane == 0) produce_tile(pipe, *a, b, walk, k_blocks);
  }
}
