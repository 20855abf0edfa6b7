"""Dropout from a seed: the backward pass draws the same numbers anew and keeps no mask."""

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
def dropout(y, x, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # broken: out-of-bounds: mask = i < n + 1
    mask = i < n
    kept = tl.rand(seed, i) > p
    tl.store(y + i, tl.where(kept, tl.load(x + i, mask=mask) / (1 - p), 0.0), mask=mask)


def dropped(x, p, seed):
    # broken: undefined: x = y = cp.empty_like(x)
    y = cp.empty_like(x)
    dropout[(triton.cdiv(x.size, 256),)](Pointer(y), Pointer(x), x.size, p, seed, BLOCK=256)
    return y.get()


n, p = 5000, 0.3
x = np.random.default_rng(0).uniform(1, 2, n).astype(np.float32)
y = dropped(cp.asarray(x), p, 42)
kept = y != 0
assert abs(kept.mean() - (1 - p)) < 0.03
np.testing.assert_allclose(y[kept], x[kept] / np.float32(1 - p), rtol=1e-6)
gradient = dropped(cp.ones(n, dtype=cp.float32), p, 42)
assert ((gradient != 0) == kept).all()
assert ((dropped(cp.asarray(x), p, 43) != 0) != kept).any()
print("kept", kept.sum(), "of", n)
