// Forward attention with tcgen05; README.md draws the data path.
//
// A persistent CTA computes two tiles of 128 queries, of one head of one batch at a time, over all
// keys that they see. Warps 0 to 3 and 4 to 7 are the softmax of one tile each, 8 to 11 correct O
// and bring it to shared memory; then come a warp that copies, one that multiplies and one that
// stores O.
#define CLUSTER_M 1
#define OUTPUT_F32 0
#include "blackwell.h"

constexpr int ROWS = 128;         // queries of a warpgroup
constexpr int TILE_M = 2 * ROWS;  // of a CTA
#include "blackwell_softmax.h"
#include "budget.h"

static_assert(TILE_N == ROWS, "a tile of keys is as long as a tile of queries");
constexpr int CORRECTION_WARP = 8, LOAD_WARP = 12, MMA_WARP = 13, STORE_WARP = 14;
constexpr int THREADS = 512;
// A row of a tile is that of a swizzle, or of several after another.
constexpr int ROW_BYTES = HEAD_DIM * ELEMENT_BYTES, SWIZZLE = ROW_BYTES < 128 ? ROW_BYTES : 128;
constexpr int PARTS = ROW_BYTES / SWIZZLE;
constexpr unsigned PART_BYTES = 128 * SWIZZLE, TILE_BYTES = PARTS * PART_BYTES;
// O has 16-bit elements, and boxes of 64 columns.
constexpr int O_PARTS = HEAD_DIM / 64;
constexpr unsigned BOX_BYTES = 128 * 128;
// Shared memory: two tiles of Q; tiles of K and V; two boxes of 64 columns of O; a number for each
// query; mbarriers; the address of tensor memory.
constexpr unsigned KEY_TILES = 2 * TILE_BYTES, BOXES = KEY_TILES + STAGES * TILE_BYTES;
constexpr unsigned STATISTICS = BOXES + 2 * BOX_BYTES;
constexpr unsigned BARRIERS = STATISTICS + TILE_M * 4;
constexpr unsigned STAGE_BARRIERS = BARRIERS + 18 * 8, SLOT = STAGE_BARRIERS + STAGES * 16;
constexpr unsigned LOGITS = instruction_descriptor(ROWS, TILE_N);
// V is N-major: bit 16.
constexpr unsigned VALUES = instruction_descriptor(ROWS, HEAD_DIM) | 1u << 16;

// mbarriers; there is one of each kind for either tile of queries, or box.
enum Barrier {
  Q_FULL = 0,         // TMA has brought Q
  Q_EMPTY = 2,        // the last S of a tile of queries is complete
  S_FULL = 4,         // S is complete, and so is every product before it
  P_FULL = 6,         // P is in tensor memory, and S was read
  STATISTIC_FULL = 8, // the factor of O, or at the end 1 / sum, is in shared memory
  CORRECTED = 10,     // the statistic was read; O has its factor, or is free for the next tile
  O_FULL = 12,        // O is complete
  BOX_FULL = 14,
  BOX_EMPTY = 16,
};

DEVICE unsigned at(unsigned base, Barrier kind, int which) {
  return base + BARRIERS + (kind + which) * 8;
}

struct Arguments {
  const unsigned *schedule;
  const Shape &shape;
  const Descales &descales;
  const Sequence *sequences;
  Maps maps;
  unsigned base, columns;  // of shared memory, and of tensor memory

  // Everything that the host gave this CTA, in order.
  template <typename Do>
  __device__ __forceinline__ void for_all_work(Do one) const {
    unsigned entry;
    for (const unsigned *next = schedule + blockIdx.x; (entry = *next) != ~0u; next += gridDim.x)
      one(Work(entry, shape, sequences));
  }
  // Sequences of lengths of their own have maps of their own.
  __device__ __forceinline__ Maps maps_of(const Work &work) const {
    if constexpr (VARLEN) return sequences[work.sequence].maps();
    return maps;
  }
};

// Tiles of keys, and tiles of queries that are not empty.
DEVICE int tiles_of(const Work &work) { return work.end - work.first; }
DEVICE int halves_of(const Work &work) { return work.queries - work.row > ROWS ? 2 : 1; }

