"""Fragment maps from the products of pairs of elements, and the ambiguity that remains.

Elements of A that reach the same elements of D are of one row; elements of B that do are of one
column; elements of A and B that meet have one k. So the meetings determine A, B and D up to the
names of rows, of columns and of k. Names are given in a fixed order of threads and elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from lanemap.layout import Space
from lanemap.probing.mma import kernel
from lanemap.probing.mma.forms import Form, Key, forms, forms_of
from lanemap.probing.probe import State
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.warp.tagged import UNREAD, Geometry, TaggedMoves, TagReading, Words
from lanemap.targets import probed

Integers = npt.NDArray[np.int64]
TARGETS = probed()
_NAMES = {"block": "A, B and D", "row": "A and D", "column": "B and D", "k": "A and B"}


def sources() -> dict[str, str]:
    """The text of the probe, by target."""
    return {
        target: kernel.HEAD.format(target=target) + "".join(map(kernel.text, forms_of(target)))
        for target in TARGETS
    }


def kinds(target: str) -> tuple[str, ...]:
    """Types of A and B that a target has."""
    return tuple(dict.fromkeys(form.kind for form in forms_of(target)))


def _classes(sets: Sequence[frozenset[int]], key: Key) -> dict[frozenset[int], int]:
    """Number sets in the order of their first member."""
    distinct = sorted(set(sets), key=lambda members: min(map(key, members)))
    return {members: number for number, members in enumerate(distinct)}


class Product(Protocol):
    """The parameters on which the names of an instruction's elements depend."""

    @property
    def lanes(self) -> int:
        """Lanes that hold the matrices."""

    @property
    def rows(self) -> int:
        """M."""

    @property
    def columns(self) -> int:
        """N."""

    @property
    def depth(self) -> int:
        """K."""

    @property
    def products(self) -> int:
        """Pairs of matrices that it multiplies."""

    def elements(self, operand: str) -> int:
        """Elements of "A", "B" or "D" that a lane holds."""

    def keys(self) -> tuple[Key, Key, Key]:
        """The orders in which rows and columns (of elements of D) and k (of A) are named."""


class Operands(Protocol):
    """The registers and the matrices of an instruction's operands, each "A", "B" or "D"."""

    def variant(self, operand: str) -> str:
        """Its name."""

    def bits(self, operand: str) -> int:
        """Width of an element."""

    def registers(self, operand: str) -> Space:
        """The registers that hold it."""

    def matrix(self, operand: str) -> Space:
        """Its elements."""


def names(form: Product, met: Integers) -> dict[str, Integers] | None:
    """The matrix element of each register element of A, B and D.

    Args:
        form: The form.
        met: What `kernel.meetings` returns.

    Returns:
        int64[elements] of each operand, in the order of its matrix; None if the meetings are not
        those of products of matrices.
    """
    row_key, column_key, k_key = form.keys()
    count = form.lanes * form.elements("B")
    if met.max() >= count:
        return None
    reached = [frozenset(np.flatnonzero(line >= 0).tolist()) for line in met]
    partners = [frozenset(np.unique(line[line >= 0]).tolist()) for line in met]
    shown: list[set[int]] = [set() for _ in range(count)]
    holders: dict[frozenset[int], set[int]] = {}
    for element, line in enumerate(met):
        for d in np.flatnonzero(line >= 0).tolist():
            shown[int(line[d])].add(d)
        holders.setdefault(partners[element], set()).add(element)
    if any(not each for each in (*reached, *partners, *shown)):
        return None
    rows = _classes(reached, row_key)
    columns = _classes([frozenset(each) for each in shown], column_key)
    k_of_b = {b: members for members in holders for b in members}
    order = sorted(holders, key=lambda members: min(map(k_key, holders[members])))
    k_number = {members: number for number, members in enumerate(order)}
    sizes = (len(rows), len(columns), len(k_number))
    if sizes != tuple(size * form.products for size in (form.rows, form.columns, form.depth)):
        return None
    a = np.array(
        [
            rows[reached[e]] * form.depth + k_number[partners[e]] % form.depth
            for e in range(len(met))
        ]
    )
    b = np.array(
        [_joined(form, k_number[k_of_b[e]], columns[frozenset(shown[e])]) for e in range(count)]
    )
    d = np.full(met.shape[1], -1, np.int64)
    for cells, row in rows.items():
        d[list(cells)] = row * form.columns
    for cells, column in columns.items():
        d[list(cells)] += column % form.columns
    named = {"A": a, "B": b, "D": d}
    return named if _is_product(form, met, named) else None


