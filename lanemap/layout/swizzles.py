"""CuTe's swizzles, and the search for the one under which a table of indices becomes plain.

Swizzle<B,M,S> is that of NVIDIA/cutlass, include/cute/swizzle.hpp: for S > 0 it XORs the B bits
from position M+S into those from position M, for S < 0 the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from lanemap.layout.cells import IntArray, Space
from lanemap.layout.expressions import Constant, Expression, Operation


@dataclass(frozen=True)
class Swizzle:
    """CuTe's Swizzle<bits, base, shift>: `bits` bits are XORed over a distance of `shift`."""

    bits: int
    base: int
    shift: int

    def apply(self, index: IntArray) -> IntArray:
        """The swizzled index; applying it twice gives the index back."""
        mask = ((1 << self.bits) - 1) << (self.base + max(self.shift, 0))
        moved = index & mask
        return index ^ (moved >> self.shift if self.shift > 0 else moved << -self.shift)

    def expression(self, index: Expression) -> Expression:
        """The swizzle of an expression."""
        mask = ((1 << self.bits) - 1) << (self.base + max(self.shift, 0))
        symbol = ">>" if self.shift > 0 else "<<"
        moved = Operation(symbol, Operation("&", index, Constant(mask)), Constant(abs(self.shift)))
        return Operation("^", index, moved)

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"


def unswizzled(
    table: IntArray, source: Space, swizzles: bool
) -> Iterator[tuple[IntArray, Swizzle | None]]:
    """The table itself, then unswizzled by every swizzle that a sample of cells allows."""
    yield table, None
    if not swizzles:
        return
    corners = _corners(table)
    changed = int(np.bitwise_or.reduce(table.reshape(-1) ^ table.flat[0]))
    for swizzle in _swizzles((source.size - 1).bit_length()):
        # Both bit fields must vary over the map, else the swizzle is no more than an offset.
        fields = (((1 << swizzle.bits) - 1) << swizzle.base) * (1 | 1 << abs(swizzle.shift))
        if changed & fields == fields:
            plain = swizzle.apply(corners)
            if not np.any(plain[0] - plain[1] - plain[2] + plain[3]):
                yield swizzle.apply(table), swizzle


def _corners(table: IntArray) -> IntArray:
    """int64[4, n]: values at i + j, i, j and 0; in a layout, outer and inner two have equal sums.

    i and j are steps along two axes, or two bits of one axis whose size is a power of two.
    """
    steps: list[tuple[int, int]] = [
        (axis, step) for axis, size in enumerate(table.shape) for step in _sample_steps(size)
    ]
    bits = [size & (size - 1) == 0 for size in table.shape]
    places = [
        (first, second)
        for first, second in combinations(steps, 2)
        if first[0] != second[0] or bits[first[0]]
    ]
    ends = np.zeros((4, len(places), table.ndim), dtype=np.int64)
    for number, (first, second) in enumerate(places):
        for row in (0, 1):
            ends[row, number, first[0]] += first[1]
        for row in (0, 2):
            ends[row, number, second[0]] += second[1]
    corners: IntArray = table[tuple(np.moveaxis(ends, -1, 0))]
    return corners


def _sample_steps(size: int) -> list[int]:
    """The bits of a power of two cells; else a few steps of any kind."""
    if size & (size - 1) == 0:
        return [1 << bit for bit in range(size.bit_length() - 1)]
    return sorted({1, 2, size // 2, size - 1} - {0})


@cache
def _swizzles(width: int) -> tuple[Swizzle, ...]:
    """Every swizzle of indices of `width` bits, those of few bits first."""
    return tuple(
        Swizzle(bits, base, sign * distance)
        for bits in range(1, width // 2 + 1)
        for distance in range(bits, width - bits + 1)
        for base in range(width - bits - distance + 1)
        for sign in (1, -1)
    )
