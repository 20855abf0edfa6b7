"""A sum of vectors of CuPy: Triton takes whatever has a pointer and a type."""

import cupy as cp
import triton
import triton.language as tl


class Pointer:
    """What Triton takes in place of a tensor of PyTorch."""

    def __init__(self, array):
        self.array, self.dtype = array, array.dtype

    def data_ptr(self):
        return self.array.data.ptr


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # broken: out-of-bounds: mask = i <= n
    mask = i < n
    tl.store(z + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


n = 1000
x = cp.random.rand(n, dtype=cp.float32)
# broken: undefined: y = cp.empty(n, dtype=cp.float32)
y = cp.arange(n, dtype=cp.float32)
z = cp.empty_like(x)
add[(triton.cdiv(n, 256),)](Pointer(x), Pointer(y), Pointer(z), n, BLOCK=256)
cp.testing.assert_array_equal(z, x + y)
print("added", z.size)
