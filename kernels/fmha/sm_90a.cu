// Forward attention with wgmma; README.md draws the data path.
//
// A persistent CTA has one warpgroup that copies and CONSUMERS that compute 64 rows of O each, for
// one head of one batch at a time, over all keys.
#define OUTPUT_F32 0
#include "hopper.h"

constexpr int ROWS = 64;  // of a consumer
constexpr int TILE_M = ROWS * CONSUMERS;
constexpr bool FP8 = ELEMENT_BYTES == 1;
// P of FP8 is multiplied by 2^8, so that its largest weight is 256 of the type's 448.
constexpr int WEIGHT_BITS = FP8 ? 8 : 0;
// A weight of another type may pass 1 by so many bits before O is rescaled.
constexpr int SLACK_BITS = FP8 ? 0 : 8;
constexpr int STEP = 32 / ELEMENT_BYTES;  // k of a wgmma: 32 bytes
// A tile of Q, K or V lies in parts, whose rows are as wide as the swizzle; copies fill what the last
// part has more than the head dimension with zeros.
constexpr unsigned PART_BYTES = HEAD_DIM * ELEMENT_BYTES > 64 ? 128 : 64;
constexpr unsigned KEYS_PART = TILE_N * PART_BYTES;
#include "hopper_values.h"
static_assert(TILE_N % STEP == 0, "a wgmma of P @ V has STEP keys");

constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr int PART_COLUMNS = PART_BYTES / ELEMENT_BYTES;
constexpr int PARTS = (HEAD_DIM + PART_COLUMNS - 1) / PART_COLUMNS;
constexpr int VALUE_PARTS = (VALUE_DIM + PART_COLUMNS - 1) / PART_COLUMNS;
constexpr unsigned Q_PART = ROWS * PART_BYTES, Q_BYTES = CONSUMERS * PARTS * Q_PART;
constexpr unsigned KEYS_BYTES = PARTS * KEYS_PART, VALUES_BYTES = VALUE_PARTS * KEYS_PART;
constexpr unsigned TRANSPOSED_BYTES = VALUE_DIM * 128;  // a row for each column of V
constexpr int O_PARTS = (VALUE_DIM + 63) / 64;  // boxes of O have 64 columns of 16 bits
constexpr unsigned O_PART = ROWS * 128;
// Where O of a consumer leaves, from that of the one before.
constexpr unsigned O_STEP = FP8 ? O_PARTS * O_PART : PARTS * Q_PART;
static_assert(FP8 || VALUE_PARTS <= PARTS, "O leaves through the rows of Q");
// Shared memory: tiles of Q, where O leaves too unless they are of FP8; tiles of K; tiles of V;
// of FP8, tiles of V transposed, and O; mbarriers.
constexpr unsigned K_TILES = Q_STAGES * Q_BYTES;
constexpr unsigned V_TILES = K_TILES + STAGES * KEYS_BYTES;
constexpr unsigned TRANSPOSED_TILES = V_TILES + STAGES * VALUES_BYTES;
constexpr unsigned O_BOXES = TRANSPOSED_TILES + (FP8 ? STAGES * TRANSPOSED_BYTES : 0);
constexpr unsigned BARRIERS = O_BOXES + (FP8 ? CONSUMERS * O_STEP : 0);
constexpr int TRANSPOSING_WARPS = 3;  // of the producer's, transpose V of FP8

// A ring of stages in shared memory, and the parity of the phase that makes the next one full.
template <int stages, unsigned bytes>
struct Ring {
  unsigned first, barriers, stage, parity;
  __device__ __forceinline__ unsigned data() const { return first + stage * bytes; }
  __device__ __forceinline__ unsigned full() const { return barriers + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == stages) stage = 0, parity ^= 1;
  }
  __device__ __forceinline__ void init(unsigned producers, unsigned consumers) const {
    for (int i = 0; i < stages; ++i) {
      mbarrier_init(barriers + i * 16, producers);
      mbarrier_init(barriers + i * 16 + 8, consumers);
    }
  }
};
using LoadedRing = Ring<STAGES, VALUES_BYTES>;
// V as the tensor core reads it.
using ValuesRing = Ring<STAGES, FP8 ? TRANSPOSED_BYTES : VALUES_BYTES>;

