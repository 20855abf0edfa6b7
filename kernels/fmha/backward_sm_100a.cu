// Backward attention with tcgen05; README.md draws the data path.
//
// A CTA has 128 keys of one head of K and V, whose gradients stay in tensor memory while all queries
// that see them go by, of every head of Q that shares the head of K and V. So gradients of K and V
// have one writer. Those of Q have one addend of each tile of keys, which memory adds up in f32;
// `fmha_finish` rounds them. Warps 0 to 3 and 4 to 7 make P.T and dS.T of 64 queries each, 8 to 11
// bring dQ to memory; then come a warp that copies and one that multiplies.
#define CLUSTER_M 1
#define OUTPUT_F32 0
#include "blackwell.h"

constexpr int ROWS = 128, TILE_N = 128;  // keys
constexpr int TILE_M = 128;              // queries of a step
constexpr int GROUP = 64;                // of them, those of a warpgroup
#include "blackwell_scores.h"
#include "gradient_turns.h"

constexpr int REDUCE_WARP = 8, LOAD_WARP = 12, MMA_WARP = 13, THREADS = 512;
constexpr int PARTS = HEAD_DIM / 64;  // a row of the 128-byte swizzle has 64 elements
constexpr unsigned PART_BYTES = 128 * 128, TILE_BYTES = PARTS * PART_BYTES;
constexpr unsigned STATISTIC_BYTES = TILE_M * 4;
// A warp adds chunks of 32 queries and 32 columns to dQ, four columns of all lanes after another;
// its chunks of a tile of queries have one turn.
constexpr unsigned CHUNK_FLOATS = 32 * 32, BLOCK_FLOATS = TILE_M * HEAD_DIM;
constexpr int CHUNKS = 4;
// Tensor memory: S.T, in which P.T lies too; dP.T, then dQ; dV; dK.
constexpr unsigned S_COLUMN = 0, DP_COLUMN = 128, DV_COLUMN = 256, DK_COLUMN = 256 + HEAD_DIM;
// Shared memory: K and V, where their gradients leave; rings of tiles of Q and dO; dS.T, 64 queries
// after another; two chunks of dQ for each warp that adds; the queries' logarithms and their sums of
// dO * O; mbarriers; the address of tensor memory.
constexpr unsigned V_TILE = TILE_BYTES, Q_TILES = 2 * TILE_BYTES;
constexpr unsigned DO_TILES = Q_TILES + Q_STAGES * TILE_BYTES;
constexpr unsigned DS_TILE = DO_TILES + DO_STAGES * TILE_BYTES;
constexpr unsigned ADDENDS = DS_TILE + 2 * PART_BYTES;
constexpr unsigned STATISTICS = ADDENDS + 4 * 2 * CHUNK_FLOATS * 4;
constexpr unsigned BARRIERS = STATISTICS + Q_STAGES * 2 * STATISTIC_BYTES;
constexpr unsigned Q_BARRIERS = BARRIERS + 8 * 8, DO_BARRIERS = Q_BARRIERS + Q_STAGES * 16;
constexpr unsigned SLOT = DO_BARRIERS + DO_STAGES * 16;
// Products: S.T and dP.T; dV and dK, whose B is N-major (bit 16); dQ, whose A is M-major too (15).
constexpr unsigned SCORES = instruction_descriptor(ROWS, TILE_M);
constexpr unsigned GRADIENTS = instruction_descriptor(ROWS, HEAD_DIM) | 1u << 16;
constexpr unsigned QUERIES = GRADIENTS | 1u << 15;

enum Barrier {
  K_FULL, V_FULL,
  S_FULL,    // S is complete, and so is every product before it
  P_FULL,    // P is in tensor memory, and S was read
  DP_FULL,   // dP is complete, and so is every product before it: dS may be written again
  DS_FULL,   // dS is in shared memory, and dP was read
  DQ_FULL,   // dQ is complete, and so is every product before it
  DQ_EMPTY,  // dQ was read
};

DEVICE unsigned at(unsigned base, Barrier kind) { return base + BARRIERS + kind * 8; }

