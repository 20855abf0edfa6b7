"""Triton kernels of our own, compiled for gfx950 as input that a production back end wrote.

They are ordinary work: elementwise, reductions, scans, sorting, atomics, matrix products of
several types. What Triton makes of them is stored beside this file as `.amdgcn`.
"""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add_f32(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """o = x + y, masked at n."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask) + tl.load(y_ptr + i, mask), mask)


@triton.jit
def divide_f32(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """o = x / y rounded correctly, plus sqrt(|x|) rounded correctly."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask, other=1.0)
    y = tl.load(y_ptr + i, mask, other=1.0)
    tl.store(o_ptr + i, tl.div_rn(x, y) + tl.sqrt_rn(tl.abs(x)), mask)


@triton.jit
def gelu_f16(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """o = x * (1 + erf(x / sqrt 2)) / 2 through f32."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask).to(tl.float32)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(o_ptr + i, y.to(tl.float16), mask)


@triton.jit
def silu_bf16(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """o = x * sigmoid(x) through f32."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask).to(tl.float32)
    tl.store(o_ptr + i, (x * tl.sigmoid(x)).to(tl.bfloat16), mask)


@triton.jit
def tanh_sin_f32(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    """o = tanh(x) + sin(x) * log(|x| + 1)."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask, other=0.0)
    tl.store(o_ptr + i, libdevice.tanh(x) + tl.sin(x) * tl.log(tl.abs(x) + 1.0), mask)


@triton.jit
def softmax_f32(x_ptr, o_ptr, columns, BLOCK: tl.constexpr):
    """One row a program: o = exp(x - max) / sum."""
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < columns
    x = tl.load(x_ptr + row * columns + c, mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(o_ptr + row * columns + c, e / tl.sum(e, axis=0), mask)


@triton.jit
def layer_norm_f32(x_ptr, w_ptr, b_ptr, o_ptr, columns, eps, BLOCK: tl.constexpr):
    """One row a program: o = (x - mean) / sqrt(var + eps) * w + b."""
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < columns
    x = tl.load(x_ptr + row * columns + c, mask, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    d = tl.where(mask, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / columns + eps)
    w = tl.load(w_ptr + c, mask)
    b = tl.load(b_ptr + c, mask)
    tl.store(o_ptr + row * columns + c, d * rstd * w + b, mask)


@triton.jit
def layer_norm_f16(x_ptr, w_ptr, b_ptr, o_ptr, columns, eps, BLOCK: tl.constexpr):
    """The same of halves, a row in pieces: sums by v_fma_mix with a constant for a factor."""
    row = tl.program_id(0)
    x_ptr += row * columns
    o_ptr += row * columns
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + c, c < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + c, c < columns, other=0.0).to(tl.float32)
        x = tl.where(c < columns, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        mask = c < columns
        w = tl.load(w_ptr + c, mask)
        b = tl.load(b_ptr + c, mask)
        x = tl.load(x_ptr + c, mask, other=0.0).to(tl.float32)
        tl.store(o_ptr + c, (x - mean) * rstd * w + b, mask)


@triton.jit
def reduce_f32(x_ptr, sum_ptr, max_ptr, argmax_ptr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Row sums, maxima and the first index of each maximum."""
    r = tl.arange(0, BLOCK_M)
    x = tl.load(x_ptr + r[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :])
    tl.store(sum_ptr + r, tl.sum(x, axis=1))
    tl.store(max_ptr + r, tl.max(x, axis=1))
    tl.store(argmax_ptr + r, tl.argmax(x, axis=1))


@triton.jit
def cumsum_i32(x_ptr, o_ptr, BLOCK: tl.constexpr):
    """Inclusive prefix sum."""
    i = tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.cumsum(tl.load(x_ptr + i), axis=0))


@triton.jit
def sort_i32(x_ptr, o_ptr, BLOCK: tl.constexpr):
    """Ascending sort of one block."""
    i = tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.sort(tl.load(x_ptr + i)))


@triton.jit
def histogram_i32(x_ptr, o_ptr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """Counts of values 0..BINS-1, added to global memory by atomics."""
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(o_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))


@triton.jit
def random_f32(o_ptr, seed, BLOCK: tl.constexpr):
    """Philox random numbers."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.rand(seed, i))


@triton.jit
def divmod_i64(x_ptr, y_ptr, o_ptr, BLOCK: tl.constexpr):
    """o = x // y * 3 + x % y, C division, 64 bits."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    tl.store(o_ptr + i, x // y * 3 + x % y)


@triton.jit
def collatz_i32(x_ptr, o_ptr, BLOCK: tl.constexpr):
    """Steps until every value of the block has reached 1, capped at 200."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    steps = tl.zeros((BLOCK,), dtype=tl.int32)
    rounds = 0
    while (tl.max(x, axis=0) > 1) & (rounds < 200):
        running = x > 1
        x = tl.where(running, tl.where(x % 2 == 0, x // 2, 3 * x + 1), x)
        steps += running.to(tl.int32)
        rounds += 1
    tl.store(o_ptr + i, steps)


@triton.jit
def transpose_f16(x_ptr, o_ptr, BLOCK: tl.constexpr):
    """o[c, r] = x[r, c], staged through LDS."""
    r = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r[:, None] * BLOCK + r[None, :])
    tl.store(o_ptr + r[:, None] * BLOCK + r[None, :], tl.trans(x))


@triton.jit
def to_fp8(x_ptr, o_ptr, back_ptr, BLOCK: tl.constexpr):
    """f32 to e4m3fn and back to f32."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(x_ptr + i).to(tl.float8e4nv)
    tl.store(o_ptr + i, y)
    tl.store(back_ptr + i, y.to(tl.float32))


@triton.jit
def matmul(a_ptr, b_ptr, o_ptr, k_total, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """o[M, N] = a[M, k_total] @ b[k_total, N], both row-major, in steps of K."""
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a_ptrs = a_ptr + m[:, None] * k_total + k[None, :]
    b_ptrs = b_ptr + k[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), dtype=o_ptr.dtype.element_ty)
    for _ in range(0, k_total, K):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += K
        b_ptrs += K * N
    tl.store(o_ptr + m[:, None] * N + n[None, :], acc)


@triton.jit
def matmul_mxfp4(
    a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    """o = a @ b.T of packed e2m1 rows along K with e8m0 scales a 32 elements."""
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K // 2)
    s = tl.arange(0, K // 32)
    a = tl.load(a_ptr + m[:, None] * (K // 2) + k[None, :])
    b = tl.load(b_ptr + n[:, None] * (K // 2) + k[None, :])
    a_scale = tl.load(a_scale_ptr + m[:, None] * (K // 32) + s[None, :])
    b_scale = tl.load(b_scale_ptr + n[:, None] * (K // 32) + s[None, :])
    acc = tl.dot_scaled(a, a_scale, "e2m1", b.T, b_scale, "e2m1")
    tl.store(o_ptr + m[:, None] * N + n[None, :], acc)


@triton.jit
def attention_bf16(
    q_ptr, k_ptr, v_ptr, o_ptr, n_keys, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr
):
    """One block of queries against n_keys keys, online softmax in base 2."""
    m = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    n = tl.arange(0, N)
    q = tl.load(q_ptr + m[:, None] * D + d[None, :])
    peak = tl.full((M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((M,), dtype=tl.float32)
    acc = tl.zeros((M, D), dtype=tl.float32)
    for start in range(0, n_keys, N):
        k = tl.load(k_ptr + (start + n)[None, :] * D + d[:, None])
        s = tl.dot(q, k) * 0.18033688
        new_peak = tl.maximum(peak, tl.max(s, axis=1))
        p = tl.exp2(s - new_peak[:, None])
        scale = tl.exp2(peak - new_peak)
        total = total * scale + tl.sum(p, axis=1)
        v = tl.load(v_ptr + (start + n)[:, None] * D + d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc * scale[:, None])
        peak = new_peak
    tl.store(o_ptr + m[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def matmul_tf32(a_ptr, b_ptr, o_ptr, k_total, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """`matmul` of f32, whose factors are rounded to 10 bits of mantissa."""
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a_ptrs = a_ptr + m[:, None] * k_total + k[None, :]
    b_ptrs = b_ptr + k[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), dtype=tl.float32)
    for _ in range(0, k_total, K):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc, input_precision="tf32")
        a_ptrs += K
        b_ptrs += K * N
    tl.store(o_ptr + m[:, None] * N + n[None, :], acc)


@triton.jit
def attention_backward_bf16(
    q_ptr, k_ptr, v_ptr, do_ptr, lse_ptr, delta_ptr, dq_ptr, dk_ptr, dv_ptr, rows,
    M: tl.constexpr, D: tl.constexpr
):  # fmt: skip
    """A block of dK and dV, over all queries, and the block of dQ of the same rows."""
    scale: tl.constexpr = 0.125
    own = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    block = own[:, None] * D + d[None, :]
    k = tl.load(k_ptr + block)
    v = tl.load(v_ptr + block)
    dk = tl.zeros((M, D), dtype=tl.float32)
    dv = tl.zeros((M, D), dtype=tl.float32)
    for start in range(0, rows, M):
        m = start + tl.arange(0, M)
        at = m[:, None] * D + d[None, :]
        q = tl.load(q_ptr + at)
        do = tl.load(do_ptr + at)
        lse = tl.load(lse_ptr + m)
        delta = tl.load(delta_ptr + m)
        p = tl.exp(tl.dot(q, tl.trans(k)) * scale - lse[:, None])
        dv = tl.dot(tl.trans(p).to(do.dtype), do, dv)
        ds = p * (tl.dot(do, tl.trans(v)) - delta[:, None]) * scale
        dk = tl.dot(tl.trans(ds).to(q.dtype), q, dk)
    tl.store(dk_ptr + block, dk)
    tl.store(dv_ptr + block, dv)
    q = tl.load(q_ptr + block)
    do = tl.load(do_ptr + block)
    lse = tl.load(lse_ptr + own)
    delta = tl.load(delta_ptr + own)
    dq = tl.zeros((M, D), dtype=tl.float32)
    for start in range(0, rows, M):
        at = (start + tl.arange(0, M))[:, None] * D + d[None, :]
        k = tl.load(k_ptr + at)
        v = tl.load(v_ptr + at)
        p = tl.exp(tl.dot(q, tl.trans(k)) * scale - lse[:, None])
        ds = p * (tl.dot(do, tl.trans(v)) - delta[:, None]) * scale
        dq = tl.dot(ds.to(k.dtype), k, dq)
    tl.store(dq_ptr + block, dq)


@triton.jit
def moe_f16(
    a_ptr, b_ptr, gate_ptr, ids_ptr, expert_ptr, o_ptr, tokens, k_total,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, TOP: tl.constexpr
):  # fmt: skip
    """Experts' products: a block of rows that one expert gets, each a token's TOP-th copy."""
    ids = tl.load(ids_ptr + tl.program_id(0) * M + tl.arange(0, M))
    inside = ids < tokens * TOP
    expert = tl.load(expert_ptr + tl.program_id(0))
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a_ptrs = a_ptr + (ids // TOP)[:, None] * k_total + k[None, :]
    b_ptrs = b_ptr + expert * k_total * N + k[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), dtype=tl.float32)
    for _ in range(0, k_total, K):
        a = tl.load(a_ptrs, mask=inside[:, None], other=0.0)
        acc = tl.dot(a, tl.load(b_ptrs), acc)
        a_ptrs += K
        b_ptrs += K * N
    gate = tl.load(gate_ptr + ids, mask=inside, other=0.0)
    tl.store(o_ptr + ids[:, None] * N + n[None, :], acc * gate[:, None], mask=inside[:, None])


@triton.jit
def quantize_fp8(x_ptr, o_ptr, scale_ptr, MOST: tl.constexpr, BLOCK: tl.constexpr):
    """A row's values as 8-bit floats of o's type, over its largest one divided by MOST."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    scale = tl.div_rn(tl.max(tl.abs(x), axis=0), MOST * 1.0)
    tl.store(o_ptr + at, tl.div_rn(x, scale).to(o_ptr.dtype.element_ty))
    tl.store(scale_ptr + tl.program_id(0), scale)


@triton.jit
def quantize_i8(x_ptr, o_ptr, scale_ptr, BLOCK: tl.constexpr):
    """The same as integers, to the nearest, ties to even."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    scale = tl.div_rn(tl.max(tl.abs(x), axis=0), 127.0)
    tl.store(o_ptr + at, libdevice.rint(tl.div_rn(x, scale)).to(tl.int8))
    tl.store(scale_ptr + tl.program_id(0), scale)


@triton.jit
def matmul_weights_i8(
    a_ptr, b_ptr, scale_ptr, o_ptr, k_total, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    """a of f16 times b of bytes, a scale for each column."""
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a_ptrs = a_ptr + m[:, None] * k_total + k[None, :]
    b_ptrs = b_ptr + k[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), dtype=tl.float32)
    for _ in range(0, k_total, K):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs).to(tl.float16), acc)
        a_ptrs += K
        b_ptrs += K * N
    tl.store(o_ptr + m[:, None] * N + n[None, :], acc * tl.load(scale_ptr + n)[None, :])
