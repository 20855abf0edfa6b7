// D (64 x 64, f32, row-major) = A (64 x 128, row-major) B (128 x 64, row-major), of f16, by one CTA of
// 128 threads with ldmatrix and mma.sync. It is right with mistake 0; every other number plants one
// mistake that people make. Both operands lie K-major in shared memory, with a 128-byte swizzle.
// docs/explain.md lists the mistakes with what `lanemap explain` says of them.

enum Mistake {
  NONE,
  A_TRANS,              // ldmatrix.trans where A needs none
  B_TRANS,              // the same of B
  A_UNSWIZZLED,         // A is stored without the swizzle that the reader expects
  B_UNSWIZZLED,         // the same of B
  A_STALE,              // every step but the first multiplies the A of the step before
  B_STALE,              // the same of B
  LAST_STEP_LEFT_OUT,   // the loop ends a step early
  FIRST_STEP_TWICE,     // the step that fills the pipeline is multiplied again
  A_ROWS_REPLICATED,    // the addresses of the lower 8 rows of A are those of the upper ones
  B_COLUMNS_REPLICATED, // every second tile of 8 columns of B is the one before
  B_HALVES_EXCHANGED,   // the two matrices of a fragment of B change places
  A_PAIRS_EXCHANGED,    // the two halves of every register of A change places
  A_MATRICES_EXCHANGED, // the second and third matrix of a fragment of A change places
  D_TRANSPOSED,         // rows and columns change places where D is stored
  SCALED_TWICE,         // a factor is applied a second time
};

typedef unsigned short half_bits;

// The place of an element in a tile of 64 lines: two blocks of 64 k, and lines of 128 bytes in each.
__device__ unsigned place(unsigned line, unsigned k, bool swizzled) {
  const unsigned unit = k % 64 / 8 ^ (swizzled ? line % 8 : 0);
  return (k / 64 * 64 + line) * 64 + unit * 8 + k % 8;
}

__device__ void ldmatrix4(unsigned (&out)[4], const half_bits *at, bool trans) {
  const unsigned address = __cvta_generic_to_shared(at);
  if (trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address)
                 : "memory");
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void product(const half_bits *a, const half_bits *b, float *d, int mistake) {
  __shared__ __align__(128) half_bits a_tile[64 * 128], b_tile[64 * 128];
  for (unsigned i = threadIdx.x; i < 64 * 128; i += 128) {
    const unsigned line = i / 128, k = i % 128;
    a_tile[place(line, k, mistake != A_UNSWIZZLED)] = a[line * 128 + k];
    b_tile[place(line, k, mistake != B_UNSWIZZLED)] = b[k * 64 + line];
  }
  __syncthreads();

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sums[8][4] = {};
  const int steps = mistake == LAST_STEP_LEFT_OUT ? 7 : 8;
  for (int step = 0; step < steps; ++step) {
    const int a_step = mistake == A_STALE && step ? step - 1 : step;
    const int b_step = mistake == B_STALE && step ? step - 1 : step;
    // Matrices of a fragment of A: upper rows, lower rows, and both again with the next 8 k.
    unsigned below = lane / 8 % 2 * 8, next_k = lane / 16 * 8;
    if (mistake == A_MATRICES_EXCHANGED) {
      const unsigned other = below;
      below = next_k;
      next_k = other;
    }
    if (mistake == A_ROWS_REPLICATED)
      below = 0;
    unsigned left[4];
    ldmatrix4(left, &a_tile[place(warp * 16 + below + lane % 8, a_step * 16 + next_k, true)],
              mistake == A_TRANS);
    if (mistake == A_PAIRS_EXCHANGED)
      for (unsigned &pair : left)
        pair = __byte_perm(pair, 0, 0x1032);
    const int times = mistake == FIRST_STEP_TWICE && step == 0 ? 2 : 1;
    for (int tile = 0; tile < 8; tile += 2) {
      // Two fragments of B: the columns of two tiles, each with both halves of k.
      const unsigned columns = mistake == B_COLUMNS_REPLICATED ? 0 : lane / 16 * 8;
      const unsigned half = lane / 8 % 2 ^ (mistake == B_HALVES_EXCHANGED);
      unsigned right[4];
      ldmatrix4(right, &b_tile[place(tile * 8 + columns + lane % 8, b_step * 16 + half * 8, true)],
                mistake == B_TRANS);
      for (int time = 0; time < times; ++time) {
        multiply(sums[tile], left, right[0], right[1]);
        multiply(sums[tile + 1], left, right[2], right[3]);
      }
    }
  }

  const float factor = mistake == SCALED_TWICE ? 0.125f : 1.0f;
  for (int tile = 0; tile < 8; ++tile)
    for (int i = 0; i < 4; ++i) {
      const unsigned row = warp * 16 + i / 2 * 8 + lane / 4;
      const unsigned column = tile * 8 + lane % 4 * 2 + i % 2;
      d[mistake == D_TRANSPOSED ? column * 64 + row : row * 64 + column] = factor * sums[tile][i];
    }
}
