"""A matrix product by tiles in shared memory, as numba-cuda's page on matrix products has it."""

import math

import numpy as np
from numba import cuda, float32

TPB = 16


@cuda.jit
def fast_matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bpg = cuda.gridDim.x
    tmp = float32(0.0)
    for i in range(bpg):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        # broken: out-of-bounds: if True:
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()  # broken: order
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()  # broken: order
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp


rng = np.random.default_rng(1)
x = rng.random((20, 33), dtype=np.float32)
y = rng.random((33, 24), dtype=np.float32)
z = np.zeros((20, 24), np.float32)
x_d, y_d, z_d = cuda.to_device(x), cuda.to_device(y), cuda.to_device(z)
blocks = math.ceil(max(x.shape + y.shape) / TPB)
fast_matmul[(blocks, blocks), (TPB, TPB)](x_d, y_d, z_d)
np.testing.assert_allclose(z_d.copy_to_host(), x @ y, rtol=1e-5)
print("product", z_d.copy_to_host()[0, :3])
