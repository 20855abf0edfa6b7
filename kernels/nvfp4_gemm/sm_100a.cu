// C[l] = alpha * A[l] @ B[l].T of block-scaled A and B with tcgen05.mma; README.md draws the data
// path. Elements of 4 bits are packed two to a byte, and K is counted in bytes here.
//
// Warps 0 to 3 are the epilogue, each for the 32 lanes of tensor memory that it can reach. Then
// come a warp that copies and one that multiplies. CTAs are persistent. A cluster of two CTAs
// (CLUSTER_M 2) computes a tile of 256 rows: each has half of A's rows and scales, half of B's rows,
// and all scales of B, of which it loads half for both. The first CTA issues the products.
#include "blackwell_output.h"
#include "blackwell_scaled.h"

constexpr int CTAS = CLUSTER_M;
constexpr unsigned TILE_M = 128, TILE_K = 128;  // bytes of K: a row of the 128-byte swizzle
constexpr int STEP = 32, STEPS = TILE_K / STEP;
constexpr int LOAD_WARP = 4, MMA_WARP = 5;
constexpr int THREADS = 32 * (MMA_WARP + 1);
// A step takes SCALE_VECTOR scales of a row.
constexpr int ATOMS = STEPS * SCALE_VECTOR / ATOM_COLUMNS;
constexpr int B_ATOM_TILES = (TILE_N + ATOM_ROWS - 1) / ATOM_ROWS;
constexpr unsigned A_BYTES = TILE_M * TILE_K, B_BYTES = TILE_N / CTAS * TILE_K;
constexpr unsigned SFA_BYTES = ATOMS * ATOM_BYTES, SFB_BYTES = SFA_BYTES * B_ATOM_TILES;
constexpr unsigned STAGE_BYTES = A_BYTES + B_BYTES + SFA_BYTES + SFB_BYTES;
// What a CTA of a pair loads of SFB for both: one atom of 128 rows of the two, else one half of the
// atoms along k, else one half of the only atom.
constexpr bool SPLIT_TILES = CTAS > 1 && B_ATOM_TILES > 1;
constexpr bool SPLIT_ATOMS = CTAS > 1 && !SPLIT_TILES && ATOMS > 1;
constexpr bool SPLIT_BYTES = CTAS > 1 && !SPLIT_TILES && !SPLIT_ATOMS;
// Shared memory: A and B of all stages, two boxes of C for each warp of the epilogue, all of them
// at multiples of the swizzle's 1024 bytes; scales of all stages, mbarriers of stages and
// accumulators, the address of tensor memory.
constexpr unsigned BOXES = STAGES * (A_BYTES + B_BYTES);
constexpr unsigned SCALES = BOXES + 4 * 2 * BOX_BYTES;
constexpr unsigned BARRIERS = SCALES + STAGES * (SFA_BYTES + SFB_BYTES);
static_assert(BOXES % 1024 == 0, "a box does not begin where the swizzle does");
constexpr unsigned ACCUMULATOR_BARRIERS = BARRIERS + STAGES * 16;
constexpr unsigned SLOT = ACCUMULATOR_BARRIERS + 2 * 16;
// Tensor memory: accumulators, then the scales of a stage.
constexpr unsigned SFA_COLUMN = ACCUMULATORS * TILE_N;
constexpr unsigned SFB_COLUMN = SFA_COLUMN + ATOMS * COPY_COLUMNS;
constexpr unsigned END_COLUMN = SFB_COLUMN + ATOMS * B_ATOM_TILES * COPY_COLUMNS;
static_assert(END_COLUMN <= 512, "tensor memory is too small");

// Instruction descriptor of block-scaled kinds (PTX ISA 9.0, tcgen05, "Instruction descriptor"):
// A and B are K-major and of one type; `id` is the byte of the scales' columns where a step's are.
DEVICE constexpr unsigned scaled_descriptor(unsigned id) {
  return id << 4 | ELEMENT_TYPE << 7 | ELEMENT_TYPE << 10 | TILE_N / 8 << 17 | SCALE_UE8M0 << 23 |
         CTAS * TILE_M / 16 << 24 | id << 29;
}

// Column of a copied atom in which a row's scales lie.
DEVICE constexpr int scale_column(int row) {
  for (int column = 0; column < COPY_COLUMNS; ++column)
    if (copied_from(0, column, 0) == atom_place(row, 0)) return column;
  return -1;
}

