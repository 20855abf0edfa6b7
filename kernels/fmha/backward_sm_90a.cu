// Backward attention with wgmma; README.md draws the data path.
//
// A CTA has one warpgroup that copies and CONSUMERS that compute: each has 64 keys of one head of K
// and V, whose gradients stay in registers while all queries that see them go by, of every head of
// Q that shares the head of K and V. So gradients of K and V have one writer. Those of Q have one
// addend of each tile of keys, which memory adds up in f32; `fmha_finish` rounds them.
#define OUTPUT_F32 0
#include "hopper.h"

constexpr int CONSUMERS = 2;
constexpr int ROWS = 64;               // keys of a consumer
constexpr int TILE_M = 64;             // queries of a step
constexpr int TILE_N = ROWS * CONSUMERS;
#include "attention.h"

constexpr int STEP = 16;               // k of a wgmma
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr int PARTS = HEAD_DIM / 64;   // of a tile: 64 columns, the 128 bytes of the swizzle
constexpr unsigned QUERIES_PART = TILE_M * 128, QUERIES_BYTES = PARTS * QUERIES_PART;
constexpr unsigned KEYS_PART = TILE_N * 128, KEYS_BYTES = PARTS * KEYS_PART;
constexpr unsigned STATISTIC_BYTES = TILE_M * 4;
// Of a tile of queries' dQ, a consumer computes so many columns, a warp 16 rows of them: a chunk,
// four registers of all lanes after another.
constexpr int COLUMNS = HEAD_DIM / CONSUMERS;
constexpr unsigned CHUNK_FLOATS = 16 * COLUMNS, BLOCK_FLOATS = TILE_M * HEAD_DIM;
constexpr int CHUNKS = 4 * CONSUMERS;
// Shared memory: K and V, where their gradients leave; rings of tiles of Q and dO; two tiles of
// dS.T; addends of dQ; rings of the queries' logarithms and of their sums of dO * O; mbarriers.
constexpr unsigned V_TILE = KEYS_BYTES, Q_TILES = 2 * KEYS_BYTES;
constexpr unsigned DO_TILES = Q_TILES + STAGES * QUERIES_BYTES;
constexpr unsigned DS_TILES = DO_TILES + STAGES * QUERIES_BYTES;
constexpr unsigned ADDENDS = DS_TILES + 2 * KEYS_PART;
constexpr unsigned LOGARITHMS = ADDENDS + BLOCK_FLOATS * 4;
constexpr unsigned SUMS = LOGARITHMS + STAGES * STATISTIC_BYTES;
constexpr unsigned BARRIERS = SUMS + STAGES * STATISTIC_BYTES;

using Scores = float[TILE_M / 2];           // of 64 keys and a tile of queries
using Weights = unsigned[TILE_M / STEP][4]; // the same as A of a wgmma
using KeyGradient = float[HEAD_DIM / 2];
using Addend = float[COLUMNS / 2];

// Where a step's operands are in shared memory: its number chooses the stage and the phase.
struct Stage {
  unsigned base, stage, parity;
  __device__ __forceinline__ Stage(unsigned base, int step)
      : base(base), stage(step % STAGES), parity(step / STAGES % 2) {}
  __device__ __forceinline__ unsigned q() const { return base + Q_TILES + stage * QUERIES_BYTES; }
  __device__ __forceinline__ unsigned d_o() const { return base + DO_TILES + stage * QUERIES_BYTES; }
  __device__ __forceinline__ unsigned logarithms() const {
    return base + LOGARITHMS + stage * STATISTIC_BYTES;
  }
  __device__ __forceinline__ unsigned sums() const { return base + SUMS + stage * STATISTIC_BYTES; }
  __device__ __forceinline__ unsigned q_full() const { return base + BARRIERS + 16 + stage * 32; }
  __device__ __forceinline__ unsigned q_empty() const { return q_full() + 8; }
  __device__ __forceinline__ unsigned d_o_full() const { return q_full() + 16; }
  __device__ __forceinline__ unsigned d_o_empty() const { return q_full() + 24; }
};

