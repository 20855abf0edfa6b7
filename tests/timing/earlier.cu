// Kernels of one CTA on which nothing was developed. `in` and `out` have 4096 words.

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

// A linear generator and its bits, one word a thread.
KERNEL(generator) {
  int t = threadIdx.x;
  unsigned x = in[t], ones = 0;
  BEGIN
  for (int n = 0; n < turns; n++) {
    x = x * 1664525u + 1013904223u;
    ones += __popc(x) ^ __clz(x);
  }
  END
  out[t] = x ^ ones;
}

// Two coupled recurrences of f32 in each thread.
KERNEL(orbit) {
  int t = threadIdx.x;
  float x = (in[t] % 64) / 64.0f, y = 0.25f;
  BEGIN
#pragma unroll 4
  for (int n = 0; n < turns; n++) {
    float next = x * x - y * y + 0.1f;
    y = 2 * x * y - 0.2f;
    x = next;
  }
  END
  out[t] = __float_as_uint(x + y);
}

// Reciprocals, roots and exponentials.
KERNEL(roots) {
  int t = threadIdx.x;
  float x = 1 + (in[t] % 64) / 64.0f;
  BEGIN
  for (int n = 0; n < turns; n++) {
    asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    x = x * 0.5f + 0.25f;
  }
  END
  out[t] = __float_as_uint(x);
}

// Dot products of bytes.
KERNEL(bytes) {
  int t = threadIdx.x, sum = 0, other = 1;
  int a = in[t], b = in[t + 1024];
  BEGIN
#pragma unroll 4
  for (int n = 0; n < turns; n++) {
    sum = __dp4a(a, b, sum);
    other = __dp4a(b, sum, other);
    a ^= other;
  }
  END
  out[t] = sum ^ other;
}

// A stencil of three in shared memory.
KERNEL(stencil) {
  __shared__ float row[2][1026];
  int t = threadIdx.x;
  row[0][t + 1] = (in[t] % 64) / 64.0f;
  if (!t) row[0][0] = row[1][0] = row[0][blockDim.x + 1] = row[1][blockDim.x + 1] = 0;
  BEGIN
  for (int n = 0; n < turns; n++) {
    int from = n & 1;
    row[1 - from][t + 1] = 0.25f * row[from][t] + 0.5f * row[from][t + 1] + 0.25f * row[from][t + 2];
    __syncthreads();
  }
  END
  out[t] = __float_as_uint(row[turns & 1][t + 1]);
}

// A table in shared memory, read at places that depend on what was read.
KERNEL(lookup) {
  __shared__ unsigned table[1024];
  int t = threadIdx.x;
  for (int at = t; at < 1024; at += blockDim.x) table[at] = in[at] % 1024;
  unsigned x = t * 33 % 1024;
  BEGIN
  for (int n = 0; n < turns; n++) x = table[x];
  END
  out[t] = x;
}

// Each warp votes and passes words around.
KERNEL(voting) {
  int t = threadIdx.x;
  unsigned x = in[t], sum = 0;
  BEGIN
  for (int n = 0; n < turns; n++) {
    unsigned votes = __ballot_sync(~0u, x >> (n & 31) & 1);
    x = __shfl_sync(~0u, x, (t + 1) & 31) + votes;
    sum += __popc(votes);
  }
  END
  out[t] = x ^ sum;
}

// Half-precision pairs.
KERNEL(halves) {
  int t = threadIdx.x;
  unsigned x = 0x3c003c00, y = in[t] & 0x03ff03ff | 0x30003000, z = 0x38003800;
  BEGIN
#pragma unroll 8
  for (int n = 0; n < turns; n++) asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z));
  END
  out[t] = x;
}

// Products of 16 by 8 by 16 in two chains.
KERNEL(tiles) {
  int t = threadIdx.x;
  float c[2][4] = {};
  unsigned a = in[t] & 0x3c003c00, b = in[t + 1024] & 0x3c003c00;
  BEGIN
  for (int n = 0; n < turns; n++)
    for (int i = 0; i < 2; i++)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
          "{%5, %5}, {%0, %1, %2, %3};"
          : "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
          : "r"(a), "r"(b));
  END
  out[t] = __float_as_uint(c[0][0] + c[1][3]);
}

// Threads add up what all wrote, column by column.
KERNEL(columns) {
  __shared__ unsigned cells[32][33];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
  for (int row = warp; row < 32; row += warps) cells[row][lane] = in[row * 32 + lane];
  unsigned sum = 0;
  BEGIN
  for (int n = 0; n < turns; n++) {
    for (int row = 0; row < 32; row++) sum += cells[row][(lane + n) & 31];
    __syncthreads();
    if (!warp) cells[n & 31][lane] = sum;
    __syncthreads();
  }
  END
  out[t] = sum;
}
