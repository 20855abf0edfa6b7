// Forward attention with wgmma; README.md draws the data path.
//
// A persistent CTA has one warpgroup that copies and CONSUMERS that compute 64 rows of O each, for
// one head of one batch at a time, over all keys.
#define OUTPUT_F32 0
#include "hopper.h"

constexpr int ROWS = 64;  // of a consumer
constexpr int TILE_M = ROWS * CONSUMERS;
constexpr int PARTS = HEAD_DIM / 64;  // a row of the 128-byte swizzle has 64 elements
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr unsigned Q_PART = ROWS * 128, Q_BYTES = CONSUMERS * PARTS * Q_PART;
constexpr unsigned KEYS_PART = TILE_N * 128, KEYS_BYTES = PARTS * KEYS_PART;
// Shared memory: tiles of Q, where O leaves too; tiles of K; tiles of V; mbarriers.
constexpr unsigned K_TILES = Q_STAGES * Q_BYTES;
constexpr unsigned V_TILES = K_TILES + STAGES * KEYS_BYTES;
constexpr unsigned BARRIERS = V_TILES + STAGES * KEYS_BYTES;

struct Shape {
  int heads, group;  // query heads; of them, those that share a head of K and V
  int queries, keys;
  float scale;  // of the logits, in base 2: softmax_scale * log2(e)
};

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
};

struct Rings {
  Ring<Q_STAGES, Q_BYTES> q;
  Ring<STAGES, KEYS_BYTES> k, v;
  explicit __device__ __forceinline__ Rings(unsigned base)
      : q{base, base + BARRIERS, 0, 0},
        k{base + K_TILES, base + BARRIERS + Q_STAGES * 16, 0, 0},
        v{base + V_TILES, base + BARRIERS + (Q_STAGES + STAGES) * 16, 0, 0} {}
};

// What a CTA computes next. The last query attends to the last key where the mask is causal.
struct Work {
  int row, head, batch, tiles;
  __device__ __forceinline__ Work(unsigned entry, const Shape &shape) {
    row = (entry & 0xffff) * TILE_M;
    head = (entry >> 16) % shape.heads;
    batch = (entry >> 16) / shape.heads;
    int seen = shape.keys;
    if (CAUSAL) seen = max(0, min(seen, row + TILE_M + shape.keys - shape.queries));
    tiles = (seen + TILE_N - 1) / TILE_N;
  }
};

DEVICE void tma_load_4d(unsigned to, const TensorMap &map, int column, int row, int head,
                        int batch, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%2, %3, %4, %5}], [%6];"
               ::"r"(to), "l"(&map), "r"(column), "r"(row), "r"(head), "r"(batch), "r"(barrier)
               : "memory");
}

DEVICE void tma_store_4d(const TensorMap &map, int column, int row, int head, int batch,
                         unsigned from) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group"
               " [%0, {%1, %2, %3, %4}], [%5];"
               ::"l"(&map), "r"(column), "r"(row), "r"(head), "r"(batch), "r"(from) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Loads a tile of K or V.
template <typename AnyRing>
DEVICE void load_keys(AnyRing &ring, const TensorMap &map, int key, int head, int batch) {
  mbarrier_wait(ring.empty(), ring.parity ^ 1);
  mbarrier_expect(ring.full(), KEYS_BYTES);
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    tma_load_4d(ring.data() + part * KEYS_PART, map, part * 64, key, head, batch, ring.full());
  ring.advance();
}

DEVICE void load_queries(Rings &rings, const TensorMap &map, const Work &work) {
  mbarrier_wait(rings.q.empty(), rings.q.parity ^ 1);
  mbarrier_expect(rings.q.full(), Q_BYTES);
#pragma unroll
  for (int i = 0; i < CONSUMERS * PARTS; ++i)
    tma_load_4d(rings.q.data() + i * Q_PART, map, i % PARTS * 64, work.row + i / PARTS * ROWS,
                work.head, work.batch, rings.q.full());
  rings.q.advance();
}

