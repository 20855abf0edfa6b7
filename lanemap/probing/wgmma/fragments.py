"""Readings of fragments of wgmma, and what they prove.

Elements of operands and results are tagged, and tags are exact integers, so that each element of a
register shows which element of a matrix it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lanemap.layout import Space
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.proof.gauges import mma_gauge
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading, Words
from lanemap.probing.wgmma.elements import Integers

WARPS, LANES, WORD = 4, 32, 32


def registers(count: int) -> Space:
    """The space of registers of a warpgroup."""
    axes = (("warp", WARPS), ("lane", LANES), ("register", count), ("bit", WORD))
    return Space("register", axes)


def matrix(rows: int, name: str, lines: int, bits: int) -> Space:
    """The space of an operand or result."""
    return Space("matrix", (("row", rows), (name, lines), ("bit", bits)))


def bits_of(elements: Integers, width: int) -> Integers:
    """Numbers of elements as numbers of their bits; NO_CELL for negative ones."""
    flat = elements.reshape(-1)[:, None]
    return np.where(flat >= 0, flat * width + np.arange(width), NO_CELL).reshape(-1)


class Fragments(TaggedMoves):
    """Explains which element of a matrix each register holds."""

    def __init__(self, geometry: Mapping[str, Geometry], depths: Mapping[str, int]) -> None:
        """Describe the variants.

        Args:
            geometry: The spaces of each variant.
            depths: K of those whose elements have a k; 0 for D.
        """
        words = Words("register element", "element of the matrix", "nothing else")
        super().__init__(dict(geometry), BitTags(1), words, 0)
        self.depths = dict(depths)

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        variant = readings[0].variant
        spaces = self.geometry[variant]
        elements = spaces.source.size // spaces.cell_bits
        yield Certificate(
            f"each {spaces.cell_bits}-bit element of the registers is any element of the matrix",
            spaces.destination.size // spaces.cell_bits,
            elements,
            elements,
            True,
        )
        depth = self.depths[variant]
        if depth:
            gauge = mma_gauge(np.arange(depth), np.arange(depth))
            yield Certificate(
                "which k each element has",
                1,
                gauge.order,
                1,
                False,
                f"{gauge.describe()}; k is named by the operand in shared memory, K-major without "
                "a swizzle",
            )
        yield Certificate(
            "which row and column of D, row of A and column of B have a number",
            1,
            2,
            1,
            False,
            "renamings of rows common to A and D, and of columns common to B and D; rows and "
            "columns are named by the places of operands in shared memory, K-major without a "
            "swizzle",
            "none: no input can split it",
        )
