"""A layout map as a grid of labeled, colored cells: what every form of a picture shows.

The grid is one of the two spaces of the map. A cell has the widest unit that moves as a whole, and
its label names the place on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from lanemap.drawing.sides import MEMORY, Side, in_lines, inner_size, side
from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap

UNIT_BITS, WIDEST_BITS = 128, 64
#: The spaces that are drawn as the grid rather than the other, the first before the others.
FIRST = ("matrix", "scales", "index", "tmem", "shared")


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells in rows and columns.

    Attributes:
        title: What is drawn.
        notes: Lines below the title: how to read a label, formula, evidence.
        row_name: The name of the rows' axis.
        column_name: The name of the columns' axis.
        rows: The label of each row.
        columns: The label of each column.
        labels: The label of each cell, "" where nothing is; a second line after a line end.
        color: int64[rows, columns]: which color of `colors`; -1 where nothing is.
        colors: How many colors there are.
        differs: Which cells differ, of a picture of two layouts; None of any other.
    """

    title: str
    notes: tuple[str, ...]
    row_name: str
    column_name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    color: IntArray
    colors: int
    differs: npt.NDArray[np.bool_] | None = None

    def cut(self, rows: range, columns: range) -> Grid:
        """Some rows and columns of it.

        Raises:
            UserError: A range is empty or reaches beyond the grid.
        """
        for name, wanted, there in (
            ("rows", rows, len(self.rows)),
            ("columns", columns, len(self.columns)),
        ):
            if not 0 <= wanted.start < wanted.stop <= there:
                raise UserError(
                    f"--{name} {wanted.start}:{wanted.stop} is outside {self.title}, whose {name} "
                    f"go from 0 to {there - 1}"
                )
        place = np.ix_(rows, columns)
        return replace(
            self,
            rows=tuple(self.rows[row] for row in rows),
            columns=tuple(self.columns[column] for column in columns),
            labels=tuple(tuple(self.labels[row][column] for column in columns) for row in rows),
            color=self.color[place],
            differs=None if self.differs is None else self.differs[place],
        )

    def reached(self) -> tuple[range, range]:
        """The rows and columns from the first cell that holds something to the last."""
        rows = np.flatnonzero((self.color >= 0).any(axis=1))
        columns = np.flatnonzero((self.color >= 0).any(axis=0))
        return range(rows[0], rows[-1] + 1), range(columns[0], columns[-1] + 1)


@dataclass(frozen=True, eq=False)
class Units:
    """A layout map in the widest units that move whole.

    Attributes:
        here: The side that is the grid: the map's destination.
        there: The other side; its units are narrower where an element is widened.
        place: int64[places, units], the place on the other side; -1 where undefined.
        unit: The unit at that place.
    """

    here: Side
    there: Side
    place: IntArray
    unit: IntArray


