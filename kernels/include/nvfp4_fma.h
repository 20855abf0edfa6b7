// c = A b on CUDA cores, for A of e2m1 with a scale e4m3 for each 16 elements.
//
// A persistent CTA has a range of the groups of ROWS rows. SPLIT warps, a team, share a group: each
// has its own part of k, whose b it keeps decoded in registers. It loads its part of a group while
// it multiplies that of the one STAGES before, and adds the lanes' sums. The sums of all groups
// wait in shared memory; a barrier later the warps' sums are added. Every sum is in f32 and has a
// fixed order, so that equal inputs give equal bits.
#pragma once
#include "debug.h"
#include "nvfp4_decode.h"
#include "overlap.h"

constexpr unsigned CHUNK = 32 * 32;  // a lane has 16 bytes, that is two blocks, of each row
constexpr unsigned CHUNKS = (K + CHUNK - 1) / CHUNK, WARP_CHUNKS = (CHUNKS + SPLIT - 1) / SPLIT;
constexpr unsigned TEAMS = WARPS / SPLIT;
constexpr unsigned ROW_BYTES = K / 2, ROW_SCALES = K / 16;
// Atoms of 128 rows and 4 scales lie one after another along k.
constexpr unsigned ATOM_ROWS = 128, ATOM_BYTES = 512, ATOMS = (ROW_SCALES + 3) / 4;
// Rows of a group: adjacent ones, or those whose scales of 4 blocks share 16 bytes of an atom.
constexpr unsigned STRIDE = ATOM_SCALES ? 32 : 1;
static_assert(WARPS % SPLIT == 0 && (ROWS == 4 || !ATOM_SCALES), "teams or groups do not fit");

struct Operands {
  const unsigned char *a, *scales_a, *b, *scales_b;
  unsigned short *c;
  unsigned m;
};

DEVICE constexpr unsigned first_row(unsigned group) {
  return ATOM_SCALES ? group / 32 * ATOM_ROWS + group % 32 : group * ROWS;
}

// The part of k of a lane in chunk i of a warp.
struct Lane {
  unsigned lane, split;
  __device__ __forceinline__ unsigned block(unsigned i) const {
    return (split + i * SPLIT) * (CHUNK / 16) + lane * 2;
  }
  __device__ __forceinline__ bool inside(unsigned i) const {
    return (K % CHUNK == 0 && CHUNKS % SPLIT == 0) || block(i) < ROW_SCALES;
  }
};

// Where a lane's part of a row begins; chunks and further rows of a group are constants apart.
struct Source {
  const unsigned char *elements, *scales;
  int rows;  // of the matrix, from this one on

  __device__ __forceinline__ Source(const unsigned char *matrix, const unsigned char *scales_of,
                                    const Lane &at, unsigned row, unsigned m) {
    unsigned block = at.block(0);
    unsigned long long atom = (unsigned long long)(row / ATOM_ROWS) * ATOMS + block / 4;
    elements = matrix + (unsigned long long)row * ROW_BYTES + block * 8;
    scales = scales_of + (ATOM_SCALES ? atom * ATOM_BYTES + row % 32 * 16
                                      : (unsigned long long)row * ROW_SCALES + block);
    rows = int(m) - int(row);
    // All loads begin at these two addresses: what the compiler derives instead is slower.
    asm volatile("" : "+l"(elements), "+l"(scales));
  }
  __device__ __forceinline__ const unsigned char *chunk(unsigned i) const {
    return elements + i * SPLIT * (CHUNK / 2);
  }
  __device__ __forceinline__ const unsigned char *chunk_scales(unsigned i) const {
    return scales + i * SPLIT * (ATOM_SCALES ? CHUNK / 64 * ATOM_BYTES : CHUNK / 16);
  }
};

// A lane's part of b, as it lies in memory.
struct Packed {
  uint4 elements[WARP_CHUNKS];
  unsigned scales[WARP_CHUNKS];  // two

  __device__ __forceinline__ void load(const Source &from, const Lane &at) {
#pragma unroll
    for (int i = 0; i < WARP_CHUNKS; ++i) {
      if (!at.inside(i)) continue;
      elements[i] = load_wide(from.chunk(i));
      scales[i] = load_two(from.chunk_scales(i) + (ATOM_SCALES ? at.block(i) % 4 : 0));
    }
  }
};

// The same decoded.
struct Factors {
  Block low[WARP_CHUNKS], high[WARP_CHUNKS];
  float2 scales[WARP_CHUNKS];

  __device__ __forceinline__ Factors(const Decoder &decoder, const Packed &b) {
#pragma unroll
    for (int i = 0; i < WARP_CHUNKS; ++i) {
      low[i] = decoder.block(make_uint2(b.elements[i].x, b.elements[i].y));
      high[i] = decoder.block(make_uint2(b.elements[i].z, b.elements[i].w));
      scales[i] = decode_scales(b.scales[i]);
      scales[i].x *= UNIT, scales[i].y *= UNIT;
    }
  }
};

// A lane's part of a group. What is outside the matrix stays zero.
struct Item {
  uint4 a[WARP_CHUNKS][ROWS];
  unsigned scales[WARP_CHUNKS][ROWS];  // two of each row

  __device__ __forceinline__ void load(const Source &from, const Lane &at) {
#pragma unroll
    for (int i = 0; i < WARP_CHUNKS; ++i) {
      if (!at.inside(i)) continue;
#pragma unroll
      for (int j = 0; j < ROWS; ++j)
        if (FULL || j * int(STRIDE) < from.rows)
          a[i][j] = load_once(from.chunk(i) + j * STRIDE * ROW_BYTES);
      load_scales(i, from, at.block(i));
    }
  }

