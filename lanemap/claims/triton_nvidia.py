"""Triton's tensor-memory access atoms for Blackwell, as linear layouts.

`getTileLayout` builds a tile from bases of registers and lanes over (row, column); repetitions
follow along the columns. For 16x32bx2 only lanes 0 to 15 are in the tile: both halves of the warp
are on the same 16 rows, the second at an offset of columns.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import as_direction, load
from lanemap.layout import LayoutMap

# (row, column) of each bit of the register and of the lane, lowest bit first.
_TILES: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {
    "32x32b": ([], [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0)]),
    "16x64b": ([], [(8, 0), (0, 1), (1, 0), (2, 0), (4, 0)]),
    "16x128b": ([(8, 0)], [(0, 1), (0, 2), (1, 0), (2, 0), (4, 0)]),
    "16x256b": ([(0, 1), (8, 0)], [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)]),
    "16x32bx2": ([], [(1, 0), (2, 0), (4, 0), (8, 0)]),
}
_WIDTHS = {"32x32b": 1, "16x64b": 2, "16x128b": 4, "16x256b": 8, "16x32bx2": 1}


def _map(match: re.Match[str]) -> LayoutMap:
    shape, repeat = match["shape"], int(match["repeat"])
    registers, lanes = _TILES[shape]
    split = shape == "16x32bx2"
    width = _WIDTHS[shape]

    def place(thread: Any, register: Any) -> tuple[Any, Any]:
        row, column = 0 * thread, width * (register >> len(registers))
        for position, (down, across) in enumerate(registers):
            row = row ^ ((register >> position) & 1) * down
            column = column ^ ((register >> position) & 1) * across
        for position, (down, across) in enumerate(lanes):
            row = row ^ ((thread >> position) & 1) * down
            column = column ^ ((thread >> position) & 1) * across
        return row, column + repeat * (thread >> 4) if split else column

    loaded = load(
        repeat << len(registers),
        32 if shape == "32x32b" else 16,
        width * repeat * (2 if split else 1),
        match["halves"] is not None,
        place,
    )
    return as_direction(match["op"], loaded)


STATEMENTS = (
    Statement(
        "Triton, NVIDIA back end",
        "triton-lang/triton, lib/Dialect/TritonNvidiaGPU/IR/Dialect.cpp, getTileLayout",
        Level.HW_CI,
        r"tcgen05\.(?P<op>ld|st)\.(?P<shape>32x32b|16x(?:64|128|256)b|16x32bx2)"
        r"\.x(?P<repeat>\d+)(?P<halves>\.(?:pack|unpack)::16b)?",
        _map,
        reading="for 16x32bx2 the second half of the warp follows the first's columns",
    ),
)
