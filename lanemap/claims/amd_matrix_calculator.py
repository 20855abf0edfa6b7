"""AMD's matrix instruction calculator: the register and the lane of each matrix element.

Its algorithm for gfx9 (`InstCalcGfx9`), with M rows, K columns, B blocks and 64 lanes: an input
has e = K / (64 / (M*B)) elements beside each other in a lane; element (i, k) of block b is number
k % e in lane b*M + k/e*M*B + i. An output has h rows beside each other in a lane, 4 or, of f64, 1;
s = 64/N runs of rows fit one register, and n = ceil(64 / (N*M/h)) blocks; element (i, j) of block b
is number b*(M*N/64) + i/(h*s)*h + i%h in lane (b%n)*N + i/h%s*n*N + j. Divisions truncate.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.layout import LayoutMap, Space

_BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "i8": 8}


#: `blocks` of CDNA 2's instructions whose names do not say it, by M and K; 1 of others.
_BLOCKS = {(32, 2): 2, (16, 2): 4, (4, 2): 16}


def _sizes(match: re.Match[str]) -> tuple[int, int, int]:
    """M = N, K and B of an instruction."""
    side, depth = int(match["side"]), int(match["depth"])
    found = match.groupdict()
    blocks = found["blocks"] if "blocks" in found else _BLOCKS.get((side, depth))
    return side, depth, int(blocks or 1)


def _placed(match: re.Match[str], bits: int, axes: tuple[str, str], placed: Any) -> LayoutMap:
    """The map of an operand from the lane and the element number of (block, first, second)."""
    side, depth, blocks = _sizes(match)
    sizes = [depth if axis == "k" else side for axis in axes]
    shape = [("block", blocks)] * (blocks > 1) + [*zip(axes, sizes, strict=True), ("bit", bits)]
    matrix = Space("matrix", tuple(shape))
    block, first, second = np.indices((blocks, *sizes)).reshape(3, -1)
    lane, element = placed(block, first, second)
    registers = (int(element.max()) + 1) * bits // 32
    register = Space("register", (("lane", 64), ("register", registers), ("bit", 32)))
    table = np.full(register.size, -1, np.int64)
    start = lane * registers * 32 + element * bits
    table[start[:, None] + np.arange(bits)] = np.arange(matrix.size).reshape(-1, bits)
    return LayoutMap(register, matrix, table)


def _input(match: re.Match[str]) -> LayoutMap:
    side, depth, blocks = _sizes(match)
    beside = depth // (64 // (side * blocks))

    def placed(block: Any, first: Any, second: Any) -> tuple[Any, Any]:
        i, k = (first, second) if match["letter"] == "A" else (second, first)
        return block * side + k // beside * side * blocks + i, k % beside

    axes = ("row", "k") if match["letter"] == "A" else ("k", "column")
    return _placed(match, _BITS[match["type"]], axes, placed)


def _output(match: re.Match[str]) -> LayoutMap:
    side, _, blocks = _sizes(match)
    rows = 1 if match["result"] == "f64" else 4
    runs, of_register = 64 // side, -(-64 // (side * side // rows))

    def placed(block: Any, i: Any, j: Any) -> tuple[Any, Any]:
        element = block * (side * side // 64) + i // (rows * runs) * rows + i % rows
        lane = block % of_register * side + i // rows % runs * of_register * side + j
        return lane, element

    bits = 64 if match["result"] == "f64" else 32
    return _placed(match, bits, ("row", "column"), placed)


_CITATION = "ROCm/amd_matrix_instruction_calculator, matrix_calculator.py, InstCalcGfx9: {}"
_SHAPE = (
    r"v_mfma_(?P<result>f32|i32|f64)_(?P<side>4|16|32)x\d+x(?P<depth>\d+)_(?:(?P<blocks>\d+)b_)?"
)
# Of CDNA2 alone.
_FIRST = r"v_mfma_(?P<result>f32|i32)_(?P<side>4|16|32)x\d+x(?P<depth>\d+)"
# Those that the calculator's CDNA2 has too; bf16 is the one of its _1k.
_OLDER = r"(?=\w+_(?:\d+b_\w+|16x16x4_f\d+|32x32x2_f32|16x16x16_b?f16|32x32x8_b?f16):)"

STATEMENTS = (
    Statement(
        "AMD matrix instruction calculator",
        _CITATION.format("__get_input_reg_lanes"),
        Level.DOCUMENT,
        rf"{_OLDER}{_SHAPE}(?P<type>f64|f32|b?f16|i8):(?P<letter>[AB])",
        _input,
    ),
    Statement(
        "AMD matrix instruction calculator",
        _CITATION.format("__get_input_reg_lanes"),
        Level.DOCUMENT,
        rf"{_FIRST}(?P<type>bf16|i8):(?P<letter>[AB])",
        _input,
    ),
    Statement(
        "AMD matrix instruction calculator",
        _CITATION.format("__get_output_reg_lanes"),
        Level.DOCUMENT,
        rf"{_SHAPE}\w+:D",
        _output,
    ),
    Statement(
        "AMD matrix instruction calculator",
        _CITATION.format("__get_output_reg_lanes"),
        Level.DOCUMENT,
        rf"{_FIRST}(?:bf16|i8):D",
        _output,
    ),
)
