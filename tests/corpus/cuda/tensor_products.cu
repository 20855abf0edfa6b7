// Matrix products by tcgen05, by way of the wrappers of libcu++ (cuda/ptx), which NVIDIA wrote.
#include <cuda/ptx>
#include <cuda/std/bit>

namespace ptx = cuda::ptx;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

struct alignas(64) Map { char bytes[128]; };

// Tiles are 128 bytes of k wide, in the swizzle of 128 bytes; one instruction takes 32 bytes of k.
constexpr u32 TILE = 128, STEPS = TILE / 32, COLUMNS = 256;

__device__ u64 described(const void *tile, u64 code, u32 stride) {
  u64 address = __cvta_generic_to_shared(tile);
  return address >> 4 | 1ull << 16 | u64(stride >> 4) << 32 | 1ull << 46 | code << 61;
}
__device__ u64 swizzled(const void *tile) { return described(tile, 2, 1024); }

// The instruction descriptor: codes of D, A and B, the shape (PTX ISA, tcgen05, Instruction descriptor).
__device__ constexpr u32 plain(u32 d, u32 a, u32 b, u32 m, u32 n) {
  return d << 4 | a << 7 | b << 10 | n / 8 << 17 | m / 16 << 24;
}
__device__ constexpr u32 scaled(u32 format, u32 type, u32 m, u32 n, u32 id) {
  return id << 4 | format << 7 | format << 10 | n / 8 << 17 | type << 23 | m / 16 << 24 | id << 29;
}

__device__ void wait(u64 *bar, u32 parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, bar, parity)) {}
}

// What a CTA needs besides its tiles. `begin` is called by all of its 128 threads, and so is `end`.
struct Room {
  u64 loaded, done;
  u32 columns;
};

template <class Group> __device__ u32 begin(Room &room, Group group) {
  if (group == ptx::cta_group_2) {  // the peer CTA must have started
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
  }
  if (threadIdx.x / 32 == 0) {
    ptx::tcgen05_alloc(group, &room.columns, COLUMNS);
    ptx::tcgen05_relinquish_alloc_permit(group);
  }
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&room.loaded, 1);
    ptx::mbarrier_init(&room.done, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  return room.columns;
}

template <class Group> __device__ void end(Room &room, Group group) {
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x / 32 == 0) ptx::tcgen05_dealloc(group, room.columns, COLUMNS);
}

// What thread 0 knows of its tcgen05 operations, all threads know behind this.
__device__ void everybody() {
  ptx::tcgen05_fence_after_thread_sync();
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
}

// The threads of both CTAs of a pair meet.
__device__ void meet() { asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); }

// Both tiles of step `i`, by one thread.
__device__ void load(const Map &a, const Map &b, char *to_a, char *to_b, u32 bytes, u32 depth, u32 i, u64 *bar) {
  int at[2] = {int(i * depth), 0};
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to_a, &a, at, bar);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to_b, &b, at, bar);
}

// D to global memory, as it lies in tensor memory (PTX ISA, tcgen05, Data Path Layout Organization): M rows on
// as many lanes (D); 64 rows on the first 16 lanes of each warp (F); with .ws, M rows on M lanes, and further
// columns on the next M lanes (E, G).
template <u32 M, u32 N, bool WS, class Out> __device__ void store(Out *c, u32 base) {
  u32 lane = threadIdx.x % 32, lanes = base + (threadIdx.x / 32 << 21), held = WS ? N * M / 128 : N;
  u32 row = WS ? threadIdx.x % M : M == 128 ? threadIdx.x : lane < 16 ? threadIdx.x / 32 * 16 + lane : M;
  u32 first = WS ? threadIdx.x / M * held : 0;
  for (u32 column = 0; column < held; column += 8) {
    u32 words[8];
    ptx::tcgen05_ld_32x32b(words, lanes + column);
    ptx::tcgen05_wait_ld();
    for (u32 j = 0; row < M && j < 8; j++)
      c[row * N + first + column + j] = cuda::std::bit_cast<Out>(words[j]);
  }
}

// c = a @ b.T of M by N; `multiply` issues one instruction.
template <u32 M, u32 N, u32 DEPTH, bool WS = false, class Out, class Multiply>
__device__ void product(const Map &a, const Map &b, Out *c, u32 tiles, u32 idesc, Multiply multiply) {
  extern __shared__ __align__(1024) char shared[];
  __shared__ Room room;
  char *to_a = shared, *to_b = shared + M * TILE;
  u32 base = begin(room, ptx::cta_group_1);
  if (threadIdx.x == 0)
    for (u32 i = 0; i < tiles; i++) {
      load(a, b, to_a, to_b, (M + N) * TILE, DEPTH, i, &room.loaded);
      wait(&room.loaded, i % 2);
      for (u32 k = 0; k < STEPS; k++)
        multiply(base, swizzled(to_a) + 2 * k, swizzled(to_b) + 2 * k, idesc, i + k > 0);
      ptx::tcgen05_commit(ptx::cta_group_1, &room.done);
      wait(&room.done, i % 2);
    }
  everybody();
  store<M, N, WS>(c, base);
  end(room, ptx::cta_group_1);
}