DEVICE unsigned k_full(unsigned base) { return base + BARRIERS; }
DEVICE unsigned v_full(unsigned base) { return base + BARRIERS + 8; }
DEVICE unsigned ds_tile(unsigned base, int step) { return base + DS_TILES + step % 2 * KEYS_PART; }

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

DEVICE void load_keys(unsigned to, const TensorMap &map, const KeyWork &work, unsigned full) {
  mbarrier_expect(full, KEYS_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(to + part * KEYS_PART, map, part * 64, work.row, work.head, work.coordinate(),
                full);
}

// Loads a tile of Q or dO, and what belongs to its queries, when its stage is empty.
DEVICE void load_queries(unsigned to, const TensorMap &map, unsigned rows, const float *from,
                         unsigned full, unsigned parity, const Place &place, const KeyWork &work) {
  mbarrier_wait(full + 8, parity ^ 1);
  mbarrier_expect(full, QUERIES_BYTES + STATISTIC_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(to + part * QUERIES_PART, map, part * 64, place.tile * TILE_M, place.head,
                work.coordinate(), full);
  bulk_load(rows, from, STATISTIC_BYTES, full);
}

// `statistics` has the logarithms of a tile of queries, and then their sums of dO * O.
DEVICE void produce(unsigned base, const GradientMaps &maps, const float *statistics,
                    const KeyWork &work, const Sizes &sizes) {
  if constexpr (VARLEN) {
    fence_tensor_map(maps.q);
    fence_tensor_map(maps.k);
    fence_tensor_map(maps.v);
    fence_tensor_map(maps.d_o);
  }
  Place place(work, sizes);
  for (int i = 0; i < work.steps; ++i) {
    Stage stage(base, i);
    const float *from = statistics + static_cast<long long>(place.block) * 2 * TILE_M;
    if (i == 0) load_keys(base, maps.k, work, k_full(base));
    load_queries(stage.q(), maps.q, stage.logarithms(), from, stage.q_full(), stage.parity, place,
                 work);
    if (i == 0) load_keys(base + V_TILE, maps.v, work, v_full(base));
    load_queries(stage.d_o(), maps.d_o, stage.sums(), from + TILE_M, stage.d_o_full(),
                 stage.parity, place, work);
    place.advance(work, sizes);
  }
}

// Consumers meet at named barriers; barrier 0 is that of __syncthreads.
DEVICE void consumers_meet() {
  asm volatile("bar.sync 1, %0;" ::"n"(128 * CONSUMERS) : "memory");
}

// Descriptor of an operand whose rows are along k, under the 128-byte swizzle: 64 columns further
// are `part` bytes (LBO), 8 k further as many as the map says (SBO).
DEVICE unsigned long long transposed_descriptor(unsigned address, unsigned long long part) {
  unsigned long long eight = value_byte(0, 8, 0) - value_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | part >> 4 << 16 | eight >> 4 << 32 | 1ull << 62;
}

// What STEP k add to it.
DEVICE constexpr unsigned transposed_step() {
  return 2 * (value_byte(0, 8, 0) - value_byte(0, 0, 0)) >> 4;
}

// Begins S.T = K @ Q.T, or dP.T = V @ dO.T, of this consumer's keys.
DEVICE void multiply_scores(Scores &s, unsigned keys, unsigned queries, int consumer) {
  unsigned long long a = operand_descriptor(keys) + consumer * descriptor_block();
  unsigned long long b = operand_descriptor(queries);
#pragma unroll
  for (int i = 0; i < HEAD_DIM / STEP; ++i) {
    unsigned long long step = descriptor_step(i % 4 * STEP);
    wgmma_ss(s, a + (i / 4 * KEYS_PART >> 4) + step, b + (i / 4 * QUERIES_PART >> 4) + step, i > 0);
  }
  wgmma_commit();
}

// Begins dV += P.T @ dO, or dK += dS.T @ Q; without `add`, =.
DEVICE void multiply_weights(KeyGradient &d, const Weights &p, unsigned queries, bool add) {
  unsigned long long b = transposed_descriptor(queries, QUERIES_PART);
#pragma unroll
  for (int i = 0; i < TILE_M / STEP; ++i)
    wgmma_rs(d, p[i], b + i * transposed_step(), add || i > 0);
  wgmma_commit();
}

// Begins dQ = dS @ K, this consumer's columns. A is dS.T as it lies in memory.
DEVICE void multiply_keys(Addend &dq, unsigned ds, unsigned keys, int consumer) {
  int column = consumer * COLUMNS;
  unsigned long long a = transposed_descriptor(ds, KEYS_PART);
  unsigned long long b = transposed_descriptor(
      keys + column / 64 * KEYS_PART + value_byte(column % 64, 0, 0), KEYS_PART);
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i)
    wgmma_ss_transposed(dq, a + i * transposed_step(), b + i * transposed_step(), i > 0);
  wgmma_commit();
}

// Which of a thread's two keys a register of S.T belongs to.
DEVICE constexpr int half_of(int reg) { return d_row(0, 0, reg, 0) != d_row(0, 0, 0, 0); }

// Registers 4 i to 4 i + 3 of S.T are two adjacent queries of one key, and the same of the other.
DEVICE constexpr bool scores_are_squares() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < TILE_M / 2; i += 4)
      for (int j = 0; j < 4; ++j)
        if (half_of(i + j) != j / 2 ||
            d_column(0, lane, i + j, 0) != d_column(0, lane, i, 0) + j % 2)
          return false;
  return true;
}
static_assert(scores_are_squares(), "registers of S.T are not squares");