// Tiles of keys come last first, so that those with a mask come first; K is one tile ahead of V.
DEVICE void produce(Rings &rings, const TensorMap &q, const TensorMap &k, const TensorMap &v,
                    const Work &work, const Shape &shape) {
  int head = work.head / shape.group;
  if (work.tiles > 0) load_keys(rings.k, k, (work.tiles - 1) * TILE_N, head, work.batch);
  load_queries(rings, q, work);
  for (int tile = work.tiles - 1; tile >= 0; --tile) {
    if (tile > 0) load_keys(rings.k, k, (tile - 1) * TILE_N, head, work.batch);
    load_keys(rings.v, v, tile * TILE_N, head, work.batch);
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

// Tells the producer that this consumer's wgmma has read a stage.
DEVICE void release(unsigned empty, int warp, int lane) {
  if (warp == 0 && lane == 0) mbarrier_arrive(empty, 0);
}

using Logits = float[TILE_N / 2];
using Weights = unsigned[TILE_N / 16][4];
using Output = float[HEAD_DIM / 2];

// Begins S = Q @ K.T of a tile.
DEVICE void multiply_keys(Logits &s, const Rings &rings, int consumer) {
  unsigned long long q = operand_descriptor(rings.q.data() + consumer * PARTS * Q_PART);
  unsigned long long k = operand_descriptor(rings.k.data());
#pragma unroll
  for (int i = 0; i < HEAD_DIM / 16; ++i) {
    unsigned long long step = descriptor_step(i % 4 * 16);
    wgmma_ss(s, q + (i / 4 * Q_PART >> 4) + step, k + (i / 4 * KEYS_PART >> 4) + step, i > 0);
  }
  wgmma_commit();
}

// Descriptor of V's tile, which is N-major under the 128-byte swizzle: 64 columns further are
// KEYS_PART bytes (LBO), 8 keys further as many as the map says (SBO).
DEVICE unsigned long long value_descriptor(unsigned address) {
  unsigned long long eight_keys = value_byte(0, 8, 0) - value_byte(0, 0, 0);
  return (address & 0x3ffff) >> 4 | static_cast<unsigned long long>(KEYS_PART >> 4) << 16 |
         eight_keys >> 4 << 32 | 1ull << 62;
}

// Begins O += P @ V of a tile, or O = without `add`.
DEVICE void multiply_values(Output &o, const Weights &p, const Rings &rings, bool add) {
  constexpr unsigned step = 2 * (value_byte(0, 8, 0) - value_byte(0, 0, 0)) >> 4;
  unsigned long long v = value_descriptor(rings.v.data());
#pragma unroll
  for (int i = 0; i < TILE_N / 16; ++i) wgmma_rs(o, p[i], v + i * step, add || i > 0);
  wgmma_commit();
}

// S leaves the tensor core in the registers in which P enters it as A: the maps must say so.
DEVICE constexpr bool logits_are_fragments() {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 8; ++i)
      if (d_row(0, lane, i, 0) != fragment_row(0, lane, i / 2, i % 2) ||
          d_column(0, lane, i, 0) != fragment_k(0, lane, i / 2, i % 2))
        return false;
  return true;
}
static_assert(logits_are_fragments(), "registers of D are not those of A");

// Which of a thread's two rows a register of D belongs to.
DEVICE constexpr int half_of(int reg) { return d_row(0, 0, reg, 0) != d_row(0, 0, 0, 0); }

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

// Of a thread's two rows: the maximum of the logits, and this thread's part of the sum of P.
struct Softmax {
  float maximum[2], sum[2];

  __device__ __forceinline__ void start() {
    maximum[0] = maximum[1] = minus_infinity();
    sum[0] = sum[1] = 0;
  }

  // Makes P of S in place; `factor` is what O must be multiplied by.
  __device__ __forceinline__ void step(Logits &s, float (&factor)[2], float scale) {
    constexpr int chains = 4;
    float most[2][chains];
#pragma unroll
    for (int i = 0; i < 2 * chains; ++i) most[i / chains][i % chains] = minus_infinity();
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) {
      float &m = most[half_of(i)][(i / 4 * 2 + i % 2) % chains];
      m = fmaxf(m, s[i]);
    }
    float base[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float m = fmaxf(fmaxf(most[half][0], most[half][1]), fmaxf(most[half][2], most[half][3]));
      // Four adjacent lanes have a row.
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 1));
      m = fmaxf(m, __shfl_xor_sync(~0u, m, 2));
      float before = maximum[half];
      m = fmaxf(m, before);
      maximum[half] = m;
      // A row without a key so far: exp2(-inf - 0) is 0, exp2(-inf + inf) is not.
      base[half] = m == minus_infinity() ? 0 : m * scale;
      factor[half] = exp2_approx(fmaf(before, scale, -base[half]));
    }
    float sums[2][2] = {{0, 0}, {0, 0}};
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) {
      s[i] = exp2_approx(fmaf(s[i], scale, -base[half_of(i)]));
      sums[half_of(i)][i % 2] += s[i];
    }
