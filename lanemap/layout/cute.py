"""The fit of a layout map as a CuTe layout: shape:stride by mode, an offset, at most one swizzle.

Conventions are those of CuTe (NVIDIA/cutlass, media/docs/cpp/cute/01_layout.md and
include/cute/swizzle.hpp): a mode's first sub-mode is the fastest; Swizzle<B,M,S> XORs B bits from
position M+S (S > 0) into position M. The value of the layout is the index of the source cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap, Space
from lanemap.layout.expressions import (
    Constant,
    Expression,
    Operation,
    Variable,
    add,
    divide,
    join,
    modulo,
    render,
    times,
)
from lanemap.layout.swizzles import Swizzle, unswizzled

Mode = tuple[int, int]
Modes = tuple[Mode, ...]
Box = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class NotCute:
    """A witness that a map is no CuTe layout over its axes, with or without a swizzle.

    Attributes:
        destination: Space of `cell`.
        source: Space of `expected` and `found`.
        cell: A destination cell that contradicts the layout.
        expected: The source index that the strides along the axes predict for it.
        found: The source index that it has (-1: undefined).
    """

    destination: Space
    source: Space
    cell: int
    expected: int
    found: int

    def __str__(self) -> str:
        if self.found == UNDEFINED:
            return (
                f"the defined cells are no box: {self.destination.format(self.cell)} is undefined"
            )
        inside = 0 <= self.expected < self.source.size
        expected = self.source.format(self.expected) if inside else f"index {self.expected}"
        return (
            f"no shape:stride: {self.destination.format(self.cell)} receives "
            f"{self.source.format(self.found)}, its axes alone give {expected}"
        )


@dataclass(frozen=True)
class CuteFit:
    """A layout map as swizzle(offset + layout(coordinates)), equal on every cell.

    Attributes:
        destination: The space that receives.
        source: The space that gives; the value is its index.
        groups: The destination axes of each top-level mode; neighbors joined into one mode count
            as one mixed-radix coordinate, the last axis the fastest.
        modes: For each group its (extent, stride) pairs, the fastest first, coalesced.
        offset: The value of the first cell, before the swizzle.
        swizzle: Applied last, or None.
        box: For each destination axis the range [low, high) where the map is defined;
            coordinates count from `low`.
    """

    destination: Space
    source: Space
    groups: tuple[tuple[str, ...], ...]
    modes: tuple[Modes, ...]
    offset: int
    swizzle: Swizzle | None
    box: Box

    kind = "cute"

    @property
    def mode_count(self) -> int:
        """The number of (extent, stride) pairs, which the fit makes as small as can be."""
        return sum(len(modes) for modes in self.modes)

    def to_map(self) -> LayoutMap:
        """The layout map that shape and stride state, cell by cell."""
        values = np.array(self.offset, dtype=np.int64)
        for modes in self.modes:
            values = values[..., None] + _unfold(modes)
        if self.swizzle is not None:
            values = self.swizzle.apply(values)
        table = np.full(self.destination.sizes, UNDEFINED, dtype=np.int64)
        table[_slices(self.box)] = values.reshape([high - low for low, high in self.box])
        return LayoutMap(self.destination, self.source, table.reshape(-1))

    def text(self, groups: Sequence[Sequence[str]] | None = None) -> str:
        """CuTe's print notation, as in `((4,8),(2,2)):((1,32),(4,256))`.

        Args:
            groups: Which destination axes make each top-level mode, for example
                [("thread",), ("register", "bit")]; axes inside a group slowest first. By default
                the fit's own groups. An offset or swizzle is written `Sw<B,M,S> o offset o ..`.

        Raises:
            UserError: `groups` does not contain each group of the fit exactly once.
        """
        shape, stride = self.shape_stride(groups)
        text = f"{nested(shape)}:{nested(stride)}"
        if self.swizzle is None and self.offset == 0:
            return text
        # CuTe prints an offset only between a swizzle and a layout; Sw<0,4,3> changes nothing.
        return f"{self.swizzle or 'Sw<0,4,3>'} o {self.offset} o {text}"

    def shape_stride(
        self, groups: Sequence[Sequence[str]] | None = None
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """Extents and strides of each top-level mode, the fastest first; arguments as `text`."""
        shapes, strides = [], []
        for modes in self._regrouped(groups):
            shapes.append(tuple(extent for extent, _ in modes))
            strides.append(tuple(stride for _, stride in modes))
        return tuple(shapes), tuple(strides)

    def index_expression(self) -> Expression:
        """The index of the source cell as an expression of the destination's coordinates."""
        terms = [times(part, stride) for part, _, stride in self._parts()]
        index = add([*terms, Constant(self.offset)])
        return index if self.swizzle is None else self.swizzle.expression(index)

    def expressions(self) -> dict[str, Expression]:
        """The coordinate along each source axis as an expression of the destination's."""
        direct = None if self.swizzle else self._digit_expressions()
        if direct is not None:
            return direct
        index = self.index_expression()
        result: dict[str, Expression] = {}
        for (axis, size), stride in zip(self.source.axes, self.source.strides, strict=True):
            quotient = divide(index, stride)
            # The slowest axis takes what is left.
            slowest = stride * size == self.source.size
            result[axis] = quotient if slowest else modulo(quotient, size)
        return result

    def condition(self) -> Expression | None:
        """Where the map is defined; None for everywhere."""
        terms = box_conditions(self.destination, self.box)
        return join("&&", terms) if terms else None

    def formula(self) -> str:
        """The index formula, one line for each source axis."""
        lines = [
            f"{self.source.name}.{axis} = {render(expression, 'formula')}"
            for axis, expression in self.expressions().items()
        ]
        condition = self.condition()
        if condition is not None:
            lines.append(f"defined where {render(condition, 'formula')}")
        return "\n".join(lines)

    def _regrouped(self, groups: Sequence[Sequence[str]] | None) -> tuple[Modes, ...]:
        if groups is None:
            return self.modes
        own = dict(zip(self.groups, self.modes, strict=True))
        result: list[Modes] = []
        taken: list[tuple[str, ...]] = []
        for wanted in groups:
            members = [g for g in own if set(g) <= set(wanted)]
            members.sort(key=lambda g: list(wanted).index(g[0]), reverse=True)
            taken += members
            result.append(_coalesce([mode for member in members for mode in own[member]]))
        names = [axis for wanted in groups for axis in wanted]
        if sorted(taken) != sorted(own) or sorted(names) != sorted(self.destination.names):
            fitted = "; ".join(", ".join(group) for group in self.groups)
            raise UserError(f"groups must keep each of these together, and name it once: {fitted}")
        return tuple(result)

    def _parts(self) -> Iterator[tuple[Expression, int, int]]:
        """Sub-coordinate, extent and stride of every mode, cut where it enters a source axis."""
        extents = {
            axis: high - low
            for axis, (low, high) in zip(self.destination.names, self.box, strict=True)
        }
        for group, modes in zip(self.groups, self.modes, strict=True):
            terms, scale = [], 1
            for axis in reversed(group):
                terms.append(times(_from_low(self.destination, self.box, axis), scale))
                scale *= extents[axis]
            coordinate = add(reversed(terms))
            passed = 1
            pieces = [piece for mode in modes for piece in _split_at_axes(mode, self.source)]
            for number, (extent, stride) in enumerate(pieces):
                part = divide(coordinate, passed)
                yield (part if number == len(pieces) - 1 else modulo(part, extent)), extent, stride
                passed *= extent

    def _digit_expressions(self) -> dict[str, Expression] | None:
        """Sums along each source axis alone, where no sum carries into the next axis."""
        parts = list(self._parts())
        if self.offset < 0 or any(stride < 0 for _, _, stride in parts):
            return None
        result: dict[str, Expression] = {}
        for (axis, size), step in zip(self.source.axes, self.source.strides, strict=True):
            start = self.offset // step % size
            digits = [(part, extent, stride // step % size) for part, extent, stride in parts]
            if start + sum(digit * (extent - 1) for _, extent, digit in digits) >= size:
                return None
            result[axis] = add([*(times(part, d) for part, _, d in digits), Constant(start)])
        return result


def fit_cute(layout: LayoutMap, swizzles: bool = True) -> CuteFit | NotCute:
    """Fit a layout map as a CuTe layout and check it on every cell.

    The fit has the fewest modes, all coalesced. A fit without a swizzle comes before one with a
    swizzle, and separate axes before joined neighbors. Only fits without a swizzle join axes.

    Args:
        layout: Any map whose defined cells fill a box of its destination.
        swizzles: Whether to look for a swizzle where plain strides do not fit.

    Raises:
        UserError: No cell of the map is defined.
    """
    box = defined_box(layout)
    table = layout.table.reshape(layout.destination.sizes)[_slices(box)]
    if table.min() < 0:
        hole = np.argwhere(table < 0)[0] + [low for low, _ in box]
        coords = dict(zip(layout.destination.names, hole, strict=True))
        cell = int(layout.destination.index(**coords))
        return NotCute(layout.destination, layout.source, cell, UNDEFINED, UNDEFINED)
    fits = (
        CuteFit(layout.destination, layout.source, groups, modes, int(values.flat[0]), swizzle, box)
        for values, swizzle in unswizzled(table, layout.source, swizzles)
        for groups, modes in _fits(values, layout.destination.names, joined=swizzle is None)
    )
    best: CuteFit | None = None
    for fit in fits:
        if fit.swizzle is None:
            return fit
        if best is None or fit.mode_count < best.mode_count:
            best = fit
    return best if best is not None else _witness(layout, table, box)


def defined_box(layout: LayoutMap) -> Box:
    """The smallest box of destination coordinates with every defined cell, [low, high) by axis.

    Raises:
        UserError: No cell of the map is defined.
    """
    defined = layout.defined.reshape(layout.destination.sizes)
    box = []
    for axis in range(defined.ndim):
        others = tuple(other for other in range(defined.ndim) if other != axis)
        hits = np.flatnonzero(defined.any(axis=others))
        if hits.size == 0:
            raise UserError("there is nothing to fit: every cell is undefined")
        box.append((int(hits[0]), int(hits[-1]) + 1))
    return tuple(box)


def box_conditions(space: Space, box: Box) -> list[Expression]:
    """The comparisons that hold inside a box; none for a box as large as the space."""
    terms: list[Expression] = []
    for (axis, size), (low, high) in zip(space.axes, box, strict=True):
        if low > 0:
            terms.append(Operation(">=", Variable(axis), Constant(low)))
        if high < size:
            terms.append(Operation("<", Variable(axis), Constant(high)))
    return terms


def modes_of(values: IntArray) -> Modes | None:
    """The coalesced (extent, stride) pairs of a function of one coordinate that is 0 at 0.

    Coalesced modes are unique: the first extent is the length of the first straight run, so the
    greedy choice is also the shortest. None where the runs do not tile the domain.
    """
    modes: list[Mode] = []
    rest = values
    while rest.size > 1:
        stride = int(rest[1])
        straight = rest == np.arange(rest.size) * stride
        run = int(rest.size if straight.all() else np.argmin(straight))
        if rest.size % run:
            return None
        modes.append((run, stride))
        rest = rest[::run]
    found = tuple(modes) or ((1, 0),)
    return found if np.array_equal(_unfold(found), values) else None


def _split_at_axes(mode: Mode, source: Space) -> list[Mode]:
    """Split a mode that runs from one source axis into the next; keep any other mode."""
    extent, stride = mode
    for size, step in zip(reversed(source.sizes), reversed(source.strides), strict=True):
        end = step * size
        if step <= stride < end and end % stride == 0:
            first = end // stride
            if first < extent and extent % first == 0:
                return [(first, stride), *_split_at_axes((extent // first, end), source)]
    return [mode]


def _unfold(modes: Modes) -> IntArray:
    """The value at every coordinate of one group."""
    values = np.zeros(1, dtype=np.int64)
    for extent, stride in modes:
        values = (values[None, :] + np.arange(extent, dtype=np.int64)[:, None] * stride).reshape(-1)
    return values


def _coalesce(modes: Sequence[Mode]) -> Modes:
    result: list[Mode] = []
    for extent, stride in modes:
        if extent == 1:
            continue
        if result and stride == result[-1][0] * result[-1][1]:
            result[-1] = (result[-1][0] * extent, result[-1][1])
        else:
            result.append((extent, stride))
    return tuple(result) or ((1, 0),)


def _groupings(names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Ways to join neighboring axes, the fewest joins first."""
    for joints in range(len(names)):
        for kept in combinations(range(1, len(names)), len(names) - 1 - joints):
            edges = [0, *kept, len(names)]
            yield tuple(names[a:b] for a, b in zip(edges, edges[1:], strict=False))


def _fits(
    values: IntArray, names: tuple[str, ...], joined: bool
) -> Iterator[tuple[tuple[tuple[str, ...], ...], tuple[Modes, ...]]]:
    """The grouping of the axes under which an array of source indices is separable, if any."""
    for groups in _groupings(names) if joined else [tuple((name,) for name in names)]:
        shape, position = [], 0
        for group in groups:
            extents = values.shape[position : position + len(group)]
            shape.append(int(np.prod(extents, dtype=np.int64)))
            position += len(group)
        grouped = values.reshape(shape)
        if not np.array_equal(_separated(grouped), grouped):
            continue
        found = [modes_of(line) for line in _lines(grouped)]
        if all(modes is not None for modes in found):
            yield groups, tuple(modes for modes in found if modes is not None)
            return


def _lines(values: IntArray) -> list[IntArray]:
    """The values along each axis, all other coordinates 0, less the value at the origin."""
    origin = values.flat[0]
    return [
        values[(0,) * axis + (slice(None),) + (0,) * (values.ndim - axis - 1)] - origin
        for axis in range(values.ndim)
    ]


def _separated(values: IntArray) -> IntArray:
    """Return `values` as they would be if they were a sum of functions of one coordinate each."""
    result = np.array(values.flat[0], dtype=np.int64)
    for line in _lines(values):
        result = result[..., None] + line
    return result


def _witness(layout: LayoutMap, table: IntArray, box: Box) -> NotCute:
    lines = [modes_of(line) for line in _lines(table)]
    expected = _separated(table)
    differing = np.argwhere(expected != table)
    if differing.size == 0:
        # Separable, but one axis is no hierarchy of runs.
        axis = next(i for i, modes in enumerate(lines) if modes is None)
        place = [0] * table.ndim
        place[axis], value = _first_break(_lines(table)[axis])
        value += int(table.flat[0])
    else:
        place = [int(i) for i in differing[0]]
        value = int(expected[tuple(place)])
    coords = {
        axis: low + here
        for axis, (low, _), here in zip(layout.destination.names, box, place, strict=True)
    }
    cell = int(layout.destination.index(**coords))
    return NotCute(layout.destination, layout.source, cell, value, int(layout.table[cell]))


def _first_break(line: IntArray) -> tuple[int, int]:
    """The place where a line leaves its first run's hierarchy, and the value expected there."""
    straight = line == np.arange(line.size) * line[1]
    run = int(np.argmin(straight))
    if line.size % run:
        return run, int(run * line[1])
    expected = (line[::run, None] + line[None, :run]).reshape(-1)
    differing = np.flatnonzero(expected != line)
    if differing.size:
        return int(differing[0]), int(expected[differing[0]])
    place, value = _first_break(line[::run])
    return place * run, value


def _slices(box: Box) -> tuple[slice, ...]:
    return tuple(slice(low, high) for low, high in box)


def _from_low(space: Space, box: Box, axis: str) -> Expression:
    low = box[space.names.index(axis)][0]
    if low == 0:
        return Variable(axis)
    return Operation("-", Variable(axis), Constant(low))


def nested(groups: tuple[tuple[int, ...], ...]) -> str:
    """Write extents or strides of modes as CuTe does: `((4,8),2)`."""
    texts = [str(g[0]) if len(g) == 1 else f"({','.join(map(str, g))})" for g in groups]
    return texts[0] if len(texts) == 1 else f"({','.join(texts)})"