// Two registers of S.T, from 2 (4 i + r) on, are register r of step i of A.
DEVICE constexpr bool weights_are_fragments() {
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg)
      for (int half = 0; half < 2; ++half)
        if (d_row(0, lane, 2 * reg + half, 0) != fragment_row(0, lane, reg, half) ||
            d_column(0, lane, 2 * reg + half, 0) != fragment_k(0, lane, reg, half))
          return false;
  return true;
}
static_assert(weights_are_fragments(), "registers of S.T are not those of A");

DEVICE void convert(Weights &p, const Scores &s) {
#pragma unroll
  for (int i = 0; i < TILE_M / STEP; ++i)
#pragma unroll
    for (int reg = 0; reg < 4; ++reg)
      p[i][reg] = pack(s[8 * i + 2 * reg], s[8 * i + 2 * reg + 1]);
}

DEVICE void pin_weights(Weights &p) {
#pragma unroll
  for (int i = 0; i < TILE_M / STEP; ++i) pin(p[i]);
}

// What two adjacent queries have, of a tile's f32 in shared memory.
DEVICE void load_pair(float (&pair)[2], unsigned from, int warp, int lane, int reg) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(pair[0]), "=f"(pair[1])
               : "r"(from + d_column(warp, lane, reg, 0) * 4) : "memory");
}

// Of a thread's two keys, the queries that see them: `first` and `end`. Past the last query no
// weight needs hiding, see `weigh`. Tiles from `whole_first` to `whole_end` need no mask.
struct Mask {
  int first[2], end[2];
  int whole_first, whole_end;
  __device__ __forceinline__ Mask(const KeyWork &work, int key, int warp, int lane) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int mine = key + d_row(warp, lane, 2 * half, 0);
      first[half] = (mine < work.keys ? work.first_query(mine) : 1 << 28) - d_column(0, lane, 0, 0);
      end[half] = SEES_LEFT ? 0 : work.end_query(mine) - d_column(0, lane, 0, 0);
    }
    whole_first = key + ROWS > work.keys ? 1 << 28
                                         : (work.first_query(key + ROWS - 1) + TILE_M - 1) / TILE_M;
    whole_end = SEES_LEFT ? 1 << 28 : work.end_query(key) / TILE_M;
  }
  __device__ __forceinline__ void hide(Scores &s, int tile) const {
    if (tile >= whole_first && tile < whole_end) return;
    int query = tile * TILE_M;
#pragma unroll
    for (int i = 0; i < TILE_M / 2; ++i) {
      int half = half_of(i), mine = query + d_column(0, 0, i, 0);
      if (mine < first[half] || (!SEES_LEFT && mine >= end[half])) s[i] = minus_infinity();
    }
  }
};

