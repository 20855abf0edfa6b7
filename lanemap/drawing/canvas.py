"""A sheet of paper in inches, drawn fast: colored boxes and thousands of short labels.

matplotlib lays out every text anew, about a millisecond each and again for each file. Labels of
digits are therefore drawn as markers: one glyph shape, many places.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lanemap.drawing.palette import INK, PAPER, Colors

if TYPE_CHECKING:
    from matplotlib.path import Path

FONT, MONOSPACE = "DejaVu Sans", "DejaVu Sans Mono"
POINTS = 72.0
# Widths of letters in a label, in units of their size; a digit takes 0.64.
ADVANCES = {".": 0.34, ",": 0.34, ":": 0.36, "-": 0.42, "H": 0.76, "L": 0.66}
STYLE: dict[Any, Any] = {
    "font.family": FONT,
    "svg.fonttype": "none",
    # Without a salt the ids in an SVG differ from run to run.
    "svg.hashsalt": "lanemap",
}


class Canvas:
    """A sheet whose origin is the upper left corner; all lengths are in inches."""

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self._figure = Figure(figsize=(width, height), facecolor=PAPER)
        FigureCanvasAgg(self._figure)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)
        self._axes.set_axis_off()
        # A picture that is put onto the sheet must not change its scale.
        self._axes.set_autoscale_on(False)
        # (glyph, size, color) to the places of its center.
        self._glyphs: dict[tuple[str, float, str], list[tuple[float, float]]] = defaultdict(list)

    def boxes(self, left: Any, top: Any, width: float, height: float, colors: Colors) -> None:
        """Boxes of one size at arrays of places, each in its own color."""
        from matplotlib.collections import PolyCollection

        x, y = (np.asarray(each, float).reshape(-1, 1) for each in (left, top))
        corners = np.stack(
            [x + np.array([0, width, width, 0]), y + np.array([0, 0, height, height])], axis=-1
        )
        self._axes.add_collection(
            PolyCollection(list(corners), facecolors=colors.reshape(-1, 4), edgecolors="none"),
            autolim=False,
        )

    def label(
        self, x: float, y: float, text: str, size: float, color: str = INK, align: str = "center"
    ) -> None:
        """A short label of digits, dots and a few letters, each with its own width."""
        advances = [ADVANCES.get(letter, 0.64) * size / POINTS for letter in text]
        start = x - {"center": 0.5, "right": 1.0, "left": 0.0}[align] * sum(advances)
        for letter, advance in zip(text, advances, strict=True):
            self._glyphs[letter, size, color].append((start + advance / 2, y))
            start += advance

    def text(
        self, x: float, y: float, text: str, size: float, color: str = INK, **more: Any
    ) -> None:
        """Ordinary text, its middle at y; keyword arguments as matplotlib's."""
        self._axes.text(x, y, text, fontsize=size, color=color, va="center", **more)

    def line(self, x: Sequence[float], y: Sequence[float], color: str, width: float = 0.8) -> None:
        """A line through points."""
        self._axes.plot(x, y, color=color, linewidth=width, solid_capstyle="butt")

    def image(self, left: float, top: float, width: float, height: float, pixels: Colors) -> None:
        """A picture of (rows, columns, 4) colors, stretched to a box."""
        self._axes.imshow(
            pixels,
            extent=(left, left + width, top + height, top),
            interpolation="nearest",
            aspect="auto",
        )

    def files(self, forms: Sequence[str] = ("png", "svg"), dpi: int = 110) -> dict[str, bytes]:
        """The sheet in each form, by name: no date, so the same sheet gives the same bytes."""
        for (letter, size, color), places in self._glyphs.items():
            self._stamp(letter, size, color, np.asarray(places))
        self._glyphs.clear()
        metadata: dict[str, Any] = {
            "png": {"Software": None},
            "svg": {"Date": None, "Creator": None},
        }
        found = {}
        for form in forms:
            note = metadata[form]
            stream = io.BytesIO()
            self._figure.savefig(stream, format=form, dpi=dpi, facecolor=PAPER, metadata=note)
            found[form] = stream.getvalue()
        return found

    def _stamp(self, letter: str, size: float, color: str, places: npt.NDArray[Any]) -> None:
        """One glyph at many places."""
        shape = _glyph(letter)
        # matplotlib scales a marker so that its largest coordinate becomes half its size.
        extent = 2 * float(np.abs(np.asarray(shape.vertices)).max()) * size
        self._axes.plot(
            places[:, 0],
            places[:, 1],
            linestyle="none",
            marker=shape,
            markersize=extent,
            color=color,
            markeredgewidth=0,
        )


@lru_cache(maxsize=64)
def _glyph(letter: str) -> Path:
    """A glyph of one point's size, centered on its advance and on the height of digits."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath

    font = FontProperties(family=FONT)
    shape = TextPath((0, 0), letter, size=100, prop=font)
    digit = np.asarray(TextPath((0, 0), "0", size=100, prop=font).vertices)
    vertices = np.asarray(shape.vertices, float)
    middle = (vertices[:, 0].min() + vertices[:, 0].max()) / 2, digit[:, 1].max() / 2
    return Path((vertices - middle) / 100, shape.codes)


def ink_on(colors: Colors) -> npt.NDArray[np.bool_]:
    """Whether dark letters are the readable ones on each color."""
    bright: npt.NDArray[np.bool_] = colors[..., :3] @ np.array([0.299, 0.587, 0.114]) > 0.58
    return bright
