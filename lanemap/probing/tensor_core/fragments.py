"""Readings of operands and results in tensor memory, and what they prove.

Elements are tagged with small integers, which every type holds exactly, so that each word of tensor
memory shows which element of a matrix it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lanemap.layout import LayoutMap, Space
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.proof.gauges import Integers, mma_gauge
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.tmem.forms import LANES
from lanemap.probing.warp.tagged import (
    Geometry,
    TaggedMoves,
    TagReading,
    Words,
)

WORD = 32
NAMED_BY = "the places of operands in shared memory, K-major without a swizzle"


def tensor_memory(ctas: int, columns: int) -> Space:
    """The space of some columns of a CTA's tensor memory, or of a pair's."""
    axes = (("lane", LANES), ("column", columns), ("bit", WORD))
    return Space("tmem", (("cta", ctas), *axes) if ctas > 1 else axes)


def received(elements: Integers, width: int, rest: Integers) -> Integers:
    """Tags of the bits of words from the element in each word.

    Args:
        elements: int64[..], the element that a word holds in its low bits; negative for none.
        width: Bits of an element.
        rest: int64[.., 32], what a bit that belongs to no element has received.

    Returns:
        int64[words * 32].
    """
    bit, each = np.arange(WORD), elements[..., None]
    # A word without an element is unchanged, zero or undefined as a whole: else it shows something
    # that is none. Where no word has an element, a device did not multiply at all.
    alike = np.all(rest == rest[..., :1], axis=-1, keepdims=True) & bool((elements >= 0).any())
    rest = np.where((each >= 0) | alike, rest, NO_CELL)
    return np.where((each >= 0) & (bit < width), each * width + bit, rest).reshape(-1)


@dataclass(frozen=True)
class Naming:
    """Names of the numbers of a variant's matrix.

    Attributes:
        depth: K of an operand; 0 for D.
        block: Consecutive k that share a scale; None for kinds without scales.
    """

    depth: int = 0
    block: int | None = None


class Fragments(TaggedMoves):
    """Explains which element of a matrix each word of tensor memory holds."""

    def __init__(self, geometry: Mapping[str, Geometry], named: Mapping[str, Naming]) -> None:
        """Describe the variants: their spaces, and what names the numbers of their matrix."""
        words = Words("element of tensor memory", "element of the matrix", "nothing")
        super().__init__(dict(geometry), BitTags(1), words, 0)
        self.named = dict(named)

    def _cells(self, variant: str, layout: LayoutMap) -> LayoutMap | None:
        """Elements narrower than a byte or than their place are fitted bit by bit."""
        spaces = self.geometry[variant]
        width = spaces.source.sizes[-1]
        whole = width == spaces.cell_bits or spaces.cell_bits == WORD
        return super()._cells(variant, layout) if width >= 8 and whole else layout

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        variant = readings[0].variant
        spaces, naming = self.geometry[variant], self.named[variant]
        elements = spaces.source.size // spaces.source.sizes[-1]
        yield Certificate(
            f"each place of an element in tensor memory, as the reference load and store name it, "
            f"holds any {spaces.source.sizes[-1]}-bit element of the matrix, or none",
            spaces.destination.size // spaces.cell_bits,
            elements + 1,
            elements + 1,
            True,
        )
        if naming.depth:
            yield _of_k(naming)
        yield Certificate(
            "which row and column of D, row of A and column of B have a number",
            1,
            2,
            1,
            False,
            "renamings of rows common to A and D, and of columns common to B and D; rows and "
            f"columns are named by {NAMED_BY}",
            "none: no input can split it",
        )


def _of_k(naming: Naming) -> Certificate:
    """Return the ambiguity of k that no input resolves."""
    numbers = np.arange(naming.depth)
    gauge = mma_gauge(numbers, numbers, naming.block)
    scales = (
        "; scales are one everywhere, so that these inputs do not tell the blocks apart, which "
        "the probe scale_factors does"
        if naming.block
        else ""
    )
    return Certificate(
        "which k each element has",
        1,
        gauge.order,
        1,
        False,
        f"{gauge.describe()}; k is named by the operand in shared memory, K-major without a "
        f"swizzle{scales}",
    )