#define KERNEL(NAME, OUT)                                                                          \
  extern "C" __global__ void NAME(const __grid_constant__ Map a, const __grid_constant__ Map b,    \
                                  OUT *c, u32 tiles)
#define WITH(CALL, KIND)                                                                           \
  [](u32 d, u64 x, u64 y, u32 idesc, bool more) {                                                  \
    ptx::CALL(KIND, ptx::cta_group_1, d, x, y, idesc, more);                                       \
  }
#define WITH_WS(CALL, KIND)                                                                        \
  [](u32 d, u64 x, u64 y, u32 idesc, bool more) {                                                  \
    ptx::CALL(ptx::cta_group_1, KIND, d, x, y, idesc, more);                                       \
  }

KERNEL(half_128, float) {
  product<128, 64, 64>(a, b, c, tiles, plain(1, 0, 0, 128, 64), WITH(tcgen05_mma, ptx::kind_f16));
}
KERNEL(brain_64, float) {
  product<64, 128, 64>(a, b, c, tiles, plain(1, 1, 1, 64, 128), WITH(tcgen05_mma, ptx::kind_f16));
}
KERNEL(tf32_64, float) {
  product<64, 32, 32>(a, b, c, tiles, plain(1, 2, 2, 64, 32), WITH(tcgen05_mma, ptx::kind_tf32));
}
KERNEL(e4m3_e5m2, float) {
  product<128, 96, 128>(a, b, c, tiles, plain(1, 0, 1, 128, 96), WITH(tcgen05_mma, ptx::kind_f8f6f4));
}
KERNEL(bytes_128, int) {
  product<128, 64, 128>(a, b, c, tiles, plain(2, 1, 0, 128, 64), WITH(tcgen05_mma, ptx::kind_i8));
}
KERNEL(half_ws_32, float) {
  product<32, 64, 64, true>(a, b, c, tiles, plain(1, 0, 0, 32, 64),
                            WITH_WS(tcgen05_mma_ws_collector_b0_discard, ptx::kind_f16));
}
KERNEL(bytes_ws_64, int) {
  product<64, 128, 128, true>(a, b, c, tiles, plain(2, 1, 1, 64, 128),
                              WITH_WS(tcgen05_mma_ws_collector_b1_fill, ptx::kind_i8));
}
KERNEL(tf32_ws_128, float) {
  product<128, 64, 32, true>(a, b, c, tiles, plain(1, 2, 2, 128, 64),
                             WITH_WS(tcgen05_mma_ws_collector_b3_discard, ptx::kind_tf32));
}

// A by way of tensor memory: every thread stores its row, two elements to a column.
extern "C" __global__ void half_by_way_of_tensor_memory(const u32 *a, const __grid_constant__ Map b, float *c) {
  constexpr u32 N = 64, D = 0, A = N;
  extern __shared__ __align__(1024) char shared[];
  __shared__ Room room;
  u32 base = begin(room, ptx::cta_group_1), words[32];
  for (u32 i = 0; i < 32; i++) words[i] = a[threadIdx.x * 32 + i];
  ptx::tcgen05_st_32x32b(base + A + (threadIdx.x / 32 << 21), words);
  ptx::tcgen05_wait_st();
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x == 0) {
    int at[2] = {0, 0};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &room.loaded, N * TILE);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, shared, &b, at, &room.loaded);
    wait(&room.loaded, 0);
    for (u32 k = 0; k < STEPS; k++)
      ptx::tcgen05_mma_tmem_a(ptx::kind_f16, ptx::cta_group_1, base + D, base + A + 8 * k, swizzled(shared) + 2 * k,
                              plain(1, 0, 0, 128, N), k > 0);
    ptx::tcgen05_commit(ptx::cta_group_1, &room.done);
  }
  wait(&room.done, 0);
  ptx::tcgen05_fence_after_thread_sync();
  store<128, N, false>(c, base);
  end(room, ptx::cta_group_1);
}

