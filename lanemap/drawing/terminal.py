"""Grids on a terminal: colored cells, in bands as wide as the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lanemap.drawing.grid import Grid
from lanemap.drawing.palette import DIFFERENT, SAME, colors, hexadecimal
from lanemap.drawing.windows import GAP, bands, left_out, window

if TYPE_CHECKING:
    from rich.text import Text

#: Lines of a grid; a larger one is shown in part.
MOST_LINES, MOST_ROWS = 140, 48
LEAST_COLUMNS = 8
ELLIPSIS = "…"


def lines(grid: Grid, width: int) -> Iterator[Text]:
    """The lines of a grid for a terminal of some width.

    A grid of more than `MOST_LINES` lines is shown in part, and a line says what is left out.
    """
    from rich.text import Text

    yield Text(grid.title, style="bold")
    for note in grid.notes:
        yield Text(note)
    cell = max(_longest(grid), *(len(column) for column in grid.columns)) + 1
    head = max(len(grid.row_name), *(len(row) for row in grid.rows)) + 1
    fit = max((width - head) // cell, LEAST_COLUMNS)
    rows, columns = window(len(grid.rows), len(grid.rows)), window(len(grid.columns), 1 << 30)
    tall = 1 if grid.differs is None or not grid.differs.any() else 2
    if tall * len(rows) * len(bands(columns, fit)) > MOST_LINES:
        rows = window(len(rows), MOST_ROWS // tall)
        columns = window(len(columns), fit - 1)
    shades = [hexadecimal(each) for each in colors(grid.colors)]
    for band in bands(columns, fit):
        yield from _band(grid, rows, band, cell, head, shades)
    gone = [
        left_out(grid.row_name, rows, grid.rows),
        left_out(grid.column_name, columns, grid.columns),
    ]
    if any(gone):
        yield Text(
            f"left out: {'; '.join(filter(None, gone))} (--rows and --columns choose others, "
            "--as csv has all)"
        )


def _longest(grid: Grid) -> int:
    return max(len(line) for row in grid.labels for label in row for line in label.split("\n"))


def _band(
    grid: Grid,
    rows: list[int | None],
    columns: list[int | None],
    cell: int,
    head: int,
    shades: list[str],
) -> Iterator[Text]:
    from rich.text import Text

    names = [ELLIPSIS if column is GAP else grid.columns[column] for column in columns]
    indent = " " * head
    yield Text(f"{indent}{grid.column_name}", style="dim")
    first = f"{grid.row_name:<{head}}" + "".join(f"{name:>{cell - 1}} " for name in names)
    yield Text(first.rstrip(), style="dim")
    for row in rows:
        if row is GAP:
            yield Text(ELLIPSIS, style="dim")
            continue
        here = [column for column in columns if column is not GAP]
        tall = 1 + max(grid.labels[row][column].count("\n") for column in here)
        for line in range(tall):
            text = Text()
            text.append(f"{grid.rows[row] if line == 0 else '':<{head}}", style="dim")
            for column in columns:
                if column is GAP:
                    text.append(f"{ELLIPSIS:>{cell - 1}} ")
                    continue
                parts = grid.labels[row][column].split("\n")
                label = parts[line] if line < len(parts) else ""
                text.append(f"{label:>{cell - 1}} ", style=_style(grid, row, column, shades))
            text.rstrip()
            yield text


def _style(grid: Grid, row: int, column: int, shades: list[str]) -> str:
    if grid.differs is not None:
        return f"black on {DIFFERENT}" if grid.differs[row, column] else f"black on {SAME}"
    color = int(grid.color[row, column])
    return f"black on {shades[color]}" if color >= 0 else ""