struct Rings {
  Ring<Q_STAGES, Q_BYTES> q;
  Ring<STAGES, KEYS_BYTES> k;
  LoadedRing v;
  ValuesRing transposed;
  unsigned base;
  explicit __device__ __forceinline__ Rings(unsigned base)
      : q{base, base + BARRIERS, 0, 0},
        k{base + K_TILES, base + BARRIERS + Q_STAGES * 16, 0, 0},
        v{base + V_TILES, base + BARRIERS + (Q_STAGES + STAGES) * 16, 0, 0},
        transposed{base + TRANSPOSED_TILES, base + BARRIERS + (Q_STAGES + 2 * STAGES) * 16, 0, 0},
        base(base) {}
  template <bool fp8 = FP8>
  __device__ __forceinline__ auto &values() {
    if constexpr (fp8)
      return transposed;
    else
      return v;
  }
};

// Loads a tile of K or V.
template <unsigned bytes>
DEVICE void load_keys(Ring<STAGES, bytes> &ring, const TensorMap &map, int tile, int head,
                      const Work &work) {
  mbarrier_wait(ring.empty(), ring.parity ^ 1);
  mbarrier_expect(ring.full(), bytes);
#pragma unroll
  for (int part = 0; part < bytes / KEYS_PART; ++part)
    tma_load_4d(ring.data() + part * KEYS_PART, map, part * PART_COLUMNS, tile * TILE_N, head,
                work.coordinate(), ring.full());
  ring.advance();
}

DEVICE void load_queries(Rings &rings, const TensorMap &map, const Work &work) {
  mbarrier_wait(rings.q.empty(), rings.q.parity ^ 1);
  mbarrier_expect(rings.q.full(), Q_BYTES);
#pragma unroll
  for (int i = 0; i < CONSUMERS * PARTS; ++i)
    tma_load_4d(rings.q.data() + i * Q_PART, map, i % PARTS * PART_COLUMNS,
                work.row + i / PARTS * ROWS, work.head, work.coordinate(), rings.q.full());
  rings.q.advance();
}

// Tiles of keys come last first, so that those with a mask come first; K is one tile ahead of V.
DEVICE void produce(Rings &rings, const Maps &maps, const Work &work, int group) {
  int head = work.head / group;
  if constexpr (VARLEN) {
    fence_tensor_map(maps.q);
    fence_tensor_map(maps.k);
    fence_tensor_map(maps.v);
  }
  if (work.first < work.end) load_keys(rings.k, maps.k, work.end - 1, head, work);
  load_queries(rings, maps.q, work);
  for (int tile = work.end - 1; tile >= work.first; --tile) {
    if (tile > work.first) load_keys(rings.k, maps.k, tile - 1, head, work);
    load_keys(rings.v, maps.v, tile, head, work);
  }
}

// Named barriers: consumers take turns at the tensor core, so that one computes its softmax while
// another one multiplies. Barrier 0 is that of __syncthreads.
DEVICE void turn_wait(int consumer) {
  asm volatile("bar.sync %0, 256;" ::"r"(1 + consumer) : "memory");
}

DEVICE void turn_pass(int consumer) {
  int next = consumer + 1 == CONSUMERS ? 0 : consumer + 1;
  asm volatile("bar.arrive %0, 256;" ::"r"(1 + next) : "memory");
}

// The warps of a consumer meet, where no wgmma makes them.
static_assert(2 * CONSUMERS < 16, "a CTA has 16 named barriers");
DEVICE void meet(int consumer) {
  asm volatile("bar.sync %0, 128;" ::"r"(1 + CONSUMERS + consumer) : "memory");
}

// Tells the producer that this consumer is done with a stage: all of its warps have seen that it was
// full, and its wgmma has read it.
DEVICE void release(unsigned empty, int warp, int lane) {
  if (warp == 0 && lane == 0) mbarrier_arrive(empty, 0);
}

using Output = float[VALUE_DIM / 2];

