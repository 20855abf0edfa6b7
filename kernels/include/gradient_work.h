// What a CTA of attention's backward kernel computes, and what it is given. The source defines
// TILE_M, queries of a step, and TILE_N, keys of a CTA, before, and the macros of attention.h.
#pragma once
#include "attention.h"

// The host packs these two: lanemap/benching/attention/gradient.py.
struct Sizes {
  Shape shape;
  int tiles;            // of queries, of all sequences
  float softmax_scale;
};

struct GradientMaps {
  const TensorMap &q, &k, &v, &d_o, &dk, &dv;
};

struct Packed {
  TensorMap q, k, v, d_o, dq, dk, dv;
  int queries, keys;
  int start, tile;  // its first query and tile of queries among all
};

// The queries of one tile.
struct QueryTile {
  int sequence, tile;  // of the sequence
  int queries, start;  // of the sequence
  __device__ __forceinline__ QueryTile(int number, const Shape &shape, const Packed *sequences,
                                       const unsigned *query_tiles)
      : queries(shape.queries) {
    if constexpr (VARLEN) {
      sequence = query_tiles[number] >> 16;
      tile = query_tiles[number] & 0xffff;
      queries = sequences[sequence].queries;
      start = sequences[sequence].start;
    } else {
      int each = (queries + TILE_M - 1) / TILE_M;
      sequence = number / each;
      tile = number % each;
      start = sequence * queries;
    }
  }
};

// What a CTA computes: an entry of the schedule is (sequence x heads of K and V + head) << 16 | tile.
//
// The rule of `Work`, seen from a key: key j is seen by the queries from `first_query(j)` up to,
// without, `end_query(j)`; those from `first` to `end` are tiles of which some query may see some
// key.
struct KeyWork {
  int row, head, sequence;  // first key of the tile
  int queries, keys;        // of the sequence
  int first, end, steps;    // tiles of queries; of all heads that share this one
  int own, left, right;     // query i's own key is i + own
  int tile;                 // the sequence's first tile of queries among all

  __device__ __forceinline__ KeyWork(unsigned entry, const Sizes &sizes, const Packed *sequences)
      : queries(sizes.shape.queries), keys(sizes.shape.keys), left(sizes.shape.left),
        right(sizes.shape.right) {
    int heads = sizes.shape.heads / sizes.shape.group;
    row = (entry & 0xffff) * TILE_N;
    head = (entry >> 16) % heads;
    sequence = (entry >> 16) / heads;
    if constexpr (VARLEN) {
      queries = sequences[sequence].queries;
      keys = sequences[sequence].keys;
      tile = sequences[sequence].tile;
    } else {
      tile = sequence * ((queries + TILE_M - 1) / TILE_M);
    }
    own = keys - queries;
    first = first_query(row) / TILE_M;
    end = (end_query(min(row + TILE_N, keys) - 1) + TILE_M - 1) / TILE_M;
    steps = max(0, end - first) * sizes.shape.group;
  }
  __device__ __forceinline__ int first_query(int key) const {
    return SEES_RIGHT ? 0 : max(0, key - own - right);
  }
  __device__ __forceinline__ int end_query(int key) const {
    return SEES_LEFT ? queries : max(0, min(queries, key - own + left + 1));
  }
  // Whether the queries of a tile from `query` on all see the 64 keys from `key` on.
  __device__ __forceinline__ bool all_see(int query, int key) const {
    return key + ROWS <= keys && (SEES_RIGHT || query >= first_query(key + ROWS - 1)) &&
           (SEES_LEFT || query + TILE_M <= end_query(key));
  }
  // How many tiles of keys add to dQ of a tile of queries before this one does. With a mask to the
  // right the last keys come first: their tile begins with the last queries, so that no tile waits.
  __device__ __forceinline__ unsigned turn(int query_tile) const {
    int query = query_tile * TILE_M, number = row / TILE_N;
    if constexpr (SEES_RIGHT) {
      return number - (SEES_LEFT ? 0 : max(0, query + own - left) / TILE_N);
    } else {
      int last = min(keys - 1, query + TILE_M - 1 + own + right);
      return last / TILE_N - number;
    }
  }
  // Of tensor maps with a dimension for sequences.
  __device__ __forceinline__ int coordinate() const { return VARLEN ? 0 : sequence; }
};

// A step of a KeyWork: a tile of queries of one head of Q.
struct Place {
  int tile, head;
  int block;  // number of the tile among those of all heads and sequences
  __device__ __forceinline__ Place(const KeyWork &work, const Sizes &sizes)
      : tile(work.first), head(work.head * sizes.shape.group),
        block(head * sizes.tiles + work.tile + tile) {}
  __device__ __forceinline__ void advance(const KeyWork &work, const Sizes &sizes) {
    ++block;
    if (++tile == work.end) {
      tile = work.first, ++head;
      block += sizes.tiles - (work.end - work.first);
    }
  }
};
