"""AMD's matrix instruction calculator: the equations that it prints for C and D.

32x32: i = (8 * floor(GPR / 4) % 32) + 4 * floor(lane / 32) + (GPR % 4), j = lane % 32.
16x16: i = 4 * floor(lane / 16) + (GPR % 4), j = lane % 16.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import matrix
from lanemap.layout import LayoutMap, Space


def result(side: int, row_of: Any) -> LayoutMap:
    """Registers of a 32-bit D and the elements that they hold, from a rule for the row."""
    register = Space("register", (("lane", 64), ("register", side * side // 64), ("bit", 32)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        return {"row": row_of(lane, register), "column": lane % side, "bit": bit}

    return LayoutMap.from_function(register, matrix("row", "column", side, side, 32), source)


def _equations(match: re.Match[str]) -> LayoutMap:
    if match["side"] == "32":
        return result(32, lambda lane, gpr: (8 * (gpr // 4) % 32) + 4 * (lane // 32) + gpr % 4)
    return result(16, lambda lane, gpr: 4 * (lane // 16) + gpr % 4)


STATEMENTS = (
    Statement(
        "AMD matrix instruction calculator",
        "ROCm/amd_matrix_instruction_calculator, matrix_calculator.py: register to matrix element "
        "mapping of C and D",
        Level.DOCUMENT,
        r"v_mfma_(?:f32|i32)_(?P<side>16|32)x(?:16|32)x\d+_\w+:D",
        _equations,
    ),
)