// Begins S = Q @ K.T of a tile.
DEVICE void multiply_keys(Logits &s, const Rings &rings, int consumer) {
  constexpr int steps = PART_COLUMNS / STEP;
  unsigned long long q = operand_descriptor<PART_BYTES>(rings.q.data() + consumer * PARTS * Q_PART);
  unsigned long long k = operand_descriptor<PART_BYTES>(rings.k.data());
#pragma unroll
  for (int i = 0; i < HEAD_DIM / STEP; ++i) {
    unsigned long long step = descriptor_step(i % steps * STEP);
    wgmma_ss(s, q + (i / steps * Q_PART >> 4) + step, k + (i / steps * KEYS_PART >> 4) + step,
             i > 0);
  }
  wgmma_commit();
}

// Begins O += P @ V of a tile, or O = without `add`.
DEVICE void multiply_values(Output &o, const Weights &p, unsigned values, bool add) {
  unsigned long long v = value_descriptor(values);
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i) wgmma_rs(o, p[i], v + i * value_step(), add || i > 0);
  wgmma_commit();
}

DEVICE void rescale(Output &o, const float (&factor)[2]) {
#pragma unroll
  for (int i = 0; i < VALUE_DIM / 2; ++i) o[i] *= factor[half_of(i)];
}

// Tells the producer that a tile of Q is free, once this warp's store of O has read its rows.
DEVICE void release_stored(unsigned empty, int lane) {
  if (lane == 0) {
    tma_store_wait_read<0>();
    mbarrier_arrive(empty, 0);
  }
  __syncwarp();
}

// Goes past a tile of keys of which no query of this consumer sees any, `first` if it is the first
// one of the work, which has no turn. A warp that has not seen a stage full when it is released may
// find it full again, and wait forever.
DEVICE void skip(Rings &rings, bool first, int consumer, int warp, int lane) {
  mbarrier_wait(rings.k.full(), rings.k.parity);
  if (TURNS && !first) {
    turn_wait(consumer);  // here they meet, too
    turn_pass(consumer);
  } else {
    meet(consumer);
  }
  release(rings.k.empty(), warp, lane);
  rings.k.advance();
  ValuesRing &values = rings.values();
  mbarrier_wait(values.full(), values.parity);
  meet(consumer);
  release(values.empty(), warp, lane);
  values.advance();
}

// Leaves O's sum and the softmax's state of the keys of tiles [begin, end). S of the next tile and
// O of this one are in the tensor core together; the softmax of the next tile begins when S is
// there. `stored` is the mbarrier of the tile of Q before, 0 if it has been released.
DEVICE void attend(Output &o, Softmax &softmax, Rings &rings, const Work &work, int begin, int end,
                   float scale, const HeadAdditions &additions, unsigned stored, int consumer,
                   int warp, int lane) {
  ValuesRing &values = rings.values();
  int row = work.row + consumer * ROWS, last = end - 1;
  Logits s;
  Weights p;
  float factor[2];
  mbarrier_wait(rings.k.full(), rings.k.parity);
  if (TURNS && end < work.end) turn_wait(consumer);
  wgmma_fence();
  multiply_keys(s, rings, consumer);
  if (TURNS && end < work.end) turn_pass(consumer);
  wgmma_wait<0>();
  pin(s);
  release(rings.k.empty(), warp, lane);
  rings.k.advance();
  add(s, softmax.shift, additions, work, row, last, warp, lane);
  mask(s, work, row, last, warp, lane);
  softmax.step(s, factor, scale);
  convert(p, s);
  if (stored) release_stored(stored, lane);
  for (int tile = last - 1; tile >= begin; --tile) {
    mbarrier_wait(rings.k.full(), rings.k.parity);
    if (TURNS) turn_wait(consumer);
    pin_weights(p);
    wgmma_fence();
    multiply_keys(s, rings, consumer);
    mbarrier_wait(values.full(), values.parity);
    wgmma_fence();
    multiply_values(o, p, values.data(), tile < last - 1);
    if (TURNS) turn_pass(consumer);
    wgmma_wait<1>();
    pin(s);
    release(rings.k.empty(), warp, lane);
    rings.k.advance();
    add(s, softmax.shift, additions, work, row, tile, warp, lane);
    mask(s, work, row, tile, warp, lane);
    bool moved = softmax.step(s, factor, scale);
    wgmma_wait<0>();
    pin(o);
    pin_weights(p);
    release(values.empty(), warp, lane);
    values.advance();
    convert(p, s);
    if (__any_sync(~0u, moved)) rescale(o, factor);
  }
  mbarrier_wait(values.full(), values.parity);
  pin_weights(p);
  pin(o);
  wgmma_fence();
  multiply_values(o, p, values.data(), begin < last);
  wgmma_wait<0>();
  pin(o);
  release(values.empty(), warp, lane);
  values.advance();
}

