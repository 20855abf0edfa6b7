"""Triton's layouts of mma.sync: fragments by `nvidiaMmaTile`, scales of `tl.dot_scaled`.

A tile has, from the lowest bits on: elements of a register along k (along columns of D), four lanes
along them, eight lanes along the other axis, then registers along that axis and along the first.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import WARP, fragment, matrix
from lanemap.layout import UNDEFINED, LayoutMap, Space

_LAYOUTS = "triton-lang/triton, lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp, {}"
_MMA = "third_party/nvidia/lib/TritonNVIDIAGPUToLLVM/DotOpToLLVM/MMAv2.cpp, {}"
_BITS = {"tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "s8": 8, "f32": 32, "s32": 32}


def _tile(held: Space, along: str, across: str, lines: int, width: int, bits: int) -> LayoutMap:
    """A tile of elements whose registers hold `width` neighbors along an axis."""
    registers = held.sizes[0] * held.sizes[1] * bits // (32 * WARP)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        block = element // width
        tall = lines // 8
        return {
            along: element % width + width * (lane % 4) + 4 * width * (block // tall),
            across: lane // 4 + 8 * (block % tall),
            "bit": bit % bits,
        }

    return LayoutMap.from_function(fragment(registers), held, source)


def _operand(match: re.Match[str]) -> LayoutMap:
    bits, depth = _BITS[match["type"]], int(match["k"])
    if match["operand"] == "A":
        held = matrix("row", "k", 16, depth, bits)
        return _tile(held, "k", "row", 16, 32 // bits, bits)
    return _tile(matrix("k", "column", depth, 8, bits), "k", "column", 8, 32 // bits, bits)


def _result(match: re.Match[str]) -> LayoutMap:
    bits = _BITS[match["type"]]
    return _tile(matrix("row", "column", 16, 8, bits), "column", "row", 16, 2, bits)


#: Row or column of each bit of the lane, the lowest first.
_SCALES = {"A": (8, 0, 1, 2, 4), "B": (0, 0, 1, 2, 4)}


def _scale(match: re.Match[str]) -> LayoutMap:
    """Scales by lane; thread-id is 0, and byte-id says which byte of the register is meant."""
    operand, blocks, byte = match["operand"], int(match["blocks"]), int(match["byte"])
    lines, chosen = {"A": (16, 2), "B": (8, 1)}[operand]
    held = matrix("row" if operand == "A" else "column", "block", lines, blocks, 8)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        line: Any = sum((lane >> i & 1) * step for i, step in enumerate(_SCALES[operand]))
        block = bit // 8 - byte
        read = (lane % 4 < chosen) & (block >= 0) & (block < blocks)
        place = {"block": np.where(read, block, UNDEFINED), "bit": bit % 8}
        return {held.names[0]: line, **place}

    return LayoutMap.from_function(fragment(1), held, source)


def _statement(shapes: str, types: str) -> Statement:
    return Statement(
        "Triton, NVIDIA back end",
        f"{_LAYOUTS.format('nvidiaMmaTile and nvidiaDotToLinearLayout at 00385d0')}; "
        f"{_MMA.format('mmaInstrPtxAmpere')}",
        Level.HW_CI,
        rf"mma\.sync\.m16n8k(?P<k>{shapes})\.(?P<type>{types}):(?P<operand>[AB])",
        _operand,
        reading="kWidth is that of one register, as the instructions take operands",
    )


STATEMENTS = (
    _statement("16", "f16|bf16"),
    _statement("8", "tf32"),
    _statement("32", "e4m3|e5m2|s8"),
    Statement(
        "Triton, NVIDIA back end",
        _LAYOUTS.format("nvidiaMmaTile at 00385d0, kWidth 2"),
        Level.HW_CI,
        r"mma\.sync\.m16n8k(?:8|16|32)\.(?P<type>f32|f16|s32):D",
        _result,
    ),
    Statement(
        "Triton, NVIDIA back end",
        f"{_LAYOUTS.format('getSM120DotScaledScaleLayout since pull request 8482')}; "
        f"{_MMA.format('callMmaScaled')}",
        Level.CODE,
        r"mma\.sync\.[mn](?:16|8)\.scale_vec::(?P<blocks>[124])X\.byte(?P<byte>[0-3])\.thread0"
        r":SF(?P<operand>[AB])",
        _scale,
        reading="the threads of a quad that thread-id 0 selects; the others hold the same",
    ),
)
