"""A softmax of rows, whose sums a second kernel adds up by atomics; no PyTorch."""

import cupy as cp
import numpy as np
import triton
import triton.language as tl


class Pointer:
    """What Triton takes in place of a tensor of PyTorch."""

    def __init__(self, array):
        self.array, self.dtype = array, array.dtype

    def data_ptr(self):
        return self.array.data.ptr


@triton.jit
def softmax(y, x, pitch, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    # broken: out-of-bounds: z = tl.load(x + row * pitch + i)
    z = tl.load(x + row * pitch + i, mask=i < columns, other=float("-inf"))
    z = tl.exp(z - tl.max(z, axis=0))
    tl.store(y + row * pitch + i, z / tl.sum(z, axis=0), mask=i < columns)


@triton.jit
def columns_added(sums, y, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < columns
    z = tl.load(y + tl.program_id(0) * columns + i, mask=mask)
    # broken: order: tl.store(sums + i, tl.load(sums + i, mask=mask) + z, mask=mask)
    tl.atomic_add(sums + i, z, mask=mask)


rows, columns = 7, 100
x = cp.asarray(np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32))
y, sums = cp.empty_like(x), cp.zeros(columns, dtype=cp.float32)
softmax[(rows,)](Pointer(y), Pointer(x), columns, columns, BLOCK=128)
columns_added[(rows,)](Pointer(sums), Pointer(y), columns, BLOCK=128)
e = np.exp(x.get() - x.get().max(axis=1, keepdims=True))
expected = e / e.sum(axis=1, keepdims=True)
np.testing.assert_allclose(y.get(), expected, rtol=1e-5)
np.testing.assert_allclose(sums.get(), expected.sum(axis=0), rtol=1e-5)
print("softmax", y.shape)
