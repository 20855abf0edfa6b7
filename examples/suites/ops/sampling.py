"""Sampling of tokens: penalties in place, thresholds of top-k and top-p, and a draw."""

import torch
import triton
import triton.language as tl


@triton.jit
def penalize_kernel(
    logits_ptr, tokens_ptr, counts_ptr, columns, most, penalty, BLOCK: tl.constexpr
):
    """Lower the logits of tokens that a sequence has already, in place."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    count = tl.load(counts_ptr + row)
    token = tl.load(tokens_ptr + row * most + at, mask=at < count, other=0)
    place = logits_ptr + row * columns + token
    x = tl.load(place, mask=at < count, other=0.0)
    tl.store(place, tl.where(x > 0, x / penalty, x * penalty), mask=at < count)


@triton.jit
def threshold_kernel(
    logits_ptr, kept_ptr, columns, top, share, STEPS: tl.constexpr, BLOCK: tl.constexpr
):
    """Store the probabilities of the likeliest tokens: at most `top`, of at least `share`."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(logits_ptr + row * columns + at, mask=inside, other=-float("inf"))
    p = tl.where(inside, tl.exp(x - tl.max(x)), 0.0)
    p /= tl.sum(p)
    low, high = 0.0, 1.0
    for _ in tl.static_range(STEPS):  # the largest threshold that keeps enough
        middle = (low + high) / 2
        above = p >= middle
        enough = (tl.sum(above.to(tl.int32)) >= top) | (tl.sum(tl.where(above, p, 0.0)) >= share)
        low = tl.where(enough, middle, low)
        high = tl.where(enough, high, middle)
    kept = tl.where(p >= low, p, 0.0)
    tl.store(kept_ptr + row * columns + at, kept / tl.sum(kept), mask=inside)


@triton.jit
def draw_kernel(p_ptr, drawn_ptr, seed, columns, BLOCK: tl.constexpr):
    """Draw a token of each row: the largest log p plus noise of Gumbel."""
    row = tl.program_id(0)
    best, token = -float("inf"), 0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + row * columns + at, mask=at < columns, other=0.0)
        uniform = tl.maximum(tl.rand(seed, row * columns + at), 1e-10)
        score = tl.where(p > 0, tl.log(tl.maximum(p, 1e-38)) - tl.log(-tl.log(uniform)), -1e30)
        most = tl.max(score)
        token = tl.where(most > best, start + tl.argmax(score, 0), token)
        best = tl.maximum(best, most)
    tl.store(drawn_ptr + row, token)


def penalize(logits, tokens, counts, penalty):
    """Divide or multiply, in place, the logits of each row's first counts[row] tokens."""
    rows, columns = logits.shape
    block = triton.next_power_of_2(tokens.shape[1])
    penalize_kernel[(rows,)](logits, tokens, counts, columns, tokens.shape[1], penalty, BLOCK=block)


def keep_likeliest(logits, top, share):
    """Return probabilities [rows, columns], of which only the likeliest are not 0."""
    rows, columns = logits.shape
    kept = torch.empty_like(logits)
    block = triton.next_power_of_2(columns)
    threshold_kernel[(rows,)](logits, kept, columns, top, share, STEPS=24, BLOCK=block)
    return kept


def draw(p, seed):
    """Return a token of each row, drawn by its probabilities."""
    drawn = torch.empty(len(p), device=p.device, dtype=torch.int64)
    draw_kernel[(len(p),)](p, drawn, seed, p.shape[1], BLOCK=128)
    return drawn