// Makes P.T of S.T in place. Queries without keys, or past the end, have a logarithm of +inf.
DEVICE void weigh(Scores &s, unsigned logarithms, float scale, int warp, int lane) {
#pragma unroll
  for (int i = 0; i < TILE_M / 2; i += 4) {
    float logarithm[2];
    load_pair(logarithm, logarithms, warp, lane, i);
#pragma unroll
    for (int j = 0; j < 4; ++j) s[i + j] = exp2_approx(fmaf(s[i + j], scale, -logarithm[j % 2]));
  }
}

// Makes dS.T, without the scale, of dP.T and P.T, and writes it to this warp's rows of a tile. P is
// the rounded one, since there are no registers for the other one while dV reads this one.
DEVICE void differentiate(Weights &ds, Scores &dp, const Weights &p, unsigned sums, unsigned box,
                          int warp, int lane) {
  int source = chunk_lane(lane, 0), part = 2 * chunk_reg(lane, 0) + chunk_half(lane, 0);
#pragma unroll
  for (int i = 0; i < TILE_M / 2; i += 4) {
    float sum[2];
    load_pair(sum, sums, warp, lane, i);
#pragma unroll
    for (int j = 0; j < 4; ++j)
      dp[i + j] = unpack(p[i / 8][i % 8 / 2 + j / 2], j % 2) * (dp[i + j] - sum[j % 2]);
    ds[i / 8][i % 8 / 2] = pack(dp[i], dp[i + 1]);
    ds[i / 8][i % 8 / 2 + 1] = pack(dp[i + 2], dp[i + 3]);
    if (i % 8) {
      int row = d_row(0, source, i - 4 + part, 0), column = d_column(0, source, i - 4 + part, 0);
      stmatrix_x4(box + swizzled(row, column / 8), ds[i / 8]);
    }
  }
}

// The warp is done with a stage.
DEVICE void release(unsigned empty, int lane) {
  __syncwarp();
  if (lane == 0) mbarrier_arrive(empty, 0);
}

#if DETERMINISTIC
// Waits until so many tiles of keys have added to a chunk of dQ.
DEVICE void turn_wait(const unsigned *turns, unsigned turn) {
  unsigned now;
  do {
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(now) : "l"(turns) : "memory");
  } while (now != turn);
  asm volatile("fence.proxy.async;" ::: "memory");
}

// Lets the next one add, once all additions of this thread are in memory.
DEVICE void turn_pass(unsigned *turns) {
  bulk_wait();
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(turns) : "memory");
}
#endif

// Where tiles of keys add up dQ.
struct Addends {
  float *sums;
  unsigned *turns;
  unsigned *passed;  // where the turn of the chunk before is counted

  // Adds a warp's chunk of dQ to that in memory, through shared memory of its own.
  __device__ __forceinline__ void add(const Addend &dq, const KeyWork &work, const Place &place,
                                      unsigned base, int chunk, int lane) {
    unsigned from = base + ADDENDS + chunk * CHUNK_FLOATS * 4;
    if (lane == 0) {
#if DETERMINISTIC
      if (passed) turn_pass(passed);
#else
      tma_store_wait_read<0>();
#endif
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < COLUMNS / 2; i += 4)
      asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                   ::"r"(from + i * 128 + lane * 16), "f"(dq[i]), "f"(dq[i + 1]), "f"(dq[i + 2]),
                     "f"(dq[i + 3]) : "memory");
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) {
      long long block = place.block;
#if DETERMINISTIC
      passed = turns + block * CHUNKS + chunk;
      turn_wait(passed, work.turn(place.tile));
#endif
      bulk_add(sums + block * BLOCK_FLOATS + chunk * CHUNK_FLOATS, from, CHUNK_FLOATS * 4);
    }
  }

  __device__ __forceinline__ void finish(int lane) const {
#if DETERMINISTIC
    if (lane == 0 && passed) turn_pass(passed);
#endif
  }
};