// Where a step's tile of Q or dO is in shared memory: the number of the step chooses the stage and
// the phase. Statistics come with Q.
template <int stages, unsigned tiles, unsigned barriers>
struct Stage {
  unsigned base, stage, parity;
  __device__ __forceinline__ Stage(unsigned base, int step)
      : base(base), stage(step % stages), parity(step / stages % 2) {}
  __device__ __forceinline__ unsigned data() const { return base + tiles + stage * TILE_BYTES; }
  __device__ __forceinline__ unsigned statistics() const {
    return base + STATISTICS + stage * 2 * STATISTIC_BYTES;
  }
  __device__ __forceinline__ unsigned full() const { return base + barriers + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  static __device__ __forceinline__ void init(unsigned base) {
    for (int i = 0; i < stages; ++i) {
      mbarrier_init(Stage(base, i).full(), 1);
      mbarrier_init(Stage(base, i).empty(), 1);
    }
  }
};
using QStage = Stage<Q_STAGES, Q_TILES, Q_BARRIERS>;
using DoStage = Stage<DO_STAGES, DO_TILES, DO_BARRIERS>;

// ---- load

DEVICE void load_tile(unsigned to, const TensorMap &map, int row, int head, const KeyWork &work,
                      unsigned full) {
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(to + part * PART_BYTES, map, part * 64, row, head, work.coordinate(), full);
}

DEVICE void load(unsigned base, const GradientMaps &maps, const float *statistics,
                 const KeyWork &work, const Sizes &sizes) {
  if constexpr (VARLEN) {
    fence_tensor_map(maps.q);
    fence_tensor_map(maps.k);
    fence_tensor_map(maps.v);
    fence_tensor_map(maps.d_o);
  }
  Place place(work, sizes);
  for (int i = 0; i < work.steps; ++i, place.advance(work, sizes)) {
    QStage q(base, i);
    DoStage d_o(base, i);
    if (i == 0) {
      mbarrier_expect(at(base, K_FULL), TILE_BYTES);
      load_tile(base, maps.k, work.row, work.head, work, at(base, K_FULL));
    }
    mbarrier_wait(q.empty(), q.parity ^ 1);
    mbarrier_expect(q.full(), TILE_BYTES + 2 * STATISTIC_BYTES);
    load_tile(q.data(), maps.q, place.tile * TILE_M, place.head, work, q.full());
    bulk_load(q.statistics(), statistics + static_cast<long long>(place.block) * 2 * TILE_M,
              2 * STATISTIC_BYTES, q.full());
    if (i == 0) {
      mbarrier_expect(at(base, V_FULL), TILE_BYTES);
      load_tile(base + V_TILE, maps.v, work.row, work.head, work, at(base, V_FULL));
    }
    mbarrier_wait(d_o.empty(), d_o.parity ^ 1);
    mbarrier_expect(d_o.full(), TILE_BYTES);
    load_tile(d_o.data(), maps.d_o, place.tile * TILE_M, place.head, work, d_o.full());
  }
}

// ---- mma

// Descriptor of an operand whose rows are along k, under the 128-byte swizzle: 64 columns further
// are PART_BYTES (LBO), 8 k further as many as the map says (SBO).
DEVICE unsigned long long transposed_descriptor(unsigned address) {
  unsigned long long eight = value_byte(0, 8, 0) - value_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | static_cast<unsigned long long>(PART_BYTES >> 4) << 16 |
         eight >> 4 << 32 | 1ull << 46 | 2ull << 61;
}

// What a step of 16 rows adds to it, and a step of 16 columns to a descriptor of rows along M or N.
DEVICE unsigned long long row_step(int i) {
  return i * (2 * (value_byte(0, 8, 0) - value_byte(0, 0, 0)) >> 4);
}
DEVICE unsigned long long column_step(int i) {
  return (i / 4 * PART_BYTES >> 4) + descriptor_step(i % 4 * 16);
}

// Begins S.T = K @ Q.T, or dP.T = V @ dO.T.
DEVICE void multiply_scores(unsigned d, unsigned keys, unsigned queries) {
  unsigned long long a = operand_descriptor(keys), b = operand_descriptor(queries);
#pragma unroll
  for (int i = 0; i < HEAD_DIM / 16; ++i)
    mma_ss(d, a + column_step(i), b + column_step(i), SCORES, i > 0);
}

// Begins dV += P.T @ dO; without `add`, =. Each warpgroup has its queries' weights in its own half of
// S.T, so that neither overwrites what the other still reads.
DEVICE void multiply_weights(unsigned d, unsigned p, unsigned queries, bool add) {
  unsigned long long b = transposed_descriptor(queries);
#pragma unroll
  for (int i = 0; i < TILE_M / 16; ++i)
    mma_ts(d, p + i / 4 * GROUP + i % 4 * QUERIES_STEP, b + row_step(i), GRADIENTS, add || i > 0);
}

// Begins dK += dS.T @ Q; without `add`, =.
DEVICE void multiply_differences(unsigned d, unsigned ds, unsigned queries, bool add) {
  unsigned long long a = operand_descriptor(ds), b = transposed_descriptor(queries);
#pragma unroll
  for (int i = 0; i < TILE_M / 16; ++i)
    mma_ss(d, a + column_step(i), b + row_step(i), GRADIENTS, add || i > 0);
}

// Begins dQ = dS @ K. A is dS.T as it lies in memory.
DEVICE void multiply_keys(unsigned d, unsigned ds, unsigned keys) {
  unsigned long long a = transposed_descriptor(ds), b = transposed_descriptor(keys);
#pragma unroll
  for (int i = 0; i < TILE_N / 16; ++i)
    mma_ss(d, a + row_step(i), b + row_step(i), QUERIES, i > 0);
}

DEVICE void begin_scores(unsigned base, unsigned columns, int step) {
  QStage q(base, step);
  mbarrier_wait(q.full(), q.parity);
  multiply_scores(columns + S_COLUMN, base, q.data());
  mma_commit(at(base, S_FULL));
}

DEVICE void begin_products(unsigned base, unsigned columns, int step) {
  DoStage d_o(base, step);
  mbarrier_wait(d_o.full(), d_o.parity);
  multiply_scores(columns + DP_COLUMN, base + V_TILE, d_o.data());
  mma_commit(at(base, DP_FULL));
}

// Products of one thread execute in order. S of the next step is computed while this step's dS is
// made; it follows the product that reads P, which lies in its columns.
DEVICE void multiply(unsigned base, unsigned columns, int steps) {
  if (steps == 0) return;
  mbarrier_wait(at(base, K_FULL), 0);
  begin_scores(base, columns, 0);
  mbarrier_wait(at(base, V_FULL), 0);
  begin_products(base, columns, 0);
  for (int i = 0; i < steps; ++i) {
    QStage q(base, i);
    DoStage d_o(base, i);
    mbarrier_wait(at(base, P_FULL), i % 2);
    tcgen05_fence_after_thread_sync();
    multiply_weights(columns + DV_COLUMN, columns + S_COLUMN, d_o.data(), i > 0);
    mma_commit(d_o.empty());
    if (i + 1 < steps) begin_scores(base, columns, i + 1);
    mbarrier_wait(at(base, DS_FULL), i % 2);
    tcgen05_fence_after_thread_sync();
    multiply_differences(columns + DK_COLUMN, base + DS_TILE, q.data(), i > 0);
    mma_commit(q.empty());
    multiply_keys(columns + DP_COLUMN, base + DS_TILE, base);
    mma_commit(at(base, DQ_FULL));
    if (i + 1 < steps) {
      // dP lies where dQ does.
      mbarrier_wait(at(base, DQ_EMPTY), i % 2);
      tcgen05_fence_after_thread_sync();
      begin_products(base, columns, i + 1);
    }
  }
}

// ---- compute

// A thread's place: its warpgroup has 64 queries of a step, the thread one key.
struct Lane {
  int group, warp, lane;
  __device__ __forceinline__ int row() const { return 32 * warp + lane; }
  __device__ __forceinline__ unsigned lanes() const { return 32 * warp << 16; }
};

DEVICE void arrive(unsigned barrier, int lane) {
  __syncwarp();
  if (lane == 0) mbarrier_arrive(barrier, 0);
}

// Makes P and dS of every step.
DEVICE void compute(unsigned base, unsigned columns, const KeyWork &work, const Sizes &sizes,
                    const Lane &mine) {
  Place place(work, sizes);
  int key = work.row + mine.row();
  for (int i = 0; i < work.steps; ++i, place.advance(work, sizes)) {
    QStage q(base, i);
    unsigned statistics = q.statistics() + mine.group * GROUP * 4;
    unsigned own = columns + mine.group * GROUP + mine.lanes();
    Scores s;
    mbarrier_wait(q.full(), q.parity);  // statistics
    mbarrier_wait(at(base, S_FULL), i % 2);
    tcgen05_fence_after_thread_sync();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned d[32];
      load_row(d, own + S_COLUMN + half * 32);
#pragma unroll
      for (int j = 0; j < 32; ++j) s[half * 32 + j] = __uint_as_float(d[j]);
    }
    int query = place.tile * TILE_M;
    if (!work.all_see(query, work.row)) mask(s, work, key, query + mine.group * GROUP);
    unsigned p[GROUP / 2];
    weigh(p, s, statistics, sizes.shape.scale);
    tcgen05_st_32x32b_x32(p, own + S_COLUMN);
    tcgen05_wait_st();
    tcgen05_fence_before_thread_sync();
    arrive(at(base, P_FULL), mine.lane);
    mbarrier_wait(at(base, DP_FULL), i % 2);
    tcgen05_fence_after_thread_sync();
    differentiate(s, own + DP_COLUMN, statistics + STATISTIC_BYTES,
                  base + DS_TILE + mine.group * PART_BYTES, mine.row());
    fence_proxy_async();
    tcgen05_fence_before_thread_sync();
    arrive(at(base, DS_FULL), mine.lane);
  }
}

