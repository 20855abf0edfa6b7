// Kernels of one CTA, each of another part of an SM. A warp's cycles lie between two reads of its
// clock: `clocks` has both for each warp. Global memory is read before and written after them.
// `in` and `out` have 4096 words.

#define KERNEL(name) extern "C" __global__ void name(const unsigned *in, unsigned *out, \
                                                     int turns, long long *clocks)
#define BEGIN                       \
  __syncthreads();                  \
  long long began = clock64();
#define END                         \
  long long ended = clock64();      \
  if ((t & 31) == 0) {              \
    clocks[t >> 4] = began;         \
    clocks[(t >> 4) + 1] = ended;   \
  }

static __device__ unsigned address_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Four chains of IMAD, LOP3 and SHF.
KERNEL(hash) {
  int t = threadIdx.x;
  unsigned x[4];
  for (int i = 0; i < 4; i++) x[i] = in[t + i * 1024];
  BEGIN
  for (int n = 0; n < turns; n++)
    for (int i = 0; i < 4; i++) {
      x[i] ^= x[i] >> 16;
      x[i] *= 0x85ebca6bu;
      x[i] ^= x[i] >> 13;
      x[i] *= 0xc2b2ae35u;
    }
  END
  for (int i = 0; i < 4; i++) out[t + i * 1024] = x[i];
}

// One chain of FFMA.
KERNEL(chain) {
  int t = threadIdx.x;
  float x = (float)(in[t] % 64) / 64.0f, y = 0;
  BEGIN
#pragma unroll 8
  for (int n = 0; n < turns; n++) y = y * x + 0.5f;
  END
  out[t] = __float_as_uint(y);
}

// FFMA, IMAD, MUFU and LOP3 side by side.
KERNEL(pipes) {
  int t = threadIdx.x;
  unsigned u = in[t], v = u | 1;
  float x = (float)(u % 64) / 64.0f, y = 0.5f, z = x;
  BEGIN
#pragma unroll 4
  for (int n = 0; n < turns; n++) {
    y = y * x + 0.25f;
    u = u * 5 + 1;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(z) : "f"(z));
    z -= 1.0f;
    v ^= u;
  }
  END
  out[t] = u ^ v;
  out[t + 1024] = __float_as_uint(y);
  out[t + 2048] = __float_as_uint(z);
}

// One chain of DFMA.
KERNEL(doubles) {
  int t = threadIdx.x;
  double x = (double)(in[t] % 64) / 64.0, y = 0;
  BEGIN
#pragma unroll 4
  for (int n = 0; n < turns; n++) y = y * x + 0.5;
  END
  out[t] = __float_as_uint((float)y);
}

// Sums through shared memory, halving the threads, with a barrier at each step.
KERNEL(tree) {
  __shared__ unsigned part[1024];
  int t = threadIdx.x;
  unsigned x = in[t], sum = 0;
  BEGIN
  for (int n = 0; n < turns; n++) {
    part[t] = x + n;
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
      if (t < half) part[t] += part[t + half];
      __syncthreads();
    }
    sum += part[0];
    __syncthreads();
  }
  END
  out[t] = sum;
}

// Inclusive sums by shuffles, then across warps.
KERNEL(scan) {
  __shared__ unsigned totals[32];
  int t = threadIdx.x, lane = t % 32;
  unsigned x = in[t];
  BEGIN
  for (int n = 0; n < turns; n++) {
    for (int by = 1; by < 32; by *= 2) {
      unsigned other = __shfl_up_sync(~0u, x, by);
      if (lane >= by) x += other;
    }
    if (lane == 31) totals[t / 32] = x;
    __syncthreads();
    for (int i = 0; i < t / 32; i++) x += totals[i];
    __syncthreads();
  }
  END
  out[t] = x;
}

