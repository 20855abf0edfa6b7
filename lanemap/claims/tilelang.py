"""TileLang's fragments of tensor-memory loads, one warp and one repetition.

`tcgen05_layout.cc` gives value and thread for (row, column) of 128 rows; a 16-lane shape comes as
two issues, rows 0 to 15 and 16 to 31 of a warp. The first issue of warp 0 is the instruction.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import as_direction, fragment, tensor_memory
from lanemap.layout import LayoutMap

_CITATION = "tile-ai/tilelang at 078372f, src/layout/tcgen05_layout.cc, getTcgen05Meta_32dp{}"


def fragment_of(shape: str, row: Any, column: Any) -> tuple[Any, Any]:
    """Value (register) and thread that hold a cell, both issues counted."""
    if shape == "16x64b":
        return row % 32 // 16, row // 32 * 32 + row % 8 * 4 + row % 16 // 8 + column % 2 * 2
    if shape == "16x128b":
        return row % 32 // 8, row // 32 * 32 + row % 8 * 4 + column % 4
    value = column % 2 + row % 32 // 8 * 2
    return value, row // 32 * 32 + row % 8 * 4 + column % 8 // 2


def _first_issue(match: re.Match[str]) -> LayoutMap:
    shape = match["shape"]
    columns = int(shape[3:-1]) // 32
    row, column = (each.ravel() for each in np.indices((16, columns)))
    value, thread = fragment_of(shape, row, column)
    registers, tmem = fragment(int(value.max()) + 1), tensor_memory(16, columns)
    table = np.zeros(registers.size, dtype=np.int64)
    for bit in range(32):
        cells = registers.index(lane=thread, register=value, bit=np.full_like(row, bit))
        table[cells] = tmem.index(lane=row, column=column, bit=np.full_like(row, bit))
    return as_direction(match["op"], LayoutMap(registers, tmem, table))


def _whole_rows(match: re.Match[str]) -> LayoutMap:
    repeat = int(match["repeat"])
    loaded = LayoutMap.from_function(
        fragment(repeat),
        tensor_memory(32, repeat),
        lambda lane, register, bit: {"lane": lane, "column": register, "bit": bit},
    )
    return as_direction(match["op"], loaded)


STATEMENTS = (
    Statement(
        "TileLang",
        _CITATION.format("64b, 128b, 256b"),
        Level.HW_CI,
        r"tcgen05\.(?P<op>ld|st)\.(?P<shape>16x(?:64|128|256)b)\.x1",
        _first_issue,
        reading="rows 0 to 15 of a warp's 32 are the first of two issues",
    ),
    Statement(
        "TileLang",
        _CITATION.format("32b"),
        Level.HW_CI,
        r"tcgen05\.(?P<op>ld|st)\.32x32b\.x(?P<repeat>\d+)",
        _whole_rows,
    ),
)
