"""Quantization: int8 for each token, FP8 for each block, and a product with weights of 4 bits."""

import torch
import triton
import triton.language as tl


@triton.jit
def tokens_kernel(x_ptr, q_ptr, scale_ptr, columns, BLOCK: tl.constexpr):
    """Store a token's elements as int8, and its scale."""
    row = tl.program_id(0)
    most = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        most = tl.maximum(most, tl.max(tl.abs(x)))
    scale = tl.maximum(most, 1e-10) / 127
    tl.store(scale_ptr + row, scale)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        rounded = tl.floor(x / scale + 0.5)
        tl.store(q_ptr + row * columns + at, rounded.to(tl.int8), mask=at < columns)


@triton.jit
def blocks_kernel(x_ptr, q_ptr, scale_ptr, columns, blocks, SIZE: tl.constexpr):
    """Store a block of a row as FP8 (e4m3), and its scale."""
    row, block = tl.program_id(0), tl.program_id(1)
    at = block * SIZE + tl.arange(0, SIZE)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x)), 1e-10) / 448.0
    tl.store(scale_ptr + row * blocks + block, scale)
    quantized = (x / scale).to(tl.float8e4nv)
    tl.store(q_ptr + row * columns + at, quantized, mask=at < columns)


@triton.jit
def product_kernel(
    a_ptr,
    packed_ptr,
    scale_ptr,
    c_ptr,
    rows,
    columns,
    inner,
    GROUP: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
):
    """Store a tile of a times weights of 4 bits, two along k in a byte, a scale for GROUP rows."""
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    in_row, in_column = row < rows, column < columns
    total = tl.zeros((M, N), tl.float32)
    for group in range(inner // GROUP):
        k = group * GROUP + tl.arange(0, GROUP)
        a = tl.load(a_ptr + row[:, None] * inner + k[None, :], mask=in_row[:, None], other=0.0)
        packed = tl.load(
            packed_ptr + (k // 2)[:, None] * columns + column[None, :],
            mask=in_column[None, :],
            other=0,
        )
        nibble = (packed >> ((k % 2) * 4)[:, None]) & 0xF
        scale = tl.load(scale_ptr + group * columns + column, mask=in_column, other=0.0)
        w = (nibble.to(tl.float32) - 8) * scale[None, :]
        total = tl.dot(a, w.to(a.dtype), total)
    place = c_ptr + row[:, None] * columns + column[None, :]
    tl.store(place, total, mask=in_row[:, None] & in_column[None, :])


def quantize_tokens(x):
    """Return x [rows, columns] as int8, and the scales of its rows."""
    rows, columns = x.shape
    q = torch.empty(rows, columns, device=x.device, dtype=torch.int8)
    scale = torch.empty(rows, device=x.device, dtype=torch.float32)
    tokens_kernel[(rows,)](x, q, scale, columns, BLOCK=128)
    return q, scale


def quantize_blocks(x, size=64):
    """Return x [rows, columns] as float8_e4m3fn, and the scales of blocks of `size` columns."""
    rows, columns = x.shape
    blocks = triton.cdiv(columns, size)
    q = torch.empty(rows, columns, device=x.device, dtype=torch.float8_e4m3fn)
    scale = torch.empty(rows, blocks, device=x.device, dtype=torch.float32)
    blocks_kernel[(rows, blocks)](x, q, scale, columns, blocks, SIZE=size)
    return q, scale


def product_of_4_bits(a, packed, scale):
    """Return a [rows, inner] times weights packed [inner / 2, columns], scale [groups, columns]."""
    rows, inner = a.shape
    columns = packed.shape[1]
    group = inner // scale.shape[0]
    c = torch.empty(rows, columns, device=a.device, dtype=a.dtype)
    grid = triton.cdiv(rows, 16), triton.cdiv(columns, 32)
    product_kernel[grid](a, packed, scale, c, rows, columns, inner, GROUP=group, M=16, N=32)
    return c
