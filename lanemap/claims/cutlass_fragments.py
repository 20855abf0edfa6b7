"""CUTLASS's traits of mma.sync, wgmma, ldmatrix, stmatrix and movmatrix.

MMA traits take (thread, value) to m + M*k of A, n + N*k of B, m + M*n of C and D. Copy traits take
(thread, bit) of both sides to one numbering of the bits moved; a thread whose stride is 0 gives
nothing of its own.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.shape_stride import Nested, evaluate, size
from lanemap.claims.spaces import WARP, fragment, matrix
from lanemap.layout import LayoutMap, Space

_FILE = "NVIDIA/cutlass, include/cute/atom/{}"
_QUAD: Nested = (4, 8)
_ROW_8X8: Nested = ((_QUAD, 2), ((16, 1), 8))
_ROW_16X8: Nested = ((_QUAD, (2, 2)), ((32, 1), (16, 8)))
_8X4: Nested = ((_QUAD, 1), ((8, 1), 0))
_8X16: Nested = ((_QUAD, 4), ((32, 1), 8))
_BITS_8X128: Nested = ((_QUAD, 32), ((256, 1), 8))
# Shape and bits of an element to the layouts of A, B and C.
_MMA: dict[tuple[str, int], tuple[Nested, Nested, Nested]] = {
    ("m16n8k8", 16): (_ROW_16X8, _ROW_8X8, _ROW_16X8),
    ("m16n8k16", 16): (
        ((_QUAD, (2, 2, 2)), ((32, 1), (16, 8, 128))),
        ((_QUAD, (2, 2)), ((16, 1), (8, 64))),
        _ROW_16X8,
    ),
    ("m16n8k4", 32): (((_QUAD, 2), ((16, 1), 8)), _8X4, _ROW_16X8),
    ("m16n8k8", 32): (
        ((_QUAD, (2, 2)), ((16, 1), (8, 64))),
        ((_QUAD, 2), ((8, 1), 32)),
        _ROW_16X8,
    ),
    ("m8n8k4", 64): (_8X4, _8X4, _ROW_8X8),
    ("m8n8k16", 8): (_8X16, _8X16, _ROW_8X8),
    ("m16n8k16", 8): (((_QUAD, (4, 2)), ((64, 1), (16, 8))), _8X16, _ROW_16X8),
    ("m16n8k32", 8): (
        ((_QUAD, (4, 2, 2)), ((64, 1), (16, 8, 256))),
        ((_QUAD, (4, 2)), ((32, 1), (8, 128))),
        _ROW_16X8,
    ),
    ("m8n8k128", 1): (_BITS_8X128, _BITS_8X128, _ROW_8X8),
    ("m16n8k128", 1): (((_QUAD, (32, 2)), ((512, 1), (16, 8))), _BITS_8X128, _ROW_16X8),
    ("m16n8k256", 1): (
        ((_QUAD, (32, 2, 2)), ((512, 1), (16, 8, 2048))),
        ((_QUAD, (32, 2)), ((256, 1), (8, 1024))),
        _ROW_16X8,
    ),
}
_BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "b1": 1}
_RESULT_BITS = {"f64": 64, "f32": 32, "s32": 32, "f16": 16}
_WARPGROUP: Nested = (4, 8, 4)
# Bits of an element of A to its register layout of 64 rows.
_WGMMA_A: dict[int, Nested] = {
    32: ((_WARPGROUP, (2, 2)), ((64, 1, 16), (8, 256))),
    16: ((_WARPGROUP, (2, 2, 2)), ((128, 1, 16), (64, 8, 512))),
    8: ((_WARPGROUP, (4, 2, 2)), ((256, 1, 16), (64, 8, 1024))),
}


def _held(layout: Nested, bits: int, leading: int, held: Space, warps: int = 1) -> LayoutMap:
    """Registers and the elements that they hold, from a layout of (thread, value).

    Args:
        layout: Shape and stride.
        bits: Width of an element.
        leading: Size of the fastest coordinate of the layout's values (M, or N for B).
        held: The matrix; its first two axes as (fastest, other) for A and D, the reverse for B.
        warps: Warps that share the fragment.
    """
    shape, stride = layout
    threads, values = size(shape[0]), size(shape[1])
    register = fragment(values * bits // 32)
    if warps > 1:
        register = Space("register", (("warp", warps), *register.axes))
    first, second = held.names[:2]
    fastest, other = (second, first) if first == "k" else (first, second)

    def source(lane: Any, register: Any, bit: Any, warp: Any = 0) -> dict[str, Any]:
        place = 32 * register + bit
        index = evaluate(shape, stride, WARP * warp + lane + threads * (place // bits))
        return {fastest: index % leading, other: index // leading, "bit": place % bits}

    return LayoutMap.from_function(register, held, source)


def _mma(match: re.Match[str]) -> LayoutMap:
    """A or B of mma.sync."""
    bits, depth = _BITS[match["type"]], int(match["k"])
    rows = int(match["m"])
    layouts = _MMA[f"m{rows}n8k{depth}", bits]
    if match["operand"] == "A":
        return _held(layouts[0], bits, rows, matrix("row", "k", rows, depth, bits))
    return _held(layouts[1], bits, 8, matrix("k", "column", depth, 8, bits))


def _mma_result(match: re.Match[str]) -> LayoutMap:
    bits, rows = _RESULT_BITS[match["type"]], int(match["m"])
    layout = _ROW_16X8 if rows == 16 else _ROW_8X8
    return _held(layout, bits, rows, matrix("row", "column", rows, 8, bits))


def _wgmma_operand(match: re.Match[str]) -> LayoutMap:
    bits, depth = {"tf32": 32, "f16": 16, "bf16": 16}.get(match["type"], 8), int(match["k"])
    return _held(_WGMMA_A[bits], bits, 64, matrix("row", "k", 64, depth, bits), 4)


def _wgmma_result(match: re.Match[str]) -> LayoutMap:
    bits, columns = _RESULT_BITS[match["type"]], int(match["n"])
    layout: Nested = ((_WARPGROUP, (2, 2, columns // 8)), ((128, 1, 16), (64, 8, 512)))
    return _held(layout, bits, 64, matrix("row", "column", 64, columns, bits), 4)


def _ldmatrix(match: re.Match[str]) -> LayoutMap:
    """m8n8: the bits moved are numbered as the chunks of threads 0 and up, 128 each."""
    count = int(match["count"])
    shape: Nested = (32, (32, count))
    stride: Nested = (32, (1, 1024))
    if match["trans"]:
        shape, stride = (_QUAD, (16, 2, count)), ((256, 16), (1, 128, 1024))
    chunk = Space("chunk", (("lane", WARP), ("bit", 128)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        moved = evaluate(shape, stride, lane + WARP * (32 * register + bit))
        return {"lane": moved // 128, "bit": moved % 128}

    return LayoutMap.from_function(fragment(count), chunk, source)


def _mma_statement(rows: str, depths: str, types: str) -> Statement:
    return Statement(
        "CUTLASS, MMA traits",
        _FILE.format("mma_traits_sm80.hpp at 468e0ea, MMA_Traits<SM80_*_TN>"),
        Level.HW_CI,
        rf"mma\.sync\.m(?P<m>{rows})n8k(?P<k>{depths})\.(?P<type>{types}):(?P<operand>[AB])",
        _mma,
    )


def _mma_result_statement(rows: str, depths: str, types: str) -> Statement:
    return Statement(
        "CUTLASS, MMA traits",
        _FILE.format("mma_traits_sm80.hpp at 468e0ea, SM80_16x8_Row and SM80_8x8_Row"),
        Level.HW_CI,
        rf"mma\.sync\.m(?P<m>{rows})n8k(?:{depths})\.(?P<type>{types}):D",
        _mma_result,
    )


STATEMENTS = (
    _mma_statement("16", "8|16", "f16|bf16"),
    _mma_statement("16", "4|8", "tf32"),
    _mma_statement("8", "4", "f64"),
    _mma_statement("8", "16", "s8|u8"),
    _mma_statement("16", "16|32", "s8|u8"),
    _mma_statement("8", "128", "b1"),
    _mma_statement("16", "128|256", "b1"),
    _mma_result_statement("16", "4|8|16", "f16|f32"),
    _mma_result_statement("16", "16|32|128|256", "s32"),
    _mma_result_statement("8", "16|128", "s32"),
    _mma_result_statement("8", "4", "f64"),
    Statement(
        "CUTLASS, MMA traits",
        _FILE.format("mma_traits_sm90_gmma.hpp, ALayout_64x8, ALayout_64x16, ALayout_64x32"),
        Level.HW_CI,
        r"wgmma\.m64k(?P<k>\d+)\.(?P<type>f16|bf16|tf32|e4m3|e5m2|s8|u8):A",
        _wgmma_operand,
    ),
    Statement(
        "CUTLASS, MMA traits",
        _FILE.format("mma_traits_sm90_gmma.hpp, CLayout_64xN"),
        Level.HW_CI,
        r"wgmma\.m64n(?P<n>\d+)\.(?P<type>f32|s32|f16):D",
        _wgmma_result,
    ),
    Statement(
        "CUTLASS, copy traits",
        _FILE.format("copy_traits_sm75.hpp at 474c1fd, SM75_U32x*_LDSM_N and SM75_U16x*_LDSM_T"),
        Level.HW_CI,
        r"ldmatrix\.sync\.aligned\.m8n8\.x(?P<count>[124])(?P<trans>\.trans)?\.shared\.b16",
        _ldmatrix,
    ),
    Statement(
        "CUTLASS, copy traits",
        _FILE.format("copy_traits_sm90.hpp at 8c69ea3, SM90_U32x*_STSM_N and SM90_U16x*_STSM_T"),
        Level.HW_CI,
        r"stmatrix\.sync\.aligned\.m8n8\.x(?P<count>[124])(?P<trans>\.trans)?\.shared\.b16",
        lambda match: _ldmatrix(match).inverse(),
        reading="source and destination layouts are those of the load, exchanged",
    ),
    Statement(
        "CUTLASS, copy traits",
        _FILE.format("copy_traits_sm75.hpp at 474c1fd, SM75_U32x1_MOVM_T"),
        Level.CODE,
        r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16",
        lambda match: LayoutMap.identity(fragment(1)),
        reading="as written: the layouts of source and destination are the same",
    ),
)
