"""Sheets of tensor memory: lanes by columns, colored by thread, labeled thread.register.

A sheet is one shape of loads or stores, with or without packing. The map of xN begins with that of
every smaller one, so that one picture shows x1 to x16, with a mark where each ends; larger ones are
summarized below it, by thread and by register.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lanemap.layout import LayoutMap
from lanemap.records.schema import Observation, Record

if TYPE_CHECKING:
    from .canvas import Canvas, Colours

Integers = npt.NDArray[np.int64]
VARIANT = re.compile(r"tcgen05\.(ld|st)\.(\w+)\.x(\d+)(\.(?:un)?pack::16b)?")
THREADS, HUE_THREADS = 32, 8
LABELLED = 16
BAND_COLUMNS = 32
CELL, ROW, GAP = 0.33, 0.185, 0.02
MARGIN, INDENT, KEY, HEADER = 0.5, 0.35, 1.3, 1.6
LETTERS = {-1: "", 0: "L", 1: "H"}


@dataclass(frozen=True)
class Held:
    """The other cell of each word of tensor memory from taddr on.

    Attributes:
        thread: int64[lane, column]; -1 for none.
        register: The same for the thread's register.
        half: The half of the register that the low half of the word holds; -1 for a whole word.
        split: Columns of the first half of the warp, where the second follows; 0 for other shapes.
    """

    thread: Integers
    register: Integers
    half: Integers
    split: int = 0

    def starts_with(self, smaller: Held) -> bool:
        """Whether a smaller xN is the beginning of this one; of both halves where it is split."""
        lanes, columns = smaller.thread.shape
        inside = np.arange(columns)
        if self.split:
            inside = np.where(inside < smaller.split, inside, inside + self.split - smaller.split)
        pairs = ((self.thread, smaller.thread), (self.register, smaller.register))
        return all(np.array_equal(mine[:lanes, inside], theirs) for mine, theirs in pairs)


def held_by(observation: Observation) -> Held:
    """Read a map of bits as words: the register bit that meets bit 0 of each word."""
    layout = observation.map
    load = layout.destination.name == "register"
    register_space, tmem = (
        (layout.destination, layout.source) if load else (layout.source, layout.destination)
    )
    lanes, columns = tmem.sizes[:2]
    low = _receiver(layout, load).reshape(lanes, columns, 32)[..., 0]
    place = register_space.coords(np.maximum(low, 0))
    none = low < 0
    halves = "pack::16b" in observation.variant
    half = place["bit"] // 16 if halves else np.full_like(low, -1)
    split = columns // 2 if "16x32bx2" in observation.variant else 0
    return Held(
        np.where(none, -1, place["lane"]),
        np.where(none, -1, place["register"]),
        np.where(none, -1, half),
        split,
    )


def _receiver(layout: LayoutMap, load: bool) -> Integers:
    """The register bit of each bit of tensor memory; -1 for none."""
    if not load:
        return layout.table
    found = np.full(layout.source.size, -1, np.int64)
    defined = layout.defined
    found[layout.table[defined]] = np.flatnonzero(defined)
    return found


def draw(record: Record) -> dict[str, bytes]:
    """The sheets of a record of loads or stores, by suffix: "16x64b.png", "16x64b.packed.png"."""
    groups: dict[tuple[str, bool], dict[int, Observation]] = {}
    for observation in record.observations:
        match = VARIANT.fullmatch(observation.variant)
        if match is not None:
            key = match[2], match[4] is not None
            groups.setdefault(key, {})[int(match[3])] = observation
    return {
        f"{shape}.{'packed.' if halves else ''}png": _sheet(record, found).files(("png",))["png"]
        for (shape, halves), found in groups.items()
    }


def _sheet(record: Record, found: Mapping[int, Observation]) -> Canvas:
    """One shape: the labeled picture, then what does not begin it, then the summary."""
    from .canvas import Canvas, lane_colours

    shown = max((n for n in found if n <= LABELLED), default=min(found))
    held = {n: held_by(observation) for n, observation in found.items()}
    smaller = sorted(n for n in held if n < shown)
    marks = [n for n in smaller if held[shown].starts_with(held[n])]
    panels = [(shown, marks), *((n, []) for n in smaller if n not in marks)]
    largest = max(found)
    tall = sum(_height(held[n]) for n, _ in panels)
    summary = 2 * (held[largest].thread.shape[0] * 0.05 + 0.45) + 0.3
    width = 2 * MARGIN + INDENT + BAND_COLUMNS * CELL
    canvas = Canvas(width, HEADER + tall + summary + 0.5)
    colours = lane_colours(THREADS, HUE_THREADS)
    _header(canvas, record, found, shown, colours)
    top = HEADER
    for n, own in panels:
        top = _picture(canvas, top, n, held, own, colours)
    _summary(canvas, top, largest, held[largest], colours)
    return canvas


def _header(
    canvas: Canvas,
    record: Record,
    found: Mapping[int, Observation],
    shown: int,
    colours: Colours,
) -> None:
    """The shape, where it was seen, its formula, and the threads' colors."""
    from .canvas import INK, MONOSPACE, QUIET, ink_on

    observation = found[shown]
    name = re.sub(r"\.x\d+", ".xN", observation.variant)
    canvas.text(MARGIN, 0.36, name, 15, fontweight="bold")
    where = f"{record.target} on {record.device}, evidence: {record.evidence}."
    letters = "; L and H are the register's halves, each in the low half of its column"
    packed = letters if "pack" in name else ""
    imm = held_by(observation).split
    split = f"  Threads 16 to 31 begin at imm, here {imm}." if imm else ""
    words = f"{where}  A cell is labelled thread.register{packed}.{split}"
    canvas.text(MARGIN, 0.66, words, 9, QUIET)
    formula = f"x{shown}: " + "; ".join(observation.fit.get("formula", ()))
    for line, words in enumerate(textwrap.wrap(formula, 120)):
        canvas.text(MARGIN, 0.9 + 0.17 * line, words, 8.5, family=MONOSPACE)
    dark = ink_on(colours)
    left = MARGIN + INDENT + np.arange(THREADS) * CELL
    canvas.boxes(left, np.full(THREADS, KEY), CELL - GAP, ROW - GAP, colours)
    for thread, x in enumerate(left):
        ink = INK if dark[thread] else "#ffffff"
        canvas.label(x + (CELL - GAP) / 2, KEY + (ROW - GAP) / 2, str(thread), 6.4, ink)
    canvas.text(MARGIN - 0.12, KEY + ROW / 2, "thread", 7.5, QUIET)