// Divides O by the sum, stores it through shared memory of this warp's own, and stores the
// logarithm of the sum. A row without keys has O = 0 and -inf.
DEVICE void store(Output &o, Softmax &softmax, const Rings &rings, const TensorMap &map,
                  float *log_sum_exp, const Work &work, float scale, float value_scale,
                  const HeadAdditions &additions, int consumer, int warp, int lane) {
  softmax.finish();
  float inverse[2], factor[2] = {1, 1};
  if constexpr (SINKS) scale = softmax.sink(additions.sink, factor, scale);
  int first_row = work.row + consumer * ROWS;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    inverse[half] = softmax.sum[half] == 0 ? 0 : value_scale * factor[half] / softmax.sum[half];
    int row = first_row + d_row(warp, lane, 2 * half, 0);
    if (lane % 4 == 0 && row < work.queries)
      log_sum_exp[work.sums + row] = softmax.log_sum(half, scale);
  }
#pragma unroll
  for (int i = 0; i < VALUE_DIM / 2; ++i) o[i] *= inverse[half_of(i)];
  // Of 16-bit types, these are the rows of Q that this warp alone has used; of FP8, the store before
  // may still read them.
  unsigned boxes = FP8 ? rings.base + O_BOXES : rings.q.data();
  if constexpr (FP8) {
    if (lane == 0) tma_store_wait_read<0>();
    __syncwarp();
  }
  boxes += consumer * O_STEP + warp * BOX_BYTES;
#pragma unroll
  for (int part = 0; part < O_PARTS; ++part)
    write_box(boxes + part * O_PART, o, part * 32, warp, lane);
  fence_proxy_async();
  __syncwarp();
  if (lane == 0) {
    if constexpr (VARLEN) fence_tensor_map(map);
#pragma unroll
    for (int part = 0; part < O_PARTS; ++part)
      tma_store_4d(map, part * 64, first_row + 16 * warp, work.head, work.coordinate(),
                   boxes + part * O_PART);
  }
  __syncwarp();
}

// `stored` as in `attend`. A second tile of Q lets a store go on under the next tile's products.
DEVICE void consume(Rings &rings, const TensorMap &map, float *log_sum_exp, const Work &work,
                    const Shape &shape, const Descales &descales, const Additions &additions,
                    unsigned &stored, int consumer, int warp, int lane) {
  float scale = shape.scale, value_scale = 1;
  if constexpr (FP8) {
    int i = (work.sequence * shape.heads + work.head) / shape.group;
    scale *= descales.q[i] * descales.k[i];
    value_scale = descales.v[i];
  }
  HeadAdditions added(additions, work, scale, shape);
  Output o;
  Softmax softmax;
  softmax.start();
  mbarrier_wait(rings.q.full(), rings.q.parity);
  int row = work.row + consumer * ROWS;
  int begin = work.first_tile(row), end = work.end_tile(row + ROWS - 1);
  for (int tile = work.end; tile > max(begin, end); --tile)
    skip(rings, tile == work.end, consumer, warp, lane);
  if (begin < end) {
    attend(o, softmax, rings, work, begin, end, scale, added, stored, consumer, warp, lane);
  } else {
    if (stored) release_stored(stored, lane);
#pragma unroll
    for (int i = 0; i < VALUE_DIM / 2; ++i) o[i] = 0;
  }
  for (int tile = min(begin, work.end); tile > work.first; --tile)
    skip(rings, tile == work.end, consumer, warp, lane);
  store(o, softmax, rings, map, log_sum_exp, work, scale, value_scale, added, consumer, warp, lane);
  if constexpr (FP8) {
    if (lane == 0) mbarrier_arrive(rings.q.empty(), 0);
  } else if constexpr (Q_STAGES == 1) {
    release_stored(rings.q.empty(), lane);
  } else {
    stored = rings.q.empty();
  }
  rings.q.advance();
}

