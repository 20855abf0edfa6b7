// What attention of packed sequences needs of cu_seqlens, made where they lie: a record of each
// sequence, with tensor maps that end where it does, and the list of tiles that CTAs take.
// Macros:
//   MAPS        tensor maps of a sequence
//   KEY_MAPS    a bit for each map that is one of keys
//   LISTED      rows of a tile of the list
//   OF_KEYS     whether those are keys
//   DESCENDING  whether a head's last tile comes first
//   QUERY_ROWS  rows of a tile of queries, where a second list has these; else 0
// Without a second list, ~0 ends the lists. With it they are as long as they can be, and the rest
// are tiles of one more sequence: it has no rows, and lies before those tiles, so that nothing is
// read or written for them.
#pragma once
#include "edited_maps.h"

constexpr int WARPS = 4;

// The host packs these: lanemap/benching/attention/packed.py.
struct Whole {
  TensorMap maps[MAPS];
  long long row_bytes[MAPS];  // from one position to the next
};

struct Packing {
  int sequences, queries, keys;  // queries and keys of all sequences together
  int heads, ctas, entries;      // of the list: heads of a sequence, CTAs, and all entries
  int record_bytes;
  int query_tiles;               // entries of the second list
};

// Rows [first, first + count) of a sequence, which lie inside the array whatever cu_seqlens say.
struct Range {
  int first, count;
  __device__ __forceinline__ Range() : first(0), count(0) {}
  __device__ __forceinline__ Range(const int *ends, int sequence, int total) {
    first = min(max(ends[sequence], 0), total);
    count = max(min(ends[sequence + 1], total) - first, 0);
  }
  __device__ __forceinline__ int tiles(int rows) const { return (count + rows - 1) / rows; }
};

// Tiles of one head of sequences [0, end); all lanes of a warp return it.
DEVICE int tiles_before(const int *ends, int end, int total, int rows, int lane) {
  int tiles = 0;
  for (int i = lane; i < end; i += 32) tiles += Range(ends, i, total).tiles(rows);
  return __reduce_add_sync(~0u, tiles);
}

// Every other turn goes through the CTAs backward, so that none has all the long tiles.
DEVICE void list(unsigned *entries, const Packing &packing, int number, unsigned entry) {
  int turn = number / packing.ctas, cta = number % packing.ctas;
  if (number >= packing.entries) return;  // cu_seqlens do not rise from 0 to the end
  entries[turn * packing.ctas + (turn % 2 ? packing.ctas - 1 - cta : cta)] = entry;
}

#if QUERY_ROWS
// Lists the tiles of queries of a sequence; returns how many those before it have.
DEVICE int list_queries(unsigned *list, const int *ends, const Range &queries, int sequence,
                        const Packing &packing, int lane) {
  int before = tiles_before(ends, sequence, packing.queries, QUERY_ROWS, lane);
  bool last = sequence == packing.sequences;
  int end = last ? packing.query_tiles : before + queries.tiles(QUERY_ROWS);
  for (int i = before + lane; i < min(end, packing.query_tiles); i += 32)
    list[i] = unsigned(sequence) << 16 | (last ? 1 : i - before);
  return before;
}
#endif

// A warp makes the record and the entries of a sequence; one more ends the lists.
extern "C" __global__ void __launch_bounds__(32 * WARPS)
fmha_sequences(const int *ends_q, const int *ends_k, const __grid_constant__ Whole whole,
               unsigned char *records, unsigned *entries, unsigned *query_tiles,
               const __grid_constant__ Packing packing) {
  __shared__ TensorMap staged[WARPS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, sequence = blockIdx.x * WARPS + warp;
  if (sequence > packing.sequences) return;
  bool last = sequence == packing.sequences;
  int number = tiles_before(OF_KEYS ? ends_k : ends_q, sequence,
                            OF_KEYS ? packing.keys : packing.queries, LISTED, lane) *
               packing.heads;
  if (last) {
    unsigned end = QUERY_ROWS ? unsigned(sequence * packing.heads) << 16 | 1 : ~0u;
    for (int i = number + lane; i < packing.entries; i += 32) list(entries, packing, i, end);
    if (!QUERY_ROWS) return;
  }
  Range queries, keys;
  if (!last) {
    queries = Range(ends_q, sequence, packing.queries);
    keys = Range(ends_k, sequence, packing.keys);
  }
  unsigned char *record = records + static_cast<long long>(sequence) * packing.record_bytes;
#pragma unroll 1
  for (int i = 0; i < MAPS; ++i) {
    const Range &range = KEY_MAPS >> i & 1 ? keys : queries;
    if (lane == 0) stage_map(shared_address(&staged[warp]), whole.maps[i]);
    // A sequence without rows has no copies; a map has at least one row.
    unsigned long long begin = whole.maps[i].words[0];
    if (range.count > 0) begin += range.first * whole.row_bytes[i];
    make_group_map(reinterpret_cast<const TensorMap *>(record) + i, shared_address(&staged[warp]),
                   reinterpret_cast<const void *>(begin), max(range.count, 1), lane);
    __syncwarp();
  }
  int before = 0;
#if QUERY_ROWS
  before = list_queries(query_tiles, ends_q, queries, sequence, packing, lane);
#endif
  if (lane == 0) {
    int *numbers = reinterpret_cast<int *>(record + MAPS * sizeof(TensorMap));
    numbers[0] = queries.count;
    numbers[1] = keys.count;
    numbers[2] = queries.first;
    numbers[3] = before;
  }
  int tiles = (OF_KEYS ? keys : queries).tiles(LISTED);
  for (int i = lane; i < tiles * packing.heads; i += 32) {
    unsigned head = sequence * packing.heads + i / tiles;
    list(entries, packing, number + i,
         head << 16 | (DESCENDING ? tiles - 1 - i % tiles : i % tiles));
  }
}