// One tile with scale factors, which lie in blocks of 512 bytes: EACH factors of a row for one instruction.
template <u32 EACH, class Multiply>
__device__ void product_scaled(const Map &a, const Map &b, const u32 *sa, const u32 *sb, float *c, Multiply multiply) {
  constexpr u32 N = 128, BLOCKS = EACH, SA = N, SB = N + 4 * BLOCKS;
  extern __shared__ __align__(1024) char shared[];
  __shared__ Room room;
  char *to_a = shared, *to_b = to_a + 128 * TILE, *to_sa = to_b + N * TILE, *to_sb = to_sa + 512 * BLOCKS;
  u32 base = begin(room, ptx::cta_group_1);
  for (u32 i = 0; i < BLOCKS; i++) {
    ((u32 *)to_sa)[128 * i + threadIdx.x] = sa[128 * i + threadIdx.x];
    ((u32 *)to_sb)[128 * i + threadIdx.x] = sb[128 * i + threadIdx.x];
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    load(a, b, to_a, to_b, (128 + N) * TILE, 0, 0, &room.loaded);
    wait(&room.loaded, 0);
    for (u32 i = 0; i < BLOCKS; i++) {
      ptx::tcgen05_cp_32x128b_warpx4(ptx::cta_group_1, base + SA + 4 * i, described(to_sa + 512 * i, 0, 128));
      ptx::tcgen05_cp_32x128b_warpx4(ptx::cta_group_1, base + SB + 4 * i, described(to_sb + 512 * i, 0, 128));
    }
    for (u32 k = 0; k < STEPS; k++) {
      u32 block = EACH == 4 ? k : 0;
      multiply(base, swizzled(to_a) + 2 * k, swizzled(to_b) + 2 * k, k, base + SA + 4 * block,
               base + SB + 4 * block);
    }
    ptx::tcgen05_commit(ptx::cta_group_1, &room.done);
  }
  wait(&room.done, 0);
  ptx::tcgen05_fence_after_thread_sync();
  store<128, N, false>(c, base);
  end(room, ptx::cta_group_1);
}

#define SCALED_KERNEL(NAME)                                                                        \
  extern "C" __global__ void NAME(const __grid_constant__ Map a, const __grid_constant__ Map b,    \
                                  const u32 *sa, const u32 *sb, float *c)

SCALED_KERNEL(mxfp8) {  // a factor for 32 elements: the ID picks one of four
  product_scaled<1>(a, b, sa, sb, c, [](u32 d, u64 x, u64 y, u32 k, u32 fa, u32 fb) {
    ptx::tcgen05_mma_block_scale_vec_1x(ptx::kind_mxf8f6f4, ptx::cta_group_1, d, x, y, scaled(0, 1, 128, 128, k),
                                        fa, fb, k > 0);
  });
}
SCALED_KERNEL(nvfp4) {  // a factor for 16 elements: four for one instruction
  product_scaled<4>(a, b, sa, sb, c, [](u32 d, u64 x, u64 y, u32 k, u32 fa, u32 fb) {
    ptx::tcgen05_mma_block_scale_vec_4x(ptx::kind_mxf4nvf4, ptx::cta_group_1, d, x, y, scaled(1, 0, 128, 128, 0),
                                        fa, fb, k > 0);
  });
}

// Two CTAs, each with 128 rows of a and c and half of the columns of b.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
half_by_a_pair(const __grid_constant__ Map a, const __grid_constant__ Map b, float *c, u32 tiles) {
  constexpr u32 N = 64, HELD = (128 + N / 2) * TILE;
  extern __shared__ __align__(1024) char shared[];
  __shared__ Room room;
  char *to_a = shared, *to_b = shared + 128 * TILE;
  u32 rank = blockIdx.x % 2, base = begin(room, ptx::cta_group_2);
  meet();
  if (threadIdx.x == 0)
    for (u32 i = 0; i < tiles; i++) {
      int at_a[2] = {int(i * 64), int(rank * 128)}, at_b[2] = {int(i * 64), int(rank * N / 2)};
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &room.loaded, HELD);
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to_a, &a, at_a, &room.loaded);
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to_b, &b, at_b, &room.loaded);
      wait(&room.loaded, i % 2);
      meet();  // the other CTA's tiles are there too
      if (rank == 0) {
        for (u32 k = 0; k < STEPS; k++)
          ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_2, base, swizzled(to_a) + 2 * k, swizzled(to_b) + 2 * k,
                           plain(1, 0, 0, 256, N), i + k > 0);
        ptx::tcgen05_commit_multicast(ptx::cta_group_2, &room.done, u16(3));
      }
      wait(&room.done, i % 2);
    }
  else
    for (u32 i = 0; i < tiles; i++) meet();
  everybody();
  store<128, N, false>(c + rank * 128 * N, base);
  meet();  // the columns of both are given back at once
  end(room, ptx::cta_group_2);
}
