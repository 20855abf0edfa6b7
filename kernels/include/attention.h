// What the sources of fmha have in common: a launch's lengths, and which keys a tile of queries
// sees. The source defines TILE_M, queries of a tile, before; macros:
//   TILE_N      keys of a tile
//   SEES_LEFT   whether a query sees all keys to the left of its own
//   SEES_RIGHT  whether it sees all to the right
//   VARLEN      whether sequences have lengths of their own and lie one after another
#pragma once
#include "async.h"

// The host packs these two: lanemap/benching/attention/kernel.py.
struct Shape {
  int heads, group;   // heads of Q; of them, those that share a head of K and V
  int queries, keys;  // of a sequence; VARLEN: of all sequences together
  int left, right;    // keys that a query sees on each side of its own
  float scale;        // of the logits, in base 2: softmax_scale * log2(e)
};

// What the types' scales are: (sequence, head of K and V), of FP8 alone.
struct Descales {
  const float *q, *k, *v;
};

struct Maps {
  const TensorMap &q, &k, &v, &o;
};

struct Sequence {
  TensorMap q, k, v, o;
  int queries, keys;
  int start;  // its first query among all
  __device__ __forceinline__ Maps maps() const { return {q, k, v, o}; }
};

// What a CTA computes next: an entry of the schedule is (sequence x heads + head) << 16 | tile.
//
// One rule masks everything. Key j is query i's own if i and j are equally far from the ends of
// their sequence; i sees the keys from `first_key(i)` up to, without, `end_key(i)`. Tiles of keys
// outside [first, end) are hidden from all of the tile's queries.
struct Work {
  int row, head, sequence;  // first query of the tile
  int queries, keys;        // of the sequence
  int first, end;           // tiles of keys
  int left, right;
  long long sums;  // where log_sum_exp of the sequence's first query is

  __device__ __forceinline__ Work(unsigned entry, const Shape &shape, const Sequence *sequences)
      : queries(shape.queries), keys(shape.keys), left(shape.left), right(shape.right) {
    row = (entry & 0xffff) * TILE_M;
    head = (entry >> 16) % shape.heads;
    sequence = (entry >> 16) / shape.heads;
    if constexpr (VARLEN) {
      queries = sequences[sequence].queries;
      keys = sequences[sequence].keys;
      sums = static_cast<long long>(head) * shape.queries + sequences[sequence].start;
    } else {
      sums = static_cast<long long>(entry >> 16) * shape.queries;
    }
    int seen_first = first_key(row), seen_end = end_key(row + TILE_M - 1);
    end = seen_end > seen_first ? (seen_end + TILE_N - 1) / TILE_N : 0;
    first = SEES_LEFT || end == 0 ? 0 : seen_first / TILE_N;
  }
  // Of these tiles, the first in which a query sees a key, and the one after the last.
  __device__ __forceinline__ int first_tile(int query) const {
    return SEES_LEFT ? first : max(first, first_key(query) / TILE_N);
  }
  __device__ __forceinline__ int end_tile(int query) const {
    return SEES_RIGHT ? end : min(end, (max(0, end_key(query)) + TILE_N - 1) / TILE_N);
  }
  __device__ __forceinline__ int own_key(int query) const { return query + keys - queries; }
  __device__ __forceinline__ int first_key(int query) const {
    return SEES_LEFT ? 0 : max(0, query + keys - queries - left);
  }
  __device__ __forceinline__ int end_key(int query) const {
    return SEES_RIGHT ? keys : min(keys, query + keys - queries + right + 1);
  }
  // Whether queries from `from` to `to` all see all keys of a tile.
  __device__ __forceinline__ bool sees_all(int from, int to, int tile) const {
    return (tile + 1) * TILE_N <= end_key(from) && tile * TILE_N >= first_key(to);
  }
  // Of tensor maps with a dimension for sequences.
  __device__ __forceinline__ int coordinate() const { return VARLEN ? 0 : sequence; }
};

// Makes a tensor map that the host wrote to memory known to this thread's copies (CUDA Programming
// Guide, "Using TMA to transfer multi-dimensional arrays").
DEVICE void fence_tensor_map(const TensorMap &map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(&map) : "memory");
}

DEVICE float exp2_approx(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

DEVICE float log2_approx(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

DEVICE float minus_infinity() { return __int_as_float(0xff800000); }
