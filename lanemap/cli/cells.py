"""Cells named on the command line: options made from the axes of a map's two spaces.

For a space S with axes A, B, .. the options are `--S-A`, plain `--A` (the destination's axis where
both spaces have one of that name), and `--S a,b,..` for the leading axes together. A source that
has the destination's name is called `from`, as in `--from-lane`. Where a space counts bits,
`--nibble`, `--byte` and `--half` select that many of them. Registers also have `--thread`, which
counts through the warps of a warpgroup. `ALIASES` lists second names of axes. An option is written
in full: a prefix of an option is not that option.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space

BIT_GROUPS = {"nibble": 4, "byte": 8, "half": 16}
# Second names: in every space, and where a space has matrix coordinates. Rows of an operand in
# shared memory, and of scale factors, are m of A and n of B.
ALIASES = {"register": ("reg",), "column": ("col",)}
MATRIX_ALIASES = {"row": ("m", "i"), "column": ("n", "j")}
ROW_OF_EITHER = ("m", "n", "i", "j")

Mask = npt.NDArray[np.bool_]
# From the text of a value, and the option for messages, to the cells.
Setter = Callable[[str, str], Mask]


@dataclass(frozen=True)
class Selection:
    """Cells of one of the two spaces: `mask` over its cells."""

    side: str  # "destination" or "source"
    mask: Mask


@dataclass(frozen=True)
class Run:
    """Neighboring destination cells that receive neighboring source cells.

    `source` is the first source index, or -1 where the cells are undefined.
    """

    destination: int
    source: int
    count: int


def parse(arguments: Sequence[str]) -> dict[str, str]:
    """Return the options of `--name value` and `--name=value`.

    Raises:
        UserError: an argument is no option, or an option has no value or two.
    """
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word[2:].partition("=")
        if not word.startswith("--") or not name:
            raise UserError(f"{word!r} is not understood; name cells as in --lane 9 --bit 8")
        if not equals:
            if not rest:
                raise UserError(f"--{name} needs a number")
            value = rest.pop(0)
        if name in options:
            raise UserError(f"--{name} is given twice")
        options[name] = value
    return options


def legal_options(layout: LayoutMap) -> dict[str, tuple[str, Setter]]:
    """Return every option's name with the side that it selects on and what it selects."""
    found: dict[str, tuple[str, Setter]] = {}
    destination, source = layout.destination, layout.source
    prefixes = destination.name, _source_name(layout)
    sides = (("destination", destination, prefixes[0]), ("source", source, prefixes[1]))
    for side, space, prefix in sides:
        axes = _axes(space, layout)
        groups = {
            name: _bit_group(space, bits)
            for name, bits in BIT_GROUPS.items()
            if "bit" in space.names and name not in space.names and space.axis_size("bit") >= bits
        }
        for name, setter in (axes | groups).items():
            found.setdefault(f"{prefix}-{name}", (side, setter))
        for name, setter in axes.items():
            found.setdefault(name, (side, setter))
    for side, space, prefix in sides:
        found.setdefault(prefix, (side, _together(space)))
        for name in BIT_GROUPS:
            if f"{prefix}-{name}" in found:
                found.setdefault(name, found[f"{prefix}-{name}"])
    return found


def _source_name(layout: LayoutMap) -> str:
    """Return the prefix of the source's options; from registers to registers it is "from"."""
    return "from" if layout.source.name == layout.destination.name else layout.source.name


def _on_one_side(layout: LayoutMap, options: dict[str, str]) -> dict[str, str]:
    """Read an axis that both sides have, such as `column`, as that of the side named otherwise."""
    legal = legal_options(layout)
    sides = {name: legal[name][0] for name in options if name in legal}
    prefix = _source_name(layout)
    # Who writes a prefix means what has none on the other side.
    prefixed = any(name.startswith(f"{prefix}-") for name in options)
    if set(sides.values()) != {"destination", "source"} or prefixed:
        return options
    moved = {
        f"{prefix}-{name}" if sides.get(name) == "destination" else name: value
        for name, value in options.items()
    }
    return moved if len(moved) == len(options) and set(moved) <= set(legal) else options


def select(layout: LayoutMap, options: dict[str, str]) -> Selection:
    """Return the cells that the options name, all on one side.

    Raises:
        UserError: an option is unknown or out of range, or both sides are named.
    """
    legal = legal_options(layout)
    sides: dict[str, Mask] = {}
    for name, value in _on_one_side(layout, options).items():
        if name not in legal:
            raise UserError(f"--{name} is not an axis of this map; its axes are {_names(legal)}")
        side, setter = legal[name]
        mask = setter(value, name)
        sides[side] = sides[side] & mask if side in sides else mask
    if not sides:
        raise UserError(
            f"name a cell of {layout.destination} or of {layout.source}: {_names(legal)}"
        )
    if len(sides) == 2:
        raise UserError(
            f"name a cell of {layout.destination.name} or of {layout.source.name}, not of both; "
            "the answer is the cell on the other side"
        )
    ((side, mask),) = sides.items()
    return Selection(side, mask)


