// What decode attention stores: rows of O, sums of parts of a row, and the sum of those.
#pragma once
#include "decode_work.h"

// What is left for another CTA. If JOINS, that one waits for it: a word that is no longer 0 says
// itself that it is there, so no fence and no second message lie between sums and their addition.
DEVICE void leave(float2 *to, float2 values) {
  float a = values.x == 0 ? -0.f : values.x, b = values.y == 0 ? -0.f : values.y;
  asm volatile("st.relaxed.gpu.global.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(a), "f"(b) : "memory");
}
template <int words>
DEVICE void look(float (&values)[words], const void *from) {
  static_assert(words == 2 || words == 4);
  if constexpr (words == 4)
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
                 : "l"(from) : "memory");
  else
    asm volatile("ld.relaxed.gpu.global.v2.f32 {%0, %1}, [%2];"
                 : "=f"(values[0]), "=f"(values[1]) : "l"(from) : "memory");
}
// The least of words as they lie in memory: 0 if one of them is not there yet.
template <int words>
DEVICE unsigned least(const float (&values)[words]) {
  unsigned found = ~0u;
#pragma unroll
  for (int i = 0; i < words; i += 2)
    found = min(found, min(__float_as_uint(values[i]), __float_as_uint(values[i + 1])));
  return found;
}

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
        leave(reinterpret_cast<float2 *>(sums + d_column(0, lane, i, 0)),
              make_float2(o[i], o[i + 1]));
    if (d_column(0, lane, 0, 0) == 0)
      leave(partials.statistics + partials.row(slot, row),
            make_float2(softmax.maximum[half], softmax.sum[half]));
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
  // depends on another one. If JOINS, each is waited for, and its words are 0 again behind that.
  __device__ __forceinline__ RowSum(const Partials &partials, const Head &head, int row, int i,
                                    int step, float scale, int lane)
      : most(minus_infinity()), weight(0), columns{} {
    // Rows of parts that follow each other are equally far apart, but for the first one's.
    unsigned apart = 2 * head.team * partials.rows, begin = 2 * head.cta * partials.rows + row;
    unsigned second = head.second ? partials.rows : 0;
    int last = head.parts - 1;
    auto at = [&](unsigned part) { return begin + part * apart + (part ? 0 : second); };
#pragma unroll 1
    while (i <= last) {
      // Behind the last one the last one is loaded again, and weighs nothing: with a branch around
      // each addition ptxas makes the loads wait for each other.
      Columns more[AT_ONCE];
      float own[2];
      int mine = i + lane % AT_ONCE * step;
      look(own, partials.statistics + at(min(mine, last)));
#pragma unroll
      for (int j = 0; j < AT_ONCE; ++j)
        look(more[j].values, partials.columns(at(min(i + j * step, last)), lane));
      unsigned none = least(own);
#pragma unroll
      for (int j = 0; j < AT_ONCE; ++j) none = min(none, least(more[j].values));
      // Sums that are not there yet are added all the same, and dropped: while a warp waits, the
      // instructions for those that it waits for come from memory.
      RowSum sum = *this;
      sum.add(own, more, mine <= last, scale);
      if (JOINS && __any_sync(~0u, none == 0)) continue;
      *this = sum;
      if constexpr (JOINS) {
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j)
          *partials.columns(at(min(i + j * step, last)), lane) = {};
        partials.statistics[at(min(mine, last))] = {};
      }
      i += AT_ONCE * step;
    }
    // The two halves of a warp have the same parts.
#pragma unroll
    for (int other = AT_ONCE / 2; other > 0; other /= 2)
      weight += __shfl_xor_sync(~0u, weight, other);
  }
  // Adds some parts, of which a lane of each half of a warp has the statistics of one, if it counts.
  __device__ __forceinline__ void add(const float (&statistics)[2], const Columns (&more)[AT_ONCE],
                                      bool counts, float scale) {
    float before = most, own = counts ? statistics[0] : minus_infinity();
    most = fmaxf(most, own);
#pragma unroll
    for (int other = AT_ONCE / 2; other > 0; other /= 2)
      most = fmaxf(most, __shfl_xor_sync(~0u, most, other));
    float base = most == minus_infinity() ? 0 : most;
    float kept = exp2_approx((before - base) * scale);
    float factor = exp2_approx((own - base) * scale);
    weight = fmaf(counts ? statistics[1] : 0, factor, weight * kept);
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
// Adds up the parts of a head, as soon as each is there.
DEVICE void join(const Results &results, const Partials &partials, const Problem &problem,
                 const Part &part, const Head &head, int warp, int lane) {
#pragma unroll 1
  for (int row = warp; row < problem.rows; row += WARPS) {
    Place place(problem, part.sequence, part.head, row);
    RowSum sum(partials, head, row, 0, 1, problem.scale, lane);
    if (place.there) sum.store(results, place, problem.scale, lane);
  }
}
#endif
