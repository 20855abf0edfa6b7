// How decode attention is divided: which tiles of keys a CTA takes, and where its sums go.
//
// A unit is a tile of TILE_N keys of some heads of one sequence, a set. CTAs that are a team take the
// same units, each for a head of the set: rows of heads lie side by side in memory, and are read at
// about the same time. Units are in the order of sequences, sets and keys, and each team takes as
// many as the next one, give or take one. So a CTA has the keys of some heads whole, and parts of
// at most two others: its first and its last. The CTAs that are launched last take the first units:
// whoever waits for the parts behind its own waits for CTAs that were launched before. Lengths are
// read here, on the device, by each warp for itself.
#pragma once
#include "attention.h"

// The host packs it: kernels/decode/kernel.py. A head here is a head of K and V and at most ROWS
// rows: query x group + head of Q within the group.
struct Problem {
  long long q_sequence, q_query, q_head;  // bytes from one to the next
  int batch, heads, blocks;               // sequences; heads of each; heads of one head of K and V
  int group, queries;                     // heads of Q that share one of K and V; of a sequence
  int keys;                               // of a sequence, at most
  int left, right;                        // keys that a query sees on each side of its own
  int page, pages;                        // keys of a page; entries of the block table in a row
  float scale;                            // of the logits, in base 2: softmax_scale * log2(e)
  int rows;                               // of a head
  int team;                               // CTAs of a team, which divide `heads`
};

DEVICE int sets_of(const Problem &problem) { return problem.heads / problem.team; }

// The keys that queries of a sequence see: [low, keys), in `tiles` tiles from `first` on. A sequence
// without keys has one unit, which no tile belongs to.
struct Span {
  int keys, low, first, tiles;
  __device__ __forceinline__ Span(const Problem &problem, const int *lengths, int sequence)
      : keys(lengths ? min(max(lengths[sequence], 0), problem.keys) : problem.keys),
        low(max(0, keys - problem.queries - problem.left)), first(low / TILE_N),
        tiles(max(1, (keys + TILE_N - 1) / TILE_N - first)) {}
  __device__ __forceinline__ int end_tile() const { return (keys + TILE_N - 1) / TILE_N; }
  // Keys of a query: [first_key, end_key).
  __device__ __forceinline__ int first_key(const Problem &problem, int query) const {
    return max(0, query + keys - problem.queries - problem.left);
  }
  __device__ __forceinline__ int end_key(const Problem &problem, int query) const {
    return min(keys, query + keys - problem.queries + problem.right + 1);
  }
};

// Units of sequences [0, end); all lanes of a warp return it.
DEVICE int units_before(const Problem &problem, const int *lengths, int end, int lane) {
  int tiles = 0;
  for (int i = lane; i < end; i += 32) tiles += Span(problem, lengths, i).tiles;
  return __reduce_add_sync(~0u, tiles) * sets_of(problem);
}

// Which team has which units.
struct Division {
  int share, more;  // units of each; teams with one more, which are the first
  __device__ __forceinline__ Division(int units, int teams)
      : share(units / teams), more(units % teams) {}
  __device__ __forceinline__ int begin(int team) const { return team * share + min(team, more); }
  __device__ __forceinline__ int team(int unit) const {
    int many = more * (share + 1);
    return unit < many ? unit / (share + 1) : more + (unit - many) / share;
  }
};

// The place of this CTA among all, in the order of their units.
DEVICE int own_place() { return gridDim.x - 1 - blockIdx.x; }

// Where the parts of a head are: how many CTAs share it, and which ones.
struct Head {
  int parts;
  int cta, team;  // the place of the first of them, and how far the next one is
  bool second;    // whether the first one's part is its last, and in its second slot
  __device__ __forceinline__ Head(const Division &division, int unit, int tiles, int member, int team)
      : team(team) {
    int first = division.team(unit);
    parts = division.team(unit + tiles - 1) - first + 1;
    cta = first * team + member;
    second = division.begin(first) != unit;
  }
};

// Some tiles of a head: all of those that it has, or a part.
struct Part {
  int sequence, head;
  int begin, end;  // tiles
  bool whole, first;  // whether it is all of the head; whether it is the CTA's first
  bool begins;        // whether it has the head's first tile
};

