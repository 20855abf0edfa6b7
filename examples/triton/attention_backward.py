"""Attention, backward: the gradients of q, k and v from stored sums of the softmax."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def delta_kernel(out_ptr, dout_ptr, delta_ptr, N, D: tl.constexpr, BM: tl.constexpr):
    """Sum out * dout of each row."""
    head = tl.program_id(1).to(tl.int64) * N
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    at = (head + m)[:, None] * D + tl.arange(0, D)[None, :]
    out = tl.load(out_ptr + at, mask=m[:, None] < N, other=0.0).to(tl.float32)
    dout = tl.load(dout_ptr + at, mask=m[:, None] < N, other=0.0).to(tl.float32)
    tl.store(delta_ptr + head + m, tl.sum(out * dout, 1), mask=m < N)


@triton.jit
def powers(q, k, lse, m, n, N, scale, CAUSAL: tl.constexpr):
    """Recompute a block of the softmax, [BM, BN]."""
    scores = tl.dot(q, tl.trans(k)) * scale
    kept = (m[:, None] < N) & (n[None, :] < N)
    if CAUSAL:
        kept = kept & (m[:, None] >= n[None, :])
    return tl.where(kept, tl.exp2((scores - lse[:, None]) * 1.44269504), 0.0)


@triton.jit
def dk_dv_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    dout_ptr,
    lse_ptr,
    delta_ptr,
    dk_ptr,
    dv_ptr,
    N,
    scale,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """Compute the gradients of BN keys and values of one head."""
    head = tl.program_id(1).to(tl.int64) * N
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.arange(0, D)
    at_n = (head + n)[:, None] * D + d[None, :]
    k = tl.load(k_ptr + at_n, mask=n[:, None] < N, other=0.0)
    v = tl.load(v_ptr + at_n, mask=n[:, None] < N, other=0.0)
    dk = tl.zeros((BN, D), dtype=tl.float32)
    dv = tl.zeros((BN, D), dtype=tl.float32)
    begin = tl.program_id(0) * BN // BM * BM if CAUSAL else 0
    for start in range(begin, N, BM):
        m = start + tl.arange(0, BM)
        at_m = (head + m)[:, None] * D + d[None, :]
        q = tl.load(q_ptr + at_m, mask=m[:, None] < N, other=0.0)
        dout = tl.load(dout_ptr + at_m, mask=m[:, None] < N, other=0.0)
        lse = tl.load(lse_ptr + head + m, mask=m < N, other=0.0)
        delta = tl.load(delta_ptr + head + m, mask=m < N, other=0.0)
        p = powers(q, k, lse, m, n, N, scale, CAUSAL)
        dv += tl.dot(tl.trans(p).to(dout.dtype), dout)
        ds = p * (tl.dot(dout, tl.trans(v)) - delta[:, None])
        dk += tl.dot(tl.trans(ds).to(q.dtype), q)
    tl.store(dk_ptr + at_n, (dk * scale).to(dk_ptr.dtype.element_ty), mask=n[:, None] < N)
    tl.store(dv_ptr + at_n, dv.to(dv_ptr.dtype.element_ty), mask=n[:, None] < N)


@triton.jit
def dq_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    dout_ptr,
    lse_ptr,
    delta_ptr,
    dq_ptr,
    N,
    scale,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """Compute the gradients of BM queries of one head."""
    head = tl.program_id(1).to(tl.int64) * N
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    at_m = (head + m)[:, None] * D + d[None, :]
    q = tl.load(q_ptr + at_m, mask=m[:, None] < N, other=0.0)
    dout = tl.load(dout_ptr + at_m, mask=m[:, None] < N, other=0.0)
    lse = tl.load(lse_ptr + head + m, mask=m < N, other=0.0)
    delta = tl.load(delta_ptr + head + m, mask=m < N, other=0.0)
    dq = tl.zeros((BM, D), dtype=tl.float32)
    end = min((tl.program_id(0) + 1) * BM, N) if CAUSAL else N
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        at_n = (head + n)[:, None] * D + d[None, :]
        k = tl.load(k_ptr + at_n, mask=n[:, None] < N, other=0.0)
        v = tl.load(v_ptr + at_n, mask=n[:, None] < N, other=0.0)
        p = powers(q, k, lse, m, n, N, scale, CAUSAL)
        ds = p * (tl.dot(dout, tl.trans(v)) - delta[:, None])
        dq += tl.dot(ds.to(k.dtype), k)
    tl.store(dq_ptr + at_m, (dq * scale).to(dq_ptr.dtype.element_ty), mask=m[:, None] < N)


def gradients(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    out: torch.Tensor,
    lse: torch.Tensor,
    dout: torch.Tensor,
    causal: bool,
    scale: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the gradients of q, k and v, each [heads, N, D]; lse is the log of each row's sum."""
    heads, N, D = q.shape
    delta = torch.empty_like(lse)
    dq, dk, dv = (torch.empty_like(q) for _ in range(3))
    grid = (triton.cdiv(N, 32), heads)
    delta_kernel[grid](out, dout, delta, N, D=D, BM=32)
    sizes = {"D": D, "BM": 32, "BN": 32, "CAUSAL": causal}
    dk_dv_kernel[grid](q, k, v, dout, lse, delta, dk, dv, N, scale, **sizes)
    dq_kernel[grid](q, k, v, dout, lse, delta, dq, N, scale, **sizes)
    return dq, dk, dv


if __name__ == "__main__":
    torch.manual_seed(12)
    for dtype, N, causal in ((torch.float16, 96, True), (torch.bfloat16, 72, False)):
        q, k, v, dout = (torch.randn((2, N, 64), dtype=dtype, device=DEVICE) for _ in range(4))
        wide = [each.double().requires_grad_() for each in (q, k, v)]
        scores = wide[0] @ wide[1].transpose(1, 2) * 0.125
        if causal:
            below = torch.tril(torch.ones((N, N), device=DEVICE, dtype=torch.bool))
            scores = scores.masked_fill(~below, float("-inf"))
        out = torch.softmax(scores, dim=-1) @ wide[2]
        expected = torch.autograd.grad(out, wide, dout.double())
        lse = torch.logsumexp(scores, dim=-1).float()
        ours = gradients(q, k, v, out.detach().to(dtype), lse.detach(), dout, causal, 0.125)
        atol = 1e-2 if dtype == torch.float16 else 1e-1
        for got, wanted in zip(ours, expected, strict=True):
            torch.testing.assert_close(got.double(), wanted, rtol=2e-2, atol=atol)
    print("the gradients of q, k and v equal those of attention in float64")