def _height(held: Held) -> float:
    lanes, columns = held.thread.shape
    return -(-columns // BAND_COLUMNS) * (lanes * ROW + 0.5) + 0.1


def _picture(
    canvas: Canvas,
    top: float,
    n: int,
    held: Mapping[int, Held],
    marks: list[int],
    colours: Colours,
) -> float:
    """The labeled cells of one xN in bands of columns, and where smaller ones end."""
    own = held[n]
    lanes, columns = own.thread.shape
    ends: dict[int, list[str]] = {columns: [f"x{n}"]}
    for each in marks:
        for end in _ends(own, held[each]):
            ends.setdefault(end, []).append(f"x{each}")
    if own.split:
        ends.setdefault(own.split, []).append(f"x{n}")
    for first in range(0, columns, BAND_COLUMNS):
        inside = np.arange(first, min(first + BAND_COLUMNS, columns))
        _band(canvas, top + 0.32, own, inside, colours)
        for end in (e for e in ends if first < e <= first + BAND_COLUMNS):
            x = MARGIN + INDENT + (end - first) * CELL - GAP / 2
            canvas.line([x, x], [top + 0.29, top + 0.32 + lanes * ROW], "#111111", 1.4)
            canvas.text(x - 0.02, top + 0.08, ", ".join(ends[end]), 7.5, ha="right")
        top += lanes * ROW + 0.5
    return top + 0.1


def _ends(own: Held, smaller: Held) -> list[int]:
    """The columns before which a smaller xN ends: two of a shape in two halves."""
    if own.split:
        return [smaller.split, own.split + smaller.split]
    return [smaller.thread.shape[1]]


def _band(canvas: Canvas, top: float, own: Held, columns: Integers, colours: Colours) -> None:
    """Some columns of all lanes."""
    from .canvas import INK, NOTHING, PAPER, QUIET, ink_on, rgba

    thread, register, half = (part[:, columns] for part in (own.thread, own.register, own.half))
    shade = np.where(thread[..., None] >= 0, colours[np.maximum(thread, 0)], rgba(NOTHING))
    dark = ink_on(shade)
    x = MARGIN + INDENT + np.arange(columns.size) * CELL
    y = top + np.arange(thread.shape[0]) * ROW
    canvas.boxes(*np.meshgrid(x, y), CELL - GAP, ROW - GAP, shade)
    for lane, column in np.ndindex(thread.shape):
        if thread[lane, column] >= 0:
            letter = LETTERS[int(half[lane, column])]
            text = f"{thread[lane, column]}.{register[lane, column]}{letter}"
            middle = x[column] + (CELL - GAP) / 2, y[lane] + (ROW - GAP) / 2
            canvas.label(*middle, text, 5.6, INK if dark[lane, column] else PAPER)
    for lane, place in enumerate(y):
        canvas.label(MARGIN + INDENT - 0.06, place + (ROW - GAP) / 2, str(lane), 6, INK, "right")
    for place, column in zip(x, columns, strict=True):
        canvas.label(place + (CELL - GAP) / 2, top - 0.07, str(column), 6, QUIET)
    canvas.text(MARGIN - 0.3, top - 0.07, "lane", 6.5, QUIET)


def _summary(canvas: Canvas, top: float, n: int, own: Held, colours: Colours) -> None:
    """The largest xN without labels: once by thread, once by register."""
    from matplotlib import colormaps

    from .canvas import NOTHING, rgba

    lanes, columns = own.thread.shape
    tall, wide = lanes * 0.05, BAND_COLUMNS * CELL
    none = own.thread[..., None] < 0
    registers = int(own.register.max()) + 1
    shades = colormaps["viridis"](np.linspace(0, 1, registers))
    pictures = {
        f"x{n}, columns 0 to {columns - 1}, by thread": colours[np.maximum(own.thread, 0)],
        f"x{n} by register: 0 dark to {registers - 1} light": shades[np.maximum(own.register, 0)],
    }
    top += 0.15
    for title, shade in pictures.items():
        canvas.text(MARGIN + INDENT, top + 0.1, title, 8.5, fontweight="bold")
        pixels = np.where(none, rgba(NOTHING), shade)
        canvas.image(MARGIN + INDENT, top + 0.25, wide, tall, pixels)
        top += tall + 0.45
