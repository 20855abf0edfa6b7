"""Mutants of fragments: maps that still place every element of a matrix in the registers once.

An instruction that multiplies matrices has no meaning for a map that tears an element apart or
leaves one out. So two elements are exchanged, at random, or two bits of the elements' numbers in
the registers: two bits of the lane, or one of the lane and one of the register. The same holds for
operands and results in shared and tensor memory, where an element may also take an empty place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from lanemap.layout import LayoutMap
from lanemap.layout.cells import IntArray
from lanemap.probing.mutation.mutants import Mutant, Mutants


def element_mutants(layout: LayoutMap, pairs: int, seed: int) -> Mutants:
    """Every exchange of two bits of an element's number, and `pairs` random exchanges of elements.

    Args:
        layout: From a matrix, whose last axis counts the bits of an element, to registers or
            memory.
        pairs: Random exchanges.
        seed: Their seed.
    """
    width, parts = _place_bits(layout), _parts(layout)
    count = layout.destination.size // width // parts
    changed, equivalent = [], []
    for name, kind, own in _orders(count, pairs, seed):
        order = (own + count * np.arange(parts)[:, None]).reshape(-1)
        each = Mutant(name, kind, partial(_reordered, layout, width, order), layout)
        if np.array_equal(each.build(), layout.table):
            equivalent.append(name)
        else:
            changed.append(each)
    return Mutants(tuple(changed), tuple(equivalent))


def _place_bits(layout: LayoutMap) -> int:
    """Bits of a place that holds an element or none: a word for D in tensor memory."""
    bits = layout.source.sizes[-1]
    if layout.destination.name != "tmem":
        return bits
    if "column" in layout.source.names:
        return layout.destination.sizes[-1]
    width = 1 << (bits - 1).bit_length()
    while np.isin(layout.defined.reshape(-1, width).sum(1), (0, bits), invert=True).any():
        width *= 2
    return width


def _parts(layout: LayoutMap) -> int:
    """Parts of the destination that are changed alike.

    An element of A stays in the tensor memory of its CTA, and scale factors, which do too, are
    repeated in every 32 lanes.
    """
    if layout.source.name == "scales":
        *ctas, lanes, _, _ = layout.destination.sizes
        return math.prod(ctas) * lanes // 32
    operand = layout.destination.names[0] == "cta" and "k" in layout.source.names
    return layout.destination.sizes[0] if operand else 1


def _orders(count: int, pairs: int, seed: int) -> Iterator[tuple[str, str, IntArray]]:
    """Names, kinds, and the old number of each element."""
    number = np.arange(count)
    for low, high in itertools.combinations(range(count.bit_length() - 1), 2):
        differ = (number >> low ^ number >> high) & 1
        order = number ^ (differ << low | differ << high)
        if order.max() >= count:
            continue
        yield f"bits {low} and {high} of the element's number exchanged", "one bit", order
    rng = np.random.default_rng(seed)
    for _ in range(pairs):
        one, two = rng.choice(count, 2, replace=False)
        order = number.copy()
        order[[one, two]] = two, one
        yield f"elements {one} and {two} exchanged", "exchange", order


def _reordered(layout: LayoutMap, width: int, order: IntArray) -> IntArray:
    table: IntArray = layout.table.reshape(-1, width)[order].reshape(-1)
    return table
