// Decode attention with wgmma: few queries of each sequence, and long keys that lie in pages;
// README.md draws the data path.
//
// A CTA has one warp that copies and four that compute. The rows of a tile of Q are the queries and
// heads that share a head of K and V. `decode` leaves heads that one CTA has whole, and sums of
// parts of others; `decode_combine` adds those up in the order of keys.
#define OUTPUT_F32 0
#define SEES_LEFT 0
#define SEES_RIGHT 0
#define VARLEN 0
#define SOFTCAP 0
#define ALIBI 0
#define SINKS 0
#include "hopper.h"
#include "named_barriers.h"
#include "overlap.h"

constexpr int ROWS = 64, TILE_M = ROWS;
constexpr bool FP8 = false;
constexpr int WEIGHT_BITS = 0, SLACK_BITS = 8;  // see hopper_softmax.h
constexpr int STEP = 16;                        // k of a wgmma
// A tile of K or V lies in parts, whose rows are as wide as the swizzle.
constexpr int PART_COLUMNS = 64, PARTS = HEAD_DIM / PART_COLUMNS;
constexpr unsigned PART_BYTES = 128, KEYS_PART = TILE_N * PART_BYTES;
constexpr unsigned TILE_BYTES = PARTS * KEYS_PART;
#include "decode_work.h"
#include "hopper_values.h"

constexpr int WARPS = 4, THREADS = 32 * (WARPS + 1);
constexpr int COMBINING_WARPS = 8;
// A box has the keys of a tile that lie in one page.
constexpr int BOXES = TILE_N / BOX_KEYS;
constexpr unsigned BOX_PART = BOX_KEYS * PART_BYTES;
static_assert(BOXES * BOX_KEYS == TILE_N && BOXES * PARTS <= 32, "lanes copy a part of a box each");
// Shared memory: tiles of K and V in turn, then their mbarriers.
constexpr unsigned BARRIERS = STAGES * TILE_BYTES;