def runs(layout: LayoutMap, selection: Selection) -> list[Run]:
    """Return the selected cells of the map, neighbors together."""
    table = np.asarray(layout.table)
    if selection.side == "destination":
        cells = np.flatnonzero(selection.mask)
    else:
        wanted = np.append(selection.mask, False)  # index -1, undefined, is never asked for
        cells = np.flatnonzero(wanted[table])
    found: list[Run] = []
    for cell in cells.tolist():
        source = int(table[cell])
        if found and _continues(layout, found[-1], cell, source):
            found[-1] = Run(found[-1].destination, found[-1].source, found[-1].count + 1)
        else:
            found.append(Run(cell, source, 1))
    return found


def describe(space: Space, first: int, count: int) -> str:
    """Return a run of cells in words: "lane 9 register 0 bit 8..15"; "undefined" for -1."""
    if first == UNDEFINED:
        return "undefined"
    words = space.format(first)
    if count == 1:
        return words
    return f"{words}..{space.coords(first + count - 1)[space.names[-1]]}"


def _continues(layout: LayoutMap, run: Run, cell: int, source: int) -> bool:
    last = layout.destination.sizes[-1]
    if cell != run.destination + run.count or cell // last != run.destination // last:
        return False
    if UNDEFINED in (source, run.source):
        return source == run.source
    last = layout.source.sizes[-1]
    return source == run.source + run.count and source // last == run.source // last


def _names(legal: dict[str, tuple[str, Setter]]) -> str:
    """Return the shortest option for each thing that can be selected, with its second names."""
    aliases: dict[tuple[str, int], list[str]] = {}
    for name, (side, setter) in legal.items():
        if "-" not in name:
            aliases.setdefault((side, id(setter)), []).append(f"--{name}")
    shown = []
    for name, (side, setter) in legal.items():
        same = aliases.get((side, id(setter)), [f"--{name}"])
        words = same[0] if len(same) == 1 else f"{same[0]} ({', '.join(same[1:])})"
        if words not in shown:
            shown.append(words)
    return ", ".join(shown)


def _number(text: str, option: str, size: int) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        raise UserError(f"--{option} {text!r} is not a number") from None
    if not 0 <= value < size:
        raise UserError(f"--{option} {value} is outside 0 .. {size - 1}")
    return value


def _axes(space: Space, layout: LayoutMap) -> dict[str, Setter]:
    """Return what selects on each axis of a space, by the names of the axis."""
    found: dict[str, Setter] = {}
    for name, size in space.axes:
        setter = _axis(space, name, size)
        found |= dict.fromkeys((name, *ALIASES.get(name, ())), setter)
        if space.name in ("matrix", "scales"):
            found |= dict.fromkeys(_matrix_aliases(name, space, layout), setter)
    if space.name == "register":
        found["thread"] = _thread(space)
    return found


def _matrix_aliases(axis: str, space: Space, layout: LayoutMap) -> tuple[str, ...]:
    either = space.name == "scales" or layout.destination.name == "shared"
    if axis == "row" and either and "column" not in space.names:
        return ROW_OF_EITHER
    return MATRIX_ALIASES.get(axis, ())


def _thread(space: Space) -> Setter:
    lanes = space.axis_size("lane")
    warps = space.axis_size("warp") if "warp" in space.names else 1

    def setter(text: str, option: str) -> Mask:
        warp, lane = divmod(_number(text, option, warps * lanes), lanes)
        grid = space.grid()
        mask = grid["lane"] == lane
        return np.asarray(mask & (grid["warp"] == warp) if warps > 1 else mask)

    return setter


def _axis(space: Space, name: str, size: int) -> Setter:
    def setter(text: str, option: str) -> Mask:
        return np.asarray(space.grid()[name] == _number(text, option, size))

    return setter


def _bit_group(space: Space, bits: int) -> Setter:
    def setter(text: str, option: str) -> Mask:
        groups = space.axis_size("bit") // bits
        return np.asarray(space.grid()["bit"] // bits == _number(text, option, groups))

    return setter


def _together(space: Space) -> Setter:
    def setter(text: str, option: str) -> Mask:
        parts = text.split(",")
        if len(parts) > len(space.axes):
            raise UserError(f"--{option} {text} has more parts than {', '.join(space.names)}")
        mask = np.ones(space.size, np.bool_)
        for part, (name, size) in zip(parts, space.axes, strict=False):
            mask &= _axis(space, name, size)(part, f"{option}-{name}")
        return mask

    return setter