#if ELEMENT_BYTES == 1
// Transposes the tiles of V of a tile of queries.
DEVICE void transpose(Rings &rings, const Work &work, int warp, int lane) {
  for (int tile = work.end - 1; tile >= work.first; --tile) {
    mbarrier_wait(rings.v.full(), rings.v.parity);
    mbarrier_wait(rings.transposed.empty(), rings.transposed.parity ^ 1);
    transpose_values(rings.transposed.data(), rings.v.data(), warp, TRANSPOSING_WARPS, lane);
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) {
      mbarrier_arrive(rings.transposed.full(), 0);
      mbarrier_arrive(rings.v.empty(), 0);
    }
    rings.v.advance();
    rings.transposed.advance();
  }
}
#endif

DEVICE void init_barriers(const Rings &rings) {
  rings.q.init(1, 4 * CONSUMERS);
  rings.k.init(1, CONSUMERS);
  rings.v.init(1, FP8 ? TRANSPOSING_WARPS : CONSUMERS);
  if (FP8) rings.transposed.init(TRANSPOSING_WARPS, CONSUMERS);
  fence_mbarrier_init();
}

// `schedule` has an entry for each CTA and turn (see Work), ~0 where a CTA has nothing more to do.
// `sequences` is read where VARLEN is set, instead of the maps; the descales for FP8; `additions`
// where one is set.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fmha(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
     const __grid_constant__ TensorMap v, const __grid_constant__ TensorMap o,
     const Sequence *sequences, float *log_sum_exp, const unsigned *schedule,
     const __grid_constant__ Descales descales, const __grid_constant__ Shape shape
#if ADDS
     , const __grid_constant__ Additions additions
#endif
) {
#if !ADDS
  constexpr Additions additions{};
#endif
  extern __shared__ __align__(1024) unsigned char memory[];
  Rings rings(shared_address(memory));
  // The same in all lanes of a warp, so that it needs one register of the warp.
  int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
  int warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(q);
    prefetch_tensor_map(k);
    prefetch_tensor_map(v);
    prefetch_tensor_map(o);
    init_barriers(rings);
  }
  __syncthreads();
  schedule += blockIdx.x;
  if (warpgroup == 0) {
    give_registers<PRODUCER_REGISTERS>();
    if (thread == 0) {
      // Role: producer.
      for (unsigned entry; (entry = *schedule) != ~0u; schedule += gridDim.x) {
        Work work(entry, shape, sequences);
        if constexpr (VARLEN)
          produce(rings, sequences[work.sequence].maps(), work, shape.group);
        else
          produce(rings, {q, k, v, o}, work, shape.group);
      }
    }
#if ELEMENT_BYTES == 1
    if (warp >= 4 - TRANSPOSING_WARPS)
      // Role: transposer.
      for (unsigned entry; (entry = *schedule) != ~0u; schedule += gridDim.x)
        transpose(rings, Work(entry, shape, sequences), warp - (4 - TRANSPOSING_WARPS), lane);
#endif
  } else {
    // Role: consumer.
    take_registers<CONSUMER_REGISTERS>();
    int consumer = warpgroup - 1;
    if (TURNS && consumer == CONSUMERS - 1) turn_pass(consumer);
    unsigned stored = 0;
    for (unsigned entry = *schedule, next; entry != ~0u; entry = next) {
      schedule += gridDim.x;
      next = *schedule;  // long before it is needed
      Work work(entry, shape, sequences);
      consume(rings, VARLEN ? sequences[work.sequence].o : o, log_sum_exp, work, shape, descales,
              additions, stored, consumer, warp, lane);
    }
    if (lane == 0) tma_store_wait_read<0>();
    // The last turn that was passed is taken, too.
    if (TURNS && consumer == 0) turn_wait(consumer);
  }
}