// Stores a gradient of this warp's keys through shared memory that it alone uses; zeros if no query
// sees them.
DEVICE void store(unsigned base, unsigned gradient, unsigned tile, const TensorMap &map,
                  const KeyWork &work, float factor, const Lane &mine) {
  if (work.steps > 0) {
    mbarrier_wait(at(base, DQ_FULL), (work.steps - 1) % 2);
    tcgen05_fence_after_thread_sync();
  }
#pragma unroll 1
  for (int i = 0; i < HEAD_DIM / 32; ++i) {
    unsigned d[32];
    if (work.steps > 0) {
      load_row(d, gradient + i * 32 + mine.lanes());
    } else {
#pragma unroll
      for (int j = 0; j < 32; ++j) d[j] = 0;
    }
    write_row(tile + i / 2 * PART_BYTES, d, mine.row(), i % 2 * 4, factor);
  }
  fence_proxy_async();
  __syncwarp();
  if (mine.lane == 0) {
    if constexpr (VARLEN) fence_tensor_map(map);
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      tma_store_4d(map, part * 64, work.row + 32 * mine.warp, work.head, work.coordinate(),
                   tile + part * PART_BYTES + 32 * mine.warp * 128);
    tma_store_wait_read<0>();
  }
}

// ---- reduce

// Adds a warp's 32 queries of every step's dQ to memory.
DEVICE void reduce(unsigned base, unsigned columns, float *sums, unsigned *turns,
                   const KeyWork &work, const Sizes &sizes, int warp, int lane) {
  Place place(work, sizes);
  unsigned staged = base + ADDENDS + warp * 2 * CHUNK_FLOATS * 4;
  for (int step = 0; step < work.steps; ++step, place.advance(work, sizes)) {
    long long block = place.block;
    mbarrier_wait(at(base, DQ_FULL), step % 2);
    tcgen05_fence_after_thread_sync();
#if DETERMINISTIC
    if (lane == 0) turn_wait(turns + block * CHUNKS + warp, work.turn(place.tile));
#endif
#pragma unroll 1
    for (int i = 0; i < HEAD_DIM / 32; ++i) {
      unsigned d[32], chunk = staged + i % 2 * CHUNK_FLOATS * 4;
      load_row(d, columns + DP_COLUMN + i * 32 + (32 * warp << 16));
      if (i + 1 == HEAD_DIM / 32) {
        tcgen05_fence_before_thread_sync();
        arrive(at(base, DQ_EMPTY), lane);
      }
      if (lane == 0) tma_store_wait_read<1>();
      __syncwarp();
#pragma unroll
      for (int j = 0; j < 32; j += 4) {
        unsigned four[4] = {d[j], d[j + 1], d[j + 2], d[j + 3]};
        store_unit(chunk + j * 128 + lane * 16, four);
      }
      fence_proxy_async();
      __syncwarp();
      if (lane == 0)
        bulk_add(sums + block * BLOCK_FLOATS + (i * 4 + warp) * CHUNK_FLOATS, chunk,
                 CHUNK_FLOATS * 4);
    }
#if DETERMINISTIC
    if (lane == 0) turn_pass(turns + block * CHUNKS + warp);
#endif
  }
  if (lane == 0) tma_store_wait_read<0>();
}

