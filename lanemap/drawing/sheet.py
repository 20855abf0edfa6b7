"""Grids on a sheet of paper, which becomes an SVG or a PNG."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lanemap.drawing.grid import Grid
from lanemap.drawing.palette import (
    DIFFERENT,
    INK,
    NOTHING,
    QUIET,
    SAME,
    Colors,
    colors,
    rgba,
)
from lanemap.drawing.windows import GAP, bands, left_out, window

if TYPE_CHECKING:
    from lanemap.drawing.canvas import Canvas
    from lanemap.drawing.raster import Raster

MARGIN, GUTTER = 0.4, 0.02
SIZE, LINE = 7.2, 0.13
#: Inches of a letter of a label, of a note, and of a title.
LETTER, NOTE_LETTER, TITLE_LETTER = 0.064, 0.072, 0.125
LEAST_WIDTH, MOST_WIDTH = 7.5, 15.6
#: A grid of more labels, or of more rows than these, is shown in part.
MOST_LABELS, MOST_ROWS, PART_ROWS = 2048, 128, 48
LEAST_COLUMNS = 8
#: Rows of a block of a narrow grid, whose blocks lie beside each other.
BLOCK_ROWS, BLOCK_GAP = 32, 0.3
TITLE_HEIGHT, NOTE_HEIGHT, HEAD_HEIGHT, BAND_GAP = 0.34, 0.19, 0.42, 0.14
#: Inches of a cell of the picture without labels.
SMALL = 0.045
#: Pixels of a preview, as sites that show links expect them, and pixels of an inch.
PREVIEW, PREVIEW_DPI = (1200, 630), 110


@dataclass(frozen=True)
class _Plan:
    """Where the parts of a grid go; lengths are in inches.

    Attributes:
        grid: The grid.
        notes: Lines below its title.
        blocks: Rows and columns of each block, and how many blocks lie beside each other.
        beside: The same number.
        cell: The width of a cell.
        tall: Its height.
        head: The room for the names of rows.
        width: The width of the sheet.
        partial: Whether something is left out.
    """

    grid: Grid
    notes: list[str]
    blocks: list[tuple[list[int | None], list[int | None]]]
    beside: int
    cell: float
    tall: float
    head: float
    width: float
    partial: bool

    @property
    def small(self) -> tuple[float, float]:
        """The width and height of the picture of the whole, without labels."""
        rows, columns = len(self.grid.rows), len(self.grid.columns)
        each = min(SMALL, (self.width - 2 * MARGIN - self.head) / columns)
        return each * columns, max(each * rows, 0.3)

    @property
    def block_height(self) -> float:
        """The height of a block with its head."""
        return HEAD_HEIGHT + len(self.blocks[0][0]) * self.tall + BAND_GAP

    @property
    def height(self) -> float:
        """The height of all parts."""
        body = math.ceil(len(self.blocks) / self.beside) * self.block_height
        small = self.small[1] + 0.5 if self.partial else 0.0
        return TITLE_HEIGHT + NOTE_HEIGHT * len(self.notes) + body + small


def sheet(grids: Sequence[Grid]) -> Canvas:
    """Grids below each other, with the size that their labels need."""
    from lanemap.drawing.canvas import Canvas

    widest = max(_wanted_width(grid) for grid in grids)
    plans = [_plan(grid, widest) for grid in grids]
    canvas = Canvas(widest, 2 * MARGIN + sum(plan.height for plan in plans))
    _draw_all(canvas, plans)
    return canvas


def preview(grids: Sequence[Grid]) -> bytes:
    """The beginning of the same sheet as a small PNG, as previews of links show it."""
    from lanemap.drawing.raster import Raster

    width = PREVIEW[0] / PREVIEW_DPI
    plans = [_plan(grid, width) for grid in grids]
    raster = Raster(width, PREVIEW[1] / PREVIEW_DPI, PREVIEW_DPI)
    _draw_all(raster, plans)
    return raster.png()


def _draw_all(canvas: Canvas | Raster, plans: Sequence[_Plan]) -> None:
    top = MARGIN
    for plan in plans:
        if top < canvas.height:
            _draw(canvas, plan, top)
        top += plan.height


def _sizes(grid: Grid) -> tuple[float, float, float]:
    """The width and height of a cell, and the room before the rows."""
    lines = [line for row in grid.labels for label in row for line in label.split("\n")]
    letters = max(*(len(line) for line in lines), *(len(column) for column in grid.columns))
    tall = 0.2 if not any("\n" in label for row in grid.labels for label in row) else 0.2 + LINE
    head = LETTER * max(len(grid.row_name), *(len(row) for row in grid.rows)) + 0.14
    return max(LETTER * letters + 0.1, 0.3), tall, head


def _beside(grid: Grid, cell: float, head: float) -> tuple[int, int]:
    """How many blocks of rows lie beside each other, and the rows of each."""
    rows, columns = len(grid.rows), len(grid.columns)
    room = int((MOST_WIDTH - 2 * MARGIN + BLOCK_GAP) / (head + columns * cell + BLOCK_GAP))
    if rows <= BLOCK_ROWS or room < 2 or rows * columns > MOST_LABELS:
        return 1, rows
    each = BLOCK_ROWS * math.ceil(rows / room / BLOCK_ROWS)
    return math.ceil(rows / each), each


def _wanted_width(grid: Grid) -> float:
    cell, _, head = _sizes(grid)
    block = head + min(len(grid.columns), _fit(cell, head)) * cell
    beside, _ = _beside(grid, cell, head)
    wanted = 2 * MARGIN + beside * (block + BLOCK_GAP) - BLOCK_GAP
    title = 2 * MARGIN + TITLE_LETTER * len(grid.title)
    return min(max(wanted, LEAST_WIDTH, title), MOST_WIDTH)


def _fit(cell: float, head: float) -> int:
    return max(int((MOST_WIDTH - 2 * MARGIN - head) / cell), LEAST_COLUMNS)


def _plan(grid: Grid, width: float) -> _Plan:
    cell, tall, head = _sizes(grid)
    fit = _fit(cell, head)
    beside, each = _beside(grid, cell, head)
    rows, columns = window(len(grid.rows), len(grid.rows)), window(len(grid.columns), 1 << 30)
    if len(rows) * len(columns) > MOST_LABELS or each > MOST_ROWS:
        rows, columns = window(len(rows), PART_ROWS), window(len(columns), fit - 1)
        beside, each = 1, len(rows)
    gone = [
        left_out(grid.row_name, rows, grid.rows),
        left_out(grid.column_name, columns, grid.columns),
    ]
    notes = [*grid.notes]
    if any(gone):
        notes.append(f"Left out: {'; '.join(filter(None, gone))}; the small picture has all.")
    letters = int((width - 2 * MARGIN) / NOTE_LETTER)
    wrapped = [line for note in notes for line in textwrap.wrap(note, letters)]
    blocks = [
        (rows[at : at + each], band)
        for at in range(0, len(rows), each)
        for band in bands(columns, fit)
    ]
    return _Plan(grid, wrapped, blocks, beside, cell, tall, head, width, any(gone))


def _draw(canvas: Canvas | Raster, plan: _Plan, top: float) -> None:
    grid = plan.grid
    canvas.text(MARGIN, top + 0.1, grid.title, 13, fontweight="bold")
    top += TITLE_HEIGHT
    for note in plan.notes:
        canvas.text(MARGIN, top, note, 9, QUIET)
        top += NOTE_HEIGHT
    shade = _shade(grid)
    for number, (rows, columns) in enumerate(plan.blocks):
        down, across = divmod(number, plan.beside)
        step = plan.head + len(columns) * plan.cell + BLOCK_GAP
        place = MARGIN + plan.head + across * step, top + down * plan.block_height
        _block(canvas, plan, rows, columns, shade, *place)
    if plan.partial:
        top += math.ceil(len(plan.blocks) / plan.beside) * plan.block_height
        canvas.text(MARGIN + plan.head, top + 0.12, "all cells, by color", 9, fontweight="bold")
        canvas.image(MARGIN + plan.head, top + 0.26, *plan.small, shade)


def _shade(grid: Grid) -> Colors:
    """The color of each cell, float64[rows, columns, 4]."""
    if grid.differs is not None:
        return np.where(grid.differs[..., None], rgba(DIFFERENT), rgba(SAME))
    known = colors(grid.colors)[np.maximum(grid.color, 0)]
    return np.where(grid.color[..., None] >= 0, known, rgba(NOTHING))


def _block(
    canvas: Canvas | Raster,
    plan: _Plan,
    rows: list[int | None],
    columns: list[int | None],
    shade: Colors,
    left: float,
    top: float,
) -> None:
    """Some rows and columns, with the names around them; `left` is where the cells begin."""
    grid = plan.grid
    canvas.text(left, top + 0.1, grid.column_name, 7.5, QUIET)
    canvas.text(left - 0.06, top + 0.3, grid.row_name, 7.5, QUIET, ha="right")
    first = top + HEAD_HEIGHT
    for at, column in enumerate(columns):
        x = left + (at + 0.5) * plan.cell - GUTTER / 2
        if column is GAP:
            canvas.text(x, first + len(rows) * plan.tall / 2, "…", 9, QUIET, ha="center")
        else:
            canvas.label(x, top + 0.3, grid.columns[column], SIZE, QUIET)
    for down, row in enumerate(rows):
        y = first + down * plan.tall
        if y > canvas.height:
            break  # a preview shows the beginning
        if row is GAP:
            canvas.text(left, y + plan.tall / 2, "…", 9, QUIET)
            continue
        middle = y + (plan.tall - GUTTER) / 2
        canvas.label(left - 0.06, middle, grid.rows[row], SIZE, QUIET, "right")
        here = [(at, column) for at, column in enumerate(columns) if column is not None]
        places = left + np.array([at for at, _ in here]) * plan.cell
        own = shade[row, [column for _, column in here]]
        canvas.boxes(places, np.full(len(here), y), plan.cell - GUTTER, plan.tall - GUTTER, own)
        for place, (_, column) in zip(places, here, strict=True):
            x = place + (plan.cell - GUTTER) / 2
            _label(canvas, x, middle, grid.labels[row][column])


def _label(canvas: Canvas | Raster, x: float, y: float, label: str) -> None:
    """A label of one line or of two."""
    lines = label.split("\n")
    for at, line in enumerate(lines):
        if line:
            canvas.label(x, y + (at - (len(lines) - 1) / 2) * LINE, line, SIZE, INK)
