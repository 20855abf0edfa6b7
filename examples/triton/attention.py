"""Fused attention, forward: the scores of a block are used and forgotten."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def attention_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    lse_ptr,
    scale,
    head_stride,
    row_stride,
    N,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """Compute BM rows of one head; the softmax is corrected whenever a maximum grows."""
    head = tl.program_id(1).to(tl.int64) * head_stride
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head + m[:, None] * row_stride + d[None, :], mask=m[:, None] < N, other=0.0)
    highest = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, D], tl.float32)
    scale2 = scale * 1.44269504  # powers of two are what the GPU has
    end = min((tl.program_id(0) + 1) * BM, N) if CAUSAL else N
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(
            k_ptr + head + n[None, :] * row_stride + d[:, None], mask=n[None, :] < N, other=0.0
        )
        scores = tl.dot(q, k) * scale2
        scores = tl.where(n[None, :] < N, scores, -float("inf"))
        if CAUSAL:
            scores = tl.where(m[:, None] >= n[None, :], scores, -float("inf"))
        higher = tl.maximum(highest, tl.max(scores, 1))
        power = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(highest - higher)
        total = total * shrink + tl.sum(power, 1)
        v = tl.load(
            v_ptr + head + n[:, None] * row_stride + d[None, :], mask=n[:, None] < N, other=0.0
        )
        sums = tl.dot(power.to(v.dtype), v, sums * shrink[:, None])
        highest = higher
    at = head + m[:, None] * row_stride + d[None, :]
    tl.store(out_ptr + at, (sums / total[:, None]).to(out_ptr.dtype.element_ty), m[:, None] < N)
    tl.store(lse_ptr + tl.program_id(1) * N + m, highest + tl.log2(total), mask=m < N)


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool, scale: float
) -> torch.Tensor:
    """Return softmax(q k^T scale) v of tensors [batch, heads, N, D]."""
    batch, heads, N, D = q.shape
    assert q.stride() == k.stride() == v.stride() and q.is_contiguous()
    out = torch.empty_like(q)
    lse = torch.empty((batch, heads, N), device=q.device, dtype=torch.float32)
    attention_kernel[(triton.cdiv(N, 64), batch * heads)](
        q,
        k,
        v,
        out,
        lse,
        scale,
        q.stride(1),
        q.stride(2),
        N,
        D=D,
        BM=64,
        BN=64,
        CAUSAL=causal,
        num_warps=4,
        num_stages=2,
    )
    return out


if __name__ == "__main__":
    torch.manual_seed(20)
    for dtype, n, causal in (
        (torch.float16, 128, True),
        (torch.float16, 100, False),
        (torch.bfloat16, 96, True),
    ):
        q, k, v = (torch.randn((1, 2, n, 64), dtype=dtype, device=DEVICE) for _ in range(3))
        ours = attention(q, k, v, causal, 0.125)
        scores = q.double() @ k.double().transpose(2, 3) * 0.125
        if causal:
            below = torch.tril(torch.ones((n, n), device=DEVICE, dtype=torch.bool))
            scores = scores.masked_fill(~below, float("-inf"))
        expected = (torch.softmax(scores, dim=-1) @ v.double()).to(dtype)
        atol = 2e-3 if dtype == torch.float16 else 2e-2
        torch.testing.assert_close(ours, expected, rtol=1e-2, atol=atol)
    print("the heads equal attention in float64")