// ---- all

DEVICE void initialize(unsigned base) {
  mbarrier_init(at(base, K_FULL), 1);
  mbarrier_init(at(base, V_FULL), 1);
  mbarrier_init(at(base, S_FULL), 1);
  mbarrier_init(at(base, P_FULL), 8);
  mbarrier_init(at(base, DP_FULL), 1);
  mbarrier_init(at(base, DS_FULL), 8);
  mbarrier_init(at(base, DQ_FULL), 1);
  mbarrier_init(at(base, DQ_EMPTY), 4);
  QStage::init(base);
  DoStage::init(base);
  fence_mbarrier_init();
}

DEVICE void work_on(unsigned base, unsigned columns, const GradientMaps &maps,
                    const float *statistics, float *sums, unsigned *turns, const KeyWork &work,
                    const Sizes &sizes, int warp, int lane) {
  if (warp < REDUCE_WARP) {
    // Role: compute.
    take_registers<168>();
    Lane mine = {warp / 4, warp % 4, lane};
    compute(base, columns, work, sizes, mine);
    if (mine.group == 0)
      store(base, columns + DV_COLUMN, base + V_TILE, maps.dv, work, 1, mine);
    else
      store(base, columns + DK_COLUMN, base, maps.dk, work, sizes.softmax_scale, mine);
  } else if (warp < LOAD_WARP) {
    // Role: reduce.
    give_registers<96>();
    reduce(base, columns, sums, turns, work, sizes, warp % 4, lane);
  } else {
    give_registers<72>();
    if (warp == LOAD_WARP && lane == 0) {
      // Role: load.
      load(base, maps, statistics, work, sizes);
    } else if (warp == MMA_WARP && lane == 0) {
      // Role: mma.
      multiply(base, columns, work.steps);
    }
  }
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
  int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  if (warp == LOAD_WARP && lane == 0) initialize(base);
  if (warp == MMA_WARP) allocate_columns(base + SLOT);
  barrier_of_all();
  unsigned columns = *reinterpret_cast<unsigned *>(memory + SLOT);
  KeyWork work(__shfl_sync(~0u, schedule[blockIdx.x], 0), sizes, sequences);
  if constexpr (VARLEN) {
    const Packed &mine = sequences[work.sequence];
    work_on(base, columns, {mine.q, mine.k, mine.v, mine.d_o, mine.dk, mine.dv}, statistics, sums,
            turns, work, sizes, warp, lane);
  } else {
    work_on(base, columns, {q, k, v, d_o, dk, dv}, statistics, sums, turns, work, sizes, warp,
            lane);
  }
  // Role: all.
  barrier_of_all();
  if (warp == MMA_WARP) free_columns(columns);
}

