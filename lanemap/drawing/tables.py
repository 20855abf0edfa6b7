"""Whole tables of layout maps: every cell with where it comes from, as CSV, Markdown or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout.cells import UNDEFINED, LayoutMap, Space

#: Last axes that count parts of an element; cells of others are elements themselves.
PARTS = ("bit", "byte")


@dataclass(frozen=True)
class Table:
    """Every cell of a map; `count` neighbors along the last axes that move together are a row."""

    title: str
    columns: tuple[str, ...]
    rows: list[list[int | None]]

    def to_json(self) -> dict[str, Any]:
        """The table for `json`."""
        return {"title": self.title, "columns": list(self.columns), "rows": self.rows}


def table_of(title: str, layouts: Sequence[LayoutMap], names: Sequence[str] = ()) -> Table:
    """The table of a map, or of several between the same spaces beside each other.

    Args:
        title: What it shows.
        layouts: The maps.
        names: What to call each map, where there are several.
    """
    width = _width(layouts)
    space = layouts[0].destination
    firsts = np.arange(0, space.size, width)
    parts = [_coordinates(space, firsts)]
    columns = [f"{space.name}.{axis}" for axis in space.names]
    for number, layout in enumerate(layouts):
        source = layout.source
        own = names[number] if names else source.name
        prefix = "from" if own == space.name else own
        columns += [f"{prefix}.{axis}" for axis in source.names]
        parts.append(_coordinates(source, layout.table[firsts]))
    listed = np.concatenate(parts, axis=1).tolist()
    rows = [[None if each == UNDEFINED else each for each in row] + [width] for row in listed]
    return Table(title, (*columns, "count"), rows)


def _coordinates(space: Space, cells: Any) -> Any:
    """The coordinates of cells, int64[cells, axes]; -1 for undefined ones."""
    found = space.coords(np.maximum(cells, 0))
    rows = np.stack([found[axis] for axis in space.names], axis=1)
    return np.where(np.asarray(cells)[:, None] < 0, UNDEFINED, rows)


def _width(layouts: Sequence[LayoutMap]) -> int:
    """The most neighbors along the last axes that move together in every map."""
    inside = layouts[0].destination.sizes[-1]
    if layouts[0].destination.names[-1] not in PARTS:
        return 1
    return next(
        width
        for width in range(inside, 0, -1)
        if inside % width == 0 and all(_moves(layout, width) for layout in layouts)
    )


def _moves(layout: LayoutMap, width: int) -> bool:
    last = layout.source.sizes[-1]
    if last % width or layout.source.names[-1] not in PARTS:
        return width == 1
    groups = layout.table.reshape(-1, width)
    first = groups[:, :1]
    whole = (groups == first + np.arange(width)) & (first % width == 0) & (first >= 0)
    empty = (groups == UNDEFINED).all(axis=1, keepdims=True)
    return bool(np.all(whole | empty))


def to_csv(tables: Sequence[Table]) -> str:
    """Tables as CSV; where there are several, their titles are the first column.

    Tables of different columns follow each other, each with its head.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    head: tuple[str, ...] = ()
    several = len(tables) > 1
    for table in tables:
        columns = (*(["map"] if several else []), *table.columns)
        if columns != head:
            writer.writerow(columns)
            head = columns
        for row in table.rows:
            writer.writerow([*([table.title] if several else []), *row])
    return stream.getvalue()


def to_markdown(tables: Sequence[Table]) -> str:
    """Tables as Markdown, each below its title."""
    parts = []
    for table in tables:
        lines = [f"### {table.title}", "", "| " + " | ".join(table.columns) + " |"]
        lines.append("|" + "---|" * len(table.columns))
        for row in table.rows:
            lines.append("| " + " | ".join("" if v is None else str(v) for v in row) + " |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def to_json(tables: Sequence[Table]) -> str:
    """One table as JSON, or a list of several."""
    shown = [table.to_json() for table in tables]
    return json.dumps(shown[0] if len(shown) == 1 else shown) + "\n"