def units_of(layout: LayoutMap, widest: int = 0) -> Units:
    """The widest units, up to some cells, that a map moves whole and aligned.

    The first cells of a unit may hold a narrower element, if the others receive nothing.

    Args:
        layout: A map.
        widest: The most cells of a unit of the destination; 0 for what suits the spaces.
    """
    layout = in_lines(layout)
    inside, chunk = inner_size(layout.destination), inner_size(layout.source)
    rows = layout.table.reshape(-1, inside)
    most = widest or _widest(layout)
    for width in (w for w in range(min(most, inside), 0, -1) if inside % w == 0):
        groups = rows.reshape(rows.shape[0], -1, width)
        held = int((groups >= 0).sum(axis=-1).max())
        if not held or 2 * held < width or chunk % held:
            # A few bits of a wide group may move alone; a widened element fills most of its unit.
            continue
        first, cells = groups[..., :1], np.arange(width)
        moved = np.where(cells < held, first + cells, UNDEFINED)
        whole = (groups == moved) & (first % chunk % held == 0)
        empty = (groups == UNDEFINED).all(axis=-1, keepdims=True)
        if np.all(whole | empty):
            source = first[..., 0]
            none = source < 0
            return Units(
                side(layout.destination, width),
                side(layout.source, held),
                np.where(none, UNDEFINED, source // chunk),
                np.where(none, UNDEFINED, source % chunk // held),
            )
    raise UserError("there is nothing to draw: no cell of the map is defined")


def _widest(layout: LayoutMap) -> int:
    """The most cells of a unit."""
    spaces = (layout.destination, layout.source)
    if all(space.name in MEMORY for space in spaces):
        return UNIT_BITS if "bit" in layout.destination.names else UNIT_BITS // 8
    if any(space.name == "matrix" and space.names[-1] == "bit" and space.sizes[-1] == WIDEST_BITS
           for space in spaces):  # fmt: skip
        return WIDEST_BITS
    return WIDEST_BITS // 2


def grid_of(
    layout: LayoutMap, title: str, notes: Sequence[str] = (), by: str = "", widest: int = 0
) -> Grid:
    """The picture of a map.

    Args:
        layout: Which source cell each destination cell receives.
        title: What is drawn.
        notes: Lines to show below how to read a label.
        by: The name of the space that is the grid, "destination" or "source"; by default a matrix,
            tensor memory or shared memory before anything else, and the destination of others.
        widest: The most cells of the destination in a unit; 0 for what suits the spaces.

    Raises:
        UserError: No space has that name, or the source is asked for and has cells that go to
            several destinations.
    """
    return _grid(_joined(drawn_units(layout, by, widest)), title, tuple(notes))


def drawn_units(layout: LayoutMap, by: str = "", widest: int = 0) -> Units:
    """The units of a map whose destination is the side that is drawn as the grid; see `grid_of`."""
    return units_of(layout.inverse() if _turned(layout, by) else layout, widest)


def _turned(layout: LayoutMap, by: str) -> bool:
    """Whether the source is the grid."""
    names = layout.destination.name, layout.source.name
    if by in ("destination", "source"):
        return by == "source"
    if by:
        if by not in names:
            raise UserError(f"--by {by} is neither side of this map: {' or '.join(names)}")
        return by != names[0]
    if not layout.is_one_to_one:
        return False
    ranks = [FIRST.index(name) if name in FIRST else len(FIRST) for name in names]
    if names[0] in ("tmem", "shared", "offset") and names[1] in ("matrix", "scales"):
        return False  # the matrix's coordinates are read off the memory that holds it
    return ranks[1] < ranks[0]


@dataclass(frozen=True, eq=False)
class _Cells:
    """Units whose neighbors may be joined: each cell stands for `run` units along one axis."""

    units: Units
    run: int
    axis: str


def _joined(units: Units) -> _Cells:
    """Join neighboring elements of shared memory into the 16 bytes that move together."""
    here, there = units.here, units.there
    bits = here.unit * (1 if "bit" in here.space.names else 8)
    if here.space.name != "shared" or there.space.name != "matrix" or there.count != 1:
        return _Cells(units, 1, "")
    run = UNIT_BITS // bits
    coordinates = there.coordinates(units.place)
    while run > 1:
        groups = units.place.reshape(units.place.shape[0], -1, run)
        for at, (axis, _) in enumerate(there.outer):
            own = [each.reshape(groups.shape) for each in coordinates]
            steps = [each - each[..., :1] for each in own]
            fits = (groups >= 0).all() and (own[at][..., 0] % run == 0).all()
            if fits and all(
                np.array_equal(step, np.broadcast_to(np.arange(run) * (at == which), step.shape))
                for which, step in enumerate(steps)
            ):
                joined = replace(
                    units,
                    here=replace(here, unit=here.unit * run, count=here.count // run),
                    place=groups[..., 0],
                    unit=units.unit.reshape(groups.shape)[..., 0],
                )
                return _Cells(joined, run, axis)
        run //= 2
    return _Cells(units, 1, "")


def _grid(cells: _Cells, title: str, notes: tuple[str, ...]) -> Grid:
    units = cells.units
    here, there = units.here, units.there
    rows, columns = here.row_labels(), here.column_labels()
    shape = len(rows), len(columns)
    place, unit = units.place.reshape(shape), units.unit.reshape(shape)
    color, colors = _colors(cells, place, unit)
    read = f"A label is {there.words()}." if there.space.name != "value" else ""
    if cells.run > 1:
        axis = cells.axis
        read += f" A cell is 16 bytes: {cells.run} elements from that {axis} on."
    elif there.explanation():
        read += f" {there.explanation()}"
    if here.space.name == "register" and here.space != there.space:
        read += " " + here.explanation()
    return Grid(
        title,
        tuple(filter(None, (read.strip(), *notes))),
        here.row_name(),
        here.column_name(),
        tuple(rows),
        tuple(columns),
        tuple(tuple(row) for row in there.labels(place, unit)),
        color,
        colors,
    )


def _colors(cells: _Cells, place: IntArray, unit: IntArray) -> tuple[IntArray, int]:
    """Which color each cell has: its thread's, its row's, or its place in a line of memory."""
    here, there = cells.units.here, cells.units.there
    none = place < 0
    if there.space.name in MEMORY and here.space.name in MEMORY:
        return np.where(none, -1, unit), there.count
    if cells.axis:
        at = [axis for axis, _ in there.outer].index(cells.axis)
        value = there.coordinates(np.maximum(place, 0))[at] // cells.run
        return np.where(none, -1, value), there.outer[at][1] // cells.run
    if there.space.name in ("register", "chunk") or len(there.outer) == 1:
        return place, there.places
    return np.where(none, -1, there.coordinates(np.maximum(place, 0))[0]), there.outer[0][1]


def difference(mine: LayoutMap, theirs: LayoutMap, title: str, names: Sequence[str],
               notes: Sequence[str] = (), by: str = "") -> Grid:  # fmt: skip
    """The picture of two maps between the same spaces: where they differ, both labels.

    Raises:
        UserError: The maps are not between the same spaces, or cannot be drawn on that side.
    """
    first = mine.first_difference(theirs)
    turned = _turned(mine, by)
    pair = [each.inverse() if turned else each for each in (mine, theirs)]
    widest = min(units_of(each).here.unit for each in pair)
    one, two = (_grid(_Cells(units_of(each, widest), 1, ""), title, ()) for each in pair)
    if (one.rows, one.columns) != (two.rows, two.columns):
        raise UserError("the two layouts move cells of different widths and cannot be laid over")
    differs = np.array(
        [[a != b for a, b in zip(*rows, strict=True)]
         for rows in zip(one.labels, two.labels, strict=True)]
    )  # fmt: skip
    labels = tuple(
        tuple(f"{a or '-'}\n{b or '-'}" if a != b else a for a, b in zip(*rows, strict=True))
        for rows in zip(one.labels, two.labels, strict=True)
    )
    count = int(differs.sum())
    told = "They are the same map." if first is None else (
        f"{count} of {differs.size} cells differ. First: {first}."
    )  # fmt: skip
    lines = (told, *one.notes, f"Where they differ: {names[0]} above, {names[1]} below.", *notes)
    return replace(one, notes=lines, labels=labels, differs=differs)


def composed(outer: LayoutMap, inner: LayoutMap) -> tuple[LayoutMap, str]:
    """Two maps one after the other, through the space that both have, and that space's name.

    Each map may be taken either way round. Where one of them reaches only the first coordinates of
    the shared space, as 32 of 128 lanes of tensor memory, the result has only these.

    Raises:
        UserError: No space of one map has the axes of a space of the other.
    """
    for first_turned in (False, True):
        for second_turned in (False, True):
            middle = outer.destination if first_turned else outer.source
            other = inner.source if second_turned else inner.destination
            if middle.name != other.name or middle.names != other.names:
                continue
            one = outer.inverse() if first_turned else outer
            two = inner.inverse() if second_turned else inner
            return _through(one, two), middle.name
    raise UserError(
        f"nothing joins the two: one map is from {outer.source} to {outer.destination}, the other "
        f"from {inner.source} to {inner.destination}"
    )


def _through(outer: LayoutMap, inner: LayoutMap) -> LayoutMap:
    """The composition, where the shared space may be larger on either side."""
    middle, wanted = outer.source, inner.destination
    coordinates = middle.coords(np.maximum(outer.table, 0))
    inside = outer.defined
    for axis, size in wanted.axes:
        inside = inside & (coordinates[axis] < size)
    held = {axis: np.where(inside, value, 0) for axis, value in coordinates.items()}
    table = np.where(inside, inner.table[wanted.index(**held)], UNDEFINED)
    found = LayoutMap(outer.destination, inner.source, table)
    if not found.defined.any():
        raise UserError("the two maps share no cell: nothing goes through both")
    return found
