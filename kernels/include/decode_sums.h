// What decode attention stores: rows of O, sums of parts of a row, and the sum of those.
#pragma once
#include "decode_work.h"

struct Results {
  unsigned short *o;
  float *log_sum_exp;
};

// Stores rows of O and the logarithm of their sums. A row without keys has O = 0 and -inf.
DEVICE void store(const Output &o, const Softmax &softmax, const Results &results,
                  const Problem &problem, const Part &part, int warp, int lane) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    Place place(problem, part.sequence, part.head, d_row(warp, lane, 2 * half, 0));
    if (!place.there) continue;
    float inverse = softmax.sum[half] == 0 ? 0 : 1 / softmax.sum[half];
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 2; i += 2)
      if (half_of(i) == half)
        *reinterpret_cast<unsigned *>(results.o + place.o + d_column(0, lane, i, 0)) =
            pack(o[i] * inverse, o[i + 1] * inverse);
    if (d_column(0, lane, 0, 0) == 0)
      results.log_sum_exp[place.log_sum_exp] = softmax.log_sum(half, problem.scale);
  }
}

DEVICE void store_part(const Output &o, const Softmax &softmax, const Partials &partials, int slot,
                       int warp, int lane) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int row = d_row(warp, lane, 2 * half, 0);
    if (row >= partials.rows) continue;
    float *sums = partials.sums + partials.row(slot, row) * HEAD_DIM;
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 2; i += 2)
      if (half_of(i) == half)
        *reinterpret_cast<float2 *>(sums + d_column(0, lane, i, 0)) = make_float2(o[i], o[i + 1]);
    if (d_column(0, lane, 0, 0) == 0)
      partials.statistics[partials.row(slot, row)] =
          make_float2(softmax.maximum[half], softmax.sum[half]);
  }
}

// Parts of a row that a warp loads at once: memory answers slowly.
constexpr int AT_ONCE = 16;

// Sums of parts of a row relative to a maximum; `weight` is a lane's part of the sum of weights.
// One CTA of many runs this, once: its instructions come from memory, so that they must be few.
struct RowSum {
  float most, weight;
  Columns columns;

  // Adds up every `step`-th part of a row from `i` on; all lanes of a warp have the maximum. No load
  // depends on another one.
  __device__ __forceinline__ RowSum(const Partials &partials, const Head &head, int row, int i,
                                    int step, float scale, int lane)
      : most(minus_infinity()), weight(0), columns{} {
    // Rows of parts that follow each other are equally far apart, but for the first one's.
    unsigned apart = 2 * head.team * partials.rows, begin = 2 * head.cta * partials.rows + row;
    unsigned second = head.second ? partials.rows : 0;
    int last = head.parts - 1;
#pragma unroll 1
    for (; i <= last; i += AT_ONCE * step) {
      // Behind the last one the last one is loaded again, and weighs nothing: with a branch around
      // each addition ptxas makes the loads wait for each other.
      Columns more[AT_ONCE];
      more[0] = partials.columns(begin + i * apart + (i ? 0 : second), lane);
#pragma unroll
      for (int j = 1; j < AT_ONCE; ++j) {
        unsigned part = min(i + j * step, last);
        more[j] = partials.columns(begin + part * apart + (part ? 0 : second), lane);
      }
      int mine = i + lane % AT_ONCE * step, part = min(mine, last);
      float2 own = partials.statistics[begin + part * apart + (part ? 0 : second)];
      if (mine > last) own = make_float2(minus_infinity(), 0);
      float before = most;
      most = fmaxf(most, own.x);
#pragma unroll
      for (int other = AT_ONCE / 2; other > 0; other /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, other));
      float base = most == minus_infinity() ? 0 : most;
      float kept = exp2_approx((before - base) * scale);
      float factor = exp2_approx((own.x - base) * scale);
      weight = fmaf(own.y, factor, weight * kept);
#pragma unroll
      for (int k = 0; k < HEAD_DIM / 32; ++k) columns.values[k] *= kept;
#pragma unroll
      for (int j = 0; j < AT_ONCE; ++j) {
        float each = __shfl_sync(~0u, factor, j);
#pragma unroll
        for (int k = 0; k < HEAD_DIM / 32; ++k)
          columns.values[k] = fmaf(more[j].values[k], each, columns.values[k]);
      }
    }
    // The two halves of a warp have the same parts.
#pragma unroll
    for (int other = AT_ONCE / 2; other > 0; other /= 2)
      weight += __shfl_xor_sync(~0u, weight, other);
  }
  __device__ __forceinline__ void add(const float2 &statistics, const Columns &more, float scale) {
    float before = most;
    most = fmaxf(before, statistics.x);
    float base = most == minus_infinity() ? 0 : most;
    float kept = exp2_approx((before - base) * scale);
    float factor = exp2_approx((statistics.x - base) * scale);
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 32; ++i)
      columns.values[i] = fmaf(more.values[i], factor, columns.values[i] * kept);
    weight = fmaf(statistics.y, factor, weight * kept);
  }
  __device__ __forceinline__ void store(const Results &results, const Place &place, float scale,
                                        int lane) const {
    float inverse = weight == 0 ? 0 : 1 / weight;
#pragma unroll
    for (int i = 0; i < HEAD_DIM / 32; i += 2)
      *reinterpret_cast<unsigned *>(results.o + place.o + lane * (HEAD_DIM / 32) + i) =
          pack(columns.values[i] * inverse, columns.values[i + 1] * inverse);
    Softmax whole;
    whole.maximum[0] = most;
    whole.sum[0] = weight;
    if (lane == 0) results.log_sum_exp[place.log_sum_exp] = whole.log_sum(0, scale);
  }
};

#if JOINS
// Arrives for a part of a head whose sums are in memory; says whether the others are there. The last
// one makes the counter zero again, for the next launch.
DEVICE bool arrives_last(unsigned *arrived, int parts) {
  unsigned before;
  asm volatile("atom.global.inc.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(before) : "l"(arrived), "r"(parts - 1u) : "memory");
  return before + 1 == parts;
}

// Adds up the parts of a head in the CTA whose part comes last.
DEVICE void join(const Results &results, const Partials &partials, unsigned *arrived,
                 const Problem &problem, const Part &part, const Head &head, int warp, int lane) {
  meet();
  bool last = false;
  if (warp == 0 && lane == 0)
    last = arrives_last(arrived + part.sequence * problem.heads + part.head, head.parts);
  if (!barrier_or<32 * WARPS>(1, last)) return;
#pragma unroll 1
  for (int row = warp; row < problem.rows; row += WARPS) {
    RowSum sum(partials, head, row, 0, 1, problem.scale, lane);
    Place place(problem, part.sequence, part.head, row);
    if (place.there) sum.store(results, place, problem.scale, lane);
  }
}
#endif
