"""Figures of layout maps: source lanes by color, the groups of 16 lanes as panels.

A panel shows one group of lanes twice: on the left the source, one bar for each lane's chunk or
registers, which is the key to the colors; on the right the destination, one row a lane, every cell
in the color of the lane that it came from and labeled `lane.cell`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lanemap.layout import LayoutMap
from lanemap.records.schema import Observation, Record

if TYPE_CHECKING:
    from .canvas import Canvas, Colours

Integers = npt.NDArray[np.int64]
GROUP_LANES = 16
CELL_NAMES = {1: "bit", 4: "nibble", 6: "field", 8: "byte", 16: "half", 32: "word"}
ROW, GAP = 0.225, 0.03
MARGIN, HEADER, FOOTER = 0.5, 1.05, 0.7
# Width of the longest title of a panel.
TITLE = 2.6
# Formulas of more lines do not fit below a figure; the page has them.
MOST_FORMULAS = 6
REPEAT = re.compile(r"\.x(\d+)")
# Of a space: what a label means, the key's title, what the rows show.
SIDES = {
    "chunk": ("the chunk at lane s's address", "chunk of lane", "chunks"),
    "register": ("lane s's registers", "registers of lane", "registers"),
}


@dataclass(frozen=True)
class CellView:
    """A map between the lanes of a wave on the widest cells that move whole.

    Attributes:
        cell_bits: their width in the destination.
        source_bits: their width in the source; smaller where the instruction widens elements.
        source_cells: cells that the source has for each lane; of widened ones those that move.
        lane: int64[lanes, cells], the source lane; -1 where undefined.
        cell: int64[lanes, cells], the cell of that lane's part of the source.
    """

    cell_bits: int
    source_bits: int
    source_cells: int
    lane: Integers
    cell: Integers

    @property
    def name(self) -> str:
        """The name of a cell of the destination."""
        return CELL_NAMES.get(self.cell_bits, f"{self.cell_bits} bits")

    @property
    def source_name(self) -> str:
        """The name of a cell of the source."""
        return CELL_NAMES.get(self.source_bits, f"{self.source_bits} bits")


def cells_of(layout: LayoutMap) -> CellView:
    """The widest cells, up to 32 bits, that a map of bits moves whole and aligned.

    The first bits of a cell may hold a narrower element, if the others receive nothing.
    """
    lanes = layout.destination.axes[0][1]
    rows = layout.table.reshape(lanes, -1)
    bits = rows.shape[1]
    chunk = layout.source.size // layout.source.axes[0][1]
    for width in (w for w in range(32, 0, -1) if bits % w == 0):
        groups = rows.reshape(lanes, -1, width)
        held = int((groups >= 0).sum(axis=-1).max())
        first, inside = groups[..., :1], np.arange(width)
        moved = np.where(inside < held, first + inside, -1)
        whole = (groups == moved) & (first % chunk % max(held, 1) == 0)
        empty = (groups == -1).all(axis=-1, keepdims=True)
        # A few bits of a wide group may move alone; a widened element fills most of its cell.
        if held and 2 * held >= width and np.all(whole | empty):
            source = first[..., 0]
            lane = np.where(source >= 0, source // chunk, -1)
            cell = np.where(source >= 0, source % chunk // held, -1)
            cells = chunk // held if held == width else int(cell.max()) + 1
            return CellView(width, held, cells, lane, cell)
    raise AssertionError("a cell of one bit always moves whole")


def draw(record: Record) -> dict[str, bytes]:
    """The figures of a record by suffix, mostly "png" and "svg"; none where nothing is to draw."""
    import matplotlib

    from . import bank_sheets, copy_sheets, lds_sheets, tensor_sheets
    from .canvas import STYLE

    with matplotlib.rc_context(STYLE):
        if record.kind == "bank_rules":
            return bank_sheets.draw(record)
        if record.kind == "lds_paths":
            return lds_sheets.draw(record)
        if any(tensor_sheets.VARIANT.fullmatch(o.variant) for o in record.observations):
            return tensor_sheets.draw(record)
        if copy_sheets.shows(record):
            return copy_sheets.draw(record)
        between = [o for o in record.observations if _is_between_lanes(o.map)]
        if between and record.kind == "layout_family":
            return {
                f"{_sheet_name(each)}.png": _lane_sheet(record, each).files(("png",))["png"]
                for each in _largest(between)
            }
        if between:
            return _lane_sheet(record, between[0]).files()
        if record.kind == "readings" and record.findings.get("lane_bytes"):
            return _bytes_sheet(record).files()
    return {}


def _is_between_lanes(layout: LayoutMap) -> bool:
    """Whether a map goes between registers of lanes and chunks at lanes' addresses."""
    spaces = {layout.destination.name, layout.source.name}
    return spaces <= {"register", "chunk"} and layout.source.names[0] == "lane"


