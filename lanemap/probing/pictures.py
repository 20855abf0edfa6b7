"""Drawings of what a name or a pasted layout stands for, with where its map is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap import paths
from lanemap.drawing import Drawing, Part, composed, difference, grid_of
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.layout.cells import Space
from lanemap.layout.pasted import Pasted, is_layout, read
from lanemap.model import variants_named
from lanemap.probing.compare.best import best_map
from lanemap.probing.compare.lowering import hold
from lanemap.records.files import Roots
from lanemap.records.lookup import all_observations

#: The first row or column and the one after the last.
Range = tuple[int, int] | None
#: A longer pasted text is cut where it is a title.
MOST_LETTERS = 72


@dataclass(frozen=True, eq=False)
class Subject:
    """A map to draw.

    Attributes:
        name: What it is called.
        layout: The map.
        notes: Its formula, and where it is from.
        pasted: What somebody pasted; None of a variant.
    """

    name: str
    layout: LayoutMap
    notes: tuple[str, ...]
    pasted: Pasted | None = None


def subjects(
    text: str, results: Roots, matrix: tuple[int, int] | None = None, row_major: bool = False
) -> list[Subject]:
    """The maps of a pasted layout or a name: one for each operand of an instruction.

    Raises:
        UserError: There is no such variant, a layout is none, or a record cannot be read.
    """
    if is_layout(text):
        pasted = read(text, matrix, row_major)
        words = " ".join(text.split())
        name = words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 3]}..."
        return [Subject(name, pasted.layout, (pasted.words,), pasted)]
    found = variants_named(text)
    seen = all_observations({each.name for each in found}, results)
    drawn = []
    for each in found:
        layout, says = best_map(each, "best", seen.get(each.name, []))
        where = says[0] if "observed" in says[0] else f"{says[0]}: {'; '.join(says[1:])}"
        drawn.append(Subject(each.name, layout, (each.formula, f"Map: {where}.")))
    return drawn


def draw(
    what: str,
    other: str = "",
    *,
    differences: bool = False,
    by: str = "",
    rows: Range = None,
    columns: Range = None,
    matrix: tuple[int, int] | None = None,
    row_major: bool = False,
    results: str | Path | Roots | None = None,
) -> Drawing:
    """A picture of a layout, which a notebook shows by itself.

    Args:
        what: A variant, an instruction with all of its operands, or a layout: CuTe's, Triton's,
            Gluon's, or a matrix over F2.
        other: A second one: what goes through both, or, with `differences`, what they do not share.
        differences: Whether to show where the two differ.
        by: The side that is the grid: the name of its space ("register", "matrix", "tmem", ..),
            "source" or "destination"; by default the one that people draw.
        rows: The first row, and the one after the last.
        columns: The same of the columns.
        matrix: Rows and columns of the matrix whose elements a pasted layout's value counts: a CuTe
            layout is then one of threads and values. Of a Triton layout, the shape of the tensor.
        row_major: Whether such a CuTe layout counts along rows; by default along columns.
        results: Where observations are; by default those that come with lanemap.

    Raises:
        UserError: There is no such variant or layout, nothing joins the two, or a range is outside.
    """
    roots = paths.find("results") if results is None else results
    place = Path(roots) if isinstance(roots, str) else roots
    found = subjects(what, place, matrix, row_major)
    if not other:
        parts = [_part(each, by) for each in found]
    else:
        second = subjects(other, place, matrix, row_major)
        one, two = only(what, found), only(other, second)
        parts = [_differing(one, two, by) if differences else _through(one, two, by)]
    if differences and not other:
        raise UserError("a difference is of two layouts; name a second one")
    return Drawing(tuple(_cut(part, rows, columns) for part in parts))


def only(text: str, found: Sequence[Subject]) -> Subject:
    """The one map that a text stands for.

    Raises:
        UserError: It stands for several operands.
    """
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise UserError(f"{text} names {len(found)} maps; choose one of {names}")
    return found[0]


def _part(subject: Subject, by: str) -> Part:
    return Part(grid_of(subject.layout, subject.name, subject.notes, by), (subject.layout,))


def _through(one: Subject, two: Subject, by: str) -> Part:
    layout, middle = composed(one.layout, two.layout)
    notes = (f"Through {middle}, as far as both reach.",)
    grid = grid_of(layout, f"{one.name} with {two.name}", notes, by)
    return Part(grid.cut(*grid.reached()), (layout,))


def _differing(one: Subject, two: Subject, by: str) -> Part:
    names = one.name, two.name
    notes: tuple[str, ...] = ()
    if (one.pasted is None) == (two.pasted is None):
        mine, theirs = _alike(one.layout, two.layout)
    elif one.pasted is None and two.pasted is not None:
        found = hold(one.name, one.layout, two.pasted)
        mine, theirs, notes = found.mine, found.theirs, (f"Read as {found.reading}.",)
    else:
        return _differing(two, one, by)
    grid = difference(mine, theirs, f"{one.name} against {two.name}", names, notes, by)
    return Part(grid, (mine, theirs), names)


def _alike(mine: LayoutMap, theirs: LayoutMap) -> tuple[LayoutMap, LayoutMap]:
    """Two maps to values that are counted up to different ends, as maps to the larger count."""
    spaces = mine.source, theirs.source
    if {space.names for space in spaces} != {("value",)}:
        return mine, theirs
    larger = Space("value", (("value", max(space.size for space in spaces)),))
    one, two = (LayoutMap(each.destination, larger, each.table) for each in (mine, theirs))
    return one, two


def _cut(part: Part, rows: Range, columns: Range) -> Part:
    if rows is None and columns is None:
        return part
    grid = part.grid
    wanted = [
        range(size) if each is None else range(*each)
        for each, size in ((rows, len(grid.rows)), (columns, len(grid.columns)))
    ]
    return Part(grid.cut(*wanted), part.layouts, part.names)