// The stages of K and V, in the order in which they are used, and the parity of a full one's phase.
struct Ring {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned data() const { return base + KEY_TILES + stage * TILE_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + STAGE_BARRIERS + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

// ---- load

DEVICE void load_tile(unsigned to, const TensorMap &map, int row, int head, const Work &work,
                      unsigned full) {
  mbarrier_expect(full, TILE_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(to + part * PART_BYTES, map, part * SWIZZLE / ELEMENT_BYTES, row, head, work.coordinate(), full);
}

DEVICE void load_keys(Ring &ring, const TensorMap &map, const Work &work, int tile, int group) {
  mbarrier_wait(ring.empty(), ring.parity ^ 1);
  load_tile(ring.data(), map, tile * TILE_N, work.head / group, work, ring.full());
  ring.advance();
}

// Tiles of keys come last first, so that those with a mask come first.
DEVICE void load(Ring &ring, unsigned &q_parity, const Arguments &given, const Work &work) {
  Maps maps = given.maps_of(work);
  if constexpr (VARLEN) {
    fence_tensor_map(maps.q);
    fence_tensor_map(maps.k);
    fence_tensor_map(maps.v);
  }
  for (int tile = work.end - 1; tile >= work.first; --tile) {
    load_keys(ring, maps.k, work, tile, given.shape.group);
    if (tile == work.end - 1)
      for (int half = 0; half < halves_of(work); ++half) {
        mbarrier_wait(at(ring.base, Q_EMPTY, half), (q_parity >> half & 1) ^ 1);
        q_parity ^= 1 << half;
        load_tile(ring.base + half * TILE_BYTES, maps.q, work.row + half * ROWS, work.head, work,
                  at(ring.base, Q_FULL, half));
      }
    load_keys(ring, maps.v, work, tile, given.shape.group);
  }
}

// ---- mma

// Begins S = Q @ K.T.
DEVICE void multiply_keys(unsigned s, unsigned q_tile, unsigned k_tile) {
  unsigned long long q = operand_descriptor<SWIZZLE>(q_tile);
  unsigned long long k = operand_descriptor<SWIZZLE>(k_tile);
  constexpr int steps = SWIZZLE / 32;  // of a part
#pragma unroll
  for (int i = 0; i < HEAD_DIM / STEP; ++i) {
    unsigned long long step = (i / steps * PART_BYTES >> 4) + descriptor_step(i % steps * STEP);
    mma_ss(s, q + step, k + step, LOGITS, i > 0);
  }
}

// Descriptor of V's tile, which is N-major under the swizzle: the columns of the next part are
// PART_BYTES further (LBO), 8 keys as many as the map says (SBO).
DEVICE unsigned long long value_descriptor(unsigned address) {
  unsigned long long eight_keys = value_byte(0, 8, 0) - value_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | static_cast<unsigned long long>(PART_BYTES >> 4) << 16 |
         eight_keys >> 4 << 32 | 1ull << 46 | swizzle_code(SWIZZLE);
}

// Begins O += P @ V, or O = without `add`.
DEVICE void multiply_values(unsigned o, unsigned p, unsigned v_tile, bool add) {
  unsigned long long step = STEP / 8 * (value_byte(0, 8, 0) - value_byte(0, 0, 0)) >> 4;
  unsigned long long v = value_descriptor(v_tile);
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i)
    mma_ts(o, p + i * KEYS_STEP, v + i * step, VALUES, add || i > 0);
}

// Parities of a tile of queries; bit `half` is that of either.
struct MmaParities {
  unsigned q, p;
};

// S of either tile of queries and one tile of keys.
DEVICE void first_logits(Ring &ring, MmaParities &parities, const Arguments &given,
                         const Work &work) {
  mbarrier_wait(ring.full(), ring.parity);
  for (int half = 0; half < halves_of(work); ++half) {
    mbarrier_wait(at(given.base, Q_FULL, half), parities.q >> half & 1);
    parities.q ^= 1 << half;
    multiply_keys(given.columns + s_column(half), given.base + half * TILE_BYTES, ring.data());
    mma_commit(at(given.base, S_FULL, half));
    if (tiles_of(work) == 1) mma_commit(at(given.base, Q_EMPTY, half));
  }
  mma_commit(ring.empty());
  ring.advance();
}

// While one tile of queries multiplies, the other one is in its softmax.
DEVICE void multiply(Ring &ring, MmaParities &parities, const Arguments &given, const Work &work) {
  if (tiles_of(work) == 0) return;
  first_logits(ring, parities, given, work);
  for (int left = tiles_of(work) - 1; left >= 0; --left) {
    Ring v = ring;
    ring.advance();
    mbarrier_wait(v.full(), v.parity);
    for (int half = 0; half < halves_of(work); ++half) {
      bool last_half = half == halves_of(work) - 1;
      mbarrier_wait(at(given.base, P_FULL, half), parities.p >> half & 1);
      mbarrier_wait(at(given.base, CORRECTED, half), parities.p >> half & 1);
      parities.p ^= 1 << half;
      tcgen05_fence_after_thread_sync();
      multiply_values(given.columns + o_column(half), given.columns + p_column(half), v.data(),
                      left < tiles_of(work) - 1);
      if (last_half) mma_commit(v.empty());
      if (left == 0) {
        mma_commit(at(given.base, O_FULL, half));
        continue;
      }
      // P lies in columns of S: the next S comes after the product that reads P.
      if (half == 0) mbarrier_wait(ring.full(), ring.parity);
      multiply_keys(given.columns + s_column(half), given.base + half * TILE_BYTES, ring.data());
      mma_commit(at(given.base, S_FULL, half));
      if (left == 1) mma_commit(at(given.base, Q_EMPTY, half));
      if (last_half) mma_commit(ring.empty());
    }
    if (left > 0) ring.advance();
  }
}

// ---- softmax

// A thread's place: which tile of queries, and which row of it; all arrive for their warp.
struct Place {
  int half, warp, lane;
  __device__ __forceinline__ int row() const { return 32 * warp + lane; }
  __device__ __forceinline__ unsigned lanes() const { return 32 * warp << 16; }
};

DEVICE void arrive(unsigned barrier, int lane) {
  __syncwarp();
  if (lane == 0) mbarrier_arrive(barrier, 0);
}

// Hands a number of this query to the correction, which has read the last one.
DEVICE void tell(float value, float *statistics, const Arguments &given, const Place &place,
                 unsigned parity) {
  mbarrier_wait(at(given.base, CORRECTED, place.half), parity);
  statistics[place.half * ROWS + place.row()] = value;
  tcgen05_fence_before_thread_sync();
  arrive(at(given.base, STATISTIC_FULL, place.half), place.lane);
}

// What logits and values are multiplied by; of FP8 with the scales of the types.
struct Scales {
  float logits, values;
  __device__ __forceinline__ Scales(const Arguments &given, const Work &work)
      : logits(given.shape.scale), values(1) {
    if constexpr (ELEMENT_BYTES == 1) {
      const Shape &shape = given.shape;
      int i = work.sequence * (shape.heads / shape.group) + work.head / shape.group;
      logits *= given.descales.q[i] * given.descales.k[i];
      values = given.descales.v[i];
    }
  }
};

// `parity` is that of S and of the corrections: both have a phase for each tile of keys.
DEVICE void attend(unsigned &parity, float *statistics, float *log_sum_exp,
                   const Arguments &given, const Work &work, const Place &place) {
  if (place.half >= halves_of(work)) return;
  Scales scales(given, work);
  float scale = scales.logits;
  int first_row = work.row + place.half * ROWS, row = first_row + place.row();
  Softmax softmax = {minus_infinity(), 0};
  for (int tile = work.end - 1; tile >= work.first; --tile) {
    Logits s;
    mbarrier_wait(at(given.base, S_FULL, place.half), parity);
    tcgen05_fence_after_thread_sync();
    load_logits(s, given.columns + s_column(place.half) + place.lanes());
    if (!work.sees_all(first_row, first_row + ROWS - 1, tile)) mask(s, work, row, tile, place.lane);
    float factor = softmax.update(largest(s, softmax.maximum), scale);
    // The first tile makes a new O.
    if (tile < work.end - 1) tell(factor, statistics, given, place, parity ^ 1);
    Weights p;
    softmax.weigh(p, s, factor, scale);
    store_weights(p, given.columns + p_column(place.half) + place.lanes());
    tcgen05_fence_before_thread_sync();
    arrive(at(given.base, P_FULL, place.half), place.lane);
    parity ^= 1;
  }
  float sum = softmax.sum;
  if (tiles_of(work) > 0) tell(sum == 0 ? 0 : scales.values / sum, statistics, given, place, parity ^ 1);
  if (row < work.queries) log_sum_exp[work.sums + row] = softmax.log_sum(scale);
}

// ---- correction

struct CorrectionParities {
  unsigned statistic, o;  // bit `half` is that of either tile of queries
  unsigned box, boxes;    // which box comes next, and the parity of its phase
};

DEVICE float told(const float *statistics, CorrectionParities &parities, const Arguments &given,
                  const Place &place) {
  mbarrier_wait(at(given.base, STATISTIC_FULL, place.half), parities.statistic >> place.half & 1);
  parities.statistic ^= 1 << place.half;
  tcgen05_fence_after_thread_sync();
  return statistics[place.half * ROWS + place.row()];
}

// O *= factor, if any row of this warp has another factor than 1. S is complete, and so is the
// product before it, which added to O.
DEVICE void rescale(float factor, const Arguments &given, const Place &place) {
  if (__any_sync(~0u, factor != 1)) {
    unsigned o = given.columns + o_column(place.half) + place.lanes();
#pragma unroll 1
    for (int column = 0; column < HEAD_DIM; column += 32) {
      unsigned d[32];
      tcgen05_ld_32x32b_x32(d, o + column);
      tcgen05_wait_ld(d);
#pragma unroll
      for (int i = 0; i < 32; ++i) d[i] = __float_as_uint(__uint_as_float(d[i]) * factor);
      tcgen05_st_32x32b_x32(d, o + column);
    }
    tcgen05_wait_st();
    tcgen05_fence_before_thread_sync();
  }
  arrive(at(given.base, CORRECTED, place.half), place.lane);
}

DEVICE constexpr bool o_is_row_by_row() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 32; ++i) {
      int from = o_row_lane(lane, i, 0), column = o_row_column(lane, i, 0);
      if (accumulator_row(from, column, 0) != lane ||
          accumulator_column(from, column, 0) != accumulator_column(from, 0, 0) + i)
        return false;
    }
  return true;
}
static_assert(o_is_row_by_row(), "tcgen05.ld does not give O's elements row by row");

