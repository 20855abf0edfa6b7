"""Triton kernels of our own with matrix products, compiled for sm_90a and sm_100a.

What Triton makes of them is stored beside this file as `.ptx`: wgmma, tcgen05.mma or mma.sync, fed
by cp.async or by TMA, with tensor maps from the host or built on the device.
"""

import triton
import triton.language as tl


@triton.jit
def matmul(
    a_ptr,
    b_ptr,
    o_ptr,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """o[m, n] = a[m, k] @ b[k, n], row-major, masked at every edge."""
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        inside = ks < k
        a = tl.load(a_ptr + rows[:, None] * k + ks[None, :], (rows < m)[:, None] & inside[None, :])
        b = tl.load(
            b_ptr + ks[:, None] * n + columns[None, :], inside[:, None] & (columns < n)[None, :]
        )
        acc = tl.dot(a, b, acc)
    mask = (rows < m)[:, None] & (columns < n)[None, :]
    value = acc.to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + rows[:, None] * n + columns[None, :], value, mask)


@triton.jit
def matmul_transposed(
    a_ptr,
    b_ptr,
    o_ptr,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """o[m, n] = a[m, k] @ b[n, k].T; accumulates in the type of an integer or float product."""
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    whole: tl.constexpr = a_ptr.dtype.element_ty.is_int()
    acc = tl.zeros((M, N), dtype=tl.int32 if whole else tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        a = tl.load(a_ptr + rows[:, None] * k + ks[None, :])
        b = tl.load(b_ptr + columns[:, None] * k + ks[None, :])
        acc = tl.dot(a, b.T, acc, out_dtype=acc.dtype)
    mask = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(o_ptr + rows[:, None] * n + columns[None, :], acc.to(o_ptr.dtype.element_ty), mask)


@triton.jit
def matmul_described(a, b, o, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """o = a @ b.T through tensor maps that the host made."""
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        acc = tl.dot(a.load([row, start]), b.load([column, start]).T, acc)
    o.store([row, column], acc.to(o.dtype))


@triton.jit
def matmul_describes(
    a_ptr,
    b_ptr,
    o_ptr,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """o = a @ b.T through tensor maps that the kernel makes."""
    a = tl.make_tensor_descriptor(a_ptr, shape=[m, k], strides=[k, 1], block_shape=[M, K])
    b = tl.make_tensor_descriptor(b_ptr, shape=[n, k], strides=[k, 1], block_shape=[N, K])
    o = tl.make_tensor_descriptor(o_ptr, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        acc = tl.dot(a.load([row, start]), b.load([column, start]).T, acc)
    o.store([row, column], acc.to(o.dtype))


@triton.jit
def matmul_persistent(
    a,
    b,
    o,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    FLAT: tl.constexpr,
):
    """o = a @ b.T by as many programs as were launched, tile after tile."""
    across = tl.cdiv(n, N)
    tiles = tl.cdiv(m, M) * across
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=FLAT):
        row, column = tile // across * M, tile % across * N
        acc = tl.zeros((M, N), dtype=tl.float32)
        for step in range(tl.cdiv(k, K)):
            acc = tl.dot(a.load([row, step * K]), b.load([column, step * K]).T, acc)
        o.store([row, column], acc.to(o.dtype))


@triton.jit
def matmul_specialized(
    a,
    b,
    o,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """The same, with warps that load and warps that multiply."""
    across = tl.cdiv(n, N)
    tiles = tl.cdiv(m, M) * across
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), warp_specialize=True):
        row, column = tile // across * M, tile % across * N
        acc = tl.zeros((M, N), dtype=tl.float32)
        for step in range(tl.cdiv(k, K)):
            acc = tl.dot(a.load([row, step * K]), b.load([column, step * K]).T, acc)
        o.store([row, column], acc.to(o.dtype))


@triton.jit
def attention(
    q_ptr,
    k_ptr,
    v_ptr,
    o_ptr,
    lse_ptr,
    length,
    scale,
    M: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """Forward attention of head program_id(1): o = softmax(q k^T scale) v, and log2 of sums."""
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * M + tl.arange(0, M)
    ds = tl.arange(0, D)
    q = tl.load(q_ptr + head + rows[:, None] * D + ds[None, :], (rows < length)[:, None], 0.0)
    top = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    last = tl.minimum(length, (tl.program_id(0) + 1) * M) if CAUSAL else length
    for start in range(0, last, N):
        columns = start + tl.arange(0, N)
        inside = (columns < length)[:, None]
        k = tl.load(k_ptr + head + columns[:, None] * D + ds[None, :], inside, 0.0)
        s = tl.dot(q, k.T) * (scale * 1.4426950408889634)
        keep = (columns < length)[None, :]
        if CAUSAL:
            keep = keep & (columns[None, :] <= rows[:, None])
        s = tl.where(keep, s, float("-inf"))
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        shrink = tl.exp2(top - new)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + columns[:, None] * D + ds[None, :], inside, 0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        top = new
    value = (acc / total[:, None]).to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + head + rows[:, None] * D + ds[None, :], value, (rows < length)[:, None])
    tl.store(lse_ptr + tl.program_id(1) * length + rows, top + tl.log2(total), rows < length)


@triton.jit
def matmul_imprecise(
    a_ptr,
    b_ptr,
    o_ptr,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """o[m, n] = a[m, k] @ b[n, k].T, where the tensor core adds no more than 32 products."""
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        a = tl.load(a_ptr + rows[:, None] * k + ks[None, :])
        b = tl.load(b_ptr + columns[:, None] * k + ks[None, :])
        acc = tl.dot(a, b.T, acc, max_num_imprecise_acc=32)
    mask = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(o_ptr + rows[:, None] * n + columns[None, :], acc, mask)
