"""Triton's AMD back end: which lane holds which element of A, B and D of an MFMA.

`MfmaGroup.cpp` lists, for each generation, the instructions with their K and the elements of K that
a lane holds (kBase). Bits of the register's and the lane's number go to rows, columns and k as
linear layouts. A lane of an operand holds kBase consecutive k; its lowest bits number the row of A
(the column of B), the others the run of k. A lane of D holds runs of four rows.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.layout import LayoutMap, Space

LANES = 64
_BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8}
#: kBase by type (of 8 bits: also of floats), M and K.
_KBASE = {
    ("f64", 16, 4): 1, ("f32", 16, 4): 1, ("f32", 32, 2): 1, ("xf32", 16, 8): 2,
    ("xf32", 32, 4): 2, ("f16", 16, 16): 4, ("f16", 32, 8): 4, ("f16", 16, 32): 8,
    ("f16", 32, 16): 8, ("bf16", 16, 8): 2, ("bf16", 32, 4): 2, ("bf16", 16, 16): 4,
    ("bf16", 32, 8): 4, ("bf16", 16, 32): 8, ("bf16", 32, 16): 8, ("i8", 16, 16): 4,
    ("i8", 32, 8): 4, ("i8", 16, 32): 8, ("i8", 32, 16): 8, ("i8", 16, 64): 16, ("i8", 32, 32): 16,
}  # fmt: skip


def _bit(value: Any, position: int) -> Any:
    return value >> position & 1


def _operand(match: re.Match[str]) -> LayoutMap:
    """A or B: bits of the lane above those of M go to k, above those of the register's element."""
    side, depth, letter = int(match["side"]), int(match["depth"]), match["letter"]
    kind = "i8" if match["type"].startswith(("fp8", "bf8")) else match["type"]
    width, held = _BITS[kind], _KBASE[kind, side, depth]
    register = Space("register", (("lane", LANES), ("register", held * width // 32), ("bit", 32)))
    across = ("row", side) if letter == "A" else ("column", side)
    axes = (across, ("k", depth)) if letter == "A" else (("k", depth), across)
    lanes = side.bit_length() - 1

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        k = place // width + sum((held << i) * _bit(lane, lanes + i) for i in range(6 - lanes))
        return {across[0]: lane % side, "k": k, "bit": place % width}

    return LayoutMap.from_function(register, Space("matrix", (*axes, ("bit", width))), source)


#: Rows to which the bits of a register's and of a lane's number go, the lowest bit first.
_ROWS = {32: ((1, 2, 8, 16), (4,)), 16: ((1, 2), (4, 8))}


def _result(match: re.Match[str]) -> LayoutMap:
    side = int(match["side"])
    of_register, of_lane = _ROWS[side]
    count, lanes = 1 << len(of_register), side.bit_length() - 1
    register = Space("register", (("lane", LANES), ("register", count), ("bit", 32)))
    matrix = Space("matrix", (("row", side), ("column", side), ("bit", 32)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        row = sum(step * _bit(register, i) for i, step in enumerate(of_register))
        row = row + sum(step * _bit(lane, lanes + i) for i, step in enumerate(of_lane))
        return {"row": row, "column": lane % side, "bit": bit}

    return LayoutMap.from_function(register, matrix, source)


_CITATION = (
    "triton-lang/triton, lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp, {} at 00385d09; "
    "third_party/amd/lib/TritonAMDGPUTransforms/MfmaGroup.cpp at 0352b95e"
)
_TYPE = r"(?P<type>f64|x?f32|b?f16|i8|[fb][pf]8_[fb][pf]8)"
_NAME = rf"v_mfma_(?:f32|i32|f64)_(?P<side>16|32)x(?:16|32)x(?P<depth>\d+)_?{_TYPE}"

STATEMENTS = (
    Statement(
        "Triton, AMD back end",
        _CITATION.format("mfmaDotToLinearLayout"),
        Level.HW_CI,
        # Of K 2 with two blocks it says nothing.
        rf"(?!v_mfma_f32_(?:32x32x2|16x16x2)bf16){_NAME}:(?P<letter>[AB])",
        _operand,
        condition="kWidth is kBase, as where one instruction has all of a lane's k",
    ),
    Statement(
        "Triton, AMD back end",
        _CITATION.format("AMDMfmaEncodingAttr::toLinearLayout"),
        Level.HW_CI,
        rf"(?!v_mfma_f32_(?:32x32x2|16x16x2)bf16|v_mfma_f64){_NAME}:D",
        _result,
    ),
)