// 32 columns of O, times `inverse`, into this thread's row of a box with the 128-byte swizzle.
DEVICE void write_row(unsigned box, unsigned (&d)[32], int row, int first_unit, float inverse) {
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    unsigned r[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      r[j] = pack(__uint_as_float(d[i + 2 * j]) * inverse,
                  __uint_as_float(d[i + 2 * j + 1]) * inverse);
    store_unit(box + swizzled(row, first_unit + i / 8), r);
  }
}

// Brings O to shared memory, 64 columns at a time. Rows without a key have zeros.
DEVICE void finish(const float *statistics, CorrectionParities &parities, const Arguments &given,
                   const Work &work, const Place &place) {
  float inverse = 0;
  if (tiles_of(work) > 0) {
    inverse = told(statistics, parities, given, place);
    mbarrier_wait(at(given.base, O_FULL, place.half), parities.o >> place.half & 1);
    parities.o ^= 1 << place.half;
    tcgen05_fence_after_thread_sync();
  }
  unsigned o = given.columns + o_column(place.half) + place.lanes();
#pragma unroll 1
  for (int column = 0; column < HEAD_DIM; column += 32) {
    unsigned d[32];
    if (tiles_of(work) > 0) {
      tcgen05_ld_32x32b_x32(d, o + column);
      tcgen05_wait_ld(d);
    } else {
#pragma unroll
      for (int i = 0; i < 32; ++i) d[i] = 0;
    }
    if (column % 64 == 0)
      mbarrier_wait(at(given.base, BOX_EMPTY, parities.box), parities.boxes ^ 1);
    write_row(given.base + BOXES + parities.box * BOX_BYTES, d, place.row(), column % 64 / 8,
              inverse);
    if (column % 64 == 0) continue;
    fence_proxy_async();
    arrive(at(given.base, BOX_FULL, parities.box), place.lane);
    parities.box ^= 1;
    parities.boxes ^= parities.box == 0;
  }
  if (tiles_of(work) == 0) return;
  // The next tile of queries may begin its O.
  tcgen05_fence_before_thread_sync();
  arrive(at(given.base, CORRECTED, place.half), place.lane);
}