struct Ring {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned data() const { return base + stage * TILE_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + BARRIERS + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

// What the two sides have in common: a part of a sequence.
struct Keys {
  int low, end;  // keys that a query of the sequence sees
  __device__ __forceinline__ Keys(const Span &span) : low(span.low), end(span.keys) {}
  // Whether a tile has keys that no query sees, which may be anything.
  __device__ __forceinline__ bool cuts(int tile) const {
    return tile * TILE_N < low || (tile + 1) * TILE_N > end;
  }
};

// Of the keys of a tile, those of one lane's box: the page they lie in, -1 if no query sees them.
DEVICE int page_of(const Keys &keys, const Problem &problem, const int *pages, int sequence,
                   int tile, int lane) {
  int key = tile * TILE_N + lane / PARTS * BOX_KEYS;
  if (lane >= BOXES * PARTS || key + BOX_KEYS <= keys.low || key >= keys.end) return -1;
#if PAGED
  return pages[static_cast<long long>(sequence) * problem.pages + key / problem.page];
#else
  return sequence;
#endif
}

DEVICE void load(Ring &ring, const TensorMap &map, int page, int row, int head, int lane) {
  mbarrier_wait(ring.empty(), ring.parity ^ 1);
  int boxes = __popc(__ballot_sync(~0u, page >= 0));
  if (lane == 0) mbarrier_expect(ring.full(), boxes * BOX_PART);
  __syncwarp();
  int box = lane / PARTS, part = lane % PARTS;
  if (page >= 0)
    tma_load_4d(ring.data() + part * KEYS_PART + box * BOX_PART, map, part * PART_COLUMNS, row,
                head, page, ring.full());
  __syncwarp();
  ring.advance();
}

// Each lane has a part of the keys of one box; it reads where they lie two tiles ahead. K is one tile ahead of V.
DEVICE void produce(Ring &ring, Walk &walk, const TensorMap &k, const TensorMap &v,
                    const Problem &problem, const int *lengths, const int *pages, int lane) {
  for (Part part; walk.next(part, problem, lengths);) {
    Keys keys(walk.span);
    int head = part.head / problem.blocks;
    auto page = [&](int tile) {
      return tile < part.end ? page_of(keys, problem, pages, part.sequence, tile, lane) : -1;
    };
    auto row = [&](int tile) {
      int key = tile * TILE_N + lane / PARTS * BOX_KEYS;
      return PAGED ? key % problem.page : key;
    };
    if (part.begin == part.end) continue;
    int now = page(part.begin), next = page(part.begin + 1);
    load(ring, k, now, row(part.begin), head, lane);
    for (int tile = part.begin; tile < part.end; ++tile) {
      int after = page(tile + 2);
      if (tile + 1 < part.end) load(ring, k, next, row(tile + 1), head, lane);
      load(ring, v, now, row(tile), head, lane);
      now = next;
      next = after;
    }
  }
}

// The warps that compute meet.
DEVICE void meet() { named_barrier<32 * WARPS>(1); }

// Makes keys of a tile that no query sees zero: they may be NaN, and were not even copied where
// they lie in other pages.
DEVICE void hide(unsigned data, const Keys &keys, int tile, int thread) {
  const unsigned zeros[4] = {0, 0, 0, 0};
  constexpr int units = PART_BYTES / 16;
  for (int i = thread; i < TILE_N * units; i += 32 * WARPS) {
    int key = tile * TILE_N + i / units;
    if (key >= keys.low && key < keys.end) continue;
#pragma unroll
    for (int part = 0; part < PARTS; ++part) store_unit(data + part * KEYS_PART + i * 16, zeros);
  }
  fence_proxy_async();
  meet();
}

// Which of a thread's two rows a register of A belongs to.
DEVICE constexpr int half_of_a(int reg) {
  return fragment_row(0, 0, reg, 0) != fragment_row(0, 0, 0, 0);
}

DEVICE constexpr bool registers_have_pairs() {
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      if (fragment_k(0, lane, reg, 1) != fragment_k(0, lane, reg, 0) + 1) return false;
      if (d_column(0, lane, reg / 2 * 2 + 1, 0) != d_column(0, lane, reg / 2 * 2, 0) + 1)
        return false;
      if (fragment_row(0, lane, reg, 0) != d_row(0, lane, 2 * half_of_a(reg), 0)) return false;
    }
  return true;
}
static_assert(registers_have_pairs(), "a register of A, or two of D, are no adjacent columns");

using Queries = unsigned[HEAD_DIM / STEP][4];
using Output = float[HEAD_DIM / 2];

// Rows that there are not are zeros.
DEVICE void load_queries(Queries &q, const unsigned char *from, const Problem &problem,
                         const Part &part, int warp, int lane) {
  const unsigned char *rows[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    Place place(problem, part.sequence, part.head, d_row(warp, lane, 2 * half, 0));
    rows[half] = place.there ? from + part.sequence * problem.q_sequence +
                                   place.query * problem.q_query + place.head * problem.q_head
                             : nullptr;
  }
#pragma unroll
  for (int i = 0; i < HEAD_DIM / STEP; ++i)
#pragma unroll
    for (int reg = 0; reg < 4; ++reg) {
      const unsigned char *row = rows[half_of_a(reg)];
      int column = i * STEP + fragment_k(0, lane, reg, 0);
      q[i][reg] = row ? *reinterpret_cast<const unsigned *>(row + 2 * column) : 0;
    }
}

// Begins S = Q @ K.T of a tile.
DEVICE void multiply_keys(Logits &s, const Queries &q, unsigned keys) {
  constexpr int steps = PART_COLUMNS / STEP;
  unsigned long long k = operand_descriptor<PART_BYTES>(keys);
  wgmma_fence();
#pragma unroll
  for (int i = 0; i < HEAD_DIM / STEP; ++i)
    wgmma_rs_keys(s, q[i], k + (i / steps * KEYS_PART >> 4) + descriptor_step(i % steps * STEP),
                  i > 0);
  wgmma_commit();
}

// Begins O += P @ V of a tile.
DEVICE void multiply_values(Output &o, const Weights &p, unsigned values) {
  unsigned long long v = value_descriptor(values);
  wgmma_fence();
#pragma unroll
  for (int i = 0; i < TILE_N / STEP; ++i) wgmma_rs(o, p[i], v + i * value_step(), true);
  wgmma_commit();
}

// Keys that the rows of a thread see.
struct Seen {
  int first[2], end[2];
  int inner_first, inner_end;  // those that all queries see

