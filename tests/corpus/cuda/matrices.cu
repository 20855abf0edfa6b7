// Matrix products and asynchronous copies as CUDA programmers write them, for sm_90a.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using u32 = unsigned;
using u64 = unsigned long long;

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }

// ---- wmma: c[m, n] = a[m, k] @ b[k, n], one warp for each 16 x 16 of c --------------------------
extern "C" __global__ void wmma_half(const half *a, const half *b, float *c, int n, int k) {
  using namespace nvcuda::wmma;
  int row = blockIdx.y * 16, column = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    fragment<matrix_a, 16, 16, 16, half, row_major> x;
    fragment<matrix_b, 16, 16, 16, half, row_major> y;
    load_matrix_sync(x, a + row * k + i, k);
    load_matrix_sync(y, b + i * n + column, n);
    mma_sync(sum, x, y, sum);
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2;
  store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}

// b is column-major, and c is stored column-major by way of shared memory.
extern "C" __global__ void wmma_bytes(const signed char *a, const signed char *b, int *c, int m, int k) {
  using namespace nvcuda::wmma;
  __shared__ int tile[32 * 8];
  fragment<accumulator, 32, 8, 16, int> sum;
  fill_fragment(sum, 0);
  for (int i = 0; i < k; i += 16) {
    fragment<matrix_a, 32, 8, 16, signed char, row_major> x;
    fragment<matrix_b, 32, 8, 16, signed char, col_major> y;
    load_matrix_sync(x, a + blockIdx.x * 32 * k + i, k);
    load_matrix_sync(y, b + blockIdx.y * 8 * k + i, k);
    mma_sync(sum, x, y, sum);
  }
  store_matrix_sync(tile, sum, 32, mem_col_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 32 * 8; i += 32)
    c[(blockIdx.y * 8 + i / 32) * m + blockIdx.x * 32 + i % 32] = tile[i];
}

// ---- mma.sync behind a ring of cp.async stages: c[m, n] = a[m, k] @ b[n, k]^T --------------------
constexpr int TILE = 64, DEPTH = 32, STAGES = 3, PITCH = DEPTH + 8;

__device__ void copy16(u32 to, const void *from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0));
}