def _largest(observations: Sequence[Observation]) -> list[Observation]:
    """Return the one with the greatest N of variants that differ only in xN."""
    largest: dict[str, tuple[int, Observation]] = {}
    for each in observations:
        match = REPEAT.search(each.variant)
        count = int(match[1]) if match else 1
        name = REPEAT.sub("", each.variant)
        if name not in largest or largest[name][0] < count:
            largest[name] = count, each
    return [each for _, each in largest.values()]


def _sheet_name(observation: Observation) -> str:
    """The variant's name without its family and what all of the family have."""
    parts = observation.variant.split(".")[1:]
    return ".".join(part for part in parts if part not in ("sync", "aligned", "shared"))


def _lane_sheet(record: Record, observation: Observation) -> Canvas:
    """All lanes of a wave, a panel for each 16."""
    from .canvas import MONOSPACE, Canvas, lane_colours

    layout = observation.map
    view = cells_of(layout)
    spaces = layout.destination.name, layout.source.name
    lanes, cells = view.lane.shape
    groups = -(-lanes // GROUP_LANES)
    cell = 0.66 if cells <= 4 else 0.46 if cells <= 8 else 0.375
    memory = 1.0
    panel = 0.3 + memory + 0.55 + max(cells * cell, TITLE) + 0.45
    tall = GROUP_LANES * ROW + 0.75
    width = max(2 * MARGIN + 2 * panel, 9.0)
    formulas = observation.fit.get("formula", ())
    formulas = formulas if len(formulas) <= MOST_FORMULAS else ()
    footer = max(FOOTER, 0.3 + 0.2 * len(formulas))
    canvas = Canvas(width, HEADER + groups // 2 * tall + footer)
    key = f"A cell labelled s.b holds {view.source_name} b of {SIDES[spaces[1]][0]}."
    _header(canvas, record, observation.variant, key)
    for line, formula in enumerate(formulas):
        # An SVG joins neighboring spaces, so that two formulas cannot share a line.
        canvas.text(MARGIN, canvas.height - footer + 0.1 + 0.2 * line, formula, 9, family=MONOSPACE)
    colours = lane_colours(lanes, GROUP_LANES)
    empty = "?" if observation.partial else ""
    for group in range(groups):
        left = MARGIN + group % 2 * panel
        top = HEADER + group // 2 * tall + 0.5
        own = np.arange(group * GROUP_LANES, min((group + 1) * GROUP_LANES, lanes))
        source = SIDES[spaces[1]][1]
        _source_panel(canvas, left + 0.3, top, memory, own, view.source_cells, source, colours)
        title = f"{SIDES[spaces[0]][2]} of lanes {own[0]} to {own[-1]}, by {view.name}"
        right = left + 0.3 + memory + 0.55
        _destination_panel(canvas, right, top, cell, own, view, title, empty, colours)
    return canvas


def _header(canvas: Canvas, record: Record, variant: str, key: str) -> None:
    """The variant, where it was seen, and how to read a label."""
    from .canvas import QUIET

    canvas.text(MARGIN, 0.38, variant, 15, fontweight="bold")
    where = f"{record.target} on {record.device}, evidence: {record.evidence}."
    canvas.text(MARGIN, 0.7, f"{where}  {key}", 9, QUIET)


def _source_panel(
    canvas: Canvas,
    left: float,
    top: float,
    width: float,
    lanes: Integers,
    cells: int,
    title: str,
    colours: Colours,
) -> None:
    """The source's part of each lane of a group, a bar each in the lane's color."""
    from .canvas import PAPER, QUIET

    rows = top + np.arange(lanes.size) * ROW
    canvas.boxes(np.full(lanes.size, left), rows, width, ROW - GAP, colours[lanes])
    for edge in range(1, cells):
        x = left + width * edge / cells
        canvas.line([x, x], [rows[0], rows[-1] + ROW - GAP], PAPER, 0.35)
    for lane, row in zip(lanes, rows, strict=True):
        canvas.label(left - 0.06, row + (ROW - GAP) / 2, str(lane), 7.2, QUIET, "right")
    canvas.text(left, top - 0.32, title, 9, QUIET)
    canvas.label(left + width / cells / 2, top - 0.12, "0", 7.2, QUIET)
    canvas.label(left + width - width / cells / 2, top - 0.12, str(cells - 1), 7.2, QUIET)


def _destination_panel(
    canvas: Canvas,
    left: float,
    top: float,
    width: float,
    lanes: Integers,
    view: CellView,
    title: str,
    empty: str,
    colours: Colours,
) -> None:
    """The destination's rows of a group's lanes, every cell in the color of its source lane.

    Cells without a source are labeled `empty`.
    """
    from .canvas import NOTHING, rgba

    source, cell = view.lane[lanes], view.cell[lanes]
    shade = np.where(source[..., None] >= 0, colours[np.maximum(source, 0)], rgba(NOTHING))
    labels = [
        [f"{s}.{c}" if s >= 0 else empty for s, c in zip(*rows, strict=True)]
        for rows in zip(source, cell, strict=True)
    ]
    _grid(canvas, left, top, width, lanes, labels, shade, title)


def _grid(
    canvas: Canvas,
    left: float,
    top: float,
    width: float,
    lanes: Integers,
    labels: Sequence[Sequence[str]],
    shade: Colours,
    title: str,
) -> None:
    """Labelled cells of some lanes' registers, a row each, with the numbers around them."""
    from .canvas import INK, PAPER, QUIET, ink_on

    dark = ink_on(shade)
    x = left + np.arange(shade.shape[1]) * width
    y = top + np.arange(lanes.size) * ROW
    canvas.boxes(*np.meshgrid(x, y), width - GAP, ROW - GAP, shade)
    for row, column in np.ndindex(dark.shape):
        colour = INK if dark[row, column] else PAPER
        middle = x[column] + (width - GAP) / 2, y[row] + (ROW - GAP) / 2
        canvas.label(*middle, labels[row][column], 7.2, colour)
    for lane, row in zip(lanes, y, strict=True):
        canvas.label(left - 0.06, row + (ROW - GAP) / 2, str(lane), 7.2, INK, "right")
    for column, place in enumerate(x):
        canvas.label(place + (width - GAP) / 2, top - 0.12, str(column), 7.2, QUIET)
    canvas.text(left, top - 0.32, title, 9, fontweight="bold")


def _bytes_sheet(record: Record) -> Canvas:
    """Draw the bytes that every lane received if no map is determined, and the unwritten ones."""
    from .canvas import NOTHING, Canvas, rgba

    received = np.asarray(record.findings["lane_bytes"], np.int64)
    lanes, cells = received.shape
    cell, across = 0.3, 4
    panel = 0.35 + cells * cell + 0.35
    canvas = Canvas(2 * MARGIN + across * panel, HEADER + GROUP_LANES * ROW + 1.2)
    key = "A number is a byte that the probe wrote; ? came from memory that nothing had written."
    _header(canvas, record, record.findings["variant"], key)
    shade = np.where(received[..., None] >= 0, rgba("#0b5c9e"), rgba(NOTHING))
    for group in range(-(-lanes // GROUP_LANES)):
        own = np.arange(group * GROUP_LANES, min((group + 1) * GROUP_LANES, lanes))
        labels = [[str(v) if v >= 0 else "?" for v in received[lane]] for lane in own]
        left = MARGIN + 0.3 + group * panel
        title = f"registers of lanes {own[0]} to {own[-1]}, by byte"
        _grid(canvas, left, HEADER + 0.5, cell, own, labels, shade[own], title)
    together = record.findings["rules_left_together"]
    names = "; ".join(" | ".join(group) for group in together)
    if names:
        text = f"Left together by this input: {names}"
        canvas.text(MARGIN, canvas.height - 0.35, text, 9)
    return canvas
