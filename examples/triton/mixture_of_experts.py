"""A layer of a mixture of experts: tokens are sorted by expert, each expert multiplies its own."""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def experts_kernel(
    x_ptr,
    w_ptr,
    out_ptr,
    sorted_ptr,
    expert_ptr,
    gate_ptr,
    N,
    K,
    pairs,
    CHOSEN: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    """Compute BM pairs of a token and an expert; entries of `pairs` and up are padding."""
    expert = tl.load(expert_ptr + tl.program_id(0)).to(tl.int64)
    pair = tl.load(sorted_ptr + tl.program_id(0) * BM + tl.arange(0, BM))
    here = pair < pairs
    token = pair // CHOSEN
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(
            x_ptr + token[:, None] * K + k[None, :],
            mask=here[:, None] & (k[None, :] < K),
            other=0.0,
        )
        w = tl.load(
            w_ptr + expert * N * K + n[None, :] * K + k[:, None],
            mask=(n[None, :] < N) & (k[:, None] < K),
            other=0.0,
        )
        sums += tl.dot(x, w)
    gate = tl.load(gate_ptr + pair, mask=here, other=0.0)
    result = (sums * gate[:, None]).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + pair[:, None] * N + n[None, :], result, here[:, None] & (n[None, :] < N))


@triton.jit
def count_kernel(expert_ptr, count_ptr, pairs, EXPERTS: tl.constexpr, BLOCK: tl.constexpr):
    """Count the pairs of each expert."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    expert = tl.load(expert_ptr + at, mask=at < pairs, other=EXPERTS)
    counts = tl.histogram(expert, 2 * EXPERTS)
    bins = tl.arange(0, 2 * EXPERTS)
    tl.atomic_add(count_ptr + bins, counts, mask=bins < EXPERTS)


def mixture(
    x: torch.Tensor, w: torch.Tensor, experts: torch.Tensor, gates: torch.Tensor
) -> torch.Tensor:
    """Return the gated sum of the chosen experts' products.

    Args:
        x: [tokens, K].
        w: [experts, N, K].
        experts: int32[tokens, chosen], the experts of each token.
        gates: float32[tokens, chosen], their weights.
    """
    tokens, chosen = experts.shape
    count, N, K = w.shape
    BM, pairs = 16, tokens * chosen
    flat = experts.reshape(-1)
    counts = torch.zeros(count, dtype=torch.int32, device=DEVICE)
    count_kernel[(triton.cdiv(pairs, 64),)](flat, counts, pairs, EXPERTS=count, BLOCK=64)
    blocks = (counts + BM - 1) // BM
    rows = torch.full((int(blocks.sum()) * BM,), pairs, dtype=torch.int32, device=DEVICE)
    order = torch.argsort(flat, stable=True).to(torch.int32)
    first = (torch.cumsum(blocks, 0) - blocks) * BM
    begins = torch.cumsum(counts, 0) - counts
    place = first[flat[order].long()] + torch.arange(pairs, device=DEVICE)
    rows[place - begins[flat[order].long()]] = order
    of_block = torch.repeat_interleave(torch.arange(count, device=DEVICE), blocks.long())
    out = torch.empty((pairs, N), device=DEVICE, dtype=x.dtype)
    experts_kernel[(of_block.numel(), triton.cdiv(N, 64))](
        x, w, out, rows, of_block.to(torch.int32), gates.reshape(-1), N, K, pairs,
        CHOSEN=chosen, BM=BM, BN=64, BK=32,
    )  # fmt: skip
    return out.reshape(tokens, chosen, N).sum(1)


if __name__ == "__main__":
    torch.manual_seed(4)
    tokens, chosen, count, N, K = 50, 2, 4, 72, 64
    x = torch.randn((tokens, K), device=DEVICE, dtype=torch.float16)
    w = torch.randn((count, N, K), device=DEVICE, dtype=torch.float16)
    scores = torch.softmax(torch.randn((tokens, count), device=DEVICE), dim=-1)
    gates, experts = torch.topk(scores, chosen, dim=-1)
    ours = mixture(x, w, experts.to(torch.int32), gates)
    expected = torch.zeros((tokens, N), device=DEVICE, dtype=torch.float64)
    for token in range(tokens):
        for gate, expert in zip(gates[token], experts[token], strict=True):
            expected[token] += gate.double() * (w[expert].double() @ x[token].double())
    torch.testing.assert_close(ours.double(), expected, rtol=1e-2, atol=2e-2)
    print(f"{count} experts equal their products in float64")
