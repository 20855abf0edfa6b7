"""Attention kernels of our own that Triton compiles for sm_100a: through tensor maps, FP8."""

import triton
import triton.language as tl


@triton.jit
def attention_described(
    q,
    k,
    v,
    o,
    lse_ptr,
    length,
    scale,
    M: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
    CAUSAL: tl.constexpr,
    ROLES: tl.constexpr,
):
    """Forward attention of head program_id(1), whose rows follow those of the head before.

    `length` is a multiple of M and of N. With ROLES, some warps load, some multiply, and the
    others do the softmax.
    """
    head = tl.program_id(1) * length
    row = tl.program_id(0) * M
    rows = row + tl.arange(0, M)
    mine = q.load([head + row, 0])
    top = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    last = row + M if CAUSAL else length
    for start in tl.range(0, last, N, warp_specialize=ROLES):
        s = tl.dot(mine, k.load([head + start, 0]).T) * (scale * 1.4426950408889634)
        if CAUSAL:
            columns = start + tl.arange(0, N)
            s = tl.where(columns[None, :] <= rows[:, None], s, float("-inf"))
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        shrink = tl.exp2(top - new)
        total = total * shrink + tl.sum(p, 1)
        acc = tl.dot(p.to(v.dtype), v.load([head + start, 0]), acc * shrink[:, None])
        top = new
    o.store([head + row, 0], (acc / total[:, None]).to(o.dtype))
    tl.store(lse_ptr + head + rows, top + tl.log2(total))
