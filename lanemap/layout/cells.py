"""Cells, the spaces that hold them, and layout maps between spaces.

A space is a finite grid of cells with named axes; a layout map says which source cell each
destination cell receives. Everything else in `lanemap.layout` is built on these two.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

IntArray = npt.NDArray[np.int64]
UNDEFINED = -1


@dataclass(frozen=True)
class Space:
    """A finite grid of cells.

    Attributes:
        name: The owner of the cells: "register", "chunk", "tmem", "shared", "matrix".
        axes: Pairs of name and size; the index is mixed radix, the first axis the slowest.
    """

    name: str
    axes: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        names = [axis for axis, _ in self.axes]
        if len(set(names)) != len(names):
            raise UserError(f"space {self.name!r} names an axis twice: {', '.join(names)}")
        for axis, size in self.axes:
            if size < 1:
                raise UserError(f"axis {axis!r} of space {self.name!r} has size {size}, not >= 1")

    @property
    def names(self) -> tuple[str, ...]:
        """Axis names, slowest first."""
        return tuple(name for name, _ in self.axes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Axis sizes, slowest first."""
        return tuple(size for _, size in self.axes)

    @property
    def size(self) -> int:
        """The number of cells."""
        product = 1
        for size in self.sizes:
            product *= size
        return product

    @property
    def strides(self) -> tuple[int, ...]:
        """The step of the index along each axis."""
        strides = [1] * len(self.axes)
        for position in range(len(self.axes) - 2, -1, -1):
            strides[position] = strides[position + 1] * self.axes[position + 1][1]
        return tuple(strides)

    def axis_size(self, axis: str) -> int:
        """The size of one axis.

        Raises:
            UserError: The space has no such axis.
        """
        for name, size in self.axes:
            if name == axis:
                return size
        raise UserError(f"space {self.name!r} has no axis {axis!r}; it has {', '.join(self.names)}")

    def index(self, **coords: Any) -> Any:
        """The index of a cell, or an array of indices for (broadcastable) arrays of coordinates.

        Raises:
            UserError: An axis is missing, unknown, or its coordinate out of range.
        """
        if set(coords) != set(self.names):
            raise UserError(
                f"a cell of {self.name!r} needs the coordinates {', '.join(self.names)}; "
                f"got {', '.join(coords) or 'none'}"
            )
        index: Any = 0
        for (axis, size), stride in zip(self.axes, self.strides, strict=True):
            value = np.asarray(coords[axis], dtype=np.int64)
            if value.size and (value.min() < 0 or value.max() >= size):
                raise UserError(
                    f"{axis} {int(value[(value < 0) | (value >= size)].flat[0])} is outside "
                    f"{self.name!r}, whose {axis} goes from 0 to {size - 1}"
                )
            index = index + value * stride
        return int(index) if np.ndim(index) == 0 else index

    def coords(self, index: Any) -> dict[str, Any]:
        """The coordinates of an index (integers), or of an array of indices (arrays).

        Raises:
            UserError: An index lies outside the space.
        """
        array = np.asarray(index, dtype=np.int64)
        if array.size and (array.min() < 0 or array.max() >= self.size):
            raise UserError(f"an index lies outside {self.name!r}, which has {self.size} cells")
        scalar = array.ndim == 0
        result: dict[str, Any] = {}
        for (axis, size), stride in zip(self.axes, self.strides, strict=True):
            if stride & (stride - 1) == 0 == size & (size - 1):
                # Several times as fast as a division, and spaces may have millions of cells.
                value = array >> (stride.bit_length() - 1) & (size - 1)
            else:
                value = array // stride % size
            result[axis] = int(value) if scalar else value
        return result

    def grid(self) -> dict[str, IntArray]:
        """The coordinates of every cell in index order: one int64[size] array for each axis."""
        result: dict[str, IntArray] = {}
        for position, (axis, size) in enumerate(self.axes):
            shape = [1] * len(self.axes)
            shape[position] = size
            line = np.arange(size, dtype=np.int64).reshape(shape)
            result[axis] = np.broadcast_to(line, self.sizes).flatten()
        return result

    def format(self, index: int) -> str:
        """One cell in words: "lane 13 register 0 bit 5"; "undefined" for -1."""
        if index == UNDEFINED:
            return "undefined"
        return " ".join(f"{axis} {value}" for axis, value in self.coords(index).items())

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(f'{axis} {size}' for axis, size in self.axes)}]"


