"""A matrix product by tiles in shared memory, in the shape of CuPy's example `gemm`."""

import cupy as cp
import numpy as np

TILE = 16
code = r"""
extern "C" __global__ void sgemm(int m, int n, int k, const float *A, const float *B, float *C) {
  __shared__ float a[TILE][TILE + 1], b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int at = 0; at < k; at += TILE) {
    int x = at + threadIdx.x, y = at + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < m && x < k ? A[row * k + x] : 0;
    // broken: out-of-bounds: b[threadIdx.y][threadIdx.x] = B[y * n + column];
    b[threadIdx.y][threadIdx.x] = y < k && column < n ? B[y * n + column] : 0;
    __syncthreads();  // broken: order
    for (int i = 0; i < TILE; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();  // broken: order
  }
  if (row < m && column < n) C[row * n + column] = sum;
}
"""
sgemm = cp.RawModule(code=code, options=(f"-DTILE={TILE}",)).get_function("sgemm")


def product(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = cp.empty((m, n), dtype=cp.float32)
    grid = (-(-n // TILE), -(-m // TILE))
    sgemm(grid, (TILE, TILE), (np.int32(m), np.int32(n), np.int32(k), a, b, c))
    return c


rng = np.random.default_rng(0)
a = cp.asarray(rng.normal(size=(37, 50)).astype(np.float32))
b = cp.asarray(rng.normal(size=(50, 21)).astype(np.float32))
cp.testing.assert_allclose(product(a, b), a @ b, rtol=1e-4, atol=1e-5)
print("product", product(a, b).shape)
