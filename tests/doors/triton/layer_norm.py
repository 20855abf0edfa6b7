"""Layer normalization and its gradients; those of the weights are sums of all rows, by atomics."""

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
def forward(y, x, w, b, means, scales, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    a = tl.load(x + row * columns + i, mask=mask, other=0.0)
    mean = tl.sum(a, axis=0) / columns
    a = tl.where(mask, a - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(a * a, axis=0) / columns + 1e-5)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    # broken: out-of-bounds: weights = tl.load(w + i)
    weights = tl.load(w + i, mask=mask)
    z = a * scale * weights + tl.load(b + i, mask=mask)
    tl.store(y + row * columns + i, z, mask=mask)


@triton.jit
def backward(dx, dw, db, dy, x, w, means, scales, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    scale = tl.load(scales + row)
    normal = (tl.load(x + row * columns + i, mask=mask, other=0.0) - tl.load(means + row)) * scale
    g = tl.load(dy + row * columns + i, mask=mask, other=0.0)
    h = g * tl.load(w + i, mask=mask, other=0.0)
    along = tl.sum(tl.where(mask, normal * h, 0.0), axis=0) / columns
    d = (h - normal * along - tl.sum(h, axis=0) / columns) * scale
    tl.store(dx + row * columns + i, d, mask=mask)
    # broken: order: tl.store(dw + i, tl.load(dw + i, mask=mask) + g * normal, mask=mask)
    tl.atomic_add(dw + i, g * normal, mask=mask)
    tl.atomic_add(db + i, g, mask=mask)


rows, columns = 4, 100
rng = np.random.default_rng(0)
hx, hdy = rng.standard_normal((2, rows, columns)).astype(np.float32)
hw, hb = rng.standard_normal((2, columns)).astype(np.float32)
x, dy, w, b = (cp.asarray(each) for each in (hx, hdy, hw, hb))
y, dx = cp.empty_like(x), cp.empty_like(x)
means, scales = cp.empty(rows, dtype=cp.float32), cp.empty(rows, dtype=cp.float32)
# broken: undefined: dw, db = cp.empty_like(w), cp.zeros_like(b)
dw, db = cp.zeros_like(w), cp.zeros_like(b)
saved = Pointer(means), Pointer(scales)
sizes = {"BLOCK": 128, "num_warps": 1}
forward[(rows,)](Pointer(y), Pointer(x), Pointer(w), Pointer(b), *saved, columns, **sizes)
backward[(rows,)](
    Pointer(dx), Pointer(dw), Pointer(db), Pointer(dy), Pointer(x), Pointer(w), *saved, columns,
    **sizes,
)  # fmt: skip
scale = 1 / np.sqrt(hx.var(axis=1, keepdims=True) + 1e-5)
normal = (hx - hx.mean(axis=1, keepdims=True)) * scale
near = {"rtol": 1e-4, "atol": 1e-5}
np.testing.assert_allclose(y.get(), normal * hw + hb, **near)
h = hdy * hw
mean_h = h.mean(axis=1, keepdims=True)
expected = (h - normal * (normal * h).mean(axis=1, keepdims=True) - mean_h) * scale
np.testing.assert_allclose(dx.get(), expected, **near)
np.testing.assert_allclose(dw.get(), (hdy * normal).sum(axis=0), **near)
np.testing.assert_allclose(db.get(), hdy.sum(axis=0), **near)
print("layer norm", y.shape)
