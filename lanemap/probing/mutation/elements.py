"""Mutants of fragments: maps that still place every element of a matrix in the registers once.

An instruction that multiplies matrices has no meaning for a map that tears an element apart or
leaves one out. So two elements are exchanged, at random, or two bits of the elements' numbers in
the registers: two bits of the lane, or one of the lane and one of the register.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np

from lanemap.layout import LayoutMap
from lanemap.layout.cells import IntArray
from lanemap.probing.mutation.mutants import Mutant, Mutants


def element_mutants(layout: LayoutMap, pairs: int, seed: int) -> Mutants:
    """Every exchange of two bits of an element's number, and `pairs` random exchanges of elements.

    Args:
        layout: From a matrix, whose last axis counts the bits of an element, to registers.
        pairs: Random exchanges.
        seed: Their seed.
    """
    width = layout.source.sizes[-1]
    count = layout.destination.size // width
    changed, equivalent = [], []
    for name, kind, order in _orders(count, pairs, seed):
        each = Mutant(name, kind, partial(_reordered, layout, width, order), layout)
        if np.array_equal(each.build(), layout.table):
            equivalent.append(name)
        else:
            changed.append(each)
    return Mutants(tuple(changed), tuple(equivalent))


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
