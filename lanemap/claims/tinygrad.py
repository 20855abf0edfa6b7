"""tinygrad's emulator of CDNA: how it lays out MFMA.

`_compile_mfma` splits k evenly between groups of lanes and gives register r of a 32x32 D the row
16*(lane/32) + r.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import matrix
from lanemap.layout import LayoutMap, Space

_FILE = "tinygrad/tinygrad, test/mockgpu/amd/emu.py, _compile_mfma: {}"
_BITS = {"f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8, "f8f6f4": 8}


def _result(match: re.Match[str]) -> LayoutMap:
    side = int(match["side"])
    registers = side * side // 64
    register = Space("register", (("lane", 64), ("register", registers), ("bit", 32)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        row = registers * (lane // side) + register
        return {"row": row, "column": lane % side, "bit": bit}

    return LayoutMap.from_function(register, matrix("row", "column", side, side, 32), source)


def _operand(match: re.Match[str]) -> LayoutMap:
    """Element n of a lane is k = n + (its group) * (k of a group)."""
    side, depth, letter = int(match["side"]), int(match["depth"]), match["letter"]
    bits = _BITS[match["type"].rsplit("_", 1)[-1]]
    held = depth * side // 64
    register = Space("register", (("lane", 64), ("register", held * bits // 32), ("bit", 32)))
    across = "row" if letter == "A" else "column"
    axes = {"A": ((across, side), ("k", depth)), "B": (("k", depth), (across, side))}[letter]

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        k = place // bits + held * (lane // side)
        return {across: lane % side, "k": k, "bit": place % bits}

    return LayoutMap.from_function(register, Space("matrix", (*axes, ("bit", bits))), source)


STATEMENTS = (
    Statement(
        "tinygrad",
        _FILE.format("out_ab"),
        Level.SIMULATOR,
        r"v_mfma_(?:f32|i32)_(?P<side>16|32)x(?:16|32)x\d+_(?!\d+b_)\w+:D",
        _result,
    ),
    Statement(
        "tinygrad",
        _FILE.format("mat_idx"),
        Level.SIMULATOR,
        r"v_mfma_(?:f32|i32)_(?P<side>16|32)x(?:16|32)x(?P<depth>\d+)_"
        r"(?P<type>(?:fp8|bf8)_(?:fp8|bf8)|f16|bf16|i8|f8f6f4):(?P<letter>[AB])(?:\.(?:fp8|bf8))?",
        _operand,
    ),
)