#pragma unroll
    for (int half = 0; half < 2; ++half)
      sum[half] = fmaf(sum[half], factor[half], sums[half][0] + sums[half][1]);
  }

  // Adds up the parts of the four lanes.
  __device__ __forceinline__ void finish() {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
      sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
    }
  }
};

// Hides the keys that a query does not see: those past the end, and with a causal mask later ones.
DEVICE void mask(Logits &s, const Work &work, const Shape &shape, int tile, int consumer, int warp,
                 int lane) {
  int first_row = work.row + consumer * ROWS, key = tile * TILE_N;
  int offset = shape.keys - shape.queries;
  if (key + TILE_N <= shape.keys && (!CAUSAL || key + TILE_N <= first_row + offset + 1)) return;
  int column = d_column(warp, lane, 0, 0);
  int end[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int row = first_row + d_row(warp, lane, 2 * half, 0);
    end[half] = CAUSAL ? min(shape.keys, row + offset + 1) : shape.keys;
    end[half] -= key + column;
  }
#pragma unroll
  for (int i = 0; i < TILE_N / 2; ++i)
    if (d_column(0, 0, i, 0) >= end[half_of(i)]) s[i] = minus_infinity();
}

DEVICE void convert(Weights &p, const Logits &s) {
#pragma unroll
  for (int i = 0; i < TILE_N / 4; ++i) p[i / 4][i % 4] = pack(s[2 * i], s[2 * i + 1]);
}

DEVICE void rescale(Output &o, const float (&factor)[2]) {
#pragma unroll
  for (int i = 0; i < HEAD_DIM / 2; ++i) o[i] *= factor[half_of(i)];
}

DEVICE void pin_weights(Weights &p) {
#pragma unroll
  for (int i = 0; i < TILE_N / 16; ++i) pin(p[i]);
}

// Leaves O's sum and the softmax's state of all keys. S of the next tile and O of this one are in
// the tensor core together; the softmax of the next tile begins when S is there.
DEVICE void attend(Output &o, Softmax &softmax, Rings &rings, const Work &work, const Shape &shape,
                   int consumer, int warp, int lane) {
  Logits s;
  Weights p;
  float factor[2];
  mbarrier_wait(rings.k.full(), rings.k.parity);
  wgmma_fence();
  multiply_keys(s, rings, consumer);
  wgmma_wait<0>();
  pin(s);
  release(rings.k.empty(), warp, lane);
  rings.k.advance();
  mask(s, work, shape, work.tiles - 1, consumer, warp, lane);
  softmax.step(s, factor, shape.scale);
  convert(p, s);
  for (int tile = work.tiles - 2; tile >= 0; --tile) {
    mbarrier_wait(rings.k.full(), rings.k.parity);
    turn_wait(consumer);
    pin_weights(p);
    wgmma_fence();
    multiply_keys(s, rings, consumer);
    mbarrier_wait(rings.v.full(), rings.v.parity);
    wgmma_fence();
    multiply_values(o, p, rings, tile < work.tiles - 2);
    turn_pass(consumer);
    wgmma_wait<1>();
    pin(s);
    release(rings.k.empty(), warp, lane);
    rings.k.advance();
    mask(s, work, shape, tile, consumer, warp, lane);
    softmax.step(s, factor, shape.scale);
    wgmma_wait<0>();
    pin(o);
    pin_weights(p);
    release(rings.v.empty(), warp, lane);
    rings.v.advance();
    convert(p, s);
    rescale(o, factor);
  }
  mbarrier_wait(rings.v.full(), rings.v.parity);
  pin_weights(p);
  pin(o);
  wgmma_fence();
  multiply_values(o, p, rings, work.tiles > 1);
  wgmma_wait<0>();
  pin(o);
  release(rings.v.empty(), warp, lane);
  rings.v.advance();
}

