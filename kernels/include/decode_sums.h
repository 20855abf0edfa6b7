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
struct RowSum {
  float most, weight;
  Columns columns;

  // Adds up every `step`-th part of a row from `i` on; all lanes of a warp have the maximum.
  __device__ __forceinline__ RowSum(const Partials &partials, const Head &head, int row, int i,
                                    int step, float scale, int lane)
      : most(minus_infinity()), weight(0), columns{} {
    for (int part = i + lane * step; part < head.parts; part += 32 * step)
      most = fmaxf(most, partials.statistics[partials.row(head.slot(part), row)].x);
#pragma unroll
    for (int other = 16; other > 0; other /= 2)
      most = fmaxf(most, __shfl_xor_sync(~0u, most, other));
    float base = most == minus_infinity() ? 0 : most;
    for (; i < head.parts; i += 32 * step) {
      float factor = 0;
      if (i + lane * step < head.parts) {
        float2 own = partials.statistics[partials.row(head.slot(i + lane * step), row)];
        factor = exp2_approx((own.x - base) * scale);
        weight = fmaf(own.y, factor, weight);
      }
      for (int first = 0; first < 32 && i + first * step < head.parts; first += AT_ONCE) {
        Columns more[AT_ONCE] = {};
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j)
          if (int part = i + (first + j) * step; part < head.parts)
            more[j] = partials.columns(head.slot(part), row, lane);
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j) {
          float own = __shfl_sync(~0u, factor, first + j);
#pragma unroll
          for (int k = 0; k < HEAD_DIM / 32; ++k)
            columns.values[k] = fmaf(more[j].values[k], own, columns.values[k]);
        }
      }
    }
#pragma unroll
    for (int other = 16; other > 0; other /= 2) weight += __shfl_xor_sync(~0u, weight, other);
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
  for (int row = warp; row < problem.rows; row += WARPS) {
    Place place(problem, part.sequence, part.head, row);
    if (!place.there) return;
    RowSum(partials, head, row, 0, 1, problem.scale, lane).store(results, place, problem.scale, lane);
  }
}
#endif
