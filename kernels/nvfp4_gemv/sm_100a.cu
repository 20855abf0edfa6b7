// c = A b with nvfp4: on CUDA cores, or on the tensor core with IMPL_MMA; README.md draws both data
// paths.
#if !IMPL_MMA
#include "nvfp4_fma.h"
#else
// A CTA has 128 rows and a part of k. b is one of the eight columns of an operand B, whose other
// columns are zeros. A cluster of SPLIT CTAs goes through k; its first CTA adds their sums in order,
// so that equal inputs give equal bits. K is counted in bytes here, of two elements each.
#include "blackwell.h"
#include "blackwell_scaled.h"

constexpr unsigned TILE_M = 128, TILE_N = 8, TILE_K = 128;  // a row of the 128-byte swizzle
constexpr int STEP = 32, STEPS = TILE_K / STEP;             // 64 elements of k
constexpr int LOAD_WARP = 4, MMA_WARP = 5;
constexpr int THREADS = 32 * (MMA_WARP + 1);
constexpr unsigned A_BYTES = TILE_M * TILE_K, B_BYTES = TILE_N * TILE_K;
constexpr unsigned SCALE_BYTES = STEPS * ATOM_BYTES;  // a step takes an atom
constexpr unsigned STAGE_BYTES = A_BYTES + B_BYTES + 2 * SCALE_BYTES;
// Shared memory: A and B of all stages, their scales, the cluster's sums, mbarriers of the stages
// and of the whole sum, the address of tensor memory.
constexpr unsigned SCALES = STAGES * (A_BYTES + B_BYTES);
constexpr unsigned SUMS = SCALES + STAGES * 2 * SCALE_BYTES;
constexpr unsigned BARRIERS = SUMS + SPLIT * TILE_M * 4;
constexpr unsigned DONE = BARRIERS + STAGES * 16, SLOT = DONE + 8;
// Tensor memory: the sum, then the scales of a stage.
constexpr unsigned SFA_COLUMN = 16, SFB_COLUMN = SFA_COLUMN + STEPS * COPY_COLUMNS, COLUMNS = 64;
static_assert(TILE_N <= SFA_COLUMN && SFB_COLUMN + STEPS * COPY_COLUMNS <= COLUMNS,
              "tensor memory is too small");
// Instruction descriptor (PTX ISA 9.0, tcgen05, "Instruction descriptor"): A and B are e2m1 (1) and
// K-major, the scales ue4m3 (0) from byte 0 of their columns.
constexpr unsigned DESCRIPTOR = 1u << 7 | 1u << 10 | TILE_N / 8 << 17 | TILE_M / 16 << 24;

// tcgen05.cp must put every scale where tcgen05.mma reads it.
#define SCALES_ARRIVE(map)                                                                        \
  DEVICE constexpr bool map##_arrives() {                                                         \
    for (int lane = 0; lane < 128; ++lane)                                                        \
      for (int column = 0; column < ATOM_COLUMNS; ++column)                                       \
        for (int byte = 0; byte < 4; ++byte)                                                      \
          if (map##_defined(lane, column, byte) &&                                                \
              copied_from(lane, column, byte) !=                                                  \
                  atom_place(map##_row(lane, column, byte), map##_block(lane, column, byte)))     \
            return false;                                                                         \
    return true;                                                                                  \
  }                                                                                               \
  static_assert(map##_arrives(), "tcgen05.cp does not put scales where tcgen05.mma reads them");
SCALES_ARRIVE(sfa)
SCALES_ARRIVE(sfb)

// Column of tensor memory with the products by b, and the row of A of a lane of it.
DEVICE constexpr unsigned product_column() {
  for (int column = 0; column < TILE_N; ++column)
    if (sum_column(0, column, 0) == 0) return column;
  return TILE_N;
}
static_assert(product_column() < TILE_N, "tcgen05.mma puts no products by b on lane 0");

// Stores to the same place in the cluster's first CTA.
DEVICE void store_to_first(unsigned address, unsigned value) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, 0;\n"
               "st.shared::cluster.b32 [remote], %1;\n"
               "}" ::"r"(address), "r"(value) : "memory");
}

