"""Compares two layout maps of one subject, including partial maps.

Two maps contradict each other if one destination cell receives different sources, or, for
one-to-one maps, if one source cell goes to different destinations. Cells that only one map defines
are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.records.schema import Observation, Record

Cells = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Witness:
    """The first cell in which two maps contradict each other, in words.

    Attributes:
        cell: The cell, with the name of its space.
        mine: The source cell in the first map.
        theirs: The source cell in the second map.
        backwards: Whether the cell is a source cell and the values are destinations.
    """

    cell: str
    mine: str
    theirs: str
    backwards: bool = False

    @property
    def verb(self) -> str:
        """The verb for what a cell does with its values."""
        return "goes to" if self.backwards else "receives"


@dataclass(frozen=True)
class Relation:
    """How a second map relates to a first.

    Attributes:
        common: Destination cells that both define, or say to receive nothing.
        differing: Common cells in which they differ.
        said: Destination cells that the second map covers.
        wanted: Destination cells that the first map covers.
        first: The first contradiction; None where there is none.
        gauge: They differ only by a permutation of k, the same in every row.
    """

    common: int
    differing: int
    said: int
    wanted: int
    first: Witness | None
    gauge: bool = False

    @property
    def partial(self) -> bool:
        """Whether the second map leaves cells open that the first one states."""
        return self.common < self.wanted

    @property
    def reach(self) -> str:
        """How many cells of the first map the second one states, in words."""
        return f"{self.common} of {self.wanted} cells"

    @property
    def agrees(self) -> bool | None:
        """Whether there is no contradiction; None if they have no common cell."""
        if self.first is not None:
            return False
        return True if self.common else None


def aligned(maps: Sequence[LayoutMap]) -> list[LayoutMap]:
    """The maps extended to common spaces, in which each axis has its greatest size.

    Raises:
        UserError: The maps do not name their axes alike.
    """
    destination = _common([each.destination for each in maps])
    source = _common([each.source for each in maps])
    return [_embedded(each, destination, source) for each in maps]


def relate(
    mine: LayoutMap, theirs: LayoutMap, moves: bool = True, nothing: Marks | None = None
) -> Relation:
    """Compare two aligned maps on every cell.

    Args:
        mine: The first map.
        theirs: The second.
        moves: Whether they are maps of data movement, in which one source has one destination;
            False for maps of what an access reaches.
        nothing: bool[cells], cells that receive nothing according to the second map.
    """
    speaks = theirs.defined if nothing is None else theirs.defined | nothing
    common = mine.defined & speaks
    differing = np.flatnonzero(common & (mine.table != theirs.table))
    first = _forwards(mine, theirs, differing)
    # Equal tables agree in both directions; skip the search.
    if first is None and moves and not np.array_equal(mine.table, theirs.table):
        first = _backwards(mine, theirs)
    return Relation(
        common=int(common.sum()),
        differing=int(differing.size),
        said=int(speaks.sum()),
        wanted=int(mine.defined.sum()),
        first=first,
        gauge=bool(differing.size) and _differ_by_k(mine, theirs),
    )


def relate_observed(reference: LayoutMap, record: Record, observation: Observation) -> Relation:
    """Compare a map with an observation of its variant, which may be of another size.

    Raises:
        UserError: They do not name their axes alike; the sentence names the probe.
    """
    try:
        mine, theirs = aligned([reference, observation.map])
    except UserError as error:
        raise UserError(f"{record.origin} on {observation.variant}: {error}") from error
    nothing = spread(observation.without_source, observation.map.destination, mine.destination)
    return relate(mine, theirs, nothing=nothing)


def spread(marks: Marks | None, own: Space, common: Space) -> Marks | None:
    """Marks on the cells of a space, as marks on those of a larger one with the same axes."""
    if marks is None or own == common:
        return marks
    spread_marks = np.zeros(common.size, np.bool_)
    spread_marks[common.index(**own.grid())] = marks
    return spread_marks


def _common(spaces: Sequence[Space]) -> Space:
    first = spaces[0]
    for each in spaces:
        if (each.name, each.names) != (first.name, first.names):
            raise UserError(f"cannot compare {each} with {first}: their axes differ")
    sizes = np.max([each.sizes for each in spaces], axis=0)
    return Space(first.name, tuple(zip(first.names, map(int, sizes), strict=True)))


def _embedded(layout: LayoutMap, destination: Space, source: Space) -> LayoutMap:
    if (layout.destination, layout.source) == (destination, source):
        return layout
    table = np.full(destination.size, UNDEFINED, dtype=np.int64)
    coords = layout.source.coords(np.maximum(layout.table, 0))
    sources = np.where(layout.defined, source.index(**coords), UNDEFINED)
    table[destination.index(**layout.destination.grid())] = sources
    return LayoutMap(destination, source, table)


def _words(space: Space, cell: int) -> str:
    return f"{space.name} {space.format(cell)}" if cell >= 0 else f"nothing of {space.name}"


def _forwards(mine: LayoutMap, theirs: LayoutMap, differing: Cells) -> Witness | None:
    if not differing.size:
        return None
    cell = int(differing[0])
    return Witness(
        _words(mine.destination, cell),
        _words(mine.source, int(mine.table[cell])),
        _words(mine.source, int(theirs.table[cell])),
    )


def _backwards(mine: LayoutMap, theirs: LayoutMap) -> Witness | None:
    """The first source cell that one-to-one maps send to different destinations."""
    if not (mine.is_one_to_one and theirs.is_one_to_one):
        return None
    one, two = mine.inverse().table, theirs.inverse().table
    cells = np.flatnonzero((one >= 0) & (two >= 0) & (one != two))
    if not cells.size:
        return None
    cell = int(cells[0])
    return Witness(
        _words(mine.source, cell),
        _words(mine.destination, int(one[cell])),
        _words(mine.destination, int(two[cell])),
        backwards=True,
    )


def _differ_by_k(mine: LayoutMap, theirs: LayoutMap) -> bool:
    """Whether a permutation of k turns the first map into the second."""
    said = mine.defined
    if "k" not in mine.source.names or not np.array_equal(said, theirs.defined):
        return False
    one, two = mine.source.coords(mine.table[said]), mine.source.coords(theirs.table[said])
    if any(not np.array_equal(one[axis], two[axis]) for axis in one if axis != "k"):
        return False
    pairs = np.unique(np.stack([one["k"], two["k"]]), axis=1)
    return bool(all(np.unique(side).size == side.size for side in pairs))