// The parts of a CTA, in their order.
struct Walk {
  int begin, unit, end;     // the team's first unit, the next one, and the one after the last
  int sequence, before;     // the sequence of `unit`, and the first unit of that
  int sets, member;         // of a sequence; which head of a set is this CTA's
  Span span;
  Division division;

  __device__ __forceinline__ Walk(const Problem &problem, const int *lengths, int lane)
      : sequence(0), before(0), sets(sets_of(problem)), member(own_place() % problem.team),
        span(problem, lengths, 0),
        division(units_before(problem, lengths, problem.batch, lane), gridDim.x / problem.team) {
    int team = own_place() / problem.team;
    unit = begin = division.begin(team);
    end = division.begin(team + 1);
    if (begin == end) return;
    for (int from = 0; from < problem.batch; from += 32) {
      int units = 0;
      if (from + lane < problem.batch)
        units = Span(problem, lengths, from + lane).tiles * sets;
      int sum = units;
#pragma unroll
      for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
      }
      int past = __popc(__ballot_sync(~0u, before + sum <= begin));
      if (past < 32) {
        sequence = from + past;
        before += __shfl_sync(~0u, sum - units, past);
        break;
      }
      before += __shfl_sync(~0u, sum, 31);
    }
    span = Span(problem, lengths, sequence);
  }

  __device__ __forceinline__ bool next(Part &part, const Problem &problem, const int *lengths) {
    if (unit == end) return false;
    if (unit - before == span.tiles * sets) {
      before = unit;
      span = Span(problem, lengths, ++sequence);
    }
    int at = (unit - before) % span.tiles, count = min(end - unit, span.tiles - at);
    part.sequence = sequence;
    part.head = (unit - before) / span.tiles * problem.team + member;
    part.begin = span.first + at;
    part.end = min(part.begin + count, span.end_tile());
    part.whole = count == span.tiles;
    part.first = unit == begin;
    part.begins = at == 0;
    unit += count;
    return true;
  }

  // Those that share the head of a part that `next` gave.
  __device__ __forceinline__ Head head(const Part &part, const Problem &problem) const {
    int first = before + part.head / problem.team * span.tiles;
    return Head(division, first, span.tiles, member, problem.team);
  }
};

// What a lane has of a row of a part.
struct alignas(HEAD_DIM / 8) Columns {
  float values[HEAD_DIM / 32];
};

// Sums of parts, in memory: of each of two slots of a CTA and each row, HEAD_DIM sums of weights
// times values; then, of the same, the maximum of the logits and the sum of weights. If JOINS, words
// are 0 before and after each launch, and are something else once they are there: -0 stands for 0.
struct Partials {
  float *sums;
  float2 *statistics;
  int rows;
  __device__ __forceinline__ Partials(float *memory, const Problem &problem, int ctas)
      : sums(memory), rows(problem.rows) {
    statistics = reinterpret_cast<float2 *>(memory + 2ll * ctas * rows * HEAD_DIM);
  }
  __device__ __forceinline__ unsigned row(int slot, int row) const { return slot * rows + row; }
  __device__ __forceinline__ Columns *columns(unsigned row, int lane) const {
    return reinterpret_cast<Columns *>(sums) + row * 32 + lane;
  }
};

// Where a row of a part or of a combined head is among the rows of O and of log_sum_exp.
struct Place {
  int query, head;  // of Q
  bool there;
  long long o, log_sum_exp;
  __device__ __forceinline__ Place(const Problem &problem, int sequence, int head_of_part, int row) {
    int kv_head = head_of_part / problem.blocks;
    row += head_of_part % problem.blocks * ROWS;
    int heads = problem.heads / problem.blocks * problem.group;
    query = row / problem.group;
    head = kv_head * problem.group + row % problem.group;
    there = query < problem.queries;
    o = ((static_cast<long long>(sequence) * problem.queries + query) * heads + head) * HEAD_DIM;
    log_sum_exp = (static_cast<long long>(sequence) * heads + head) * problem.queries + query;
  }
};
