"""A mixture of experts: gate, sort of tokens by expert, grouped product, and their sum."""

import torch
import triton
import triton.language as tl


@triton.jit
def gate_kernel(
    logits_ptr,
    weights_ptr,
    experts_ptr,
    counts_ptr,
    experts,
    TOP: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Store a token's best experts and their softmax, and count the tokens of each expert."""
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + token * experts + at, mask=at < experts, other=-float("inf"))
    p = tl.exp(x - tl.max(x))
    total = 0.0
    for n in tl.static_range(TOP):
        best = tl.argmax(p, 0)
        weight = tl.max(p)
        total += weight
        tl.store(weights_ptr + token * TOP + n, weight)
        tl.store(experts_ptr + token * TOP + n, best)
        tl.atomic_add(counts_ptr + best, 1)
        p = tl.where(at == best, -1.0, p)
    tl.debug_barrier()  # what one thread has stored, others load
    place = tl.arange(0, TOP)
    weights = tl.load(weights_ptr + token * TOP + place)
    tl.store(weights_ptr + token * TOP + place, weights / total)


@triton.jit
def sort_kernel(experts_ptr, starts_ptr, taken_ptr, sorted_ptr, pairs, BLOCK: tl.constexpr):
    """Give each pair of token and expert a place among those of its expert."""
    pair = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = pair < pairs
    expert = tl.load(experts_ptr + pair, mask=inside, other=0)
    before = tl.atomic_add(taken_ptr + expert, 1, mask=inside)
    start = tl.load(starts_ptr + expert, mask=inside, other=0)
    tl.store(sorted_ptr + start + before, pair, mask=inside)


@triton.jit
def grouped_kernel(
    x_ptr,
    w_ptr,
    weights_ptr,
    sorted_ptr,
    tile_expert_ptr,
    y_ptr,
    inner,
    columns,
    TOP: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """Store a tile of the products of sorted tokens with their expert's matrix, weighted."""
    tile, block = tl.program_id(0), tl.program_id(1)
    expert = tl.load(tile_expert_ptr + tile)
    pair = tl.load(sorted_ptr + tile * M + tl.arange(0, M))
    inside = pair >= 0  # the others fill up the expert's last tile
    column = block * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, inner, K):
        at = start + tl.arange(0, K)
        x = tl.load(
            x_ptr + (pair // TOP)[:, None] * inner + at[None, :],
            mask=inside[:, None] & (at < inner)[None, :],
            other=0.0,
        )
        w = tl.load(
            w_ptr + (expert * inner + at[:, None]) * columns + column[None, :],
            mask=(at < inner)[:, None] & (column < columns)[None, :],
            other=0.0,
        )
        total += tl.dot(x, w)
    weight = tl.load(weights_ptr + pair, mask=inside, other=0.0)
    place = y_ptr + pair[:, None] * columns + column[None, :]
    tl.store(place, total * weight[:, None], mask=inside[:, None] & (column < columns)[None, :])


def moe(x, logits, w, top=2, tile=16):
    """Return the sum of w[e]^T x over the `top` experts of each token, by the gate's weights.

    x is [tokens, inner], logits [tokens, experts], w [experts, inner, columns].
    """
    tokens, inner = x.shape
    experts, _, columns = w.shape
    pairs = tokens * top
    weights = torch.empty(tokens, top, device=x.device, dtype=torch.float32)
    chosen = torch.empty(tokens, top, device=x.device, dtype=torch.int32)
    counts = torch.zeros(experts, device=x.device, dtype=torch.int32)
    block = max(triton.next_power_of_2(experts), 16)
    gate_kernel[(tokens,)](logits, weights, chosen, counts, experts, TOP=top, BLOCK=block)
    tiles = (counts + tile - 1) // tile
    starts = ((tiles.cumsum(0) - tiles) * tile).to(torch.int32)
    number = int(tiles.sum())
    order = torch.full((number * tile,), -1, device=x.device, dtype=torch.int32)
    taken = torch.zeros_like(counts)
    sort_kernel[(triton.cdiv(pairs, 32),)](chosen, starts, taken, order, pairs, BLOCK=32)
    of_tile = torch.repeat_interleave(
        torch.arange(experts, device=x.device, dtype=torch.int32), tiles
    )
    y = torch.empty(pairs, columns, device=x.device, dtype=torch.float32)
    grouped_kernel[(number, triton.cdiv(columns, 32))](
        x, w, weights, order, of_tile, y, inner, columns, TOP=top, M=tile, N=32, K=32
    )
    return y.view(tokens, top, columns).sum(1).to(x.dtype)
