"""Figures of bank rules: passes by stride, and the lanes that are served together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.records.schema import Record

if TYPE_CHECKING:
    from lanemap.drawing.canvas import Canvas
    from lanemap.drawing.palette import Colors

CELL, ROW, GAP, NAMES = 0.27, 0.24, 0.02, 3.2
MARGIN, HEADER = 0.5, 1.35


def draw(record: Record) -> dict[str, bytes]:
    """The two figures of a record of bank rules, by suffix; forms without a rule are left out."""
    found = {
        name.removesuffix(":banks"): each
        for name, each in sorted(record.findings["variants"].items(), key=_place)
        if "rule" in each
    }
    if not found:
        return {}
    strides = _strides(record, found).files(("png",))["png"]
    phases = _phases(record, found).files(("png",))["png"]
    return {"strides.png": strides, "phases.png": phases}


def _sheet(record: Record, rows: int, columns: int, title: str, key: str) -> Canvas:
    from lanemap.drawing.canvas import Canvas
    from lanemap.drawing.palette import QUIET

    canvas = Canvas(2 * MARGIN + NAMES + columns * CELL, HEADER + rows * ROW + MARGIN)
    canvas.text(MARGIN, 0.38, title, 15, fontweight="bold")
    where = f"{record.target} on {record.device}, evidence: {record.evidence}."
    canvas.text(MARGIN, 0.7, f"{where}  {key}", 9, QUIET)
    return canvas


def _strides(record: Record, found: dict[str, Any]) -> Canvas:
    """A row for each form, a column for each stride in accesses; the number is the passes."""
    from matplotlib import colormaps

    from lanemap.drawing.canvas import ink_on
    from lanemap.drawing.palette import INK, PAPER, QUIET

    strides = sorted(next(iter(found.values()))["passes_by_stride"], key=int)
    key = "Passes of an access whose lanes are n accesses apart, modulo 16 KB."
    canvas = _sheet(record, len(found), len(strides), "Passes by stride", key)
    left = MARGIN + NAMES
    for column, stride in enumerate(strides):
        canvas.label(left + (column + 0.5) * CELL, HEADER - 0.12, stride, 7.2, QUIET)
    for row, (name, each) in enumerate(found.items()):
        top = HEADER + row * ROW
        canvas.text(MARGIN, top + ROW / 2, _short(name), 8.5)
        passes = np.array([max(each["passes_by_stride"][stride], 0) for stride in strides])
        share = np.log2(np.maximum(passes, 1)) / np.log2(_wave(record))
        shade: Colors = np.asarray(colormaps["YlOrRd"](0.9 * share))
        x = left + np.arange(len(strides)) * CELL
        canvas.boxes(x, np.full(len(strides), top), CELL - GAP, ROW - GAP, shade)
        for place, number, dark in zip(x, passes, ink_on(shade), strict=True):
            middle = place + (CELL - GAP) / 2, top + (ROW - GAP) / 2
            canvas.label(*middle, str(number), 7.2, INK if dark else PAPER)
    return canvas


def _wave(record: Record) -> int:
    """Lanes of a warp or wave, so many passes an access takes at most."""
    return 64 if record.target.startswith("gfx") else 32


def _phases(record: Record, found: dict[str, Any]) -> Canvas:
    """A row for each form, a column for each lane; one color for the lanes of a phase."""
    from lanemap.drawing.palette import INK, NOTHING, QUIET, colors, rgba

    wave = _wave(record)
    key = "A number is the phase in which a lane is served; a lane without one gives no address."
    canvas = _sheet(record, len(found), wave, "Lanes that are served together", key)
    left, hues = MARGIN + NAMES, colors(8)
    for lane in range(wave):
        canvas.label(left + (lane + 0.5) * CELL, HEADER - 0.12, str(lane), 7.2, QUIET)
    for row, (name, each) in enumerate(found.items()):
        top = HEADER + row * ROW
        canvas.text(MARGIN, top + ROW / 2, _short(name), 8.5)
        phase = np.full(wave, -1)
        for number, lanes in enumerate(each["rule"]["phases"]):
            phase[_lanes(lanes)] = number
        known = hues[np.maximum(phase, 0) % len(hues)]
        shade = np.where(phase[:, None] >= 0, known, rgba(NOTHING))
        x = left + np.arange(wave) * CELL
        canvas.boxes(x, np.full(wave, top), CELL - GAP, ROW - GAP, shade)
        for place, number in zip(x, phase, strict=True):
            if number >= 0:
                middle = place + (CELL - GAP) / 2, top + (ROW - GAP) / 2
                canvas.label(*middle, str(number), 7.2, INK)
    return canvas


def _place(item: tuple[str, Any]) -> tuple[str, int, str]:
    """By operation, then by width: types of bits before vectors before matrices."""
    name = item[0].removesuffix(":banks")
    operation, _, form = name.partition(".")
    width = re.search(r"v(\d)|[ub](\d+)$", form or operation)
    bits = int(width[1]) * 32 if width and width[1] else int(width[2]) if width else 0
    return operation, bits, name


def _short(name: str) -> str:
    return name.replace(".sync.aligned", "")


def _lanes(text: str) -> list[int]:
    """Lanes from "0 to 7, 12"."""
    found: list[int] = []
    for part in text.split(", "):
        first, last = re.fullmatch(r"(\d+)(?: to (\d+))?", part).groups()  # type: ignore[union-attr]
        found += range(int(first), int(last or first) + 1)
    return found
