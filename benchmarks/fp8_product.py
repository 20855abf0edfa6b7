"""A product of FP8 matrices in Triton, which benchmarks/lds_attention.py compiles for gfx950."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def product(a, b, c, SIZE: tl.constexpr, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    """C = A @ B.T, a tile of BLOCK x BLOCK for each program."""
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, DEPTH)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for first in range(0, SIZE, DEPTH):
        left = tl.load(a + rows[:, None] * SIZE + first + k[None, :])
        right = tl.load(b + columns[None, :] * SIZE + first + k[:, None])
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * SIZE + columns[None, :], sums)
