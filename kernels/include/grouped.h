// Groups of rows of A and C, each of which has a matrix of B. How many rows a group has is in memory
// when the kernel begins. Every role walks through the groups by itself, and makes tensor maps that
// end where its group does: no row of the next group is read or written. The source includes its
// target's GEMM before, and defines `wait_for_load` and `load_stage` after.
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
  // Where the cluster's tiles begin, in their group, and this CTA's; it may have no rows there.
  __device__ __forceinline__ unsigned top() const { return tile % row_tiles() * CTAS * TILE_M; }
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

// Waits until a CTA's load of a stage is complete, by the parity of the phase that it makes full.
DEVICE void wait_for_load(const Pipeline &stage, unsigned parity);
// Loads a stage that is empty. B has a matrix for each group, and a cluster's CTAs share its rows.
DEVICE void load_stage(const Pipeline &pipe, const TensorMap &a, const TensorMap &b,
                       const Walk &walk, unsigned k);

// The maps of A that a warp makes, in two places that take turns, so that a group's first copies do
// not wait for the last ones of the group before. A copy reads its map until it is complete.
struct GroupMaps {
  const TensorMap *maps;
  unsigned staged;
  unsigned loads, before, turn;  // stages loaded so far, and until the newest map was made

  // Returns a map of the walk's group, once all loads by the one that was there are complete; those
  // before the last STAGES are, since their stages were empty again.
  __device__ __forceinline__ const TensorMap &next(const Pipeline &pipe, const Walk &walk, int lane) {
    if (lane == 0)
      for (unsigned load = loads > STAGES ? loads - STAGES : 0; load < before; ++load)
        wait_for_load({pipe.base, load % STAGES, 0}, load / STAGES % 2);
    __syncwarp();
    before = loads;
    turn ^= 1;
    make_group_map(maps + turn, staged, walk.begin_of(walk.groups.a), walk.rows, lane);
    return maps[turn];
  }
};

// The warp that loads all tiles of a CTA.
DEVICE void load(Pipeline pipe, GroupMaps maps, const TensorMap &b, Walk walk, unsigned k_blocks,
                 int lane) {
  const TensorMap *a = nullptr;
  for (unsigned group = ~0u; walk.find(); walk.advance(), maps.loads += k_blocks) {
    if (walk.group != group) a = &maps.next(pipe, walk, lane);
    group = walk.group;
    if (lane == 0)
      for (unsigned block = 0; block < k_blocks; ++block, pipe.advance()) {
        mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
        load_stage(pipe, *a, b, walk, block * TILE_K);
      }
  }
}
