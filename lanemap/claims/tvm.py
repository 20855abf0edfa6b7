"""Apache TVM (TIRx): its layouts of tensor memory, whose tests run on a B200.

The tests of `tcgen05.ld` and `.st` rebuild the expected registers from a decomposition of thread
and register; those of `tcgen05.cp` from row-to-lane tables; D and A have layout factories by the
PTX ISA's data path letters, for what one CTA holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import (
    as_direction,
    lane_zero_reaches_own_quadrant,
    load,
    matrix,
    tensor_memory,
)
from lanemap.layout import UNDEFINED, LayoutMap, Space

LANES = 128
_TESTS = "apache/tvm, tests/python/tirx/operator/tile_primitive/cuda/copy_async/{}"
_LAYOUT = "apache/tvm, python/tvm/tirx/layout.py, {}"
_REGISTERS = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4}
_COLUMNS = {"32x32b": 1, "16x64b": 2, "16x128b": 4, "16x256b": 8}


def place(shape: str, thread: Any, register: Any) -> tuple[Any, Any]:
    """Row and column of the fragment that a register of a thread holds, of one warp."""
    if shape == "32x32b":
        return thread, register
    if shape == "16x64b":
        return (thread >> 2) + 8 * (thread & 1), ((thread >> 1) & 1) + 2 * register
    if shape == "16x128b":
        return (thread >> 2) + 8 * (register & 1), (thread & 3) + 4 * (register >> 1)
    column = (register & 1) + 2 * (thread & 3) + 8 * (register >> 2)
    return (thread >> 2) + 8 * ((register >> 1) & 1), column


def _load_store(match: re.Match[str]) -> LayoutMap:
    shape, repeat = match["shape"], int(match["repeat"])
    loaded = load(
        _REGISTERS[shape] * repeat,
        32 if shape == "32x32b" else 16,
        _COLUMNS[shape] * repeat,
        match["halves"] is not None,
        lambda thread, register: place(shape, thread, register),
    )
    return as_direction(match["op"], loaded)


# The lane of a row, and the offsets of its replicas.
_COPIES: dict[str, tuple[Callable[[int], int], tuple[int, ...]]] = {
    "128x256b": (lambda row: row, (0,)),
    "128x128b": (lambda row: row, (0,)),
    "4x256b": (lambda row: 32 * row, (0,)),
    "64x128b.warpx2::02_13": (lambda row: row, (0, 64)),
    "64x128b.warpx2::01_23": (lambda row: row % 32 + 64 * (row // 32), (0, 32)),
    "32x128b.warpx4": (lambda row: row, (0, 32, 64, 96)),
}


def _copy(match: re.Match[str]) -> LayoutMap:
    rows, bits = (int(each) for each in re.findall(r"\d+", match["form"])[:2])
    lane_of, replicas = _COPIES[match["form"]]
    row_at = np.full(LANES, UNDEFINED)
    for row in range(rows):
        for offset in replicas:
            row_at[lane_of(row) + offset] = row
    shared = Space("shared", (("row", rows), ("bit", bits)))
    return LayoutMap.from_function(
        tensor_memory(LANES, bits // 32),
        shared,
        lambda lane, column, bit: {"row": row_at[lane], "bit": 32 * column + bit},
    )


def letter(match: re.Match[str]) -> str:
    """The data path letter of an instruction form, as the PTX ISA assigns them."""
    pair, rows, said = match["cta"] == "2", int(match["m"]), match.groupdict()
    if said.get("ws"):
        return {32: "G", 64: "E", 128: "D"}[rows]
    if pair:
        return "A" if rows == 256 else ("C" if said.get("sp") else "B")
    return "D" if rows == 128 else "F"


def _rows_and_folds(which: str) -> tuple[int, int]:
    """Rows that one CTA holds, and the blocks of columns on lanes of their own."""
    rows = {"A": 128, "B": 64, "C": 64, "D": 128, "E": 64, "F": 64, "G": 32}[which]
    return rows, {"B": 2, "E": 2, "G": 4}.get(which, 1)


def _result(match: re.Match[str]) -> LayoutMap:
    which, columns, ctas = letter(match), int(match["n"]), int(match["cta"])
    rows, folds = _rows_and_folds(which)
    scattered = which in "CF"
    tmem = tensor_memory(LANES, columns // folds, ctas)
    held = matrix("row", "column", rows * ctas, columns, 32)

    def source(lane: Any, column: Any, bit: Any, cta: Any = 0) -> dict[str, Any]:
        row, fold = lane % rows, lane // rows
        if scattered:
            row = np.where(lane % 32 < 16, 16 * (lane // 32) + lane % 16, UNDEFINED)
            fold = 0
        place = np.where(row >= 0, cta * rows + row, UNDEFINED)
        return {"row": place, "column": column + columns // folds * fold, "bit": bit}

    return LayoutMap.from_function(tmem, held, source)


def _operand(match: re.Match[str]) -> LayoutMap:
    """A of 16-bit elements: the rows of one CTA on lanes from 0 on; letter B has them twice."""
    rows, ctas = int(match["m"]), int(match["cta"])
    own = rows // ctas
    twice = ctas == 2 and own == 64
    tmem = tensor_memory(LANES, 8, ctas)
    held = matrix("row", "k", rows, 16, 16)

    def source(lane: Any, column: Any, bit: Any, cta: Any = 0) -> dict[str, Any]:
        reached = lane if not twice else lane % own
        row = np.where(reached < own, cta * own + reached, UNDEFINED)
        return {"row": row, "k": 2 * column + bit // 16, "bit": bit % 16}

    return LayoutMap.from_function(tmem, held, source)


def _result_statement(level: Level, form: str, letters: str) -> Statement:
    return Statement(
        "TVM",
        _LAYOUT.format(f"tmem_datapath_layout, {letters}"),
        level,
        rf"tcgen05\.mma{form}n(?P<n>\d+)\.(?:f32|s32):D",
        _result,
    )


STATEMENTS = (
    Statement(
        "TVM",
        _TESTS.format("test_tcgen05_ldst.py at 2ff77f8, _decompose_fp32 (B200)"),
        Level.HW_CI,
        r"tcgen05\.(?P<op>ld|st)\.(?P<shape>32x32b|16x(?:64|128|256)b)\.x(?P<repeat>\d+)"
        r"(?P<halves>\.(?:pack|unpack)::16b)?",
        _load_store,
    ),
    Statement(
        "TVM",
        _TESTS.format("test_tcgen05_cp.py at 0fd86ad, rows to lanes (B200)"),
        Level.HW_CI,
        r"tcgen05\.cp\.(?P<form>128x256b|128x128b|4x256b|64x128b\.warpx2::(?:02_13|01_23)"
        r"|32x128b\.warpx4)",
        _copy,
    ),
    _result_statement(Level.HW_CI, r"\.cta_group::(?P<cta>1)\.m(?P<m>64|128)", "D and F"),
    _result_statement(Level.HW_CI, r"\.cta_group::(?P<cta>2)\.m(?P<m>128)", "B"),
    _result_statement(Level.CODE, r"\.cta_group::(?P<cta>2)\.m(?P<m>256)", "A"),
    _result_statement(Level.CODE, r"(?P<sp>\.sp)\.cta_group::(?P<cta>2)\.m(?P<m>128)", "C"),
    _result_statement(Level.CODE, r"(?P<ws>\.ws)\.cta_group::(?P<cta>1)\.m(?P<m>\d+)", "D, E, G"),
    Statement(
        "TVM",
        _LAYOUT.format("tmem_mma_operand_layout"),
        Level.CODE,
        r"tcgen05\.mma\.cta_group::(?P<cta>[12])\.kind::f16\.m(?P<m>\d+)\.(?:f16|bf16):A",
        _operand,
        reading="M = 64 of one CTA on lanes 0 to 63, where D lies on 16 lanes of every 32",
    ),
    Statement(
        "TVM",
        _TESTS.format("test_tcgen05_cp.py at 0fd86ad: each warp reads its slab at lane 0 (B200)"),
        Level.HW_CI,
        r"tcgen05\.ld\.32x32b:taddr",
        lambda match: lane_zero_reaches_own_quadrant(),
    ),
)