// The stage that comes next, and the parity of the phase that makes it full.
struct Pipeline {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned a() const { return base + stage * (A_BYTES + B_BYTES); }
  __device__ __forceinline__ unsigned b() const { return a() + A_BYTES; }
  __device__ __forceinline__ unsigned sfa() const { return base + SCALES + stage * 2 * SCALE_BYTES; }
  __device__ __forceinline__ unsigned sfb() const { return sfa() + SCALE_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + BARRIERS + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

// A CTA's part: rows of a matrix, and blocks of k.
struct Part {
  unsigned tile, batch, tiles, first, last;
};

struct Maps {
  const TensorMap &a, &b, &sfa, &sfb;
};

DEVICE void produce(Pipeline pipe, const Maps &maps, const Part &part) {
  for (unsigned block = part.first; block < part.last; ++block) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    mbarrier_expect(pipe.full(), STAGE_BYTES);
    tma_load_3d(pipe.a(), maps.a, block * TILE_K, part.tile * TILE_M, part.batch, pipe.full());
    tma_load_3d(pipe.b(), maps.b, block * TILE_K, 0, part.batch, pipe.full());
    tma_load_3d(pipe.sfa(), maps.sfa, 0, block * STEPS, part.batch * part.tiles + part.tile,
                pipe.full());
    tma_load_3d(pipe.sfb(), maps.sfb, 0, block * STEPS, part.batch, pipe.full());
    pipe.advance();
  }
}

// The tensor core executes the copies of scales and the products in the order in which one thread
// issues them, so that a stage's scales may lie where those of the stage before were.
DEVICE void accumulate(Pipeline pipe, unsigned columns, const Part &part) {
  for (unsigned block = part.first; block < part.last; ++block) {
    mbarrier_wait(pipe.full(), pipe.parity);
    unsigned long long a = operand_descriptor(pipe.a()), b = operand_descriptor(pipe.b());
    check_shared_descriptor(a, pipe.a(), 1024, 2);
    check_shared_descriptor(b, pipe.b(), 1024, 2);
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      unsigned sfa = columns + SFA_COLUMN + step * COPY_COLUMNS;
      unsigned sfb = columns + SFB_COLUMN + step * COPY_COLUMNS;
      copy_atom(sfa, pipe.sfa() + step * ATOM_BYTES);
      copy_atom(sfb, pipe.sfb() + step * ATOM_BYTES);
      unsigned long long k = descriptor_step(step * STEP);
      check_scaled_descriptor(DESCRIPTOR, TILE_M, TILE_N, 1, 1, 0, 0);
      mma_scaled(columns, a + k, b + k, DESCRIPTOR, sfa, sfb, block > part.first || step > 0);
    }
    mma_commit(pipe.empty());
    pipe.advance();
  }
  mma_commit(pipe.base + DONE);
}

DEVICE void store(unsigned short *c, float sum, unsigned row, const Part &part, unsigned m) {
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(sum));
  if (row < m) c[(unsigned long long)part.batch * m + row] = half;
}

// Takes a warp's 32 rows to the sums of the cluster, or to memory where a CTA has all of k.
DEVICE void finish(unsigned short *c, unsigned base, unsigned columns, const Part &part, unsigned m,
                   unsigned rank, unsigned warp, unsigned lane) {
  mbarrier_wait(base + DONE, 0);
  tcgen05_fence_after_thread_sync();
  unsigned d[1];
  tcgen05_ld_32x32b_x1(d, columns + product_column() + (32 * warp << 16));
  tcgen05_wait_ld(d);
  unsigned row = sum_row(32 * warp + d_lane(lane, 0, 0), product_column(), 0);
  if constexpr (SPLIT > 1)
    store_to_first(base + SUMS + (rank * TILE_M + row) * 4, d[0]);
  else
    store(c, __uint_as_float(d[0]), part.tile * TILE_M + row, part, m);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(SPLIT, 1, 1)
nvfp4_gemv(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
           const __grid_constant__ TensorMap sfa, const __grid_constant__ TensorMap sfb,
           unsigned short *c, unsigned m, unsigned k_blocks) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  unsigned rank = blockIdx.x % SPLIT, tiles = (m + TILE_M - 1) / TILE_M;
  unsigned tile = blockIdx.x / SPLIT;
  Part part = {tile % tiles, tile / tiles, tiles, k_blocks * rank / SPLIT,
               k_blocks * (rank + 1) / SPLIT};
  Pipeline pipe = {base, 0, 0};
  if (warp == LOAD_WARP && lane == 0) {
    for (unsigned i = 0; i < STAGES; ++i) {
      mbarrier_init(Pipeline{base, i, 0}.full(), 1);
      mbarrier_init(Pipeline{base, i, 0}.empty(), 1);
    }
    mbarrier_init(base + DONE, 1);
    fence_mbarrier_init();
  }
  if (warp == MMA_WARP) {
    tcgen05_alloc<COLUMNS>(reinterpret_cast<unsigned *>(memory + SLOT));
    tcgen05_relinquish_alloc_permit();
  }
  // No CTA may store to the first one before that has begun.
  barrier_of_all<SPLIT>();
  unsigned columns = *reinterpret_cast<unsigned *>(memory + SLOT);
  check_equal("shared memory's address modulo 1024", base % 1024, 0);
  check_equal("the lane of the address of tensor memory", columns >> 16, 0);

  if (warp == LOAD_WARP) {
    // Role: load.
    CHECKPOINT(32 * LOAD_WARP, "load: tile %u of matrix %u, blocks of k from %u to %u\n", part.tile,
               part.batch, part.first, part.last);
    if (lane == 0) produce(pipe, {a, b, sfa, sfb}, part);
  } else if (warp == MMA_WARP) {
    // Role: mma.
    CHECKPOINT(32 * MMA_WARP, "mma: sums from column %u, scales from column %u on\n", columns,
               columns + SFA_COLUMN);
    if (lane == 0) accumulate(pipe, columns, part);
  } else {
    // Role: epilogue.
    finish(c, base, columns, part, m, rank, warp, lane);
    CHECKPOINT(0, "epilogue: the sums of CTA %u are out of tensor memory\n", rank);
  }
  // Role: all.
  barrier_of_all<SPLIT>();
  if (warp == MMA_WARP) tcgen05_dealloc<COLUMNS>(columns);
  if (SPLIT > 1 && rank == 0 && threadIdx.x < TILE_M) {
    const float *sums = reinterpret_cast<const float *>(memory + SUMS) + threadIdx.x;
    float sum = sums[0];
    for (unsigned i = 1; i < SPLIT; ++i) sum += sums[i * TILE_M];
    store(c, sum, part.tile * TILE_M + threadIdx.x, part, m);
  }
}
#endif