// Stores a gradient of 64 keys through shared memory that this warp alone uses.
DEVICE void store(KeyGradient &d, unsigned tile, const TensorMap &map, const KeyWork &work,
                  int consumer, int warp, int lane) {
  int row = consumer * ROWS + 16 * warp;
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    write_box(tile + part * KEYS_PART + row * 128, d, part * 32, warp, lane);
  fence_proxy_async();
  __syncwarp();
  if (lane == 0) {
    if constexpr (VARLEN) fence_tensor_map(map);
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      tma_store_4d(map, part * 64, work.row + row, work.head, work.coordinate(),
                   tile + part * KEYS_PART + row * 128);
  }
}

// What a consumer has in registers from step to step, beside gradients of K and V.
struct State {
  Scores s;    // S.T of the next step
  Weights ds;  // dS.T of this one
};

// The first half of a step, from S to dS, which it leaves in registers and in shared memory. While
// weights are computed, dK of the step before and dP of this one are in the tensor core; while dS
// is, dV is.
template <bool first>
DEVICE void differentiate_scores(KeyGradient &dv, State &state, unsigned base, int step,
                                 const Mask &mask, int tile, float scale, int consumer, int warp,
                                 int lane) {
  Scores dp;
  Weights p;
  Stage stage(base, step);
  mbarrier_wait(stage.d_o_full(), stage.parity);
  wgmma_fence();
  multiply_scores(dp, base + V_TILE, stage.d_o(), consumer);
  wgmma_wait<first ? 1 : 2>();
  pin(state.s);
  mask.hide(state.s, tile);
  weigh(state.s, stage.logarithms(), scale, warp, lane);
  wgmma_wait<1>();
  pin_weights(state.ds);
  if (!first) release(Stage(base, step - 1).q_empty(), lane);
  convert(p, state.s);
  pin_weights(p);
  wgmma_fence();
  multiply_weights(dv, p, stage.d_o(), !first);
  wgmma_wait<1>();
  pin(dp);
  differentiate(state.ds, dp, p, stage.sums(),
                ds_tile(base, step) + (consumer * ROWS + warp * 16) * 128, warp, lane);
  fence_proxy_async();
  wgmma_wait<0>();
  pin(dv);
  pin_weights(p);
  release(stage.d_o_empty(), lane);
}

// The second half: dQ, which leaves while S of the next step and dK of this one are in the tensor
// core.
template <bool last>
DEVICE void multiply_gradients(KeyGradient &dk, State &state, Addends &addends, unsigned base,
                               int step, const KeyWork &work, const Place &place, int consumer,
                               int warp, int lane) {
  Addend dq;
  Stage stage(base, step), next(base, step + 1);
  consumers_meet();
  pin_weights(state.ds);
  wgmma_fence();
  multiply_keys(dq, ds_tile(base, step), base, consumer);
  if constexpr (!last) {
    mbarrier_wait(next.q_full(), next.parity);
    wgmma_fence();
    multiply_scores(state.s, base, next.q(), consumer);
  }
  multiply_weights(dk, state.ds, stage.q(), step > 0);
  wgmma_wait<last ? 1 : 2>();
  pin(dq);
  addends.add(dq, work, place, base, consumer * 4 + warp, lane);
}

