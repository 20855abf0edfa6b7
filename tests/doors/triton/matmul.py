"""A product of matrices whose tiles come by tensor maps made on the host; no PyTorch."""

import cupy as cp
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


class Pointer:
    """What Triton takes in place of a tensor of PyTorch."""

    def __init__(self, array):
        self.array, self.dtype, self.shape = array, array.dtype, array.shape

    def data_ptr(self):
        return self.array.data.ptr


def tiles(array, rows, columns):
    strides = [each // array.itemsize for each in array.strides]
    return TensorDescriptor(Pointer(array), list(array.shape), strides, [rows, columns])


@triton.jit
def product(a, b, c, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), dtype=tl.float32)
    for at in range(0, k, K):
        total = tl.dot(a.load([row, at]), b.load([at, column]), total)
    i, j = row + tl.arange(0, M), column + tl.arange(0, N)
    # broken: out-of-bounds: tl.store(c + (i[:, None] + M) * n + j[None, :], total)
    tl.store(c + i[:, None] * n + j[None, :], total)


m, n, k = 128, 64, 96
random = np.random.default_rng(1)
a = cp.asarray(random.integers(-3, 4, (m, k)).astype(np.float16))
b = cp.asarray(random.integers(-3, 4, (k, n)).astype(np.float16))
c = cp.empty((m, n), dtype=cp.float32)
# broken: order: grid = (m // 64, n // 32)
grid = (m // 64, n // 64)
product[grid](tiles(a, 64, 32), tiles(b, 32, 64), Pointer(c), n, k, M=64, N=64, K=32)
cp.testing.assert_array_equal(c, a.astype(cp.float32) @ b.astype(cp.float32))
print("product", c.shape)