  __device__ __forceinline__ void load_scales(int i, const Source &from, unsigned block) {
#if ATOM_SCALES
    uint4 four = load_wide(from.chunk_scales(i));
    unsigned words[ROWS] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int j = 0; j < ROWS; ++j) scales[i][j] = words[j] >> block % 4 * 8;
#else
#pragma unroll
    for (int j = 0; j < ROWS; ++j)
      if (FULL || j < from.rows)
        scales[i][j] = load_two(from.chunk_scales(i) + j * ROW_SCALES);
#endif
  }
};

DEVICE void multiply(const Decoder &decoder, float (&sums)[ROWS], const Item &item,
                     const Factors &b) {
#pragma unroll
  for (int j = 0; j < ROWS; ++j) {
    sums[j] = 0;
#pragma unroll
    for (int i = 0; i < WARP_CHUNKS; ++i) {
      float2 scales = decode_scales(item.scales[i][j]);
      float low = decoder.dot(item.a[i][j].x, item.a[i][j].y, b.low[i]);
      float high = decoder.dot(item.a[i][j].z, item.a[i][j].w, b.high[i]);
      sums[j] = fmaf(low, scales.x * b.scales[i].x, sums[j]);
      sums[j] = fmaf(high, scales.y * b.scales[i].y, sums[j]);
    }
  }
}

// Adds the lanes' sums; lane 32 / ROWS * j then has that of row j. While there are several sums,
// each half of the lanes keeps half of them.
DEVICE float add_lanes(float (&sums)[ROWS], unsigned lane) {
#pragma unroll
  for (int count = ROWS / 2, distance = 16; distance > 0; count /= 2, distance /= 2) {
    bool high = lane & distance;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      float given = high ? sums[j] : sums[j + count], kept = high ? sums[j + count] : sums[j];
      sums[j] = kept + __shfl_xor_sync(~0u, given, distance);
    }
    if (count == 0) sums[0] += __shfl_xor_sync(~0u, sums[0], distance);
  }
  return sums[0];
}

DEVICE void store(const Operands &in, unsigned row, float sum) {
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(sum));
  if (FULL || row < in.m) in.c[row] = half;
}

// Adds what the warps of teams have, in the order of k, and stores it.
DEVICE void finish(const float (&partials)[GROUPS][SPLIT][ROWS], const Operands &in,
                   unsigned first, unsigned last) {
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < (last - first) * ROWS; i += 32 * WARPS) {
    unsigned group = i / ROWS, row = first_row(first + group) + i % ROWS * STRIDE;
    float sum = partials[group][0][i % ROWS];
    for (int j = 1; j < SPLIT; ++j) sum += partials[group][j][i % ROWS];
    store(in, row, sum);
  }
}

// Groups of one matrix, as many as there is room for.
DEVICE void compute(const Operands &in, unsigned first, unsigned last) {
  __shared__ float partials[GROUPS][SPLIT][ROWS];
  unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  Lane at = {lane, warp % SPLIT};
  auto source = [&](unsigned group) {
    return Source(in.a, in.scales_a, at, first_row(group), in.m);
  };
  Item items[STAGES] = {};
  Packed packed = {};
  Decoder decoder;
  unsigned ahead = first + warp / SPLIT, group = ahead;
  wait_for_earlier_work();  // before the first load
#pragma unroll
  for (int i = 0; i < STAGES; ++i, ahead += TEAMS)
    if (ahead < last) items[i].load(source(ahead), at);
  packed.load(Source(in.b, in.scales_b, at, 0, 1), at);
  Factors b(decoder, packed);
  while (group < last) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i) {
      if (group >= last) break;
      float sums[ROWS];
      multiply(decoder, sums, items[i], b);
      if (ahead < last) items[i].load(source(ahead), at);
      float sum = add_lanes(sums, lane);
      constexpr unsigned share = 32 / ROWS;
      if (lane % share == 0) partials[group - first][at.split][lane / share] = sum;
      group += TEAMS, ahead += TEAMS;
    }
  }
  __syncthreads();
  finish(partials, in, first, last);
  CHECKPOINT(0, "fma: the sums of %u groups are stored\n", last - first);
}

// `share` groups of all matrices for each CTA, and one more for the first `more`. `b_bytes` and
// `b_scale_bytes` are those from one vector to the next.
extern "C" __global__ void __launch_bounds__(32 * WARPS, CTAS_PER_SM)
nvfp4_gemv(const unsigned char *a, const unsigned char *scales_a, const unsigned char *b,
           const unsigned char *scales_b, unsigned short *c, unsigned m, unsigned groups,
           unsigned share, unsigned more, unsigned b_bytes, unsigned b_scale_bytes) {
  unsigned first = blockIdx.x * share + min(blockIdx.x, more), batch = 0;
  unsigned left = share + (blockIdx.x < more);
  let_later_work_begin();
  for (; first >= groups; first -= groups) ++batch;
  while (left > 0) {
    unsigned last = min(min(groups, first + left), first + GROUPS);
    unsigned long long i = batch;
    Operands in = {a + i * m * ROW_BYTES,
                   scales_a + i * (ATOM_SCALES ? groups / 32 * ATOMS * ATOM_BYTES : m * ROW_SCALES),
                   b + i * b_bytes, scales_b + i * b_scale_bytes, c + i * m, m};
    check_equal("A's address modulo 16", (unsigned long long)in.a % 16, 0);
    check_equal("b's address modulo 16", (unsigned long long)in.b % 16, 0);
    CHECKPOINT(0, "fma: groups %u to %u of matrix %u\n", first, last, batch);
    compute(in, first, last);
    left -= last - first, first = last;
    if (first == groups) first = 0, ++batch;
    if (left > 0) __syncthreads();
  }
}
