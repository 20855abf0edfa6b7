"""Pictures of contention as SVG: the pipes that follow from it, and the matrix of all pairs.

Both are drawn from `Pipes.to_json` of `lanemap.timing.pipes`. Shades differ in lightness alone, and
every cell holds its number, so that they can be read in gray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

INK, QUIET, LINE, PAPER = "#1b1f24", "#5b6470", "#c9ced6", "#ffffff"
#: The shades of 0 and of 1, as red, green and blue.
_LIGHT, _DARK = (247, 250, 253), (8, 48, 107)
_SANS = "DejaVu Sans, Verdana, sans-serif"
_MONO = "DejaVu Sans Mono, Menlo, monospace"
#: Width of a letter of _MONO, as a share of its size.
_LETTER = 0.605
CELL, NAMES, MARGIN, SIZE = 34, 152, 18, 11.5
#: How relations that the shade cannot say are drawn.
_SILENT, _OPEN, _BETWEEN = "silent", "open", "between"


def pipes(drawn: Mapping[str, Any]) -> str:
    """The classes of each pipe in a box, with brackets between pipes that may be one."""
    width, left, room = 850, MARGIN + 112, 590
    parts: list[str] = []
    y = 62.0
    middles = {}
    for number, own in enumerate(drawn["pipes"], 1):
        chips, height = _chips(own, left + 12, y + 10, room - 24)
        parts.append(_box(left, y, room, height, "none", INK))
        parts += chips
        parts.append(_text(MARGIN, y + height / 2 - 3, f"pipe {number}", 13, INK, bold=True))
        parts.append(_text(MARGIN, y + height / 2 + 13, _cycles(own, drawn), 11, QUIET))
        middles[tuple(own)] = y + height / 2
        y += height + 14
    x = left + room + 10
    for one, other in drawn["undecided"]:
        a, b = middles[tuple(one)], middles[tuple(other)]
        parts.append(
            f'<path d="M{x - 8} {a}H{x + 8}V{b}H{x - 8}" fill="none" stroke="{INK}" '
            'stroke-dasharray="5 4"/>'
        )
        parts.append(_text(x + 16, (a + b) / 2 - 4, "no pair tells", 12, INK))
        parts.append(_text(x + 16, (a + b) / 2 + 12, "these two apart", 12, INK))
        x += 8
    for first, second in drawn["against"]:
        words = f"{first} and {second} do not slow each other, against this partition."
        parts.append(_text(MARGIN, y + 8, words, 12, INK))
        y += 18
    head = [
        _text(MARGIN, 26, "Pipes: classes that take the sum of both together", 15, INK, bold=True),
        _text(
            MARGIN,
            45,
            f"Cycles under a pipe: from one instruction of a scheduler to the next, "
            f"{_issuers(drawn)}.",
            12,
            QUIET,
        ),
    ]
    return _svg(width, y + 10, [*head, *parts])


def _issuers(drawn: Mapping[str, Any]) -> str:
    """The instructions that issue together."""
    unit = {"warp": "an SM", "wave": "a compute unit"}[drawn["issuer"]]
    return f"{drawn['warps']} {drawn['issuer']}s {unit}"


def _cycles(own: Sequence[str], drawn: Mapping[str, Any]) -> str:
    """Cycles of a scheduler from one instruction of a pipe to the next."""
    warps = drawn["warps"] / 4
    taken = sorted(drawn["alone"][name] / warps for name in own)
    low, high = (f"{taken[place]:.2g}" for place in (0, -1))
    return f"{low if low == high else f'{low} to {high}'} cycles"


def _chips(names: Sequence[str], left: float, top: float, room: float) -> tuple[list[str], float]:
    """Names in boxes, in lines that fit; and the height of a box around them."""
    parts, x, y, size = [], left, top, 12
    for name in names:
        width = len(name) * size * _LETTER + 16
        if x + width > left + room:
            x, y = left, y + 32
        parts.append(_box(x, y, width, 24, "#e9eff6", "none"))
        parts.append(_text(x + 8, y + 16.5, name, size, INK, mono=True))
        x += width + 8
    return parts, y - top + 44


def contention(drawn: Mapping[str, Any]) -> str:
    """The matrix of pairs: 0 where they do not slow each other, 100 where they take turns."""
    names = [name for own in drawn["pipes"] for name in own]
    side, left, top = CELL * len(names), MARGIN + NAMES, 62 + NAMES
    pairs = {frozenset(each["classes"]): each for each in drawn["pairs"]}
    parts = [_HATCH]
    for row, first in enumerate(names):
        y = top + row * CELL
        parts.append(_text(left - 8, y + CELL / 2 + 4, first, SIZE, INK, mono=True, anchor="end"))
        x = left + (row + 0.5) * CELL + 4
        parts.append(
            f'<g transform="translate({x} {top - 8}) rotate(-90)">'
            f"{_text(0, 0, first, SIZE, INK, mono=True)}</g>"
        )
        for column, second in enumerate(names):
            place = left + column * CELL, y
            if row == column:
                parts += _alone(*place, drawn["alone"][first])
            else:
                parts += _pair(*place, pairs[frozenset((first, second))])
    at = 0
    for own in drawn["pipes"]:
        length = CELL * len(own)
        parts.append(_box(left + at, top + at, length, length, "none", INK, 2))
        at += length
    title = "Contention: what one class of instructions adds to another"
    parts.append(_text(MARGIN, 26, title, 15, INK, bold=True))
    rule = "100 x (time of both in turn - the longer) / (sum - the longer), 0 for less"
    parts.append(_text(MARGIN, 45, rule, 12, QUIET))
    parts += _legend(drawn, top + side + 26)
    return _svg(max(left + side + MARGIN, 760), top + side + 116, parts)


def _alone(x: float, y: float, cycles: float) -> list[str]:
    return [
        _box(x, y, CELL, CELL, PAPER, LINE),
        _text(x + CELL / 2, y + CELL / 2 + 4, f"{cycles:.2g}", 10, QUIET, anchor="middle"),
    ]


def _pair(x: float, y: float, pair: Mapping[str, Any]) -> list[str]:
    relation, share = pair["relation"], pair["shared"]
    middle = x + CELL / 2, y + CELL / 2 + 4
    if relation == _SILENT:
        return [_box(x, y, CELL, CELL, "url(#hatch)", LINE)]
    if share is None or relation == _OPEN:
        unknown = _text(*middle, "?", 11, QUIET, anchor="middle")
        return [_box(x, y, CELL, CELL, PAPER, LINE), unknown]
    part = min(max(share, 0.0), 1.0)
    ink = INK if part < 0.5 else PAPER
    found = [
        _box(x, y, CELL, CELL, _shade(part), PAPER),
        _text(*middle, str(max(round(100 * share), 0)), 11, ink, anchor="middle"),
    ]
    if relation == _BETWEEN:
        found.append(_box(x + 3, y + 3, CELL - 6, CELL - 6, "none", ink, 1, "2 2"))
    return found


def _legend(drawn: Mapping[str, Any], top: float) -> list[str]:
    x, width = float(MARGIN), 240
    parts = [
        _box(x + 10 * step, top, 10, 18, _shade(step / (width / 10 - 1)), "none")
        for step in range(width // 10)
    ]
    parts.append(_box(x, top, width, 18, "none", LINE))
    parts.append(_text(x, top + 34, "0: as long as the longer", 12, INK))
    parts.append(_text(x + width, top + 34, "100: the sum", 12, INK, anchor="end"))
    x += width + 40
    keys = (
        (PAPER, "8", f"alone: cycles to a {drawn['issuer']}'s next, {_issuers(drawn)}"),
        ("url(#hatch)", "", "both predictions are equal: the pair tells nothing"),
        (PAPER, "?", "no figure is explained"),
    )
    for number, (fill, letter, words) in enumerate(keys):
        y = top + 28 * number
        parts.append(_box(x, y, 22, 22, fill, LINE))
        parts.append(_text(x + 11, y + 15, letter, 10, QUIET, anchor="middle"))
        parts.append(_text(x + 30, y + 15, words, 12, INK))
    x += 340
    parts.append(_box(x, top, 22, 22, PAPER, INK, 2))
    parts.append(_text(x + 30, top + 15, "one pipe", 12, INK))
    parts.append(_box(x, top + 28, 22, 22, _shade(0.3), "none"))
    parts.append(_box(x + 3, top + 31, 16, 16, "none", INK, 1, "2 2"))
    parts.append(_text(x + 30, top + 43, "fits neither", 12, INK))
    return parts


def _shade(part: float) -> str:
    """Return the color of a share, from light to dark."""
    mixed = (round(a + (b - a) * part) for a, b in zip(_LIGHT, _DARK, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


_HATCH = (
    '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse">'
    f'<rect width="7" height="7" fill="{PAPER}"/>'
    f'<path d="M-1 8L8 -1M-1 1L1 -1M6 8L8 6" stroke="{LINE}" stroke-width="1.4"/></pattern></defs>'
)


def _box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    stroke: str,
    thick: float = 1,
    dashes: str = "",
) -> str:
    more = "" if stroke == "none" else f' stroke="{stroke}"'
    more += "" if thick == 1 else f' stroke-width="{thick:g}"'
    more += f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{more}/>'


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    color: str,
    mono: bool = False,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    more = ' font-weight="bold"' if bold else ""
    more += f' font-family="{_MONO}"' if mono else ""
    more += f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{color}"{more}>{escape(text)}</text>'
    )


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    """A picture on white paper, so that it can be read on a dark page too."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="{_SANS}">',
            f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>',
            *parts,
            "</svg>",
            "",
        ]
    )
