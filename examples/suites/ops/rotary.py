"""Rotary embedding of queries and keys, in place, of halves or of interleaved pairs."""

import torch
import triton
import triton.language as tl


@triton.jit
def rotary_kernel(
    x_ptr,
    cos_ptr,
    sin_ptr,
    positions_ptr,
    tokens,
    heads,
    token_stride,
    head_stride,
    SIZE: tl.constexpr,
    INTERLEAVED: tl.constexpr,
    BACKWARD: tl.constexpr,
    TOKENS: tl.constexpr,
):
    """Rotate one head of some tokens; backward is the rotation by minus the angle."""
    token = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS)[:, None]
    head = tl.program_id(1)
    pair = tl.arange(0, SIZE // 2)[None, :]
    inside = (token < tokens) & (pair < SIZE // 2)
    position = tl.load(positions_ptr + token, mask=token < tokens, other=0)
    cos = tl.load(cos_ptr + position * (SIZE // 2) + pair, mask=inside, other=1.0).to(tl.float32)
    sin = tl.load(sin_ptr + position * (SIZE // 2) + pair, mask=inside, other=0.0).to(tl.float32)
    if BACKWARD:
        sin = -sin
    if INTERLEAVED:
        first, second = 2 * pair, 2 * pair + 1
    else:
        first, second = pair, pair + SIZE // 2
    row = x_ptr + token * token_stride + head * head_stride
    a = tl.load(row + first, mask=inside, other=0.0).to(tl.float32)
    b = tl.load(row + second, mask=inside, other=0.0).to(tl.float32)
    tl.store(row + first, a * cos - b * sin, mask=inside)
    tl.store(row + second, b * cos + a * sin, mask=inside)


def _rotate(x, cos, sin, positions, interleaved, backward):
    tokens, heads, size = x.shape
    assert x.stride(2) == 1
    rotary_kernel[(triton.cdiv(tokens, 4), heads)](
        x,
        cos,
        sin,
        positions,
        tokens,
        heads,
        x.stride(0),
        x.stride(1),
        SIZE=size,
        INTERLEAVED=interleaved,
        BACKWARD=backward,
        TOKENS=4,
    )


class Rotary(torch.autograd.Function):
    """Rotates x [tokens, heads, size] in place."""

    @staticmethod
    def forward(ctx, x, cos, sin, positions, interleaved):
        ctx.save_for_backward(cos, sin, positions)
        ctx.interleaved = interleaved
        _rotate(x, cos, sin, positions, interleaved, backward=False)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        cos, sin, positions = ctx.saved_tensors
        gradient = gradient.contiguous().clone()
        _rotate(gradient, cos, sin, positions, ctx.interleaved, backward=True)
        return gradient, None, None, None, None


def rotary(x, cos, sin, positions, interleaved=False):
    """Rotate x [tokens, heads, size] by the angles of positions; cos, sin are [most, size / 2]."""
    return Rotary.apply(x, cos, sin, positions, interleaved)
