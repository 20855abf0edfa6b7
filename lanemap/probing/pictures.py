"""Drawings of what a name or a pasted layout stands for, with where its map is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap import paths
from lanemap.drawing import Drawing, Part, composed, difference, grid_of
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import variants_named
from lanemap.probing.compare.best import best_map
from lanemap.records.files import Roots
from lanemap.records.lookup import all_observations

#: The first row or column and the one after the last.
Range = tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Subject:
    """A map to draw.

    Attributes:
        name: What it is called.
        layout: The map.
        notes: Its formula, and where it is from.
    """

    name: str
    layout: LayoutMap
    notes: tuple[str, ...]


def subjects(text: str, results: Roots) -> list[Subject]:
    """The maps that a name stands for: one for each operand of an instruction.

    Raises:
        UserError: There is no such variant, or a record cannot be read.
    """
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
    results: str | Path | Roots | None = None,
) -> Drawing:
    """A picture of a layout, which a notebook shows by itself.

    Args:
        what: A variant, or an instruction with all of its operands.
        other: A second one: what goes through both, or, with `differences`, what they do not share.
        differences: Whether to show where the two differ.
        by: The side that is the grid: the name of its space ("register", "matrix", "tmem", ..),
            "source" or "destination"; by default the one that people draw.
        rows: The first row, and the one after the last.
        columns: The same of the columns.
        results: Where observations are; by default those that come with lanemap.

    Raises:
        UserError: There is no such variant, nothing joins the two, or a range is outside.
    """
    roots = paths.find("results") if results is None else results
    found = subjects(what, Path(roots) if isinstance(roots, str) else roots)
    if not other:
        parts = [_part(each, by) for each in found]
    else:
        second = subjects(other, Path(roots) if isinstance(roots, str) else roots)
        one, two = _only(what, found), _only(other, second)
        parts = [_differing(one, two, by) if differences else _through(one, two, by)]
    if differences and not other:
        raise UserError("a difference is of two layouts; name a second one")
    return Drawing(tuple(_cut(part, rows, columns) for part in parts))


def _only(text: str, found: Sequence[Subject]) -> Subject:
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
    grid = difference(one.layout, two.layout, f"{one.name} against {two.name}", names, by=by)
    return Part(grid, (one.layout, two.layout), names)


def _cut(part: Part, rows: Range, columns: Range) -> Part:
    if rows is None and columns is None:
        return part
    grid = part.grid
    wanted = [
        range(size) if each is None else range(*each)
        for each, size in ((rows, len(grid.rows)), (columns, len(grid.columns)))
    ]
    return Part(grid.cut(*wanted), part.layouts, part.names)