@dataclass(frozen=True)
class Difference:
    """A witness that two layout maps differ: one destination cell and both its sources.

    A source is an index into the source space, or -1 where that map leaves the cell undefined.
    """

    destination: Space
    source: Space
    cell: int
    mine: int
    theirs: int

    def __str__(self) -> str:
        return (
            f"{self.destination.format(self.cell)} receives {self.source.format(self.mine)}, "
            f"against {self.source.format(self.theirs)}"
        )


@dataclass(frozen=True, eq=False)
class LayoutMap:
    """Which source cell each destination cell receives.

    Attributes:
        destination: The space that receives.
        source: The space that gives.
        table: int64[destination.size]: the source index of each destination cell; -1 where the
            cell is undefined (a partial map). A source that occurs twice is replicated.
    """

    destination: Space
    source: Space
    table: IntArray

    def __post_init__(self) -> None:
        table = np.array(self.table, dtype=np.int64)
        if table.shape != (self.destination.size,):
            raise UserError(
                f"a map into {self.destination} needs a table of {self.destination.size} cells; "
                f"got shape {table.shape}"
            )
        if table.size and (table.min() < UNDEFINED or table.max() >= self.source.size):
            raise UserError(f"the table names cells outside {self.source}")
        table.setflags(write=False)
        object.__setattr__(self, "table", table)

    @staticmethod
    def from_function(
        destination: Space,
        source: Space,
        fn: Callable[..., Mapping[str, Any]],
    ) -> LayoutMap:
        """Build a map from a function of the destination's coordinate arrays, by axis name.

        `fn` returns the coordinate arrays (or constants) of the source cell, by axis name; where
        any of them is -1 the destination cell is undefined. It computes each element from those
        of its arguments alone: an axis is an array along a dimension of its own, as of `np.ix_`,
        so that what depends on few axes takes little time.

        Raises:
            UserError: A coordinate is out of range, or the axes are not the source's.
        """
        lines = np.ix_(*(np.arange(size, dtype=np.int64) for size in destination.sizes))
        axes = dict(zip(destination.names, lines, strict=True))
        coords = {axis: np.asarray(value, np.int64) for axis, value in fn(**axes).items()}
        gone = [value == UNDEFINED for value in coords.values() if (value == UNDEFINED).any()]
        undefined: Any = functools.reduce(np.bitwise_or, gone, np.False_)
        if gone:
            coords = {axis: np.where(undefined, 0, value) for axis, value in coords.items()}
        index = np.where(undefined, UNDEFINED, source.index(**coords))
        table = np.broadcast_to(index, destination.sizes).reshape(-1)
        return LayoutMap(destination, source, table)

    @staticmethod
    def identity(space: Space) -> LayoutMap:
        """The map that leaves every cell of a space where it is."""
        return LayoutMap(space, space, np.arange(space.size, dtype=np.int64))

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """bool[destination.size]: which destination cells receive anything."""
        return self.table >= 0

    @property
    def is_total(self) -> bool:
        """Whether every destination cell receives something."""
        return bool(np.all(self.table >= 0))

    @property
    def is_one_to_one(self) -> bool:
        """Whether no source cell goes to two destinations."""
        used = self.table[self.table >= 0]
        reached = np.zeros(self.source.size, np.bool_)
        reached[used] = True
        return int(np.count_nonzero(reached)) == used.size

    def source_of(self, **dest_coords: int) -> dict[str, int] | None:
        """The coordinates of the source cell of one destination cell; None where undefined."""
        index = int(self.table[self.destination.index(**dest_coords)])
        return None if index == UNDEFINED else self.source.coords(index)

    def destinations_of(self, **source_coords: int) -> list[dict[str, int]]:
        """The coordinates of every destination cell that receives one source cell, in order."""
        hits = np.flatnonzero(self.table == self.source.index(**source_coords))
        return [self.destination.coords(int(hit)) for hit in hits]

    def compose(self, inner: LayoutMap) -> LayoutMap:
        """Compose with `inner`: this map's destination receives from the source of `inner`.

        Raises:
            UserError: The source of this map is not the destination of `inner`.
        """
        if self.source != inner.destination:
            raise UserError(
                f"cannot compose: this map reads {self.source}, the other writes "
                f"{inner.destination}"
            )
        table = np.where(self.defined, inner.table[self.table], UNDEFINED)
        return LayoutMap(self.destination, inner.source, table)

    def inverse(self, replicas: str = "refuse") -> LayoutMap:
        """The inverse map; source cells that nothing receives become undefined destinations.

        Args:
            replicas: "refuse" a replicated source cell, or take its "first" destination.

        Raises:
            UserError: A source cell is replicated (named with two destinations) and `replicas`
                does not say "first".
        """
        if replicas not in ("refuse", "first"):
            raise UserError(f"replicas must be 'refuse' or 'first', not {replicas!r}")
        cells = np.flatnonzero(self.defined)
        sources = self.table[cells]
        table = np.full(self.source.size, UNDEFINED, dtype=np.int64)
        table[sources[::-1]] = cells[::-1]  # of replicas, the first is written last and stays
        if replicas == "refuse" and np.count_nonzero(table >= 0) < cells.size:
            twice = int(np.argmax(np.bincount(sources) > 1))
            one, two = cells[sources == twice][:2]
            raise UserError(
                f"no inverse: {self.source.format(twice)} goes to both "
                f"{self.destination.format(int(one))} and {self.destination.format(int(two))}"
            )
        return LayoutMap(self.source, self.destination, table)

    def restrict(
        self, mask: npt.NDArray[np.bool_] | None = None, **fixed: int | range
    ) -> LayoutMap:
        """Keep part of the destination.

        Args:
            mask: bool[destination.size]; cells where it is False become undefined.
            fixed: An axis held at one coordinate is dropped from the destination; an axis held to
                a range stays, counted from the start of the range.

        Raises:
            UserError: The mask's size, an axis or a coordinate does not fit the destination.
        """
        table = self.table
        if mask is not None:
            if mask.shape != table.shape:
                raise UserError(f"a mask of {self.destination} needs {table.size} entries")
            table = np.where(mask, table, UNDEFINED)
        keys: list[int | slice] = []
        axes: list[tuple[str, int]] = []
        for axis in fixed:
            self.destination.axis_size(axis)
        for axis, size in self.destination.axes:
            wanted = fixed.get(axis, range(size))
            cells = wanted if isinstance(wanted, range) else range(wanted, wanted + 1)
            if len(cells) == 0 or min(cells) < 0 or max(cells) >= size or cells.step < 1:
                raise UserError(f"{axis} {wanted} is outside 0 to {size - 1}")
            if isinstance(wanted, range):
                keys.append(slice(wanted.start, wanted.stop, wanted.step))
                axes.append((axis, len(wanted)))
            else:
                keys.append(wanted)
        kept = table.reshape(self.destination.sizes)[tuple(keys)].reshape(-1)
        return LayoutMap(Space(self.destination.name, tuple(axes)), self.source, kept)

    def product(self, other: LayoutMap) -> LayoutMap:
        """Both maps side by side: the axes of `other` come after (faster than) this map's.

        Raises:
            UserError: The maps share an axis name; rename one with `with_spaces`.
        """
        destination = Space(self.destination.name, self.destination.axes + other.destination.axes)
        source = Space(self.source.name, self.source.axes + other.source.axes)
        mine, theirs = self.table[:, None], other.table[None, :]
        table = np.where((mine >= 0) & (theirs >= 0), mine * other.source.size + theirs, UNDEFINED)
        return LayoutMap(destination, source, table.reshape(-1))

    def with_spaces(
        self, destination: Space | None = None, source: Space | None = None
    ) -> LayoutMap:
        """The same table under other names or other axes of the same number of cells."""
        new_destination = destination or self.destination
        new_source = source or self.source
        if new_source.size != self.source.size:
            raise UserError(
                f"{new_source} has {new_source.size} cells, but {self.source} has "
                f"{self.source.size}; they must be equal"
            )
        return LayoutMap(new_destination, new_source, self.table)

    def coarsen(
        self,
        width: int,
        name: str,
        destination_axis: str = "bit",
        source_axis: str = "bit",
    ) -> LayoutMap:
        """Join `width` neighboring cells into one where they always move together.

        For example `coarsen(8, "byte")` turns bits into bytes.

        Raises:
            UserError: `width` does not divide an axis, or a group (named) does not move together.
        """
        destination = _coarser(self.destination, destination_axis, width, name)
        source = _coarser(self.source, source_axis, width, name)
        groups = _grouped(self.table, self.destination, destination_axis, width)
        positions = np.where(groups >= 0, self._axis_value(groups, source_axis), 0)
        step = self.source.strides[self.source.names.index(source_axis)]
        together = groups == groups[:, :1] + step * np.arange(width)
        whole = (groups[:, 0] >= 0) & (positions[:, 0] % width == 0) & np.all(together, axis=1)
        empty = np.all(groups < 0, axis=1)
        torn = np.flatnonzero(~(whole | empty))
        if torn.size:
            # One pair of neighbors says it: a word of 32 bits would make a long list.
            cells = groups[torn[0]]
            first = int(np.argmin(cells[1:] == cells[:-1] + step)) if width > 1 else 0
            pair = " and ".join(self.source.format(int(cell)) for cell in cells[first : first + 2])
            raise UserError(
                f"{name}s do not move together: {destination.format(int(torn[0]))} receives {pair} "
                "beside each other; choose a smaller unit"
            )
        coords = self.source.coords(np.where(whole, groups[:, 0], 0))
        coords[source_axis] = coords[source_axis] // width
        renamed = {name if axis == source_axis else axis: v for axis, v in coords.items()}
        return LayoutMap(destination, source, np.where(whole, source.index(**renamed), UNDEFINED))

    def refine(
        self,
        width: int,
        name: str,
        destination_axis: str,
        source_axis: str,
    ) -> LayoutMap:
        """Split every cell into `width` cells that move together, the reverse of `coarsen`."""
        destination = _finer(self.destination, destination_axis, width, name)
        source = _finer(self.source, source_axis, width, name)
        grid = destination.grid()
        part = grid[name] % width
        back = {axis: v for axis, v in grid.items() if axis != name}
        back[destination_axis] = grid[name] // width
        mine = self.table[self.destination.index(**back)]
        coords = self.source.coords(np.maximum(mine, 0))
        fine = {axis: v for axis, v in coords.items() if axis != source_axis}
        fine[name] = coords[source_axis] * width + part
        return LayoutMap(destination, source, np.where(mine >= 0, source.index(**fine), UNDEFINED))

    def first_difference(self, other: LayoutMap) -> Difference | None:
        """The first destination cell whose sources differ, of all cells; None for equal maps.

        Raises:
            UserError: The maps are not between the same spaces.
        """
        if (self.destination, self.source) != (other.destination, other.source):
            raise UserError(
                f"cannot compare a map {self.source} to {self.destination} with a map "
                f"{other.source} to {other.destination}"
            )
        differing = np.flatnonzero(self.table != other.table)
        if differing.size == 0:
            return None
        cell = int(differing[0])
        mine, theirs = int(self.table[cell]), int(other.table[cell])
        return Difference(self.destination, self.source, cell, mine, theirs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LayoutMap):
            return NotImplemented
        spaces = (self.destination, self.source) == (other.destination, other.source)
        return spaces and bool(np.array_equal(self.table, other.table))

    def __hash__(self) -> int:
        return hash((self.destination, self.source, self.table.tobytes()))

    def _axis_value(self, cells: IntArray, axis: str) -> IntArray:
        """The coordinate of source cells along one axis; meaningless for -1."""
        stride = self.source.strides[self.source.names.index(axis)]
        return cells // stride % self.source.axis_size(axis)


def _coarser(space: Space, axis: str, width: int, name: str) -> Space:
    size = space.axis_size(axis)
    if width < 1 or size % width:
        raise UserError(f"{width} does not divide the {size} cells of axis {axis!r} of {space}")
    return Space(
        space.name, tuple((name, s // width) if a == axis else (a, s) for a, s in space.axes)
    )


def _finer(space: Space, axis: str, width: int, name: str) -> Space:
    space.axis_size(axis)
    return Space(
        space.name, tuple((name, s * width) if a == axis else (a, s) for a, s in space.axes)
    )


def _grouped(table: IntArray, space: Space, axis: str, width: int) -> IntArray:
    """int64[cells / width, width]: the sources of each group of neighbors along an axis."""
    position = space.names.index(axis)
    sizes = space.sizes
    split = (*sizes[:position], sizes[position] // width, width, *sizes[position + 1 :])
    moved = np.moveaxis(table.reshape(split), position + 1, -1)
    return np.ascontiguousarray(moved).reshape(-1, width)
