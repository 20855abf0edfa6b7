"""Plots of a window's time over n, as SVG for a page: points, line, and how far SMs lie from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from .timing_sources import Curve, plain

#: A coordinate in the picture, of a value.
Scale = Callable[[float], float]
WIDTH, HEIGHT = 700, 236
LEFT, TOP, BOTTOM = 58, 26, 188
_MAIN, _REST = (LEFT, 390), (470, 690)
BINS = 12
#: By place of a curve: the class of its marks in style.css.
_CLASSES = ("first", "second", "third")


def over_n(curves: Sequence[Curve], unit: str, over: str, trips: int = 1) -> str:
    """The plot of a figure: left the medians with their lines, right what is off the first line.

    Args:
        curves: what was run, at most three.
        unit: cycles or ns.
        over: what the counts of a point are of.
        trips: how often the window runs its links.
    """
    top = max(max(curve.medians.values()) for curve in curves)
    lengths = sorted({n for curve in curves for n in curve.points})
    ticks = _ticks(top)
    across = _scale(0, lengths[-1], *_MAIN)
    up = _scale(0, max(ticks[-1], top), BOTTOM, TOP)
    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{unit} of the window over n">',
        *_axes(across, up, lengths, ticks, f"n, with the line through the medians of the {over}"),
        f'<text x="{LEFT}" y="14">{unit} of {"the window" if unit == "cycles" else "all n"}</text>',
    ]
    for place, curve in enumerate(curves):
        parts += _curve(curve, _CLASSES[place], across, up)
        slope = curve.line[0] / trips
        key = f'<text class="{_CLASSES[place]}" x="{LEFT + 10}" y="{TOP + 14 + 16 * place}">'
        parts.append(f"{key}{escape(f'{curve.name}: {plain(slope)} a link')}</text>")
    first = curves[0]
    parts += _residuals(first, unit, over)
    return "".join([*parts, "</svg>"])


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1
    return lambda value: round(start + (end - start) * (value - low) / span, 1)


def _ticks(top: float) -> list[float]:
    """Four to six round numbers from zero."""
    rough = max(top, 1e-9) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    return [step * place for place in range(math.ceil(top / step) + 1)]


def _axes(
    across: Scale, up: Scale, lengths: Sequence[int], ticks: Sequence[float], words: str
) -> list[str]:
    right = across(lengths[-1])
    lines = "".join(f"M{LEFT} {up(tick)}H{right}" for tick in ticks)
    parts = [f'<path class="grid" d="{lines}"/>']
    parts += [
        f'<text class="end" x="{LEFT - 6}" y="{up(tick) + 4}">{tick:,.6g}</text>' for tick in ticks
    ]
    parts += [
        f'<text class="mid" x="{across(n)}" y="{BOTTOM + 16}">{n}</text>'
        for n in _apart(lengths, across, 20)
    ]
    return [*parts, f'<text x="{LEFT}" y="{BOTTOM + 36}">{escape(words)}</text>']


def _apart(lengths: Sequence[int], across: Scale, room: float) -> list[int]:
    """The lengths whose labels do not touch, the longest among them."""
    kept: list[int] = []
    for n in reversed(lengths):
        if not kept or across(kept[-1]) - across(n) >= room:
            kept.append(n)
    return kept


def _curve(curve: Curve, name: str, across: Scale, up: Scale) -> list[str]:
    slope, offset = curve.line
    longest = max(curve.points)
    start = max(0.0, -offset / slope) if slope > 0 else 0.0
    dots = "".join(
        f'<circle class="{name}" cx="{across(n)}" cy="{up(y)}" r="3.4"/>'
        for n, y in curve.medians.items()
    )
    line = (
        f'<path class="{name}" d="M{across(start)} {up(offset + slope * start)}'
        f'L{across(longest)} {up(max(0.0, offset + slope * longest))}"/>'
    )
    return [line, dots]


def _residuals(curve: Curve, unit: str, over: str) -> list[str]:
    """Distances from the line by n: a bar for each distance, as wide as the number of SMs."""
    off = _off(curve)
    low = min(min(own) for own in off.values())
    high = max(max(own) for own in off.values())
    room = max(high - low, 1.0) * 0.08
    up = _scale(min(low, -0.5) - room, max(high, 0.5) + room, BOTTOM, TOP)
    lengths = sorted(off)
    step = (_REST[1] - _REST[0]) / len(lengths)
    parts = [
        f'<text x="{_REST[0] - 40}" y="14">{unit} off the line, by {over}</text>',
        f'<path class="grid" d="M{_REST[0]} {up(0)}H{_REST[1]}"/>',
        f'<text class="end" x="{_REST[0] - 6}" y="{up(0) + 4}">0</text>',
    ]
    for value in (low, high):
        if abs(up(value) - up(0)) > 12:
            at = f'x="{_REST[0] - 6}" y="{up(value) + 4}"'
            sign = "+" if value > 0 else ""
            parts.append(f'<text class="end" {at}>{sign}{plain(value)}</text>')
    for place, n in enumerate(lengths):
        middle = _REST[0] + (place + 0.5) * step
        parts.append(f'<path class="bars" d="{_bars(off[n], middle, step * 0.8, up, low, high)}"/>')
        parts.append(f'<text class="mid" x="{middle:.1f}" y="{BOTTOM + 16}">{n}</text>')
    words = f"n; a bar is as wide as it counts {over}"
    return [*parts, f'<text x="{_REST[0]}" y="{BOTTOM + 36}">{words}</text>']


def _off(curve: Curve) -> dict[int, dict[float, int]]:
    slope, offset = curve.line
    return {
        n: {value - offset - slope * n: count for value, count in own.items()}
        for n, own in curve.points.items()
    }


def _bars(
    own: Mapping[float, int], middle: float, width: float, up: Scale, low: float, high: float
) -> str:
    """The histogram of one n, in BINS bins over what all n span."""
    size = (high - low) / BINS
    bins: dict[int, int] = {}
    for value, count in own.items():
        at = min(int((value - low) / size), BINS - 1) if size else 0
        bins[at] = bins.get(at, 0) + count
    most = max(bins.values())
    tall = max(abs(up(low + size) - up(low)) - 1, 3.0) if size else 3.0
    path = ""
    for at, count in sorted(bins.items()):
        half = max(width * count / most / 2, 1)
        y = up(low + (at + 0.5) * size) if size else up(next(iter(own)))
        path += f"M{middle - half:.1f} {y - tall / 2:.1f}h{2 * half:.1f}v{tall:.1f}"
        path += f"h{-2 * half:.1f}z"
    return path
