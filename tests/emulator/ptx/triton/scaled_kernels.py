"""Triton kernels of our own with block-scaled matrix products, compiled for sm_100a.

A block of PER elements along k shares one scale: 32 elements and an E8M0 scale in the mxfp formats,
16 and an E4M3 scale in nvfp4. Elements of 4 bits are packed two to a byte, the first one low.
"""

import triton
import triton.language as tl


@triton.jit
def matmul_scaled(
    a_ptr,
    a_scale_ptr,
    b_ptr,
    b_scale_ptr,
    o_ptr,
    m,
    n,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    PER: tl.constexpr,
    A_FORMAT: tl.constexpr,
    B_FORMAT: tl.constexpr,
):
    """o[m, n] = (a[m, k] a_scale[m, k/PER]) @ (b[n, k] b_scale[n, k/PER]).T, masked at edges."""
    a_pack: tl.constexpr = 2 if A_FORMAT == "e2m1" else 1
    b_pack: tl.constexpr = 2 if B_FORMAT == "e2m1" else 1
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    within, across = (rows < m)[:, None], (columns < n)[:, None]
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        a_ks = start // a_pack + tl.arange(0, K // a_pack)[None, :]
        b_ks = start // b_pack + tl.arange(0, K // b_pack)[None, :]
        blocks = start // PER + tl.arange(0, K // PER)[None, :]
        inside = blocks < k // PER
        a = tl.load(a_ptr + rows[:, None] * (k // a_pack) + a_ks, within & (a_ks < k // a_pack))
        b = tl.load(b_ptr + columns[:, None] * (k // b_pack) + b_ks, across & (b_ks < k // b_pack))
        a_scale = tl.load(a_scale_ptr + rows[:, None] * (k // PER) + blocks, within & inside)
        b_scale = tl.load(b_scale_ptr + columns[:, None] * (k // PER) + blocks, across & inside)
        acc = tl.dot_scaled(a, a_scale, A_FORMAT, b.T, b_scale, B_FORMAT, acc)
    mask = within & (columns < n)[None, :]
    value = acc.to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + rows[:, None] * n + columns[None, :], value, mask)


@triton.jit
def matmul_scaled_described(
    a,
    a_scale,
    b,
    b_scale,
    o,
    k,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    PER: tl.constexpr,
    A_FORMAT: tl.constexpr,
    B_FORMAT: tl.constexpr,
):
    """The same through tensor maps, with scales in the order that tensor memory wants.

    The 512 bytes [i, j] of a_scale[m/128, k/PER/4, 2, 256] are scales of 128 rows by 4 blocks:
    scale (row, block) is byte row % 32 * 16 + row / 32 * 4 + block.
    """
    a_pack: tl.constexpr = 2 if A_FORMAT == "e2m1" else 1
    b_pack: tl.constexpr = 2 if B_FORMAT == "e2m1" else 1
    fours: tl.constexpr = K // PER // 4
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    acc = tl.zeros((M, N), dtype=tl.float32)
    for step in range(tl.cdiv(k, K)):
        x = a.load([row, step * (K // a_pack)])
        y = b.load([column, step * (K // b_pack)])
        x_scale = a_scale.load([row // 128, step * fours, 0, 0])
        x_scale = x_scale.reshape(M // 128, fours, 32, 4, 4).trans(0, 3, 2, 1, 4)
        y_scale = b_scale.load([column // 128, step * fours, 0, 0])
        y_scale = y_scale.reshape(N // 128, fours, 32, 4, 4).trans(0, 3, 2, 1, 4)
        acc = tl.dot_scaled(
            x,
            x_scale.reshape(M, K // PER),
            A_FORMAT,
            y.T,
            y_scale.reshape(N, K // PER),
            B_FORMAT,
            acc,
        )
    o.store([row, column], acc.to(o.dtype))