// A tile of 32 by 32 words is transposed; PITCH 32 has all words of a column in one bank.
template <int PITCH> static __device__ void transposed(const unsigned *in, unsigned *out, int turns,
                                                       long long *clocks) {
  __shared__ unsigned tile[32 * PITCH];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
  for (int row = warp; row < 32; row += warps) tile[row * PITCH + lane] = in[row * 32 + lane];
  unsigned x[4];
  BEGIN
  for (int n = 0; n < turns; n++) {
    for (int i = 0; i < 4; i++) x[i] = tile[lane * PITCH + i * 8 + warp];
    __syncthreads();
    for (int i = 0; i < 4; i++) tile[(i * 8 + warp) * PITCH + lane] = x[i] + 1;
    __syncthreads();
  }
  END
  for (int row = warp; row < 32; row += warps) out[row * 32 + lane] = tile[row * PITCH + lane];
}
KERNEL(transpose_32) { transposed<32>(in, out, turns, clocks); }
KERNEL(transpose_33) { transposed<33>(in, out, turns, clocks); }

// Sorts two words a thread in shared memory.
KERNEL(bitonic) {
  __shared__ unsigned keys[2048];
  int t = threadIdx.x, count = 2 * blockDim.x;
  keys[t] = in[t];
  keys[t + blockDim.x] = in[t + blockDim.x];
  BEGIN
  for (int size = 2; size <= count; size *= 2)
    for (int by = size / 2; by; by /= 2) {
      int i = 2 * t - (t & (by - 1)), down = (i & size) != 0 && size < count;
      unsigned a = keys[i], b = keys[i + by];
      if ((a > b) != down) keys[i] = b, keys[i + by] = a;
      __syncthreads();
    }
  END
  out[t] = keys[t];
  out[t + blockDim.x] = keys[t + blockDim.x];
}

// Counts words by their lowest 4 bits with atomics in shared memory.
KERNEL(histogram) {
  __shared__ unsigned bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  unsigned x = in[t];
  BEGIN
  for (int n = 0; n < turns; n++) {
    atomicAdd(&bins[x & 15], 1u);
    x >>= 1;
  }
  __syncthreads();
  END
  if (t < 16) out[t] = bins[t];
}

// Lanes that take both sides of a branch, and lanes that turn unlike often.
KERNEL(collatz) {
  int t = threadIdx.x;
  unsigned x = in[t] % 97 + 1, steps = 0;
  BEGIN
  while (x != 1 && steps < (unsigned)turns) {
    if (x & 1) x = 3 * x + 1;
    else x /= 2;
    steps++;
  }
  END
  out[t] = steps;
}

// Warps hand a word on through mbarriers, one after the other.
KERNEL(relay) {
  __shared__ unsigned long long full[32];
  __shared__ unsigned word;
  int t = threadIdx.x, warp = t / 32, warps = blockDim.x / 32;
  if (t == 0) {
    word = in[0];
    for (int i = 0; i < warps; i++)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_of(&full[i])) : "memory");
  }
  BEGIN
  if (t == 0)
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address_of(&full[0])) : "memory");
  for (int n = 0; n < turns; n++) {
    asm volatile(
        "{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
        "@!p bra again;\n}" ::"r"(address_of(&full[warp])), "r"(n & 1) : "memory");
    if (t % 32 == 0) {
      word = word * 3 + warp;
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address_of(&full[(warp + 1) % warps]))
                   : "memory");
    }
    __syncwarp();
  }
  END
  __syncthreads();
  if (t == 0) out[0] = word;
}