// A cell of tensor memory of a CTA, and whether its scale of B is for this CTA's rows of D.
#if CLUSTER_M == 2
#define CELL(cta, lane, column, byte) cta, lane, column, byte
#define OWN_HALF(map, cta, lane, column, byte) (map##_half(cta, lane, column, byte) == cta)
#else
#define CELL(cta, lane, column, byte) lane, column, byte
#define OWN_HALF(map, cta, lane, column, byte) true
#endif

// Whether tcgen05.cp puts every scale where tcgen05.mma with this id reads it, `first` rows into an
// atom; the atoms of more than 128 rows are copied side by side. A CTA of a pair has the scales of A
// from row `own` times its rank on.
#define SCALES_ARRIVE(map, id, columns, first, own, half)                                      \
  DEVICE constexpr bool map##id##_arrives_##first(int cta) {                                   \
    for (int lane = 0; lane < 128; ++lane)                                                     \
      for (int column = 0; column < columns; ++column)                                         \
        for (int byte = 0; byte < 4; ++byte) {                                                 \
          if (!map##id##_defined(CELL(cta, lane, column, byte))) continue;                     \
          int row = map##id##_row(CELL(cta, lane, column, byte)) + first - own * cta;          \
          int to = column + scale_column(first);                                               \
          int block = map##id##_block(CELL(cta, lane, column, byte)) + id;                     \
          if (!half || row / ATOM_ROWS != to / COPY_COLUMNS ||                                 \
              copied_from(lane, to % COPY_COLUMNS, byte) !=                                    \
                  atom_place(row % ATOM_ROWS, block))                                          \
            return false;                                                                      \
        }                                                                                      \
    return true;                                                                               \
  }                                                                                            \
  static_assert(map##id##_arrives_##first(0) && map##id##_arrives_##first(CTAS - 1),           \
                "tcgen05.cp does not put scales where tcgen05.mma reads them");
