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
#include "gradient_scores.h"

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
constexpr unsigned DO_TILES = Q_TILES + Q_STAGES * QUERIES_BYTES;
constexpr unsigned DS_TILES = DO_TILES + DO_STAGES * QUERIES_BYTES;
constexpr unsigned ADDENDS = DS_TILES + 2 * KEYS_PART;
constexpr unsigned LOGARITHMS = ADDENDS + BLOCK_FLOATS * 4;
constexpr unsigned SUMS = LOGARITHMS + Q_STAGES * STATISTIC_BYTES;
constexpr unsigned BARRIERS = SUMS + DO_STAGES * STATISTIC_BYTES;
constexpr unsigned Q_BARRIERS = BARRIERS + 16, DO_BARRIERS = Q_BARRIERS + Q_STAGES * 16;

using KeyGradient = float[HEAD_DIM / 2];
using Addend = float[COLUMNS / 2];

// Where a step's tile of Q or dO is in shared memory, and what belongs to its queries: the number
// of the step chooses the stage and the phase.
template <int stages, unsigned tiles, unsigned rows, unsigned barriers>
struct Stage {
  unsigned base, stage, parity;
  __device__ __forceinline__ Stage(unsigned base, int step)
      : base(base), stage(step % stages), parity(step / stages % 2) {}
  __device__ __forceinline__ unsigned data() const { return base + tiles + stage * QUERIES_BYTES; }
  __device__ __forceinline__ unsigned statistics() const {
    return base + rows + stage * STATISTIC_BYTES;
  }
  __device__ __forceinline__ unsigned full() const { return base + barriers + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  static __device__ __forceinline__ void init(unsigned base) {
    for (int i = 0; i < stages; ++i) {
      mbarrier_init(Stage(base, i).full(), 1);
      mbarrier_init(Stage(base, i).empty(), 4 * CONSUMERS);
    }
  }
};
using QStage = Stage<Q_STAGES, Q_TILES, LOGARITHMS, Q_BARRIERS>;
using DoStage = Stage<DO_STAGES, DO_TILES, SUMS, DO_BARRIERS>;

DEVICE unsigned k_full(unsigned base) { return base + BARRIERS; }
DEVICE unsigned v_full(unsigned base) { return base + BARRIERS + 8; }
DEVICE unsigned ds_tile(unsigned base, int step) { return base + DS_TILES + step % 2 * KEYS_PART; }

DEVICE void load_keys(unsigned to, const TensorMap &map, const KeyWork &work, unsigned full) {
  mbarrier_expect(full, KEYS_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(to + part * KEYS_PART, map, part * 64, work.row, work.head, work.coordinate(),
                full);
}

// Loads a tile of Q or dO, and what belongs to its queries, when its stage is empty.
template <typename AnyStage>
DEVICE void load_queries(const AnyStage &stage, const TensorMap &map, const float *from,
                         const Place &place, const KeyWork &work) {
  mbarrier_wait(stage.empty(), stage.parity ^ 1);
  mbarrier_expect(stage.full(), QUERIES_BYTES + STATISTIC_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(stage.data() + part * QUERIES_PART, map, part * 64, place.tile * TILE_M, place.head,
                work.coordinate(), stage.full());
  bulk_load(stage.statistics(), from, STATISTIC_BYTES, stage.full());
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
    const float *from = statistics + static_cast<long long>(place.block) * 2 * TILE_M;
    if (i == 0) load_keys(base, maps.k, work, k_full(base));
    load_queries(QStage(base, i), maps.q, from, place, work);
    if (i == 0) load_keys(base + V_TILE, maps.v, work, v_full(base));
    load_queries(DoStage(base, i), maps.d_o, from + TILE_M, place, work);
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

// The warp is done with a stage.
DEVICE void release(unsigned empty, int lane) {
  __syncwarp();
  if (lane == 0) mbarrier_arrive(empty, 0);
}

#include "gradient_turns.h"

// A warp's chunks of dQ on their way to memory, where tiles of keys add up.
struct Addends {
  float *sums;
  unsigned *turns;
  unsigned *passed;  // where the turn of the chunk before is counted
  unsigned staged;   // the warp's own shared memory

  // Writes a chunk to shared memory, when the one before has been read there. A fence for the async
  // proxy must follow before `add`: one that the products need anyway, since it waits for the writes.
  __device__ __forceinline__ void stage(const Addend &dq, int lane) {
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
                   ::"r"(staged + i * 128 + lane * 16), "f"(dq[i]), "f"(dq[i + 1]), "f"(dq[i + 2]),
                     "f"(dq[i + 3]) : "memory");
  }

  // Adds the chunk, which is one of a tile of queries, to that in memory.
  __device__ __forceinline__ void add(int block, int chunk, unsigned turn, int lane) {
    __syncwarp();
    if (lane == 0) {
      long long at = static_cast<long long>(block) * CHUNKS + chunk;
#if DETERMINISTIC
      passed = turns + at;
      turn_wait(passed, turn);
#endif
      bulk_add(sums + at * CHUNK_FLOATS, staged, CHUNK_FLOATS * 4);
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
DEVICE void differentiate_scores(KeyGradient &dv, State &state, Addends &addends, unsigned base,
                                 int step, const KeyWork &work, Place &place, const Sizes &sizes,
                                 int consumer, int warp, int lane) {
  Scores dp;
  Weights p;
  DoStage d_o(base, step);
  mbarrier_wait(d_o.full(), d_o.parity);
  wgmma_fence();
  multiply_scores(dp, base + V_TILE, d_o.data(), consumer);
  if constexpr (first) {
    wgmma_wait<1>();
    pin(state.s);
  }
  int block = place.block;
  unsigned turn = work.turn(place.tile);
  if (!first) place.advance(work, sizes);
  mask(state.s, work, place.tile, work.row + consumer * ROWS, warp, lane);
  weigh(p, state.s, QStage(base, step).statistics(), sizes.shape.scale, warp, lane);
  wgmma_wait<1>();
  pin_weights(state.ds);
  if (!first) release(QStage(base, step - 1).empty(), lane);
  pin_weights(p);
  wgmma_fence();
  multiply_weights(dv, p, d_o.data(), !first);
  wgmma_wait<1>();
  pin(dp);
  differentiate(state.ds, dp, state.s, p, d_o.statistics(),
                ds_tile(base, step) + (consumer * ROWS + warp * 16) * 128, warp, lane);
  fence_proxy_async();
  if (!first) addends.add(block, consumer * 4 + warp, turn, lane);
  wgmma_wait<0>();
  pin(dv);
  pin_weights(p);
  release(d_o.empty(), lane);
}

// The second half: dQ, and S of the next step before it, so that the tensor core has work while
// consumers meet. dQ leaves while dK is there. Nothing but dK goes on into the next step: ptxas
// copies accumulators that are in flight where a loop begins again.
template <bool last>
DEVICE void multiply_gradients(KeyGradient &dk, State &state, Addends &addends, unsigned base,
                               int step, int consumer, int lane) {
  Addend dq;
  QStage next(base, step + 1);
  if constexpr (!last) {
    mbarrier_wait(next.full(), next.parity);
    wgmma_fence();
    multiply_scores(state.s, base, next.data(), consumer);
  }
  consumers_meet();
  pin_weights(state.ds);
  wgmma_fence();
  multiply_keys(dq, ds_tile(base, step), base, consumer);
  multiply_weights(dk, state.ds, QStage(base, step).data(), step > 0);
  wgmma_wait<1>();
  pin(dq);
  if constexpr (!last) pin(state.s);
  addends.stage(dq, lane);
}

// Leaves the gradients of this consumer's keys. A step's dQ is added in the step after it.
DEVICE void differentiate_keys(KeyGradient &dk, KeyGradient &dv, Addends &addends, unsigned base,
                               const KeyWork &work, const Sizes &sizes, int consumer, int warp,
                               int lane) {
  State state;
  Place place(work, sizes);
  mbarrier_wait(k_full(base), 0);
  mbarrier_wait(QStage(base, 0).full(), 0);
  wgmma_fence();
  multiply_scores(state.s, base, QStage(base, 0).data(), consumer);
  mbarrier_wait(v_full(base), 0);
  differentiate_scores<true>(dv, state, addends, base, 0, work, place, sizes, consumer, warp,
                             lane);
  int i = 0;
  for (; i + 1 < work.steps; ++i) {
    multiply_gradients<false>(dk, state, addends, base, i, consumer, lane);
    differentiate_scores<false>(dv, state, addends, base, i + 1, work, place, sizes, consumer,
                                warp, lane);
  }
  multiply_gradients<true>(dk, state, addends, base, i, consumer, lane);
  fence_proxy_async();
  addends.add(place.block, consumer * 4 + warp, work.turn(place.tile), lane);
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
    QStage::init(base);
    DoStage::init(base);
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
    int consumer = warpgroup - 1;
    Addends addends{sums, turns, nullptr,
                    base + ADDENDS + (consumer * 4 + warp) * CHUNK_FLOATS * 4};
    if constexpr (VARLEN)
      consume(base, {mine->q, mine->k, mine->v, mine->d_o, mine->dk, mine->dv}, addends, work,
              sizes, consumer, warp, lane);
    else
      consume(base, {q, k, v, d_o, dk, dv}, addends, work, sizes, consumer, warp, lane);
  }
}

#include "gradient_rows.h"

// Rounds dQ of a tile of one head; a warp has 16 queries and 64 columns.
extern "C" __global__ void __launch_bounds__(128 * PARTS)
fmha_finish(const __grid_constant__ TensorMap dq, const Packed *sequences,
            const unsigned *query_tiles, const float4 *sums, const __grid_constant__ Sizes sizes) {
  __shared__ __align__(1024) unsigned char boxes[4 * PARTS * BOX_BYTES];
  constexpr int registers = COLUMNS / 2;  // of a chunk
  QueryTile mine(blockIdx.x, sizes.shape, sequences, query_tiles);
  int warp = threadIdx.x / 32 % 4, part = threadIdx.x / 128, lane = threadIdx.x % 32;
  long long block = static_cast<long long>(blockIdx.y) * sizes.tiles + blockIdx.x;
  float d[32];
#pragma unroll
  for (int i = 0; i < 32; i += 4) {
    int reg = part * 32 + i, chunk = reg / registers * 4 + warp;
    float4 four = sums[(block * BLOCK_FLOATS + chunk * CHUNK_FLOATS) / 4 +
                       reg % registers / 4 * 32 + lane];
    d[i] = four.x * sizes.softmax_scale;
    d[i + 1] = four.y * sizes.softmax_scale;
    d[i + 2] = four.z * sizes.softmax_scale;
    d[i + 3] = four.w * sizes.softmax_scale;
  }
  unsigned box = shared_address(boxes) + (part * 4 + warp) * BOX_BYTES;
  write_box(box, d, 0, warp, lane);
  fence_proxy_async();
  __syncwarp();
  if (lane == 0) {
    const TensorMap &map = VARLEN ? sequences[mine.sequence].dq : dq;
    if constexpr (VARLEN) fence_tensor_map(map);
    tma_store_4d(map, part * 64, mine.tile * TILE_M + 16 * warp, blockIdx.y,
                 VARLEN ? 0 : mine.sequence, box);
    tma_store_wait_read<0>();
  }
}