// Products of m16n8k16 with operands by ldmatrix; each warp has a tile of 16 x 64 of D.
KERNEL(product) {
  __shared__ unsigned short a[64 * 72], b[64 * 72];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  for (int i = t; i < 64 * 64; i += blockDim.x) {
    unsigned bits = in[i];
    a[i / 64 * 72 + i % 64] = bits & 1 ? 0x3f80 : 0;
    b[i / 64 * 72 + i % 64] = bits & 2 ? 0x3f80 : 0x4000;
  }
  float d[8][4] = {};
  BEGIN
  for (int n = 0; n < turns; n++)
    for (int k = 0; k < 64; k += 16) {
      unsigned x[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(address_of(&a[(warp % 4 * 16 + lane % 16) * 72 + k + lane / 16 * 8])));
      for (int j = 0; j < 8; j++) {
        unsigned y[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(y[0]), "=r"(y[1])
                     : "r"(address_of(&b[(j * 8 + lane % 8) * 72 + k + lane / 8 % 2 * 8])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
      }
    }
  END
  if (warp < 4)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 4; i++)
        out[(warp * 16 + lane / 4 + i / 2 * 8) * 64 + j * 8 + lane % 4 * 2 + i % 2] =
            (unsigned)d[j][i];
}

// Products of m64n32k16 of warpgroups: operands of 64 x 16 and 32 x 16 without swizzle.
KERNEL(warpgroups) {
  __shared__ __align__(128) unsigned short a[64 * 16], b[32 * 16];
  int t = threadIdx.x;
  // Core matrices of 8 rows of 16 bytes follow each other: those of k first, then those of rows.
  for (int i = t; i < 64 * 16; i += blockDim.x)
    a[i / 128 * 128 + i % 16 / 8 * 64 + i / 16 % 8 * 8 + i % 8] = in[i] & 1 ? 0x3f80 : 0;
  for (int i = t; i < 32 * 16; i += blockDim.x)
    b[i / 128 * 128 + i % 16 / 8 * 64 + i / 16 % 8 * 8 + i % 8] = in[i] & 2 ? 0x3f80 : 0x4000;
  asm volatile("fence.proxy.async;" ::: "memory");
  unsigned long long da = address_of(a) >> 4 | 8ull << 16 | 16ull << 32;
  unsigned long long db = address_of(b) >> 4 | 8ull << 16 | 16ull << 32;
  float d[16] = {};
  BEGIN
  for (int n = 0; n < turns; n++) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; k++)
      asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
                   "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, %16, %17, 1, 1, 1, 0, 0;"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                     "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
                     "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                   : "l"(da), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  END
  int lane = t % 32;
  if (t < 128)
    for (int i = 0; i < 16; i++)
      out[(t / 32 * 16 + lane / 4 + i / 2 % 2 * 8) * 32 + i / 4 * 8 + lane % 4 * 2 + i % 2] =
          (unsigned)d[i];
}

// Tiles of 4 KiB come by cp.async, one ahead, and are summed; `in` is read again and again.
KERNEL(staged) {
  __shared__ __align__(16) unsigned tile[2][1024];
  int t = threadIdx.x;
  unsigned sum = 0;
  BEGIN
  for (int n = 0; n <= turns; n++) {
    if (n < turns && t < 256)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(&tile[n % 2][t * 4])),
                   "l"(in + n % 4 * 1024 + t * 4)
                   : "memory");
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (n)
      for (int i = 0; i < 4; i++) sum += tile[(n - 1) % 2][(t + i * 256) % 1024];
    __syncthreads();
  }
  END
  out[t] = sum;
}

// Tiles of 4 KiB come by bulk copies through a ring of four, and are summed.
KERNEL(ring) {
  __shared__ __align__(128) unsigned tile[4][1024];
  __shared__ unsigned long long full[4];
  int t = threadIdx.x;
  unsigned sum = 0;
  if (t == 0) {
    for (int i = 0; i < 4; i++)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_of(&full[i])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
  }
  BEGIN
  for (int n = -3; n < turns; n++) {
    int next = n + 3;
    if (t == 0 && next < turns) {
      unsigned signal = address_of(&full[next % 4]);
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(signal) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1], 4096, [%2];" ::"r"(address_of(tile[next % 4])),
                   "l"(in + next % 4 * 1024), "r"(signal)
                   : "memory");
    }
    if (n < 0) continue;
    asm volatile(
        "{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
        "@!p bra again;\n}" ::"r"(address_of(&full[n % 4])), "r"(n / 4 & 1) : "memory");
    for (int i = 0; i < 4; i++) sum += tile[n % 4][(t + i * 256) % 1024];
    __syncthreads();
  }
  END
  out[t] = sum;
}

// Each load's address is what the one before it found.
KERNEL(pursuit) {
  int t = threadIdx.x;
  unsigned at = t;
  BEGIN
  for (int n = 0; n < turns; n++) at = in[at] % 4096;
  END
  out[t] = at;
}