def _is_product(form: Product, met: Integers, named: dict[str, Integers]) -> bool:
    """Whether elements of these names meet as in products of matrices.

    Classes of elements may have the right sizes and yet not be a product: an element of D that
    sums two rows lies in the classes of both.
    """
    if any(not np.array_equal(np.sort(each), np.arange(each.size)) for each in named.values()):
        return False
    row, k = np.divmod(named["A"][:, None], form.depth)
    own, column = np.divmod(named["D"], form.columns)
    places = np.argsort(named["B"])
    partners = places[(row // form.rows * form.depth + k) * form.columns + column]
    return np.array_equal(met, np.where(row == own, partners, -1))


def _joined(form: Product, k: int, column: int) -> int:
    """The element of B: product, k, column."""
    product, own = divmod(column, form.columns)
    return (product * form.depth + k % form.depth) * form.columns + own


class Fragments(TaggedMoves):
    """Explains meetings: elements are told apart, rows, columns and k only up to names."""

    def renamings(self, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, str]]:
        """What no product shows: an axis, its size, and the operands that share its names."""
        for axis, shared in _NAMES.items():
            if sizes.get(axis, 1) > 1:
                yield axis, sizes[axis], shared

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        spaces = self.geometry[readings[0].variant]
        elements = spaces.source.size // spaces.source.sizes[-1]
        yield Certificate(
            "each element of the registers is any element of the matrix, names apart",
            elements,
            elements,
            elements,
            True,
        )
        sizes = dict(spaces.source.axes)
        for axis, size, shared in self.renamings(sizes):
            products = sizes.get("product", sizes.get("block", 1)) if axis != "block" else 1
            each = f" of each of the {products} products" if products > 1 else ""
            things = axis if axis == "k" else f"{axis}s"
            yield Certificate(
                f"renamings of the {size} {things}{each}, common to {shared}",
                1,
                math.factorial(size),
                1,
                False,
                f"one permutation of {axis}, common to {shared}: no product can show it; "
                "names follow the order of threads and registers",
            )
        bits = spaces.source.sizes[-1]
        yield Certificate(
            "orders of the bits inside an element",
            1,
            math.factorial(bits),
            1,
            bits == 1,
            None if bits == 1 else "all: an element is recognized by its value, one",
        )


def analysis() -> Fragments:
    """The analysis of the readings."""
    return explaining(forms())


def explaining(known_forms: Iterable[Operands], by: type[Fragments] = Fragments) -> Fragments:
    """Return the analysis of given forms: the registers and the matrices of A, B and D."""
    known = {}
    for form in known_forms:
        for operand in "ABD":
            bits = form.bits(operand)
            known[form.variant(operand)] = Geometry(
                form.registers(operand), form.matrix(operand), bits if bits in (8, 16, 32) else 1
            )
    return by(known, BitTags(1), Words("", "", ""), 0)


def readings(state: State) -> list[TagReading]:
    """Every form at one point of the axes: readings of A, B and D."""
    found = []
    for form in forms_of(state.device.target):
        if form.kind != state["type"]:
            continue
        met = kernel.meetings(state.device, state.entry(form.entry), form)
        named = names(form, met)
        for operand in "ABD":
            found.append(_reading(form, operand, None if named is None else named[operand]))
    return found


def _reading(form: Form, operand: str, named: Integers | None) -> TagReading:
    spaces, place = (form.registers(operand), form.matrix(operand)), form.place(operand)
    name, passes = form.variant(operand), kernel.passes(form)
    return reading(name, form.instruction, passes, *spaces, named, place)


def reading(
    variant: str,
    pattern: str,
    passes: int,
    where: Space,
    space: Space,
    named: Integers | None,
    place: tuple[int, int] | None = None,
) -> TagReading:
    """Return the reading of one operand of a form.

    Args:
        variant: The operand.
        pattern: The form.
        passes: Passes of its launch.
        where: The registers.
        space: The elements.
        named: The element of the matrix that each element of the registers is, if that is known.
        place: Bits that an element takes, and padding below it; None without padding.
    """
    bits = space.sizes[-1]
    each, below = place or (bits, 0)
    elements = where.size // each
    received = np.full(where.size, NO_CELL, np.int64)
    if named is not None:
        received[:] = UNREAD
        element, bit = np.indices((elements, bits))
        received[(element * each + below + bit).reshape(-1)] = (
            named[element] * bits + bit
        ).reshape(-1)
    return TagReading(
        variant,
        pattern,
        "one element of A at a time against all of B",
        1,
        passes,
        received,
        np.arange(space.size),
    )