DEVICE void correct(const float *statistics, CorrectionParities &parities, const Arguments &given,
                    const Work &work, int warp, int lane) {
  for (int tile = 1; tile < tiles_of(work); ++tile)
    for (int half = 0; half < halves_of(work); ++half) {
      Place place = {half, warp, lane};
      rescale(told(statistics, parities, given, place), given, place);
    }
  for (int half = 0; half < halves_of(work); ++half)
    finish(statistics, parities, given, work, Place{half, warp, lane});
}

// ---- store

// TMA leaves out what lies past the end of the sequence.
DEVICE void store(unsigned &box, unsigned &parity, const Arguments &given, const Work &work) {
  Maps maps = given.maps_of(work);
  if constexpr (VARLEN) fence_tensor_map(maps.o);
  for (int i = 0; i < halves_of(work) * O_PARTS; ++i) {
    mbarrier_wait(at(given.base, BOX_FULL, box), parity);
    tma_store_4d(maps.o, i % O_PARTS * 64, work.row + i / O_PARTS * ROWS, work.head,
                 work.coordinate(), given.base + BOXES + box * BOX_BYTES);
    tma_store_wait_read<0>();
    mbarrier_arrive(at(given.base, BOX_EMPTY, box), 0);
    box ^= 1;
    parity ^= box == 0;
  }
}