// Leaves the gradients of this consumer's keys.
DEVICE void differentiate_keys(KeyGradient &dk, KeyGradient &dv, Addends &addends, unsigned base,
                               const KeyWork &work, const Sizes &sizes, int consumer, int warp,
                               int lane) {
  State state;
  Place place(work, sizes);
  Mask mask(work, work.row + consumer * ROWS, warp, lane);
  float scale = sizes.shape.scale;
  mbarrier_wait(k_full(base), 0);
  mbarrier_wait(Stage(base, 0).q_full(), 0);
  wgmma_fence();
  multiply_scores(state.s, base, Stage(base, 0).q(), consumer);
  mbarrier_wait(v_full(base), 0);
  differentiate_scores<true>(dv, state, base, 0, mask, place.tile, scale, consumer, warp, lane);
  int i = 0;
  for (; i + 1 < work.steps; ++i) {
    multiply_gradients<false>(dk, state, addends, base, i, work, place, consumer, warp, lane);
    place.advance(work, sizes);
    differentiate_scores<false>(dv, state, base, i + 1, mask, place.tile, scale, consumer, warp,
                                lane);
  }
  multiply_gradients<true>(dk, state, addends, base, i, work, place, consumer, warp, lane);
  wgmma_wait<0>();
  pin(dk);
  pin(dv);
}

DEVICE void consume(unsigned base, const GradientMaps &maps, Addends &addends, const KeyWork &work,
                    const Sizes &sizes, int consumer, int warp, int lane) {
  KeyGradient dk, dv;
  if (work.steps > 0) {
    differentiate_keys(dk, dv, addends, base, work, sizes, consumer, warp, lane);
  } else {
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 2; ++i) dk[i] = dv[i] = 0;
  }
  addends.finish(lane);
#pragma unroll
  for (int i = 0; i < HEAD_DIM / 2; ++i) dk[i] *= sizes.softmax_scale;
  store(dv, base + V_TILE, maps.dv, work, consumer, warp, lane);
  consumers_meet();  // both have read K
  store(dk, base, maps.dk, work, consumer, warp, lane);
  if (lane == 0) tma_store_wait_read<0>();
}

// `schedule` has an entry for each CTA (see KeyWork); CTAs begin in the order of their numbers.
// `sequences` is read where VARLEN is set, instead of the maps; `turns` where DETERMINISTIC is.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fmha_backward(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
              const __grid_constant__ TensorMap v, const __grid_constant__ TensorMap d_o,
              const __grid_constant__ TensorMap dk, const __grid_constant__ TensorMap dv,
              const Packed *sequences, const float *statistics, float *sums, unsigned *turns,
              const unsigned *schedule, const __grid_constant__ Sizes sizes) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  // The same in all lanes of a warp, so that it needs one register of the warp.
  int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
  int warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
  if (threadIdx.x == 0) {
    mbarrier_init(k_full(base), 1);
    mbarrier_init(v_full(base), 1);
    for (int i = 0; i < STAGES; ++i) {
      Stage stage(base, i);
      mbarrier_init(stage.q_full(), 1);
      mbarrier_init(stage.q_empty(), 4 * CONSUMERS);
      mbarrier_init(stage.d_o_full(), 1);
      mbarrier_init(stage.d_o_empty(), 4 * CONSUMERS);
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  KeyWork work(__shfl_sync(~0u, schedule[blockIdx.x], 0), sizes, sequences);
  const Packed *mine = sequences + (VARLEN ? work.sequence : 0);
  if (warpgroup == 0) {
    // Role: producer.
    give_registers<PRODUCER_REGISTERS>();
    if (thread == 0) {
      if constexpr (VARLEN)
        produce(base, {mine->q, mine->k, mine->v, mine->d_o, mine->dk, mine->dv}, statistics, work,
                sizes);
      else
        produce(base, {q, k, v, d_o, dk, dv}, statistics, work, sizes);
    }
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    Addends addends{sums, turns, nullptr};
    if constexpr (VARLEN)
      consume(base, {mine->q, mine->k, mine->v, mine->d_o, mine->dk, mine->dv}, addends, work,
              sizes, warpgroup - 1, warp, lane);
    else
      consume(base, {q, k, v, d_o, dk, dv}, addends, work, sizes, warpgroup - 1, warp, lane);
  }
}

#include "gradient_rows.h"
