"""Affine pieces: boxes of the destination with a CuTe layout on each, where no one form fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap, Space
from lanemap.layout.cute import Box, CuteFit, box_conditions, defined_box, fit_cute, modes_of
from lanemap.layout.expressions import Constant, Expression, Operation, Select, join, render

MAX_PIECES = 512
# Boxes tried before giving up, without and with the search for swizzles (100 times the cost).
MAX_ATTEMPTS = {False: 2048, True: 128}
# Above this many plain pieces a search with swizzles may pay, on boxes of at least so many cells.
FEW_PIECES = 8
SWIZZLE_CELLS = 64


@dataclass(frozen=True)
class PiecesFit:
    """A layout map as disjoint boxes of the destination, each with a CuTe layout of its own.

    Attributes:
        destination: The space that receives.
        source: The space that gives.
        pieces: The fits, each defined inside its `box` alone; cells in none are undefined.
    """

    destination: Space
    source: Space
    pieces: tuple[CuteFit, ...]

    kind = "pieces"

    def to_map(self) -> LayoutMap:
        """The layout map that the pieces state, cell by cell."""
        table = np.full(self.destination.size, UNDEFINED, dtype=np.int64)
        for piece in self.pieces:
            part = piece.to_map()
            table[part.defined] = part.table[part.defined]
        return LayoutMap(self.destination, self.source, table)

    def expressions(self) -> dict[str, Expression]:
        """The coordinate along each source axis, chosen by the piece that holds the cell."""
        forms = [piece.expressions() for piece in self.pieces]
        result = {axis: forms[-1][axis] for axis in self.source.names}
        for piece, form in list(zip(self.pieces, forms, strict=True))[-2::-1]:
            inside = join("&&", box_conditions(self.destination, piece.box))
            for axis in result:
                result[axis] = Select(inside, form[axis], result[axis])
        return result

    def condition(self) -> Expression | None:
        """Where the map is defined: inside any piece; None for everywhere."""
        if sum(box_size(piece.box) for piece in self.pieces) == self.destination.size:
            return None
        inside: Expression = Constant(0)
        for piece in reversed(self.pieces):
            terms = box_conditions(self.destination, piece.box)
            inside = Select(join("&&", terms), Constant(1), inside)
        return Operation("==", inside, Constant(1))

    def formula(self) -> str:
        """The formula of every piece under the condition that selects it."""
        lines = []
        for piece in self.pieces:
            inside = join("&&", box_conditions(self.destination, piece.box))
            lines.append(f"where {render(inside, 'formula')}:")
            for axis, expression in piece.expressions().items():
                lines.append(f"  {self.source.name}.{axis} = {render(expression, 'formula')}")
        return "\n".join(lines)


def fit_pieces(layout: LayoutMap) -> PiecesFit:
    """Cut a map into boxes that CuTe layouts fit, greedily the largest first.

    Swizzles are tried where plain strides alone need many pieces.

    Raises:
        UserError: No cell is defined, or the map has too little structure: more than `MAX_PIECES`
            pieces, or no result after `MAX_ATTEMPTS` boxes.
    """
    try:
        plain = _Cutter(layout, swizzles=False).pieces()
    except UserError:
        return PiecesFit(layout.destination, layout.source, _Cutter(layout, True).pieces())
    if len(plain) > FEW_PIECES:
        try:
            swizzled = _Cutter(layout, swizzles=True).pieces()
        except UserError:
            swizzled = plain
        plain = min(plain, swizzled, key=len)
    return PiecesFit(layout.destination, layout.source, plain)


def box_size(box: Box) -> int:
    """The number of cells in a box."""
    size = 1
    for low, high in box:
        size *= high - low
    return size


def _values(layout: LayoutMap, box: Box) -> IntArray:
    table = layout.table.reshape(layout.destination.sizes)
    part: IntArray = table[tuple(slice(low, high) for low, high in box)]
    return part


class _Cutter:
    """Cuts one map greedily; counts attempts, so that a map without structure ends in an error."""

    def __init__(self, layout: LayoutMap, swizzles: bool) -> None:
        self.layout = layout
        self.swizzles = swizzles
        self.attempts = 0

    def pieces(self) -> tuple[CuteFit, ...]:
        found: list[CuteFit] = []
        waiting = [defined_box(self.layout)]
        while waiting:
            box = self._trimmed(waiting.pop())
            if box is None:
                continue
            fit = self._fit(box)
            if fit is not None:
                found.append(fit)
            else:
                waiting += reversed(self._cut(box))
            if len(found) > MAX_PIECES:
                raise UserError(f"the map needs more than {MAX_PIECES} affine pieces")
        return tuple(found)

    def _trimmed(self, box: Box) -> Box | None:
        """The smallest box with the defined cells of a box; None where there are none."""
        defined = _values(self.layout, box) >= 0
        if not defined.any():
            return None
        result = []
        for axis, (low, _) in enumerate(box):
            others = tuple(other for other in range(defined.ndim) if other != axis)
            hits = np.flatnonzero(defined.any(axis=others))
            result.append((low + int(hits[0]), low + int(hits[-1]) + 1))
        return tuple(result)

    def _fit(self, box: Box) -> CuteFit | None:
        self.attempts += 1
        if self.attempts > MAX_ATTEMPTS[self.swizzles]:
            raise UserError("no affine pieces found: the map is too irregular")
        part = _values(self.layout, box)
        if part.min() < 0:
            return None
        space = self.layout.destination
        axes = tuple((axis, h - low) for axis, (low, h) in zip(space.names, box, strict=True))
        local = LayoutMap(Space(space.name, axes), self.layout.source, part.reshape(-1))
        fit = fit_cute(local, self.swizzles and part.size >= SWIZZLE_CELLS)
        return replace(fit, destination=space, box=box) if isinstance(fit, CuteFit) else None

    def _cut(self, box: Box) -> list[Box]:
        """Cut a box in two: the largest part that fits at an end of an axis, else at any break."""
        places = list(_breaks(_values(self.layout, box), box))
        if not places:
            # No axis is at fault alone, as with undefined cells in a pattern: halve the longest.
            axis = int(np.argmax([high - low for low, high in box]))
            return _halves(box, axis, sum(box[axis]) // 2)
        parts = [
            (box_size(half), axis, place, half)
            for axis, place in places
            for half in _halves(box, axis, place)
        ]
        parts.sort(key=lambda part: part[0], reverse=True)
        for _, axis, place, half in parts:
            if self._fit(half) is not None:
                return _halves(box, axis, place)
        return _halves(box, *places[0])


def _halves(box: Box, axis: int, place: int) -> list[Box]:
    low, high = box[axis]
    return [(*box[:axis], half, *box[axis + 1 :]) for half in ((low, place), (place, high))]


def _breaks(part: IntArray, box: Box) -> Iterator[tuple[int, int]]:
    """The cuts to make: for every axis that is at fault, the coordinates where its step changes.

    An axis is not at fault if its steps are the same everywhere in the box and its values form a
    hierarchy of runs.
    """
    for axis, (low, high) in enumerate(box):
        lines = np.moveaxis(part, axis, 0).reshape(high - low, -1)
        growth = np.where(lines < 0, UNDEFINED, lines - lines[:1])
        same = bool(np.all(growth == growth[:, :1])) and bool(np.all(lines >= 0))
        if high - low < 2 or (same and modes_of(growth[:, 0]) is not None):
            continue
        steps = np.diff(np.where(lines < 0, np.int64(-(2**62)), lines), axis=0)
        changed = np.flatnonzero(np.any(steps[1:] != steps[:-1], axis=1))
        places = {int(place) for i in changed for place in (i + 1, i + 2)} or {(high - low) // 2}
        for place in sorted(places):
            yield axis, low + place