  __device__ __forceinline__ Seen(const Problem &problem, const Span &span, const Part &part,
                                  int warp, int lane)
      : inner_first(span.first_key(problem, problem.queries - 1)),
        inner_end(span.end_key(problem, 0)) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      Place place(problem, part.sequence, part.head, d_row(warp, lane, 2 * half, 0));
      first[half] = span.first_key(problem, place.query);
      end[half] = span.end_key(problem, place.query);
    }
  }
  __device__ __forceinline__ void mask(Logits &s, int tile, int lane) const {
    if (tile * TILE_N >= inner_first && (tile + 1) * TILE_N <= inner_end) return;
    int key = tile * TILE_N + d_column(0, lane, 0, 0);
#pragma unroll
    for (int i = 0; i < TILE_N / 2; ++i) {
      int own = key + d_column(0, 0, i, 0);
      if (own < first[half_of(i)] || own >= end[half_of(i)]) s[i] = minus_infinity();
    }
  }
};

// Waits until a tile of K or V is there, and returns where; `release` gives it back.
DEVICE Ring take(Ring &ring, const Keys &keys, int tile, int warp, int lane) {
  Ring taken = ring;
  ring.advance();
  mbarrier_wait(taken.full(), taken.parity);
  if (keys.cuts(tile)) hide(taken.data(), keys, tile, warp * 32 + lane);
  return taken;
}

DEVICE void release(const Ring &taken, int lane) {
  if (lane == 0) mbarrier_arrive(taken.empty(), 0);
}

// Leaves the sum and the softmax's state of a part. S of the next tile and O of this one are in the
// tensor core together; the softmax of the next tile begins when S is there.
DEVICE void attend(Output &o, Softmax &softmax, Ring &ring, const Queries &q,
                   const Problem &problem, const Span &span, const Part &part, int warp,
                   int lane) {
  if (part.begin == part.end) return;
  Keys keys(span);
  Seen seen(problem, span, part, warp, lane);
  bool active = d_row(warp, 0, 0, 0) < problem.rows;  // a warp may have no row
  Logits s;
  Weights p = {};
  float factor[2];
  Ring k = take(ring, keys, part.begin, warp, lane);
  multiply_keys(s, q, k.data());
  wgmma_wait<0>();
  pin(s);
  release(k, lane);
  if (active) {
    seen.mask(s, part.begin, lane);
    softmax.step(s, factor, problem.scale);
    convert(p, s);
  }
  for (int tile = part.begin; tile + 1 < part.end; ++tile) {
    k = take(ring, keys, tile + 1, warp, lane);
    pin_weights(p);
    pin(o);
    multiply_keys(s, q, k.data());
    Ring v = take(ring, keys, tile, warp, lane);
    multiply_values(o, p, v.data());
    wgmma_wait<1>();
    pin(s);
    release(k, lane);
    bool moved = false;
    if (active) {
      seen.mask(s, tile + 1, lane);
      moved = softmax.step(s, factor, problem.scale);
    }
    wgmma_wait<0>();
    pin(o);
    pin_weights(p);
    release(v, lane);
    if (active) {
      convert(p, s);
      if (__any_sync(~0u, moved)) {
#pragma unroll
        for (int i = 0; i < HEAD_DIM / 2; ++i) o[i] *= factor[half_of(i)];
      }
    }
  }
  Ring v = take(ring, keys, part.end - 1, warp, lane);
  pin_weights(p);
  pin(o);
  multiply_values(o, p, v.data());
  wgmma_wait<0>();
  pin(o);
  release(v, lane);
  softmax.finish();
}

#include "decode_sums.h"