#include "gradient_rows.h"

// Rounds dQ of a tile of one head; a warp has 32 queries and 64 columns.
extern "C" __global__ void __launch_bounds__(128 * PARTS)
fmha_finish(const __grid_constant__ TensorMap dq, const Packed *sequences,
            const unsigned *query_tiles, const uint4 *sums, const __grid_constant__ Sizes sizes) {
  __shared__ __align__(1024) unsigned char boxes[PARTS * PART_BYTES];
  QueryTile mine(blockIdx.x, sizes.shape, sequences, query_tiles);
  int warp = threadIdx.x / 32 % 4, part = threadIdx.x / 128, lane = threadIdx.x % 32;
  long long block = static_cast<long long>(blockIdx.y) * sizes.tiles + blockIdx.x;
  unsigned box = shared_address(boxes) + part * PART_BYTES;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    long long chunk = block * (BLOCK_FLOATS / CHUNK_FLOATS) + (part * 2 + i) * 4 + warp;
    unsigned d[32];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      uint4 four = sums[chunk * (CHUNK_FLOATS / 4) + j * 32 + lane];
      d[4 * j] = four.x, d[4 * j + 1] = four.y, d[4 * j + 2] = four.z, d[4 * j + 3] = four.w;
    }
    write_row(box, d, 32 * warp + lane, i * 4, sizes.softmax_scale);
  }
  fence_proxy_async();
  __syncwarp();
  if (lane == 0) {
    const TensorMap &map = VARLEN ? sequences[mine.sequence].dq : dq;
    if constexpr (VARLEN) fence_tensor_map(map);
    tma_store_4d(map, part * 64, mine.tile * TILE_M + 32 * warp, blockIdx.y,
                 VARLEN ? 0 : mine.sequence, box + 32 * warp * 128);
    tma_store_wait_read<0>();
  }
}
