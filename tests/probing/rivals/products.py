"""Rivals of where D lies, and of what a product is: for mma_d and wgmma_d."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.layout import UNDEFINED, LayoutMap
from lanemap.probing.warp.tagged import Geometry

from .planted import Integers

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class OfD:
    """One rival of D.

    Attributes:
        name: What is otherwise.
        elements: row * N + column of each word, or -1; the usual ones for None.
        product: What is made of the matrix; None for nothing.
    """

    name: str
    elements: Integers | None = None
    product: Callable[[Numbers], Numbers] | None = None


def map_of(geometry: Geometry, elements: Integers, place: int) -> LayoutMap:
    """The map of D from the element of each place of `place` bits."""
    width = geometry.source.sizes[-1]
    bit = np.arange(place)
    each = elements.reshape(-1, 1)
    table = np.where((each >= 0) & (bit < width), each * width + bit, UNDEFINED)
    return LayoutMap(geometry.destination, geometry.source, table.reshape(-1))


def _flipped(usual: Integers, columns: int, by: int, to: int, of_row: bool) -> Integers:
    """One entry of the map flipped: a bit of row or column also depends on a bit of the place."""
    place = np.arange(usual.size).reshape(usual.shape)
    row, column = np.divmod(usual, columns)
    turn = (place >> by & 1) << to
    row, column = (row ^ turn, column) if of_row else (row, column ^ turn)
    rows = int(usual.max()) // columns + 1
    inside = (usual >= 0) & (row < rows) & (column < columns)
    return np.where(inside, row * columns + column, -1)


def of_places(usual: Integers, columns: int) -> Iterator[OfD]:
    """Every single-bit change of the map, and other layouts."""
    rows = int(usual.max()) // columns + 1
    for by in range((usual.size - 1).bit_length()):
        for size, of_row in ((rows, True), (columns, False)):
            for to in range((size - 1).bit_length()):
                what = "row" if of_row else "column"
                yield OfD(
                    f"bit {to} of the {what} flips with bit {by} of the place",
                    _flipped(usual, columns, by, to, of_row),
                )
    row, column = np.divmod(usual, columns)
    there = usual >= 0
    structural = {
        "rows the other way": (rows - 1 - row, column),
        "columns the other way": (row, columns - 1 - column),
        "halves of the rows exchanged, as between CTAs": ((row + rows // 2) % rows, column),
        "halves of the columns exchanged": (row, (column + columns // 2) % columns),
        "every place holds the element of an even column": (row, column & ~1),
        "rows 8 to 15 of each 16 hold rows 0 to 7": (row & ~8, column),
    }
    for name, (other_row, other_column) in structural.items():
        yield OfD(name, np.where(there, other_row * columns + other_column, -1))
    left_out = usual.copy()
    left_out[usual == usual.max()] = -1
    yield OfD("the last element is not written", left_out)


def _row_added(d: Numbers) -> Numbers:
    found = d.copy()
    found[0] += d[1]
    return found


def _cell(d: Numbers, change: Callable[[Numbers], float]) -> Numbers:
    found = d.copy()
    found[0, 1] = change(d)
    return found


def _to_bits(bits: int, d: Numbers) -> Numbers:
    """Rounded toward zero to so many significant bits."""
    unit = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(d), 1))) + 1 - bits)
    return np.asarray(np.trunc(d / unit) * unit)


#: What no map describes: sums, scaled numbers, numbers that are cut, and a device that is dead.
PRODUCTS: dict[str, Callable[[Numbers], Numbers]] = {
    "D is zero everywhere": np.zeros_like,
    "D is one everywhere": np.ones_like,
    "every product counts twice": lambda d: 2 * d,
    "D is negated": lambda d: -d,
    "one is added to D": lambda d: d + 1,
    "row 0 also adds row 1": _row_added,
    "every column also adds the next one": lambda d: d + np.roll(d, -1, 1),
    "element (0, 1) also adds element (0, 2)": lambda d: _cell(d, lambda e: e[0, 1] + e[0, 2]),
    "element (0, 1) is the mean of columns 0 and 2": lambda d: _cell(
        d, lambda e: (e[0, 0] + e[0, 2]) / 2),
    "element (0, 1) is the greatest of its row": lambda d: _cell(d, lambda e: e[0].max()),
    "numbers keep 5 significant bits": partial(_to_bits, 5),
    "numbers are cut to 6 bits": lambda d: d % 64,
    "the lowest bit is lost": lambda d: d - d % 2,
    "numbers above 60 become 60": lambda d: np.minimum(d, 60),
}  # fmt: skip


def of_d(usual: Integers, columns: int) -> Iterator[OfD]:
    """All rivals of a D that lies as `usual` says, row * N + column of each place or -1."""
    for each in of_places(usual, columns):
        if each.elements is not None and not np.array_equal(each.elements, usual):
            yield each
    for name, product in PRODUCTS.items():
        yield OfD(name, product=product)


def sample(found: list[Any], wanted: int | None, seed: int) -> list[Any]:
    """So many of a family, chosen by a seed; all for None."""
    if wanted is None or wanted >= len(found):
        return found
    chosen = np.random.default_rng(seed).choice(len(found), wanted, replace=False)
    return [found[each] for each in sorted(chosen)]
