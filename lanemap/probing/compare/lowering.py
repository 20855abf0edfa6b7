"""A pasted layout held against an instruction's: is it the same, and where does it first differ.

A CuTe layout leaves two things open: which coordinate of the matrix its value counts the fastest,
and, with more than two modes, which mode of a thread's values is the fastest. CUTLASS's traits
count the first coordinate and the first mode the fastest; `lanemap emit --as cute` writes the last
of both. Every reading is tried; the answer names the one that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.drawing.grid import Units, units_of
from lanemap.drawing.sides import in_lines
from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, Difference, IntArray, LayoutMap, Space
from lanemap.layout.pasted import CuteText, Pasted

REGISTER_BITS = 32
#: The space of what lies at the addresses that lanes give.
CHUNK = "chunk"


@dataclass(frozen=True, eq=False)
class Held:
    """A pasted layout and an instruction's between the same spaces.

    Attributes:
        mine: The instruction's map, on elements.
        theirs: The pasted layout's.
        reading: How the pasted layout was read, in words.
        partial: The cells that the pasted layout leaves out, in words; "" for none.
    """

    mine: LayoutMap
    theirs: LayoutMap
    reading: str
    partial: str = ""

    @property
    def compared(self) -> int:
        """Cells that both say something about."""
        return int(np.sum(self._both))

    @property
    def differing(self) -> int:
        """Cells whose sources differ."""
        return int(np.sum(self._both & (self.mine.table != self.theirs.table)))

    @property
    def first(self) -> Difference | None:
        """The first cell that differs."""
        wrong = np.flatnonzero(self._both & (self.mine.table != self.theirs.table))
        if not wrong.size:
            return None
        cell = int(wrong[0])
        sources = int(self.mine.table[cell]), int(self.theirs.table[cell])
        return Difference(self.mine.destination, self.mine.source, cell, *sources)

    @property
    def _both(self) -> Any:
        """Where the pasted layout speaks; a whole one speaks everywhere."""
        return self.theirs.defined if self.partial else self.mine.defined | self.theirs.defined

    def sentences(self, name: str) -> tuple[str, ...]:
        """The answer in words."""
        part = f", in part: {self.partial}" if self.partial else ""
        read = f"read as {self.reading}"
        first = self.first
        if first is None:
            return (f"the same as {name} on {self.compared} elements{part}; {read}",)
        where = first.destination.format(first.cell)
        here, there = first.source.format(first.mine), first.source.format(first.theirs)
        return (
            f"not {name}: {self.differing} of {self.compared} elements differ{part}; {read}",
            f"first at {where}: {name} has {here}, the layout has {there}",
        )

    def to_json(self, name: str) -> dict[str, Any]:
        """The answer for `--json`."""
        first = self.first
        space = self.mine.destination
        return {
            "variant": name,
            "reading": self.reading,
            "partial": self.partial,
            "compared": self.compared,
            "differing": self.differing,
            "agrees": first is None,
            "first": None
            if first is None
            else {
                "cell": space.coords(first.cell),
                "variant": _coordinates(first.source, first.mine),
                "layout": _coordinates(first.source, first.theirs),
            },
        }


def _coordinates(space: Space, cell: int) -> dict[str, int] | None:
    return None if cell == UNDEFINED else space.coords(cell)


def hold(name: str, layout: LayoutMap, pasted: Pasted) -> Held:
    """Hold a pasted layout against a variant's map.

    Args:
        name: The variant, for messages.
        layout: Its map.
        pasted: The layout.

    Raises:
        UserError: The map is not one that a layout of its kind could state, or has other sizes.
    """
    if layout.destination.name == "shared" and layout.source.name == "matrix":
        return _shared(name, layout, pasted)
    if layout.source.name not in ("matrix", "scales", "tmem", CHUNK):
        raise UserError(
            f"{name} is from {layout.source} to {layout.destination}; a layout can be held against "
            "operands of matrix instructions, loads of tensor memory, matrix loads and tiles in "
            "shared memory"
        )
    return _threads(name, layout, pasted)


def _threads(name: str, layout: LayoutMap, pasted: Pasted) -> Held:
    """Threads and their values, or lanes and columns of tensor memory."""
    bits = layout.source.sizes[-1] if layout.source.name != "tmem" else REGISTER_BITS
    if layout.source.name == CHUNK:  # elements as the name says, else what moves together
        told = re.search(r"[._]b(\d+)$", name)
        bits = int(told[1]) if told else units_of(layout).there.unit
    units = units_of(layout, bits)
    if units.there.unit != bits:
        raise UserError(f"{name} tears elements of {bits} bits apart; no layout of elements can")
    mine = _on_elements(layout, units)
    readings = list(_readings(name, mine, pasted))
    return min(readings, key=lambda each: each.differing)


def _on_elements(layout: LayoutMap, units: Units) -> LayoutMap:
    """The map on elements: (thread, value) to the coordinates of the source."""
    here, there = units.here, units.there
    names = ("thread", "value") if here.space.name == "register" else ("lane", "column")
    destination = Space(here.space.name, ((names[0], here.places), (names[1], here.count)))
    if there.space.name in ("tmem", CHUNK):
        inner = "column" if there.space.name == "tmem" else "element"
        source = Space(there.space.name, ((there.outer[-1][0], there.places), (inner, there.count)))
    else:
        source = Space(there.space.name, there.outer)
    table = np.where(units.place < 0, UNDEFINED, units.place * there.count + units.unit)
    return LayoutMap(destination, source, table.reshape(-1))


def _readings(name: str, mine: LayoutMap, pasted: Pasted) -> Iterator[Held]:
    threads, values = mine.destination.sizes
    rows = int(np.prod(mine.source.sizes[:-1]))
    columns = mine.source.sizes[-1]
    if pasted.text is not None:
        yield from _of_cute(name, mine, pasted.text, rows, columns)
        return
    theirs = pasted.layout
    if pasted.kind != "triton" or theirs.destination.name != "register":
        raise UserError(f"{name} is about registers of threads, the layout is not")
    each = theirs.destination.sizes[-1]
    places = theirs.destination.size // each
    shape = theirs.source.sizes if len(theirs.source.sizes) == 2 else (1, theirs.source.size)
    if (places, each, *shape) != (threads, values, rows, columns):
        raise UserError(
            f"the layout has {places} threads with {each} values of a {shape[0]} x {shape[1]} "
            f"tensor; {name} has {threads} with {values} of {rows} x {columns}"
        )
    words = "Triton's (warp and lane, register) to (row, column)"
    yield Held(mine, LayoutMap(mine.destination, mine.source, theirs.table), words)


def _of_cute(name: str, mine: LayoutMap, text: CuteText, rows: int, columns: int) -> Iterator[Held]:
    threads, values = mine.destination.sizes
    table = text.values()
    count = table.size // table.shape[0]
    if (table.shape[0], count) != (threads, values):
        raise UserError(
            f"the layout has {table.shape[0]} threads with {count} values, by its first mode and "
            f"the others; {name} has {threads} with {values}"
        )
    if table.min() < 0 or table.max() >= rows * columns:
        raise UserError(
            f"the layout's value {int(table.max())} is outside the {rows} x {columns} elements of "
            f"{name}"
        )
    first, last = mine.source.names[0], mine.source.names[-1]
    modes = [("F", "the first mode of a thread's values the fastest")]
    if table.ndim > 2:
        modes.append(("C", "the last mode of a thread's values the fastest"))
    for order, fastest in modes:
        index = table.reshape(threads, -1, order=order)  # type: ignore[call-overload]
        yield _read(mine, index % rows * columns + index // rows, f"{first} the fastest", fastest)
        yield _read(mine, index, f"{last} the fastest", fastest)


def _read(mine: LayoutMap, index: IntArray, counted: str, fastest: str) -> Held:
    theirs = LayoutMap(mine.destination, mine.source, index.reshape(-1))
    return Held(mine, theirs, f"(thread, value) to the index with {counted}, {fastest}")


def _shared(name: str, layout: LayoutMap, pasted: Pasted) -> Held:
    """A tile in shared memory: the coordinates of elements to their offset."""
    rows, columns, bits = layout.source.sizes
    place = layout.inverse().table.reshape(rows, columns, bits)[..., 0] // bits
    offsets, words = _offsets(name, pasted)
    tall, wide = offsets.shape
    if tall > rows or wide > columns:
        raise UserError(
            f"the layout is of {tall} x {wide} elements, {name} of {rows} x {columns}; paste an "
            "atom or a tile of at most that size"
        )
    size = in_lines(layout).destination.size // bits
    if offsets.min() < 0 or offsets.max() >= size:
        raise UserError(f"the layout's offset {int(offsets.max())} is outside the tile of {name}")
    matrix = Space("matrix", layout.source.axes[:2])
    shared = Space("shared", (("element", size),))
    theirs = np.full((rows, columns), UNDEFINED, dtype=np.int64)
    theirs[:tall, :wide] = offsets
    partial = "" if (tall, wide) == (rows, columns) else (
        f"the layout has {tall} x {wide} of {rows} x {columns} elements"
    )  # fmt: skip
    return Held(
        LayoutMap(matrix, shared, place.reshape(-1)),
        LayoutMap(matrix, shared, theirs.reshape(-1)),
        words,
        partial,
    )


def _offsets(name: str, pasted: Pasted) -> tuple[IntArray, str]:
    """The offset of each element, int64[rows, columns]."""
    if pasted.text is not None:
        values = pasted.text.values()
        if values.ndim != 2:
            raise UserError(f"{name} is a tile of two coordinates, the layout has {values.ndim}")
        return values, "(row, k) to the offset in elements"
    if pasted.layout.destination.name != "offset":
        raise UserError(f"{name} is about shared memory, the layout is not")
    table = pasted.layout.inverse().table.reshape(pasted.layout.source.sizes)
    return table, "Triton's offset to (row, column)"
