// Sums of tiles whose k is divided: among CTAs of a cluster, through their shared memory, and among
// clusters, through memory. They are always added in the order of k, so that a result does not depend
// on who comes first.
#pragma once
#include "cluster_sums.h"
#include "hopper_tiles.h"
#include "named_barriers.h"
#include "waiting_sums.h"

#if CLUSTER_K > 1 && SHARED_TILES != 2
static_assert(SLICE % 8 == 0 && BLOCKS == 1, "slices are of whole quads of registers");

// Adds up the parts of a tile, in the order of k: each CTA leaves its part in its stages, which no
// copy and no wgmma uses any more, and adds its slice of all of them.
template <int count>
DEVICE void add_slices(float (&sum)[count], const Tile &d, unsigned base, unsigned rank, unsigned warp,
                       unsigned lane) {
  constexpr unsigned QUADS = TILE_N / 8;
  static_assert(CONSUMERS * 4 * QUADS * 512 <= STAGES * STAGE_BYTES, "the stages hold a tile");
  named_barrier<128 * CONSUMERS>(1 + CONSUMERS);
  unsigned own = base + (warp * QUADS * 32 + lane) * 16;
#pragma unroll
  for (unsigned i = 0; i < QUADS; ++i) store_floats(own + i * 512, &d[0][4 * i]);
  cluster_barrier();
  unsigned slice = own + rank * (SLICE / 8) * 512;
#pragma unroll
  for (unsigned i = 0; i < count; ++i) sum[i] = 0;
#pragma unroll
  for (unsigned part = 0; part < CLUSTER_K; ++part) {
    unsigned there = in_cta(slice, part);
#pragma unroll
    for (unsigned i = 0; i < SLICE / 8; ++i) add_floats(&sum[4 * i], there + i * 512);
  }
}
#endif

#if SHARED_TILES == 2
// Adds up the parts of a tile that CTAs share, each of which leaves all registers of its part in
// memory; those of the tile's last cluster wait for them, and each adds its slice, in the order of k.
// Says whether this is one of them.
template <int count>
DEVICE bool add_waiting(float (&sum)[BLOCKS][count], const Tile &d, float4 *sums, const Work &work,
                        unsigned rank, unsigned warp, unsigned lane) {
  constexpr unsigned WARPS = CONSUMERS * 4, OF_BLOCK = TILE_N / 8, QUADS = BLOCKS * OF_BLOCK;
  constexpr unsigned OF_SLICE = SLICE / 8, APART = WARPS * QUADS * 32;
  constexpr bool OWN_IS_LAST = CLUSTER_K == 1;
  // Quads of a thread's registers that nothing else needs: for some of the sum, and of parts.
  constexpr int REST = (CONSUMER_REGISTERS - 64) / 4 - BLOCKS * (OWN_IS_LAST ? OF_BLOCK : OF_SLICE);
  constexpr unsigned FREE = REST < 4 ? 4 : REST;
  constexpr unsigned MOST = FREE < 8 ? 2 : FREE < 16 ? 4 : 8;
  constexpr unsigned SOME = MOST < OF_SLICE ? MOST : OF_SLICE;
  constexpr unsigned AT_ONCE = FREE / SOME - 1 < 8 ? FREE / SOME - 1 : 8;
  unsigned parts = work.parts * CLUSTER_K, part = work.part * CLUSTER_K, slot = work.slot;
  if constexpr (CLUSTER_K > 1) part += rank;
  else slot = slot * CTAS + rank;
  sums += (static_cast<unsigned long long>(slot) * parts * WARPS + warp) * QUADS * 32 + lane;
  bool waits = work.part == work.parts - 1;
  if (!(OWN_IS_LAST && waits)) {
#pragma unroll
    for (unsigned i = 0; i < QUADS; ++i)
      leave(sums + part * APART + i * 32, &d[i / OF_BLOCK][i % OF_BLOCK * 4]);
  }
  if (!waits) return false;
  if constexpr (CLUSTER_K > 1) sums += rank * OF_SLICE * 32;
#pragma unroll
  for (unsigned block = 0; block < BLOCKS; ++block) {
#pragma unroll
    for (unsigned i = 0; i < OF_SLICE; i += SOME) {
      float more[4 * SOME] = {};
      add_waited<SOME, AT_ONCE>(more, sums + (block * OF_BLOCK + i) * 32, OF_SLICE - i,
                                OWN_IS_LAST ? parts - 1 : parts, APART);
#pragma unroll
      for (unsigned j = 4 * i; j < 4 * (i + SOME) && j < 4 * OF_SLICE; ++j)
        sum[block][j] = OWN_IS_LAST ? more[j - 4 * i] + d[block][j] : more[j - 4 * i];
    }
  }
#pragma unroll
  for (unsigned i = 4 * OF_SLICE; i < count; ++i) sum[0][i] = 0;  // stmatrix writes sixteens
  return true;
}
#elif SHARED_TILES
// Arrives for a part of a tile whose sums are in memory; says whether the other parts are there. The
// last one makes the counter zero again, for the next launch.
DEVICE bool arrives_last(unsigned *arrived, const Work &work) {
  unsigned before;
  asm volatile("atom.global.inc.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(before) : "l"(arrived), "r"(work.parts - 1u) : "memory");
  return before + 1 == work.parts;
}

// Adds up the parts of a tile that several clusters share: each warp leaves its `count` registers in
// memory, and the one that comes last has the sum of all in them. The order of the additions is that
// of the parts, whoever comes last, so that the sum is always the same. Says whether this warp came
// last; the warps of a consumer that stores with all of them come together.
template <unsigned count>
DEVICE bool add_parts(float *registers, const Partials &partials, const Work &work, unsigned rank,
                      unsigned warp, unsigned lane) {
  constexpr unsigned WARPS = CONSUMERS * 4, QUADS = count / 4, PART = CTAS * WARPS;
  unsigned first = (work.slot * CTAS + rank) * WARPS + warp;
  float4 *sums = partials.sums + static_cast<unsigned long long>(first) * QUADS * 32 + lane;
  float4 *own = sums + work.part * PART * QUADS * 32;
#pragma unroll
  for (unsigned i = 0; i < QUADS; ++i)
    own[i * 32] = make_float4(registers[4 * i], registers[4 * i + 1], registers[4 * i + 2],
                              registers[4 * i + 3]);
  bool last = false;
#if SWAPPED
  unsigned consumer = warp / 4;
  named_barrier<128>(1 + consumer);
  if (warp % 4 == 0 && lane == 0) last = arrives_last(partials.arrived + first, work);
  last = barrier_or<128>(1 + consumer, last);
#else
  __syncwarp();
  if (lane == 0) last = arrives_last(partials.arrived + first, work);
  last = __shfl_sync(~0u, last, 0);
#endif
  if (!last) return false;
  __syncwarp();
  // Of two parts this warp has one in its registers, and their order makes no difference.
  bool two = work.parts == 2;
#pragma unroll
  for (unsigned i = 0; i < QUADS * 4; ++i) registers[i] = two ? registers[i] : 0;
  // Several parts of few registers are on their way at once.
#pragma unroll(QUADS < 8 ? 8 / QUADS : 1)
  for (unsigned part = 0; part < work.parts; ++part, sums += PART * QUADS * 32) {
    if (two && part == work.part) continue;
#pragma unroll
    for (unsigned i = 0; i < QUADS; ++i) {
      float4 more = sums[i * 32];
      registers[4 * i] += more.x, registers[4 * i + 1] += more.y;
      registers[4 * i + 2] += more.z, registers[4 * i + 3] += more.w;
    }
  }
  return true;
}
#endif
