"""A sheet of tcgen05.cp: the lanes of tensor memory, in the colors of the rows they receive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lanemap.records.schema import Observation, Record

if TYPE_CHECKING:
    from .canvas import Canvas, Colours

FAMILY = "tcgen05.cp."
ROW, GAP, COLUMN = 0.105, 0.012, 0.11
MARGIN, HEADER, PANEL = 0.5, 1.5, 1.75
SLAB = 32


def shows(record: Record) -> bool:
    """Whether a record is one of copies into the tensor memory of one CTA."""
    return any(
        each.variant.startswith(FAMILY) and "cta" not in each.map.destination.names
        for each in record.observations
    )


def draw(record: Record) -> dict[str, bytes]:
    """The sheet of a record of copies, {"png": ..}."""
    from .canvas import QUIET, Canvas, lane_colours

    found = [each for each in record.observations if each.variant.startswith(FAMILY)]
    lanes = found[0].map.destination.sizes[0]
    canvas = Canvas(2 * MARGIN + len(found) * PANEL, HEADER + lanes * ROW + 0.5)
    canvas.text(MARGIN, 0.38, "tcgen05.cp: rows of shared memory to lanes", 15, fontweight="bold")
    where = f"{record.target} on {record.device}, evidence: {record.evidence}."
    key = "A lane has the colour and number of the row that it receives; grey ones are unchanged."
    canvas.text(MARGIN, 0.7, f"{where}  {key}", 9, QUIET)
    rows = max(each.map.source.sizes[0] for each in found)
    colours = lane_colours(rows, SLAB)
    for at, observation in enumerate(found):
        _panel(canvas, MARGIN + 0.3 + at * PANEL, observation, colours)
    return canvas.files(("png",))


def _panel(canvas: Canvas, left: float, observation: Observation, colours: Colours) -> None:
    """One form: a bar for each lane, divided by column."""
    from .canvas import INK, NOTHING, QUIET, rgba

    layout = observation.map
    lanes, columns, _ = layout.destination.sizes
    table = layout.table.reshape(lanes, columns, -1)[..., 0]
    row = np.where(table >= 0, layout.source.coords(np.maximum(table, 0))["row"], -1)
    shade = np.where(row[..., None] >= 0, colours[np.maximum(row, 0)], rgba(NOTHING))
    x, y = left + np.arange(columns) * COLUMN, HEADER + np.arange(lanes) * ROW
    canvas.boxes(*np.meshgrid(x, y), COLUMN - GAP, ROW - GAP, shade)
    form = observation.variant.removeprefix(FAMILY).split(".")
    for line, words in enumerate(form):
        canvas.text(left, HEADER - 0.5 + 0.15 * line, words, 8.5, fontweight="bold")
    canvas.text(left, HEADER - 0.12, f"columns 0 to {columns - 1}", 6.5, QUIET)
    for lane in range(lanes):
        middle = y[lane] + (ROW - GAP) / 2
        if lane % 8 == 0:
            canvas.label(left - 0.05, middle, str(lane), 5.4, QUIET, "right")
        own = np.unique(row[lane])
        if own.size == 1 and own[0] >= 0:
            canvas.label(left + columns * COLUMN + 0.05, middle, str(own[0]), 5.6, INK, "left")
