"""The colors of every picture of a layout: on a terminal, in SVG, PNG, notebooks and pages.

The hues are the scheme "light" of Paul Tol, Colour Schemes (SRON/EPS/TN/09-002, issue 3.2): made
for labeled cells with black text, and apart for people who are color-blind.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Colors = npt.NDArray[np.float64]

#: In the order in which neighbors are farthest apart, for color-blind people too.
HUES = ("#77AADD", "#EE8866", "#99DDFF", "#EEDD88", "#44BB99", "#BBCC33", "#FFAABB", "#AAAA00")
INK, QUIET, PAPER, NOTHING = "#1b1f24", "#6b7280", "#ffffff", "#e8ebf0"
#: A cell in which two layouts differ, and one in which they agree.
DIFFERENT, SAME = "#EE8866", "#f4f5f7"
#: How far the last shade of a hue is from it, on the way to white.
PALEST = 0.62


def rgba(color: str) -> Colors:
    """A color written `#rrggbb` as four numbers from 0 to 1."""
    digits = color.removeprefix("#")
    return np.array([*(int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)), 1.0])


def hexadecimal(color: Colors) -> str:
    """Four numbers from 0 to 1 as a color written `#rrggbb`."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in color[:3])


def colors(count: int) -> Colors:
    """A color for each of `count` things in order, float64[count, 4].

    Up to eight have a hue each. More share hues in runs of a power of two, from dark to pale, so
    that each hue is one run, and no two have the same color.
    """
    run = 1
    while run * len(HUES) < count:
        run *= 2
    toward_white = np.linspace(0, PALEST, run)[:, None] if run > 1 else np.zeros((1, 1))
    rows = [(1 - toward_white) * rgba(hue) + toward_white for hue in HUES]
    return np.concatenate(rows)[:count]
