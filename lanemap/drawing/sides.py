"""The two sides of a picture: places of a space, and the units that lie at each place.

A register's place is a thread, and its units follow each other through the thread's registers. A
matrix's place is an element. Every name of a space that a model uses has its kind here; any other
space is a matrix of the coordinates of its axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import IntArray, LayoutMap, Space

#: Bytes of a line of shared memory: 32 banks of 4 bytes.
LINE_BYTES = 128
#: The axes that are counted in units, by the name of the space.
INNER = {
    "register": ("register", "value", "bit"),
    "chunk": ("bit",),
    "tmem": ("column", "bit"),
    "shared": ("unit", "byte", "bit"),
    "linear": ("unit", "byte", "bit"),
    "matrix": ("bit",),
    "scales": ("bit",),
    "index": ("bit",),
}
#: Spaces whose last axis of places runs across a picture.
ACROSS = ("matrix", "scales", "index")
MEMORY = ("shared", "linear")
PARTS = {1: "bit", 4: "nibble", 8: "byte", 16: "half", 32: "word"}
REGISTER_BITS = COLUMN_BITS = 32


@dataclass(frozen=True)
class Side:
    """One of the two spaces of a picture.

    Attributes:
        space: The space; the axes of its units come last.
        inner: How many axes are counted in units.
        unit: Cells of the space in a unit.
        count: Units at a place.
    """

    space: Space
    inner: int
    unit: int
    count: int

    @property
    def outer(self) -> tuple[tuple[str, int], ...]:
        """The axes of the places."""
        return self.space.axes[: len(self.space.axes) - self.inner]

    @property
    def places(self) -> int:
        """The number of places."""
        product = 1
        for _, size in self.outer:
            product *= size
        return product

    @property
    def is_table(self) -> bool:
        """Whether the last axis of places runs across, as the columns of a matrix do."""
        return (self.space.name in ACROSS or self.space.name not in INNER) and len(self.outer) > 1

    @property
    def per_column(self) -> int:
        """Units in a column of tensor memory, in a register; 1 if a unit is as wide or wider."""
        return max(1, REGISTER_BITS // self.unit) if self._has_bits else 1

    @property
    def _has_bits(self) -> bool:
        return "bit" in self.space.names

    def coordinates(self, place: Any) -> list[Any]:
        """The coordinates of places (an index or an array), the slowest axis first."""
        found: list[Any] = []
        for _, size in reversed(self.outer):
            found.insert(0, place % size)
            place = place // size
        return found

    def words(self) -> str:
        """The form of a label, such as "thread.register" or "row,k"."""
        name = self.space.name
        if name == "register":
            return f"thread.{self._registers()}"
        if name == "chunk":
            return f"lane.{PARTS.get(self.unit, 'element')}"
        if name == "tmem":
            part = f".{PARTS.get(self.unit, 'part')}" if self.per_column > 1 else ""
            return ",".join([*(axis for axis, _ in self.outer), "column"]) + part
        axes = ",".join(axis for axis, _ in self.outer)
        return f"{axes}.{self._part()}" if self.count > 1 else axes

    def _registers(self) -> str:
        """What a unit of a thread's registers is called."""
        if not self._has_bits:
            return "value"
        return "register" if self.unit == REGISTER_BITS else "element"

    def _part(self) -> str:
        bits = self.unit * (1 if self._has_bits else 8)
        if self.space.name in MEMORY and bits == 128:
            return "unit"
        return PARTS.get(bits, "part")

    def explanation(self) -> str:
        """What a label means beyond its form, as a sentence; empty where it says all."""
        name, unit = self.space.name, self.unit
        if name == "register" and not self._has_bits:
            return ""
        if name == "register" and unit < REGISTER_BITS and REGISTER_BITS % unit == 0:
            per = REGISTER_BITS // unit
            return f"Element e is bits {unit}*(e%{per}) and up of register e/{per}."
        if name == "register" and unit > REGISTER_BITS:
            per = unit // REGISTER_BITS
            return f"Element e begins at register {per}*e and has {per} registers."
        if name == "register" and unit < REGISTER_BITS:
            return f"Element e is bits {unit}*e and up of the thread's registers, end to end."
        if name == "chunk":
            return "It is of the chunk at the address that this lane gives."
        if name in MEMORY and self.outer and self._part() == "unit":
            return "A unit is 16 bytes, a line 128 bytes, which is all 32 banks."
        return ""

    def labels(self, place: IntArray, unit: IntArray) -> list[list[str]]:
        """Labels of arrays of places and units, "" where the place is -1."""
        shown = self._places_in_words(place)
        if self.space.name == "tmem":
            column, part = unit // self.per_column, unit % self.per_column
            parts = [column, part] if self.per_column > 1 else [column]
        else:
            parts = [unit] if self.count > 1 or self.space.name in ("register", "chunk") else []
        comma = "," if self.space.name == "tmem" else "."
        found = []
        for row in range(place.shape[0]):
            line = []
            for column_ in range(place.shape[1]):
                tail = [str(int(each[row, column_])) for each in parts]
                text = shown[row][column_] + (comma + ".".join(tail) if tail else "")
                line.append(text if place[row, column_] >= 0 else "")
            found.append(line)
        return found

    def _places_in_words(self, place: IntArray) -> list[list[str]]:
        if self.space.name == "register":  # warps count on: a thread of a warpgroup
            return [[str(int(each)) for each in row] for row in place]
        if len(self.outer) == 1 and self.space.name in MEMORY and self.outer[0][1] == 1:
            return [["0"] * place.shape[1] for _ in place]
        coordinates = self.coordinates(np.maximum(place, 0))
        return [
            [",".join(str(int(each[r, c])) for each in coordinates) for c in range(place.shape[1])]
            for r in range(place.shape[0])
        ]

    def row_name(self) -> str:
        """The name of the rows of a picture of this space."""
        if self.space.name == "register":
            return "thread"
        axes = [axis for axis, _ in self.outer]
        return ",".join(axes[:-1] if self.is_table else axes)

    def column_name(self) -> str:
        """The name of the columns of a picture of this space."""
        if self.is_table:
            part = f".{self._part()}" if self.count > 1 else ""
            return self.outer[-1][0] + part
        if self.space.name == "register":
            return self._registers()
        if self.space.name == "tmem":
            part = f".{PARTS.get(self.unit, 'part')}" if self.per_column > 1 else ""
            return f"column{part}"
        if self.space.name in MEMORY:
            return "banks"
        return PARTS.get(self.unit, "element") if self.space.name == "chunk" else self._part()

    def row_labels(self) -> list[str]:
        """The label of each row."""
        across = self.outer[-1][1] if self.is_table else 1
        if self.space.name == "register":
            return [str(row) for row in range(self.places)]
        rows = np.arange(0, self.places, across, dtype=np.int64)
        coordinates = self.coordinates(rows)[: -1 if self.is_table else None]
        return [",".join(str(int(each[r])) for each in coordinates) for r in range(rows.size)]

    def column_labels(self) -> list[str]:
        """The label of each column."""
        if self.is_table:
            across = [str(at) for at in range(self.outer[-1][1])]
            if self.count == 1:
                return across
            return [f"{at}.{part}" for at in across for part in range(self.count)]
        if self.space.name == "tmem" and self.per_column > 1:
            return [f"{u // self.per_column}.{u % self.per_column}" for u in range(self.count)]
        if self.space.name in MEMORY:
            return [self._banks(unit) for unit in range(self.count)]
        return [str(unit) for unit in range(self.count)]

    def _banks(self, unit: int) -> str:
        """The banks of a unit of a line: "4-7", or the bank and the byte in it."""
        bits = self.unit * (1 if self._has_bits else 8)
        first, last = unit * bits, (unit + 1) * bits - 1
        if bits < COLUMN_BITS:
            return f"{first // 32}.{first % 32 // bits}"
        return str(first // 32) if bits == COLUMN_BITS else f"{first // 32}-{last // 32}"


def in_lines(layout: LayoutMap) -> LayoutMap:
    """A map whose shared memory counts bytes, as one whose shared memory has lines of 128 bytes."""
    return layout.with_spaces(_with_lines(layout.destination), _with_lines(layout.source))


def _with_lines(space: Space) -> Space:
    if space.name not in MEMORY or space.names[:1] != ("byte",):
        return space
    size = space.axes[0][1]
    line = LINE_BYTES if size % LINE_BYTES == 0 else size
    return Space(space.name, (("line", size // line), ("byte", line), *space.axes[1:]))


def inner_axes(space: Space) -> int:
    """How many axes of a space are counted in units."""
    names = INNER.get(space.name, ())
    count = 0
    while count < len(space.names) and space.names[-1 - count] in names:
        count += 1
    return count


def inner_size(space: Space) -> int:
    """The cells at a place of a space."""
    product = 1
    for _, size in space.axes[len(space.axes) - inner_axes(space) :]:
        product *= size
    return product


def side(space: Space, unit: int) -> Side:
    """A side of a picture in units of some cells.

    Raises:
        UserError: The unit does not divide what lies at a place.
    """
    inside = inner_size(space)
    if inside % unit:
        raise UserError(f"units of {unit} do not divide the {inside} cells at a place of {space}")
    return Side(space, inner_axes(space), unit, inside // unit)
