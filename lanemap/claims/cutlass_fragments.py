"""CUTLASS's traits of mma.sync, wgmma, ldmatrix, stmatrix and movmatrix.

MMA traits take (thread, value) to m + M*k of A, n + N*k of B, m + M*n of C and D. Copy traits take
(thread, bit) of both sides to one numbering of the bits moved; a thread whose stride is 0 gives
nothing of its own. Traits of scales take (thread, k) to m + M*k of A, n + N*k of B; k that share
a byte of the register are one block.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.shape_stride import Nested, evaluate, size
from lanemap.claims.spaces import WARP, fragment, matrix
from lanemap.layout import UNDEFINED, LayoutMap, Space

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
    ("m16n8k4", 64): (((_QUAD, 2), ((16, 1), 8)), _8X4, _ROW_16X8),
    ("m16n8k8", 64): (
        ((_QUAD, (2, 2)), ((16, 1), (8, 64))),
        ((_QUAD, 2), ((8, 1), 32)),
        _ROW_16X8,
    ),
    ("m16n8k16", 64): (
        ((_QUAD, (2, 4)), ((16, 1), (8, 64))),
        ((_QUAD, 4), ((8, 1), 32)),
        _ROW_16X8,
    ),
    ("m8n8k16", 8): (_8X16, _8X16, _ROW_8X8),
    ("m16n8k16", 8): (((_QUAD, (4, 2)), ((64, 1), (16, 8))), _8X16, _ROW_16X8),
    ("m16n8k32", 8): (
        ((_QUAD, (4, 2, 2)), ((64, 1), (16, 8, 256))),
        ((_QUAD, (4, 2)), ((32, 1), (8, 128))),
        _ROW_16X8,
    ),
    ("m16n8k64", 4): (
        ((_QUAD, (8, 2, 2)), ((128, 1), (16, 8, 512))),
        ((_QUAD, (8, 2)), ((64, 1), (8, 256))),
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
_BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "b1": 1, "e4m3": 8,
         "e5m2": 8, "e3m2": 6, "e2m3": 6, "e2m1": 4}  # fmt: skip
#: SM70: four lanes of each half of a warp make a product; by operand and major, or width of D.
_QUADS: dict[tuple[str, str], Nested] = {
    ("A", "row"): ((8, 4), (1, 8)), ("A", "col"): (((4, 2), 4), ((8, 4), 1)),
    ("B", "col"): ((8, 4), (1, 8)), ("B", "row"): (((4, 2), 4), ((8, 4), 1)),
    ("D", "f16"): ((8, 8), (1, 8)),
    ("D", "f32"): (((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32))),
}  # fmt: skip
#: (thread, k) of the scales of A and B.
_SCALES: dict[str, Nested] = {"A": (((2, 2, 8), 64), ((8, 0, 1), 16)),
                              "B": (((4, 8), 64), ((0, 1), 8))}  # fmt: skip
_RESULT_BITS = {"f64": 64, "f32": 32, "s32": 32, "f16": 16}
_WARPGROUP: Nested = (4, 8, 4)
# Bits of an element of A to its register layout of 64 rows.
_WGMMA_A: dict[int, Nested] = {
    32: ((_WARPGROUP, (2, 2)), ((64, 1, 16), (8, 256))),
    16: ((_WARPGROUP, (2, 2, 2)), ((128, 1, 16), (64, 8, 512))),
    8: ((_WARPGROUP, (4, 2, 2)), ((256, 1, 16), (64, 8, 1024))),
}


def _held(
    layout: Nested, bits: int, leading: int, held: Space, warps: int = 1, below: int = 0
) -> LayoutMap:
    """Registers and the elements that they hold, from a layout of (thread, value).

    Args:
        layout: Shape and stride.
        bits: Width of an element, padding included.
        leading: Size of the fastest coordinate of the layout's values (M, or N for B).
        held: The matrix; its first two axes as (fastest, other) for A and D, the reverse for B.
        warps: Warps that share the fragment.
        below: Bits of padding below an element.
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
        inside = place % bits - below
        inside = np.where((inside >= 0) & (inside < held.sizes[-1]), inside, UNDEFINED)
        return {fastest: index % leading, other: index // leading, "bit": inside}

    return LayoutMap.from_function(register, held, source)


def _mma(match: re.Match[str]) -> LayoutMap:
    """A or B of mma.sync."""
    width, depth = _BITS[match["type"]], int(match["k"])
    rows = int(match["m"])
    # Elements of 6 and 4 bits of m16n8k32 lie in bytes, those of 4 bits in their middle.
    bits = 8 if depth == 32 and width < 8 else width
    below = 2 if bits - width == 4 else 0
    layouts = _MMA[f"m{rows}n8k{depth}", bits]
    if match["operand"] == "A":
        return _held(layouts[0], bits, rows, matrix("row", "k", rows, depth, width), 1, below)
    return _held(layouts[1], bits, 8, matrix("k", "column", depth, 8, width), 1, below)


def _quad(match: re.Match[str]) -> LayoutMap:
    """A, B or D of m8n8k4 with f16: lane l is thread l%4 + 4*(l/16) of product l/4%4."""
    operand, kind = match["operand"], match["type"]
    shape, stride = _QUADS[operand, match["major"] or kind]
    bits = _RESULT_BITS[kind] if operand == "D" else 16
    axes = {"A": ("row", "k"), "B": ("column", "k"), "D": ("row", "column")}[operand]
    sizes = {"row": 8, "k": 4, "column": 8}
    order = ("k", "column") if operand == "B" else axes
    pairs = tuple((axis, sizes[axis]) for axis in order)
    held = Space("matrix", (("product", 4), *pairs, ("bit", bits)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        index = evaluate(shape, stride, lane % 4 + 4 * (lane // 16) + 8 * (place // bits))
        found = {axes[0]: index % 8, axes[1]: index // 8}
        return {"product": lane // 4 % 4, **found, "bit": place % bits}

    return LayoutMap.from_function(fragment(size(shape[1]) * bits // 32), held, source)


def _scale(match: re.Match[str]) -> LayoutMap:
    """Scales of A or B in the threads that CUTLASS selects, byte-id and thread-id 0."""
    operand, blocks = match["operand"], int(match["blocks"])
    shape, stride = _SCALES[operand]
    depth = 32 if blocks == 1 else 64
    lines, copies = {"A": (16, 2), "B": (8, 4)}[operand]
    held = matrix("row" if operand == "A" else "column", "block", lines, blocks, 8)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        block = bit // 8
        index = evaluate(shape, stride, lane + WARP * (block * depth // blocks))
        # Others of the quad hold the same, and are not selected.
        read = (lane % 4 < 4 // copies) & (block < blocks)
        return {held.names[0]: index % lines, "block": np.where(read, block, UNDEFINED),
                "bit": bit % 8}  # fmt: skip

    return LayoutMap.from_function(fragment(1), held, source)


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


_SM80 = "mma_traits_sm80.hpp at 468e0ea, MMA_Traits<SM80_*_TN>"
_SM89 = "mma_traits_sm89.hpp at 2b5e8f2, MMA_Traits<SM89_16x8x32_*_TN>"
_SM90 = "mma_traits_sm90.hpp at 8c69ea3, MMA_Traits<SM90_16x8x*_F64F64F64F64_TN>"
_SM120 = "mma_traits_sm120.hpp at f5c7903, {}"


def _mma_statement(rows: str, depths: str, types: str, place: str = _SM80) -> Statement:
    return Statement(
        "CUTLASS, MMA traits",
        _FILE.format(place),
        Level.HW_CI,
        rf"mma\.sync\.m(?P<m>{rows})n8k(?P<k>{depths})\.(?P<type>{types}):(?P<operand>[AB])",
        _mma,
    )


def _mma_result_statement(
    rows: str,
    depths: str,
    types: str,
    place: str = "mma_traits_sm80.hpp at 468e0ea, SM80_16x8_Row and SM80_8x8_Row",
) -> Statement:
    return Statement(
        "CUTLASS, MMA traits",
        _FILE.format(place),
        Level.HW_CI,
        rf"mma\.sync\.m(?P<m>{rows})n8k(?:{depths})\.(?P<type>{types}):D",
        _mma_result,
    )


STATEMENTS = (
    _mma_statement(
        "16", "8", "f16", f"{_SM80}; mma_traits_sm75.hpp at 56e011a, SM75_16x8x8_F32F16F16F32_TN"
    ),
    _mma_statement("16", "16", "f16"),
    _mma_statement("16", "8|16", "bf16"),
    _mma_statement("16", "4|8", "tf32"),
    _mma_statement("8", "4", "f64"),
    _mma_statement("16", "4|8|16", "f64", _SM90),
    _mma_statement("16", "32", "e4m3|e5m2", _SM89),
    _mma_statement("16", "32", "e3m2|e2m3|e2m1", _SM120.format("SM120_16x8x32_TN, fp4_shift_A")),
    _mma_statement("16", "64", "e2m1", _SM120.format("SM120_16x8x64_TN_VS")),
    _mma_statement(
        "8", "16", "s8|u8", f"{_SM80}; mma_traits_sm75.hpp at 56e011a, SM75_8x8x16_S32S8S8S32_TN"
    ),
    _mma_statement("16", "16|32", "s8|u8"),
    _mma_statement("8", "128", "b1"),
    _mma_statement("16", "128|256", "b1"),
    _mma_result_statement("16", "4|8|16", "f16|f32"),
    _mma_result_statement("16", "16|32|128|256", "s32"),
    _mma_result_statement("8", "16|128", "s32"),
    _mma_result_statement("8", "4", "f64"),
    _mma_result_statement("16", "4|8|16", "f64", _SM90),
    _mma_result_statement("16", "32", "f32", f"{_SM89}; {_SM120.format('SM120_16x8x32_TN')}"),
    _mma_result_statement("16", "64", "f32", _SM120.format("SM120_16x8x64_TN_VS")),
    Statement(
        "CUTLASS, MMA traits",
        _FILE.format("mma_traits_sm70.hpp at 8c69ea3, SM70_8x8x4_*"),
        Level.HW_CI,
        r"mma\.sync\.m8n8k4\.(?:(?P<major>row|col)\.)?(?P<type>f16|f32):(?P<operand>[ABD])",
        _quad,
    ),
    Statement(
        "CUTLASS, MMA traits",
        _FILE.format(_SM120.format("SFALayout and SFBLayout")),
        Level.HW_CI,
        r"mma\.sync\.[mn](?:16|8)\.scale_vec::(?P<blocks>[124])X\.byte0\.thread0:SF(?P<operand>[AB])",
        _scale,
        reading="the threads of a quad that thread-id 0 selects; the others hold the same",
    ),
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
