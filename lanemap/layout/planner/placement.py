"""Where the elements of a matrix lie: in registers of warps, or in tensor memory, warp by warp.

A placement is a layout map from a matrix into "registers" or "tmem". A warp reaches 32 lanes of
tensor memory, those from 32*(warp % 4) (NVIDIA PTX ISA, tcgen05.ld, access restrictions), so both
kinds are cut into contexts of one warp each, and both become arrays of element numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap, Space

LANES = 32
QUADRANTS = 4
WORD_BITS = 32
MAX_COLUMNS = 512
UNIT_NAMES = {32: "word", 16: "half", 8: "byte", 4: "nibble"}


@dataclass(frozen=True)
class Encoding:
    """How one element lies in its holder.

    Attributes:
        bits: Bits of the element.
        unit: Bits of the holder, a power of two: 4, 8, 16 or 32.
        shift: The holder's bit that has the element's lowest bit.
    """

    bits: int
    unit: int
    shift: int = 0

    @property
    def units(self) -> int:
        """Holders in a 32-bit word."""
        return WORD_BITS // self.unit

    def __str__(self) -> str:
        inside = f" at bit {self.shift} of {self.unit}" if self.bits < self.unit else ""
        return f"{self.bits}-bit elements{inside}"


@dataclass(frozen=True, eq=False)
class Placement:
    """A layout map from a matrix, cut by warp.

    Attributes:
        layout: The map as given.
        kind: "registers" or "tmem".
        matrix: Sizes of the matrix's axes, without that of its bits.
        names: Their names.
        encoding: How elements lie in words.
        ids: int64[ctas, warps, 32, words, units]: the element in each holder, -1 for none; a word
            is a register of a thread or a column of a lane.
    """

    layout: LayoutMap
    kind: str
    matrix: tuple[int, ...]
    names: tuple[str, ...]
    encoding: Encoding
    ids: IntArray

    @property
    def ctas(self) -> int:
        """CTAs that hold a part."""
        return int(self.ids.shape[0])

    @property
    def warps(self) -> int:
        """Warps of registers, or quadrants of 32 lanes of tensor memory."""
        return int(self.ids.shape[1])

    @property
    def words(self) -> int:
        """Registers of a thread, or columns."""
        return int(self.ids.shape[3])

    def element(self, number: int) -> str:
        """An element in words: "row 5 k 12"."""
        coords = np.unravel_index(number, self.matrix)
        return " ".join(f"{a} {int(c)}" for a, c in zip(self.names, coords, strict=True))

    def word(self, cta: int, warp: int, lane: int, word: int) -> str:
        """A word in words: "lane 37 column 2" or "warp 1 thread 5 register 2"."""
        where = f"cta {cta} " if self.ctas > 1 else ""
        if self.kind == "tmem":
            where += f"lane {32 * warp + lane} column {word}"
        else:
            where += f"warp {warp} " if self.warps > 1 else ""
            where += f"thread {lane} register {word}"
        return where

    def cell(self, cta: int, warp: int, lane: int, word: int, unit: int) -> str:
        """A holder in words: "lane 37 column 2 half 1" or "warp 1 thread 5 register 2 half 1"."""
        where = self.word(cta, warp, lane, word)
        name = UNIT_NAMES[self.encoding.unit]
        return where if name == "word" else f"{where} {name} {unit}"


def place(layout: LayoutMap) -> Placement:
    """Read a layout map as a placement.

    Args:
        layout: From a matrix (any axes; the bits of an element, if given, the last, named "bit")
            into registers ((cta,) (warp,) thread or lane 32, register, unit) or tensor memory
            ((cta,) lane 128, column, unit). The unit is "bit" 32, or "half" 2, "byte" 4,
            "nibble" 8, or left out for whole words; units other than bits hold whole elements.

    Raises:
        UserError: Axes or sizes are not as above, or an element is split between words.
    """
    axes = dict(layout.destination.axes)
    kind = _kind(layout.destination)
    lanes = axes["lane"] if kind == "tmem" else _threads(axes)
    words = axes["column" if kind == "tmem" else "register"]
    _check_sizes(kind, lanes, words)
    ctas = axes.get("cta", 1)
    warps = lanes // LANES if kind == "tmem" else axes.get("warp", 1)
    units = layout.destination.size // (ctas * warps * LANES * words)
    last = layout.destination.axes[-1]
    if (units > 1 and last[1] != units) or WORD_BITS % units:
        raise UserError(
            f"{layout.destination}: behind registers or columns only an axis of the units of a "
            "32-bit word may follow"
        )
    cells = layout.table.reshape(ctas, warps, LANES, words, units)
    matrix_axes = layout.source.axes
    if last[0] == "bit" and units == WORD_BITS:
        if matrix_axes[-1][0] != "bit":
            raise UserError(f"a placement by bits needs bits in {layout.source} as its last axis")
        bits = matrix_axes[-1][1]
        encoding, ids = _join_bits(cells, bits, layout)
        matrix_axes = matrix_axes[:-1]
    else:
        encoding, ids = Encoding(WORD_BITS // units, WORD_BITS // units), cells
    sizes = tuple(size for _, size in matrix_axes)
    names = tuple(name for name, _ in matrix_axes)
    return Placement(layout, kind, sizes, names, encoding, np.ascontiguousarray(ids))


def placement_of(ids: IntArray, kind: str, like: Placement) -> Placement:
    """The placement of a matrix's elements in registers or tensor memory, with its layout map.

    Args:
        ids: int64[ctas, warps, 32, words, units], as `Placement.ids`.
        kind: "registers" or "tmem".
        like: The placement that gives the matrix, the encoding and the granularity (bits or units).
    """
    ctas, warps, _, words, units = ids.shape
    axes = [("cta", ctas)] if ctas > 1 else []
    if kind == "tmem":
        axes += [("lane", warps * LANES), ("column", words)]
    else:
        axes += [("warp", warps), ("thread", LANES), ("register", words)]
    encoding, matrix = like.encoding, like.layout.source
    table = ids
    if len(matrix.axes) > len(like.matrix):
        axes.append(("bit", WORD_BITS))
        inside = np.arange(WORD_BITS) % encoding.unit - encoding.shift
        held = (inside >= 0) & (inside < encoding.bits)
        wide = np.repeat(ids, encoding.unit, axis=-1)
        table = np.where((wide >= 0) & held, wide * encoding.bits + inside, UNDEFINED)
    elif units > 1:
        axes.append((UNIT_NAMES[encoding.unit], units))
    name = "tmem" if kind == "tmem" else "register"
    layout = LayoutMap(Space(name, tuple(axes)), matrix, table.reshape(-1))
    return Placement(layout, kind, like.matrix, like.names, encoding, ids)


def repeat_along(layout: LayoutMap, times: int, axis: str) -> LayoutMap:
    """Repeat a placement in tensor memory over columns, along one axis of the matrix.

    For example, extend one K step of an operand to all of K: `repeat_along(step, 8, "k")`.

    Raises:
        UserError: There is no axis "column" in the destination, or no such axis in the matrix.
    """
    size, columns = layout.source.axis_size(axis), layout.destination.axis_size("column")
    destination = _stretched(layout.destination, "column", columns * times)
    source = _stretched(layout.source, axis, size * times)
    coords = destination.grid()
    step, coords["column"] = np.divmod(coords["column"], columns)
    table = layout.table[layout.destination.index(**coords)]
    cells = layout.source.coords(np.maximum(table, 0))
    cells[axis] = cells[axis] + size * step
    return LayoutMap(destination, source, np.where(table >= 0, source.index(**cells), UNDEFINED))


def _stretched(space: Space, axis: str, size: int) -> Space:
    return Space(space.name, tuple((a, size if a == axis else s) for a, s in space.axes))


def _kind(space: Space) -> str:
    names = set(space.names)
    if {"lane", "column"} <= names and space.names.index("lane") < space.names.index("column"):
        return "tmem"
    if "register" in names and names & {"thread", "lane"}:
        return "registers"
    raise UserError(
        f"{space} is neither registers (warp, thread, register) nor tensor memory (lane, column)"
    )


def _threads(axes: dict[str, int]) -> int:
    return axes["thread"] if "thread" in axes else axes["lane"]


def _check_sizes(kind: str, lanes: int, words: int) -> None:
    if kind == "tmem":
        if lanes % LANES or not 0 < lanes <= LANES * QUADRANTS:
            raise UserError(f"tensor memory has {lanes} lanes here; give 32, 64, 96 or 128")
        if words > MAX_COLUMNS:
            raise UserError(f"tensor memory has 512 columns, not {words}")
    elif lanes != LANES:
        raise UserError(f"a fragment has 32 threads in a warp, not {lanes}")


def _join_bits(cells: IntArray, bits: int, layout: LayoutMap) -> tuple[Encoding, IntArray]:
    """The smallest holder that has whole elements at one shift, and the element of each."""
    flat = cells.reshape(-1)
    begin = int(np.argmax(flat >= 0))
    if flat[begin] < 0:
        raise UserError("the placement is empty: every cell is undefined")
    for unit in (4, 8, 16, 32):
        shift = begin % unit - int(flat[begin]) % bits
        if shift < 0 or shift + bits > unit:
            continue
        held = flat.reshape(-1, unit)
        first = held[:, shift]
        expected = np.full_like(held, UNDEFINED)
        expected[:, shift : shift + bits] = first[:, None] + np.arange(bits)
        expected[first < 0] = UNDEFINED
        if np.array_equal(held, expected) and np.all(first[first >= 0] % bits == 0):
            ids = np.where(first >= 0, first // bits, UNDEFINED)
            return Encoding(bits, unit, shift), ids.reshape(*cells.shape[:-1], WORD_BITS // unit)
    cell = layout.destination.format(int(np.flatnonzero(layout.defined)[0]))
    raise UserError(f"elements of {bits} bits are split in {layout.destination}, as at {cell}")
