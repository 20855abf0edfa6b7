"""AMD's CDNA4 ISA document: operands of dense MFMA, as its layout section tables them.

For each instruction: the rows (columns, for B) along the lanes, and which k the lane groups hold.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.layout import LayoutMap, Space

_ISA = "AMD CDNA4 ISA, 7.1.5.1: {}"
# Formats of f8f6f4 and types of the others to bits.
BITS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4, "f16": 16, "bf16": 16, "i8": 8}


def _operand(match: re.Match[str]) -> LayoutMap:
    """Registers of A (or B) and the elements that they hold."""
    side, depth, letter = int(match["side"]), int(match["depth"]), match["letter"]
    bits = BITS[match["format"] or match["type"].rsplit("_", 1)[-1]]
    groups = 64 // side
    held = depth // groups
    register = Space("register", (("lane", 64), ("register", held * bits // 32), ("bit", 32)))
    along, sizes = ("row", "k"), (side, depth)
    if letter == "B":
        along, sizes = ("k", "column"), (depth, side)
    axes = (*zip(along, sizes, strict=True), ("bit", bits))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        element, group = place // bits, lane // side
        k = held * group + element
        if match["format"] in ("fp8", "bf8"):
            # v0-3 hold 16 k of the lower half of K for each group, v4-7 of the upper half.
            k = 16 * group + element % 16 + depth // 2 * (element // 16)
        across = "row" if letter == "A" else "column"
        return {across: lane % side, "k": k, "bit": place % bits}

    return LayoutMap.from_function(register, Space("matrix", tuple(axes)), source)


STATEMENTS = (
    Statement(
        "AMD CDNA4 ISA",
        _ISA.format("dense matrix layouts, A and B"),
        Level.ISA,
        r"v_mfma_(?:f32|i32)_(?P<side>16|32)x(?:16|32)x(?P<depth>\d+)_"
        r"(?P<type>(?:fp8|bf8)_(?:fp8|bf8)|f16|bf16|i8|f8f6f4)"
        r":(?P<letter>[AB])(?:\.(?P<format>fp8|bf8|fp6|bf6|fp4))?",
        _operand,
    ),
)
