"""Convolutions: causal of one dimension with a state, and of two as a matrix product."""

import torch
import triton
import triton.language as tl


@triton.jit
def causal_kernel(
    x_ptr,
    state_ptr,
    weight_ptr,
    bias_ptr,
    y_ptr,
    length,
    channels,
    WIDTH: tl.constexpr,
    CHANNELS: tl.constexpr,
    TOKENS: tl.constexpr,
):
    """Store silu of a depthwise convolution; before the first token comes the state."""
    token = tl.program_id(1) * TOKENS + tl.arange(0, TOKENS)[:, None]
    channel = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)[None, :]
    inside = channel < channels
    total = tl.load(bias_ptr + channel, mask=inside, other=0.0).to(tl.float32)
    total += tl.zeros((TOKENS, CHANNELS), tl.float32)
    for n in tl.static_range(WIDTH):
        source = token + n - (WIDTH - 1)
        in_x = (source >= 0) & (source < length) & inside
        x = tl.load(x_ptr + source * channels + channel, mask=in_x, other=0.0)
        before = source + (WIDTH - 1)
        old = tl.load(
            state_ptr + before * channels + channel, mask=(source < 0) & inside, other=0.0
        )
        weight = tl.load(weight_ptr + channel * WIDTH + n, mask=inside, other=0.0)
        total += (x + old) * weight
    y = total * tl.sigmoid(total)
    tl.store(y_ptr + token * channels + channel, y, mask=(token < length) & inside)


@triton.jit
def state_kernel(x_ptr, state_ptr, length, channels, WIDTH: tl.constexpr, CHANNELS: tl.constexpr):
    """Keep the last tokens as the next state, in place: old rows move up where x is short."""
    channel = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)
    inside = channel < channels
    for n in tl.static_range(WIDTH - 1):
        source = length - (WIDTH - 1) + n
        if source >= 0:
            kept = tl.load(x_ptr + source * channels + channel, mask=inside)
        else:
            kept = tl.load(state_ptr + (source + WIDTH - 1) * channels + channel, mask=inside)
        tl.store(state_ptr + n * channels + channel, kept, mask=inside)


@triton.jit
def conv2d_kernel(
    x_ptr,
    w_ptr,
    y_ptr,
    height,
    width,
    channels,
    filters,
    out_height,
    out_width,
    stride,
    padding,
    SIZE: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
):
    """Store a tile of pixels and filters: rows of windows times the filters."""
    pixel = tl.program_id(0) * M + tl.arange(0, M)
    filter = tl.program_id(1) * N + tl.arange(0, N)
    image = tl.program_id(2)
    in_image = pixel < out_height * out_width
    top = pixel // out_width * stride - padding
    left = pixel % out_width * stride - padding
    total = tl.zeros((M, N), tl.float32)
    for spot in range(SIZE * SIZE):
        row, column = top + spot // SIZE, left + spot % SIZE
        in_x = in_image & (row >= 0) & (row < height) & (column >= 0) & (column < width)
        for start in range(0, channels, K):
            channel = start + tl.arange(0, K)
            x = tl.load(
                x_ptr
                + ((image * height + row) * width + column)[:, None] * channels
                + channel[None, :],
                mask=in_x[:, None] & (channel < channels)[None, :],
                other=0.0,
            )
            w = tl.load(
                w_ptr + (spot * channels + channel)[:, None] * filters + filter[None, :],
                mask=(channel < channels)[:, None] & (filter < filters)[None, :],
                other=0.0,
            )
            total = tl.dot(x, w, total)
    place = (image * out_height * out_width + pixel)[:, None] * filters + filter[None, :]
    tl.store(y_ptr + place, total, mask=in_image[:, None] & (filter < filters)[None, :])


def causal_conv(x, state, weight, bias):
    """Return silu of the causal convolution of x [length, channels]; update the state in place.

    weight is [channels, width], state the width - 1 tokens before x.
    """
    length, channels = x.shape
    width = weight.shape[1]
    y = torch.empty_like(x)
    grid = triton.cdiv(channels, 32), triton.cdiv(length, 16)
    causal_kernel[grid](
        x, state, weight, bias, y, length, channels, WIDTH=width, CHANNELS=32, TOKENS=16
    )
    state_kernel[(grid[0],)](x, state, length, channels, WIDTH=width, CHANNELS=32)
    return y


def conv2d(x, w, stride=1, padding=0):
    """Convolve x [images, height, width, channels], w [size, size, channels, filters]."""
    images, height, width, channels = x.shape
    size, _, _, filters = w.shape
    out_height, out_width = ((n + 2 * padding - size) // stride + 1 for n in (height, width))
    y = torch.empty(images, out_height, out_width, filters, device=x.device, dtype=x.dtype)
    conv2d_kernel[(triton.cdiv(out_height * out_width, 16), triton.cdiv(filters, 16), images)](
        x,
        w,
        y,
        height,
        width,
        channels,
        filters,
        out_height,
        out_width,
        stride,
        padding,
        SIZE=size,
        M=16,
        N=16,
        K=16,
    )
    return y