// Divides O by the sum, stores it through the rows of Q that this warp has used, and stores the
// logarithm of the sum. A row without keys has O = 0 and -inf.
DEVICE void store(Output &o, Softmax &softmax, const Rings &rings, const TensorMap &map,
                  float *log_sum_exp, const Work &work, const Shape &shape, int consumer, int warp,
                  int lane) {
  softmax.finish();
  float inverse[2];
  int first_row = work.row + consumer * ROWS;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float sum = softmax.sum[half];
    inverse[half] = sum > 0 ? 1 / sum : 0;
    int row = first_row + d_row(warp, lane, 2 * half, 0);
    constexpr float ln2 = 0.693147180559945f;
    float value = softmax.maximum[half] * shape.scale + log2_approx(sum);
    if (lane % 4 == 0 && row < shape.queries)
      log_sum_exp[(static_cast<long long>(work.batch) * shape.heads + work.head) * shape.queries +
                  row] = sum > 0 ? value * ln2 : minus_infinity();
  }
#pragma unroll
  for (int i = 0; i < HEAD_DIM / 2; ++i) o[i] *= inverse[half_of(i)];
  unsigned boxes = rings.q.data() + consumer * PARTS * Q_PART + warp * BOX_BYTES;
#pragma unroll
  for (int part = 0; part < PARTS; ++part)
    write_box(boxes + part * Q_PART, o, part * 32, warp, lane);
  fence_proxy_async();
  __syncwarp();
  if (lane == 0) {
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      tma_store_4d(map, part * 64, first_row + 16 * warp, work.head, work.batch,
                   boxes + part * Q_PART);
    tma_store_wait_read<0>();
    mbarrier_arrive(rings.q.empty(), 0);
  }
  __syncwarp();
}

DEVICE void consume(Rings &rings, const TensorMap &map, float *log_sum_exp, const Work &work,
                    const Shape &shape, int consumer, int warp, int lane) {
  Output o;
  Softmax softmax;
  softmax.start();
  mbarrier_wait(rings.q.full(), rings.q.parity);
  if (work.tiles > 0) {
    attend(o, softmax, rings, work, shape, consumer, warp, lane);
  } else {
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 2; ++i) o[i] = 0;
  }
  store(o, softmax, rings, map, log_sum_exp, work, shape, consumer, warp, lane);
  rings.q.advance();
}

DEVICE void init_barriers(const Rings &rings) {
  for (int i = 0; i < Q_STAGES + 2 * STAGES; ++i) {
    mbarrier_init(rings.q.barriers + i * 16, 1);
    mbarrier_init(rings.q.barriers + i * 16 + 8, i < Q_STAGES ? 4 * CONSUMERS : CONSUMERS);
  }
  fence_mbarrier_init();
}

// `schedule` has an entry for each CTA and turn: head << 16 | tile of queries, ~0 where a CTA has
// nothing more to do.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fmha(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k,
     const __grid_constant__ TensorMap v, const __grid_constant__ TensorMap o, float *log_sum_exp,
     const unsigned *schedule, const __grid_constant__ Shape shape) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Rings rings(shared_address(memory));
  // The same in all lanes of a warp, so that it needs one register of the warp.
  int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0), thread = threadIdx.x % 128;
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
    if (thread == 0)
      for (unsigned entry; (entry = *schedule) != ~0u; schedule += gridDim.x)
        produce(rings, q, k, v, Work(entry, shape), shape);
  } else {
    take_registers<CONSUMER_REGISTERS>();
    int consumer = warpgroup - 1, warp = __shfl_sync(~0u, thread / 32, 0), lane = thread % 32;
    if (consumer == CONSUMERS - 1) turn_pass(consumer);
    for (unsigned entry; (entry = *schedule) != ~0u; schedule += gridDim.x)
      consume(rings, o, log_sum_exp, Work(entry, shape), shape, consumer, warp, lane);
    // The last turn that was passed is taken, too.
    if (consumer == 0) turn_wait(consumer);
  }
}