// ---- all

DEVICE void initialize(unsigned base) {
  for (int i = 0; i < 2; ++i) {
    mbarrier_init(at(base, Q_FULL, i), 1);
    mbarrier_init(at(base, Q_EMPTY, i), 1);
    mbarrier_init(at(base, S_FULL, i), 1);
    mbarrier_init(at(base, P_FULL, i), 4);
    mbarrier_init(at(base, STATISTIC_FULL, i), 4);
    mbarrier_init(at(base, CORRECTED, i), 4);
    mbarrier_init(at(base, O_FULL, i), 1);
    mbarrier_init(at(base, BOX_FULL, i), 4);
    mbarrier_init(at(base, BOX_EMPTY, i), 1);
  }
  for (unsigned i = 0; i < STAGES; ++i) {
    Ring ring = {base, i, 0};
    mbarrier_init(ring.full(), 1);
    mbarrier_init(ring.empty(), 1);
  }
  fence_mbarrier_init();
}

// `schedule` has an entry for each CTA and turn, ~0 where a CTA has nothing more to do.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fmha(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
     const __grid_constant__ TensorMap v, const __grid_constant__ TensorMap o,
     const Sequence *sequences, float *log_sum_exp, const unsigned *schedule,
     const __grid_constant__ Descales descales, const __grid_constant__ Shape shape) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  float *statistics = reinterpret_cast<float *>(memory + STATISTICS);
  // The same in all lanes of a warp, so that it needs one register of the warp.
  int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  if (warp == LOAD_WARP && lane == 0) initialize(base);
  if (warp == MMA_WARP) allocate_columns(base + SLOT);
  barrier_of_all();
  Arguments given = {schedule, shape, descales, sequences, {q, k, v, o}, base,
                     *reinterpret_cast<unsigned *>(memory + SLOT)};

  if (warp < CORRECTION_WARP) {
    // Role: softmax.
    take_registers<200>();
    unsigned parity = 0;
    Place place = {warp / 4, warp % 4, lane};
    given.for_all_work([&](const Work &work) {
      attend(parity, statistics, log_sum_exp, given, work, place);
    });
  } else if (warp < LOAD_WARP) {
    // Role: correction.
    give_registers<64>();
    CorrectionParities parities = {0, 0, 0, 0};
    for (int half = 0; half < 2; ++half) arrive(at(base, CORRECTED, half), lane);
    given.for_all_work(
        [&](const Work &work) { correct(statistics, parities, given, work, warp % 4, lane); });
  } else {
    give_registers<48>();
    Ring ring = {base, 0, 0};
    if (warp == LOAD_WARP && lane == 0) {
      // Role: load.
      unsigned q_parity = 0;
      given.for_all_work([&](const Work &work) { load(ring, q_parity, given, work); });
    } else if (warp == MMA_WARP && lane == 0) {
      // Role: mma.
      MmaParities parities = {0, 0};
      given.for_all_work([&](const Work &work) { multiply(ring, parities, given, work); });
    } else if (warp == STORE_WARP && lane == 0) {
      // Role: store.
      unsigned box = 0, parity = 0;
      given.for_all_work([&](const Work &work) { store(box, parity, given, work); });
    }
  }
  // Role: all.
  barrier_of_all();
  if (warp == MMA_WARP) free_columns(given.columns);
}
