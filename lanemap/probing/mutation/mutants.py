"""Mutants: layout maps that differ a little from the map of a variant.

For a map that is affine over F2, on bits or on packed 6-bit elements, each entry of the matrix is
flipped, and so are random pairs of entries. For other maps, random cells are exchanged or
redirected. A change that leaves every cell unchanged is not a mutant: all cells are compared.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, F2Fit, LayoutMap, Space, fit_f2
from lanemap.layout.cells import IntArray
from lanemap.layout.f2 import axis_bits, decode, encode

PAIRS = 200
SEED = 950
# Elements that straddle registers: FP6 and BF6.
PACKED_BITS = 6


@dataclass(frozen=True)
class Mutant:
    """One changed map.

    Attributes:
        name: What was changed, in words.
        kind: "one bit", "two bits", "exchange" or "redirect".
        build: Makes the changed table on demand, because all tables together would not fit.
        original: The map that it is a mutant of.
    """

    name: str
    kind: str
    build: Callable[[], IntArray]
    original: LayoutMap

    @property
    def map(self) -> LayoutMap:
        """The changed map, built at each use."""
        return LayoutMap(self.original.destination, self.original.source, self.build())


@dataclass(frozen=True)
class Mutants:
    """The mutants of one map.

    Attributes:
        changed: The mutants; each differs from the map.
        equivalent: Names of changes that leave every cell unchanged.
        outside: Names of changes that would give a cell a source outside the source space.
    """

    changed: tuple[Mutant, ...]
    equivalent: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def mutants(layout: LayoutMap, pairs: int = PAIRS, seed: int = SEED) -> Mutants:
    """All one-bit mutants of a map's F2 matrix, and `pairs` random two-bit mutants.

    If only packed 6-bit elements are affine, the matrix on elements is mutated. Any other map gets
    `pairs` random exchanges and redirects of cells.

    Raises:
        UserError: No cell of the map is defined.
    """
    fit = fit_f2(layout)
    if not isinstance(fit, F2Fit):
        fit = _fit_elements(layout) or fit
    made = (
        _of_matrix(layout, fit, pairs, seed)
        if isinstance(fit, F2Fit)
        else _of_cells(layout, pairs, seed)
    )
    changed: list[Mutant] = []
    equivalent: list[str] = []
    outside: list[str] = []
    for mutant in made:
        table = mutant.build()
        if np.array_equal(table, layout.table):
            equivalent.append(mutant.name)
        elif np.any((table < 0) & layout.defined):
            # If a source size is not a power of two, some codes have no cell.
            outside.append(mutant.name)
        else:
            changed.append(mutant)
    return Mutants(tuple(changed), tuple(equivalent), tuple(outside))


def _fit_elements(layout: LayoutMap) -> F2Fit | None:
    """The fit on packed 6-bit elements, if registers and chunks hold a whole number of them."""
    spaces = []
    for space in (layout.destination, layout.source):
        lanes, *rest = space.axes
        bits = math.prod(size for _, size in rest)
        if bits % PACKED_BITS:
            return None
        axes = (lanes, ("element", bits // PACKED_BITS), ("bit", PACKED_BITS))
        spaces.append(Space(space.name, axes))
    fit = fit_f2(LayoutMap(spaces[0], spaces[1], layout.table))
    return fit if isinstance(fit, F2Fit) else None


def _of_matrix(layout: LayoutMap, fit: F2Fit, pairs: int, seed: int) -> Iterator[Mutant]:
    """Flips of every matrix entry, and of random pairs of entries.

    The fit's spaces may name the same cells in the same order differently.
    """
    every = np.arange(layout.destination.size, dtype=np.int64)
    inputs = encode(fit.destination, every)
    outputs = encode(fit.source, np.maximum(layout.table, 0))
    rows, columns = axis_bits(fit.source), axis_bits(fit.destination)

    def flipped(places: Sequence[tuple[int, int]], kind: str) -> Mutant:
        def build() -> IntArray:
            codes = outputs.copy()
            for row, column in places:
                codes ^= ((inputs >> column) & 1) << row
            return np.where(layout.defined, decode(fit.source, codes), UNDEFINED)

        words = []
        for row, column in places:
            verb = "loses" if fit.matrix[row, column] else "gains"
            (to, to_bit), (by, by_bit) = rows[row], columns[column]
            words.append(f"source {to}.{to_bit} {verb} destination {by}.{by_bit}")
        return Mutant(" and ".join(words), kind, build, layout)

    places = list(itertools.product(range(len(rows)), range(len(columns))))
    for place in places:
        yield flipped((place,), "one bit")
    rng = np.random.default_rng(seed)
    drawn: set[tuple[int, int]] = set()
    while len(drawn) < min(pairs, len(places) * (len(places) - 1) // 2):
        first, second = sorted(int(i) for i in rng.choice(len(places), 2, replace=False))
        if (first, second) not in drawn:
            drawn.add((first, second))
            yield flipped((places[first], places[second]), "two bits")


def _of_cells(layout: LayoutMap, number: int, seed: int) -> Iterator[Mutant]:
    """Random changes: half exchange the sources of two cells, half copy one cell's source."""
    rng = np.random.default_rng(seed)
    cells = np.flatnonzero(layout.defined)
    if cells.size < 2:
        raise UserError("a map of fewer than two defined cells has no mutants")
    for index in range(number):
        one, two = (int(cell) for cell in rng.choice(cells, 2, replace=False))
        first, second = layout.destination.format(one), layout.destination.format(two)
        if index % 2:
            name, kind, sources = f"{first} receives what {second} does", "redirect", (two, two)
        else:
            name, kind, sources = f"{first} exchanges with {second}", "exchange", (two, one)
        yield Mutant(name, kind, partial(_moved, layout.table, (one, two), sources), layout)


def _moved(table: IntArray, cells: Sequence[int], sources: Sequence[int]) -> IntArray:
    """The table with some cells receiving what others do."""
    changed: IntArray = table.copy()
    changed[list(cells)] = table[list(sources)]
    return changed


def spread(total: int, wanted: int | None) -> list[int]:
    """That many numbers below `total`, evenly spaced and sorted; all of them for None."""
    if wanted is None or wanted >= total:
        return list(range(total))
    if wanted < 1:
        return []
    return sorted({int(i) for i in np.linspace(0, total - 1, wanted).round()})