DEVICE void consume(Ring &ring, Walk &walk, const unsigned char *queries, const Results &results,
                    float *memory, const Problem &problem, const int *lengths, int warp,
                    int lane) {
  Partials partials(memory, problem, gridDim.x);
  for (Part part; walk.next(part, problem, lengths);) {
    Queries q;
    Output o = {};
    Softmax softmax;
    load_queries(q, queries, problem, part, warp, lane);
    softmax.start();
    attend(o, softmax, ring, q, problem, walk.span, part, warp, lane);
    if (part.whole) {
      store(o, softmax, results, problem, part, warp, lane);
      continue;
    }
    store_part(o, softmax, partials, 2 * own_place() + !part.first, warp, lane);
#if JOINS
    if (part.begins)  // it is the CTA's last
      join(results, partials, problem, part, walk.head(part, problem), warp, lane);
#endif
  }
}

// `lengths` has the keys of each sequence; 0 means that all have problem.keys. `pages` is the block
// table, which PAGED sources read; else a sequence's keys lie in one piece.
extern "C" __global__ void __launch_bounds__(THREADS, CTAS_PER_SM)
decode(const __grid_constant__ TensorMap k, const __grid_constant__ TensorMap v,
       const unsigned char *q, const int *lengths, const int *pages, unsigned short *o,
       float *log_sum_exp, float *memory, const __grid_constant__ Problem problem) {
  extern __shared__ __align__(1024) unsigned char shared[];
  Ring ring{shared_address(shared), 0, 0};
  int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    prefetch_tensor_map(k);
    prefetch_tensor_map(v);
    for (int i = 0; i < STAGES; ++i) {
      mbarrier_init(ring.base + BARRIERS + i * 16, 1);
      mbarrier_init(ring.base + BARRIERS + i * 16 + 8, WARPS);
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  // Earlier work may write all that is read, lengths and the block table among them.
  if (lengths) wait_for_earlier_work();
  Walk walk(problem, lengths, lane);
  wait_for_earlier_work();
  let_later_work_begin();  // behind the wait: `decode_combine` reads lengths before its own
  if (warp == WARPS) {
    // Role: producer.
    produce(ring, walk, k, v, problem, lengths, pages, lane);
  } else {
    // Role: consumer.
    consume(ring, walk, q, {o, log_sum_exp}, memory, problem, lengths, warp, lane);
  }
}

// Adds up the parts of rows of a head, `ctas` being those of `decode`. Each warp adds every
// eighth part, then the first one adds the warps' sums, so the order is that of keys in eight
// strands.
extern "C" __global__ void __launch_bounds__(32 * COMBINING_WARPS)
decode_combine(const int *lengths, const float *memory, unsigned short *o, float *log_sum_exp,
               const __grid_constant__ Problem problem, int ctas) {
  // Role: combining.
  __shared__ Columns columns[COMBINING_WARPS][32];
  __shared__ float2 statistics[COMBINING_WARPS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  let_later_work_begin();
  int sequence = blockIdx.x / problem.heads, own = blockIdx.x % problem.heads;
  Division division(units_before(problem, lengths, problem.batch, lane), ctas / problem.team);
  Span span(problem, lengths, sequence);
  int unit = units_before(problem, lengths, sequence, lane) + own / problem.team * span.tiles;
  Head head(division, unit, span.tiles, own % problem.team, problem.team);
  wait_for_earlier_work();
  if (head.parts == 1) return;
  Partials partials(const_cast<float *>(memory), problem, ctas);
  for (int row = blockIdx.y; row < problem.rows; row += gridDim.y) {
    Place place(problem, sequence, own, row);
    if (!place.there) return;
    RowSum sum(partials, head, row, warp, COMBINING_WARPS, problem.scale, lane);
    columns[warp][lane] = sum.columns;
    if (lane == 0) statistics[warp] = make_float2(sum.most, sum.weight);
    __syncthreads();
    if (warp == 0) {
#pragma unroll 1
      for (int i = 1; i < COMBINING_WARPS; ++i)
        sum.add(statistics[i], columns[i][lane], problem.scale);
      sum.store({o, log_sum_exp}, place, problem.scale, lane);
    }
    __syncthreads();
  }
}
