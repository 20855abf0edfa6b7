"""Triton kernels of the held-out set: make.py compiles them, held_out.py draws their sizes."""

import triton
import triton.language as tl


@triton.jit
def elementwise(x_ptr, y_ptr, o_ptr, n, WHAT: tl.constexpr, BLOCK: tl.constexpr):
    """One of four functions of two arrays, computed in f32."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    y = tl.load(y_ptr + at, mask=at < n).to(tl.float32)
    if WHAT == "fused":
        v = x * y + 0.5 * x
    elif WHAT == "swiglu":
        v = x / (1 + tl.exp(-x)) * y
    elif WHAT == "length":
        v = tl.sqrt(x * x + y * y)
    else:
        v = tl.where(x > y, tl.exp2(x), tl.log2(1 + y * y))
    tl.store(o_ptr + at, v.to(o_ptr.dtype.element_ty), mask=at < n)


@triton.jit
def rms_norm(x_ptr, w_ptr, o_ptr, columns, BLOCK: tl.constexpr):
    """Divide a row by the root of its mean square."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + at, mask=at < columns, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, 0) / columns + 1e-5)
    v = (x * scale * w).to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + row * columns + at, v, mask=at < columns)


@triton.jit
def log_sum(x_ptr, o_ptr, columns, BLOCK: tl.constexpr):
    """The logarithm of the sum of exponentials of a row, in pieces."""
    row = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=-float("inf"))
        higher = tl.maximum(top, tl.max(x, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(x - higher), 0)
        top = higher
    tl.store(o_ptr + row, tl.log(total) + top)


@triton.jit
def rotary(x_ptr, c_ptr, s_ptr, o_ptr, half, BLOCK: tl.constexpr):
    """Rotate the halves of a row against each other."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < half
    c = tl.load(c_ptr + at, mask=inside).to(tl.float32)
    s = tl.load(s_ptr + at, mask=inside).to(tl.float32)
    own = row * 2 * half + at
    x = tl.load(x_ptr + own, mask=inside).to(tl.float32)
    y = tl.load(x_ptr + own + half, mask=inside).to(tl.float32)
    kind = o_ptr.dtype.element_ty
    tl.store(o_ptr + own, (x * c - y * s).to(kind), mask=inside)
    tl.store(o_ptr + own + half, (x * s + y * c).to(kind), mask=inside)


@triton.jit
def gather(x_ptr, i_ptr, o_ptr, columns, BLOCK: tl.constexpr):
    """Copy the row that an index names."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    from_row = tl.load(i_ptr + row)
    x = tl.load(x_ptr + from_row * columns + at, mask=at < columns)
    tl.store(o_ptr + row * columns + at, x, mask=at < columns)


@triton.jit
def scatter_add(x_ptr, i_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """Add each value to the place that its index names."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    i = tl.load(i_ptr + at, mask=at < n, other=0)
    tl.atomic_add(o_ptr + i, x, mask=at < n)


@triton.jit
def column_sums(x_ptr, o_ptr, rows, columns, M: tl.constexpr, N: tl.constexpr):
    """Add up N columns."""
    at = tl.program_id(0) * N + tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for start in range(0, rows, M):
        row = start + tl.arange(0, M)
        x = tl.load(x_ptr + row[:, None] * columns + at[None, :], mask=row[:, None] < rows)
        total += tl.sum(x.to(tl.float32), 0)
    tl.store(o_ptr + at, total)


@triton.jit
def transpose(x_ptr, o_ptr, m, n, M: tl.constexpr, N: tl.constexpr):
    """Transpose a tile."""
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    x = tl.load(x_ptr + row[:, None] * n + column[None, :])
    tl.store(o_ptr + column[:, None] * m + row[None, :], tl.trans(x))


@triton.jit
def gemv(a_ptr, x_ptr, o_ptr, k, N: tl.constexpr, K: tl.constexpr):
    """Multiply N rows by a vector."""
    row = tl.program_id(0) * N + tl.arange(0, N)
    total = tl.zeros((N, K), tl.float32)
    for start in range(0, k, K):
        at = start + tl.arange(0, K)
        a = tl.load(a_ptr + row[:, None] * k + at[None, :])
        x = tl.load(x_ptr + at)
        total += a.to(tl.float32) * x[None, :].to(tl.float32)
    tl.store(o_ptr + row, tl.sum(total, 1))


@triton.jit
def product(a_ptr, b_ptr, o_ptr, m, n, k, pitch, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """o = a @ b.T; rows of a and b are `pitch` elements apart."""
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    at = tl.arange(0, K)
    a_at = a_ptr + row[:, None] * pitch + at[None, :]
    b_at = b_ptr + column[None, :] * pitch + at[:, None]
    total = tl.zeros((M, N), tl.float32)
    for _ in range(0, k, K):
        total = tl.dot(tl.load(a_at), tl.load(b_at), total)
        a_at += K
        b_at += K
    tl.store(o_ptr + row[:, None] * n + column[None, :], total.to(o_ptr.dtype.element_ty))