__device__ void load_four(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

extern "C" __global__ void mma_ring(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int m, int n, int k) {
  __shared__ alignas(128) __nv_bfloat16 left[STAGES][TILE * PITCH], right[STAGES][TILE * PITCH];
  int row = blockIdx.y * TILE, column = blockIdx.x * TILE, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto fetch = [&](int step) {
    for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += 128) {
      int line = i / (DEPTH / 8), at = i % (DEPTH / 8) * 8, from = step * DEPTH + at;
      bool inside = row + line < m && from < k;
      copy16(shared_address(&left[step % STAGES][line * PITCH + at]), inside ? a + (row + line) * k + from : a, inside);
      inside = column + line < n && from < k;
      copy16(shared_address(&right[step % STAGES][line * PITCH + at]), inside ? b + (column + line) * k + from : b,
             inside);
    }
  };
  float sum[2][4][4] = {};
  int steps = (k + DEPTH - 1) / DEPTH;
  for (int i = 0; i < STAGES - 1; i++) {
    if (i < steps) fetch(i);
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; step++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    if (step + STAGES - 1 < steps) fetch(step + STAGES - 1);
    asm volatile("cp.async.commit_group;");
    for (int k0 = 0; k0 < DEPTH; k0 += 16) {
      u32 x[2][4], y[2][4];
      for (int i = 0; i < 2; i++) {
        load_four(x[i], shared_address(&left[step % STAGES][(warp / 2 * 32 + i * 16 + lane % 16) * PITCH + k0 + lane / 16 * 8]));
        load_four(y[i], shared_address(&right[step % STAGES][(warp % 2 * 32 + i * 16 + lane / 16 * 8 + lane % 8) * PITCH + k0 +
                                                             lane / 8 % 2 * 8]));
      }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                       "{%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                       : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j / 2][j % 2 * 2]),
                         "r"(y[j / 2][j % 2 * 2 + 1]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      for (int e = 0; e < 4; e++) {
        int to = row + warp / 2 * 32 + i * 16 + lane / 4 + e / 2 * 8, at = column + warp % 2 * 32 + j * 8 + lane % 4 * 2 + e % 2;
        if (to < m && at < n) c[to * n + at] = sum[i][j][e];
      }
}

// ---- TMA and wgmma: c[m, n] = a[m, k] @ b[n, k]^T, a producer warp and one consumer warpgroup -----
struct Map {
  alignas(64) u64 words[16];
};
constexpr int ROWS = 64, COLUMNS = 128, STEP = 64, SLOTS = 4;   // 64 elements of 2 bytes: 128 bytes
constexpr int A_BYTES = ROWS * STEP * 2, B_BYTES = COLUMNS * STEP * 2;

__device__ void wait_for(u64 *barrier, u32 parity) {
  asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(
                   shared_address(barrier)), "r"(parity) : "memory");
}
__device__ void arrive(u64 *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ void start(u64 *barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}
__device__ void expect(u64 *barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void load_tile(void *to, const Map *map, int x, int y, u64 *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)) : "memory");
}
// K-major, swizzle 128B: rows of 128 bytes, groups of 8 rows 1024 bytes apart.
__device__ u64 described(const void *p) {
  return (u64)(shared_address(p) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ void multiply(float (&d)[64], u64 a, u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "
      "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1, 0, 0;"
      : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)
      : "l"(a), "l"(b));
}
__device__ void multiply_registers(float (&d)[64], const u32 (&a)[4], u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "
      "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
      : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

template <bool FROM_REGISTERS>
__device__ void tma_product(const Map &a, const Map &b, const Map &c, int k) {
  extern __shared__ __align__(1024) unsigned char room[];
  unsigned char *left = room, *right = room + SLOTS * A_BYTES, *out = right + SLOTS * B_BYTES;
  __shared__ u64 full[SLOTS], empty[SLOTS];
  int steps = (k + STEP - 1) / STEP;
  if (threadIdx.x == 0) {
    for (int i = 0; i < SLOTS; i++) {
      start(&full[i], 1);
      start(&empty[i], 128);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int i = 0; i < steps; i++) {
        int slot = i % SLOTS;
        if (i >= SLOTS) wait_for(&empty[slot], (i / SLOTS - 1) & 1);
        expect(&full[slot], A_BYTES + B_BYTES);
        load_tile(left + slot * A_BYTES, &a, i * STEP, blockIdx.y * ROWS, &full[slot]);
        load_tile(right + slot * B_BYTES, &b, i * STEP, blockIdx.x * COLUMNS, &full[slot]);
      }
    return;
  }
  float d[64] = {};
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < steps; i++) {
    int slot = i % SLOTS;
    wait_for(&full[slot], i / SLOTS & 1);
    u32 x[4][4];
    if (FROM_REGISTERS)
      for (int j = 0; j < 4; j++) {
        int row = warp * 16 + lane % 16, chunk = j * 2 + lane / 16;
        load_four(x[j], shared_address(left + slot * A_BYTES + row * 128 + (chunk ^ row % 8) * 16));
      }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int j = 0; j < 4; j++) {
      u64 y = described(right + slot * B_BYTES + j * 32);
      if (FROM_REGISTERS) multiply_registers(d, x[j], y);
      else multiply(d, described(left + slot * A_BYTES + j * 32), y);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int j = 0; j < 64; j++) asm volatile("" : "+f"(d[j])::"memory");
    arrive(&empty[slot]);
  }
  // Two boxes of 64 columns each, swizzled as the map of c says.
  for (int i = 0; i < COLUMNS / 16; i++) {
    u32 packed[4];
    for (int j = 0; j < 4; j++) {
      __nv_bfloat162 pair = __floats2bfloat162_rn(d[i * 8 + j * 2], d[i * 8 + j * 2 + 1]);
      packed[j] = *(u32 *)&pair;
    }
    int row = warp * 16 + lane % 16, chunk = i % 4 * 2 + lane / 16;
    u32 to = shared_address(out + i / 4 * (ROWS * 128) + row * 128 + (chunk ^ row % 8) * 16);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(packed[0]), "r"(packed[1]),
                 "r"(packed[2]), "r"(packed[3]) : "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; i++)
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&c),
                   "r"(blockIdx.x * COLUMNS + i * 64), "r"(blockIdx.y * ROWS), "r"(shared_address(out + i * ROWS * 128)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

extern "C" __global__ void __launch_bounds__(160) tma_shared(const __grid_constant__ Map a, const __grid_constant__ Map b,
                                                             const __grid_constant__ Map c, int k) {
  tma_product<false>(a, b, c, k);
}
extern "C" __global__ void __launch_bounds__(160) tma_registers(const __grid_constant__ Map a, const __grid_constant__ Map b,
                                                                const __grid_constant__ Map c, int k) {
  tma_product<true>(a, b, c, k);
}

// ---- a cluster of two: each CTA loads half of a tile and multicasts it to both -------------------
extern "C" __global__ void multicast(const __grid_constant__ Map from, u32 *to) {
  __shared__ alignas(1024) u32 tile[32 * 32];
  __shared__ u64 full;
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    start(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    expect(&full, sizeof tile);
  }
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(tile + rank * 512)), "l"(&from), "r"(0),
                 "r"((int)(rank * 16)), "r"(shared_address(&full)), "h"((unsigned short)3) : "memory");
  wait_for(&full, 0);
  for (int i = threadIdx.x; i < 1024; i += 128) to[blockIdx.x * 1024 + i] = tile[i] + rank;
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

// ---- linear bulk copies and reductions ----------------------------------------------------------
extern "C" __global__ void bulk_add(const float *x, float *sums) {
  __shared__ alignas(128) float part[256];
  __shared__ u64 full;
  if (threadIdx.x == 0) {
    start(&full, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    expect(&full, sizeof part);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(part)), "l"(x + blockIdx.x * 256), "r"((u32)sizeof part), "r"(shared_address(&full)) : "memory");
  }
  __syncthreads();
  wait_for(&full, 0);
  part[threadIdx.x] = 2 * part[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(sums), "r"(
                     shared_address(part)), "r"((u32)sizeof part) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