#define SFA_ARRIVES(id) SCALES_ARRIVE(sfa, id, 4, 0, int(TILE_M), true)
#define SFB_ARRIVES(id, columns, first) \
  SCALES_ARRIVE(sfb, id, columns, first, 0, OWN_HALF(sfb##id, cta, lane, column, byte))
#if TILE_N == 64
#define SCALES_OF(id)                \
  SFA_ARRIVES(id)                    \
  SFB_ARRIVES(id, 4, 0)              \
  SFB_ARRIVES(id, 2, 64)
#else
#define SCALES_OF(id)                \
  SFA_ARRIVES(id)                    \
  SFB_ARRIVES(id, 4 * B_ATOM_TILES, 0)
#endif
SCALES_OF(0)
#if SCALE_VECTOR <= 2
SCALES_OF(2)
#endif
#if SCALE_VECTOR == 1
SCALES_OF(1)
SCALES_OF(3)
#endif

// The stage that comes next, and the parity of the phase that makes it full.
struct Pipeline {
  unsigned base, stage, parity;
  __device__ __forceinline__ unsigned a() const { return base + stage * (A_BYTES + B_BYTES); }
  __device__ __forceinline__ unsigned b() const { return a() + A_BYTES; }
  __device__ __forceinline__ unsigned sfa() const {
    return base + SCALES + stage * (SFA_BYTES + SFB_BYTES);
  }
  __device__ __forceinline__ unsigned sfb() const { return sfa() + SFA_BYTES; }
  __device__ __forceinline__ unsigned full() const { return base + BARRIERS + stage * 16; }
  __device__ __forceinline__ unsigned empty() const { return full() + 8; }
  __device__ __forceinline__ void advance() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

#include "blackwell_accumulator.h"

// The host's order of tiles, m << 16 | n, which every matrix of the batch goes through.
struct Work {
  const unsigned *schedule;
  unsigned tiles, batches, k_blocks, a_atom_tiles, b_atom_tiles;
};

// Where a tile begins; a pair's CTAs compute it together.
struct Place {
  unsigned row, column, batch;
  __device__ __forceinline__ Place(const Work &work, unsigned turn) {
    unsigned entry = work.schedule[turn % work.tiles];
    row = (entry >> 16) * CTAS * TILE_M, column = (entry & 0xffff) * TILE_N, batch = turn / work.tiles;
  }
};

struct Maps {
  const TensorMap &a, &b, &sfa, &sfb, &c;
};

// The first CTA's mbarriers count the bytes of a pair. Its stage is empty in both CTAs at once, so
// that each may load scales of B into the other.
DEVICE void produce(Pipeline &pipe, const Maps &maps, const Work &work, const Place &place,
                    unsigned rank) {
  unsigned a_row = place.row + rank * TILE_M, b_row = place.column + rank * (TILE_N / CTAS);
  unsigned a_tile = place.batch * work.a_atom_tiles + a_row / ATOM_ROWS;
  unsigned b_tile = place.batch * work.b_atom_tiles + place.column / ATOM_ROWS;
  if (SPLIT_TILES) b_tile += rank;
  unsigned atom = SPLIT_ATOMS ? rank * (ATOMS / 2) : 0;
  unsigned half = SPLIT_BYTES ? rank * (ATOM_BYTES / 4) : 0;  // in numbers of 16 bits
  for (unsigned block = 0; block < work.k_blocks; ++block) {
    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);
    if (rank == 0) mbarrier_expect(pipe.full(), STAGE_BYTES * CTAS);
    tma_load_3d_for_pair(pipe.a(), maps.a, block * TILE_K, a_row, place.batch, pipe.full());
    tma_load_3d_for_pair(pipe.b(), maps.b, block * TILE_K, b_row, place.batch, pipe.full());
    tma_load_3d_for_pair(pipe.sfa(), maps.sfa, 0, block * ATOMS, a_tile, pipe.full());
    tma_load_3d_to_pair(pipe.sfb() + rank * (SFB_BYTES / CTAS), maps.sfb, half,
                        block * ATOMS + atom, b_tile, pipe.full());
    pipe.advance();
  }
}

// Takes a stage's scales to tensor memory. The tensor core executes these copies after the products
// of the stage before, which read the same columns, and before those of this stage.
DEVICE void copy_scales(const Pipeline &pipe, unsigned columns) {
#pragma unroll
  for (int atom = 0; atom < ATOMS; ++atom) {
    copy_atom(columns + SFA_COLUMN + atom * COPY_COLUMNS, pipe.sfa() + atom * ATOM_BYTES);
#pragma unroll
    for (int tile = 0; tile < B_ATOM_TILES; ++tile)
      copy_atom(columns + SFB_COLUMN + (atom * B_ATOM_TILES + tile) * COPY_COLUMNS,
                pipe.sfb() + (tile * ATOMS + atom) * ATOM_BYTES);
  }
}

// D += A @ B.T of a stage, or D = without `add`; SFB's rows begin `first` rows into their atom.
DEVICE void multiply(unsigned d, const Pipeline &pipe, unsigned columns, unsigned first, bool add) {
  unsigned long long a = operand_descriptor(pipe.a()), b = operand_descriptor(pipe.b());
  check_shared_descriptor(a, pipe.a(), 1024, 2);
  check_shared_descriptor(b, pipe.b(), 1024, 2);
#pragma unroll
  for (int step = 0; step < STEPS; ++step) {
    unsigned long long k = descriptor_step(step * STEP);
    unsigned atom = step * SCALE_VECTOR / ATOM_COLUMNS, id = step * SCALE_VECTOR % ATOM_COLUMNS;
    unsigned sfa = columns + SFA_COLUMN + atom * COPY_COLUMNS;
    unsigned sfb = columns + SFB_COLUMN + atom * B_ATOM_TILES * COPY_COLUMNS;
    // Half an atom is the tile's where that has 64 columns.
    if (TILE_N == 64 && first == 64) sfb += scale_column(64);
    unsigned descriptor = scaled_descriptor(id);
    check_scaled_descriptor(descriptor, 128 * CTAS, TILE_N, ELEMENT_TYPE, ELEMENT_TYPE, SCALE_UE8M0, id);
    mma_scaled(d, a + k, b + k, descriptor, sfa, sfb, add || step > 0);
  }
}

// Stores a warp's 32 rows of a tile, times alpha.
DEVICE void store(Accumulator &sum, const TensorMap &map, float alpha, unsigned boxes,
                  const Place &place, unsigned rank, unsigned warp, unsigned lane) {
  finish(sum, rank, warp, lane, [&](Box &d, const Part &part, unsigned turn) {
#pragma unroll
    for (int i = 0; i < BOX_COLUMNS; ++i) d[i] = __float_as_uint(__uint_as_float(d[i]) * alpha);
    unsigned box = boxes + turn * BOX_BYTES;
    fill_box(box, d, part, lane);
    if (lane == 0)
      tma_store_3d(map, place.column + box_column(part), place.row + box_row(part), place.batch,
                   box);
  });
}

DEVICE void initialize(unsigned base) {
  for (unsigned i = 0; i < STAGES; ++i) {
    Pipeline pipe = {base, i, 0};
    mbarrier_init(pipe.full(), 1);
    mbarrier_init(pipe.empty(), 1);
  }
  init_accumulators(base);
  fence_mbarrier_init();
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CTAS, 1, 1)
nvfp4_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
           const __grid_constant__ TensorMap sfa, const __grid_constant__ TensorMap sfb,
           const __grid_constant__ TensorMap c, const unsigned *schedule, unsigned tiles,
           unsigned batches, unsigned k_blocks, unsigned a_atom_tiles, unsigned b_atom_tiles,
           const float *alpha) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned base = shared_address(memory);
  unsigned rank = CTAS > 1 ? cluster_rank() : 0;
  unsigned from = blockIdx.x / CTAS, clusters = gridDim.x / CTAS;
  // The same in all lanes of a warp, so that it needs one register of the warp.
  unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  Maps maps = {a, b, sfa, sfb, c};
  Work work = {schedule, tiles, batches, k_blocks, a_atom_tiles, b_atom_tiles};
  unsigned turns = tiles * batches;
  if (warp == LOAD_WARP && lane == 0) {
    prefetch_tensor_map(a);
    prefetch_tensor_map(b);
    prefetch_tensor_map(sfa);
    prefetch_tensor_map(sfb);
    prefetch_tensor_map(c);
    initialize(base);
  }
  // tcgen05.alloc of a pair needs a peer that runs (PTX ISA, tcgen05.alloc).
  if constexpr (CTAS > 1) cluster_barrier();
  if (warp == MMA_WARP) allocate_columns(base + SLOT);
  barrier_of_all();
  unsigned columns = *reinterpret_cast<unsigned *>(memory + SLOT);
  check_equal("shared memory's address modulo 1024", base % 1024, 0);
  check_equal("the lane of the address of tensor memory", columns >> 16, 0);
  Pipeline pipe = {base, 0, 0};
  Accumulator sum = {base, columns, 0, 0};

  if (warp == LOAD_WARP) {
    // Role: load.
    if (lane == 0)
      for (unsigned turn = from; turn < turns; turn += clusters) {
        Place place(work, turn);
        CHECKPOINT(32 * LOAD_WARP, "load: row %u, column %u of matrix %u, %u blocks of k\n",
                   place.row, place.column, place.batch, k_blocks);
        produce(pipe, maps, work, place, rank);
      }
  } else if (warp == MMA_WARP) {
    // Role: mma.
    if (lane == 0 && rank == 0)
      for (unsigned turn = from; turn < turns; turn += clusters) {
        CHECKPOINT(32 * MMA_WARP, "mma: turn %u into column %u, scales from column %u on\n", turn,
                   sum.address(), columns + SFA_COLUMN);
        unsigned first = Place(work, turn).column % ATOM_ROWS;
        accumulate(pipe, sum, k_blocks, [=](unsigned d, const Pipeline &stage, bool add) {
          copy_scales(stage, columns);
          multiply(d, stage, columns, first, add);
        });
      }
  } else {
    // Role: epilogue.
    unsigned boxes = base + BOXES + warp * 2 * BOX_BYTES;
    float factor = __ldg(alpha);
    for (unsigned turn = from; turn < turns; turn += clusters) {
      store(sum, c, factor, boxes, Place(work, turn), rank, warp, lane);
      CHECKPOINT(0, "epilogue: turn %u is stored\n", turn);
    }
    if (lane == 0) tma_store_wait_read<0>();
  }
  // Role: all.
  // No CTA may end, or free tensor memory, while another one still uses it or arrives there.
  barrier_of_all();
  if (warp == MMA_WARP) free_columns(columns);
}
