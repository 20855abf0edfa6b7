"""CUTLASS's tensor-memory fragments of `tcgen05.mma`: D, A and the scale factors.

Each is a CuTe layout from matrix coordinates to a virtual address: lane + 128 * column, where a
column is 32 bits for D and one element for A and the scales. The shapes and strides below are
transcribed from `tmem_frg`, `tmem_frg_ws` and `tmem_sf_frg`, for one instruction.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.shape_stride import Nested, evaluate
from lanemap.claims.spaces import matrix, tensor_memory
from lanemap.layout import UNDEFINED, LayoutMap, Space

LANES = 128
_FILE = "NVIDIA/cutlass at 2115eee, include/cute/atom/mma_traits_sm100_frag.hpp, {}"
_TYPES = {"f32": 32, "s32": 32, "f16": 16, "bf16": 16, "tf32": 32}


def _atom(rows: int, columns: int, half: bool) -> Nested:
    """(row), (column) of what one CTA holds to the virtual address, as (shape, stride)."""
    if rows == 128:
        return (128, columns), (1, 128)
    if half:
        return ((16, 4), columns), ((1, 32), 128)
    folds = 128 // rows
    return (rows, (columns // folds, folds)), (1, (128, rows))


def _virtual(atom: Nested, rows: int, columns: int) -> tuple[Any, Any]:
    """Lane and column of every (row, column), each int64[rows, columns]."""
    (row_shape, column_shape), (row_stride, column_stride) = atom
    address = (
        evaluate(row_shape, row_stride, np.arange(rows))[:, None]
        + evaluate(column_shape, column_stride, np.arange(columns))[None, :]
    )
    return address % LANES, address // LANES


def _placed(
    tmem: Space, held: Space, cells: list[tuple[dict[str, Any], dict[str, Any]]]
) -> LayoutMap:
    """A map from lists of tensor-memory cells and the matrix cells that lie there."""
    table = np.full(tmem.size, UNDEFINED, dtype=np.int64)
    for there, here in cells:
        table[np.ravel(tmem.index(**there))] = np.ravel(held.index(**here))
    return LayoutMap(tmem, held, table)


def _result(match: re.Match[str]) -> LayoutMap:
    """D: the lanes and columns of each CTA's rows; an element in the low bits of its column."""
    rows, columns, bits = int(match["m"]), int(match["n"]), _TYPES[match["type"]]
    ctas = int(match["cta"])
    own = rows // ctas
    # One CTA with 64 rows uses 16 lanes of every 32; .ws and the pair fold columns.
    half = own == 64 and ctas == 1 and not match["ws"]
    lane, column = _virtual(_atom(own, columns, half), own, columns)
    tmem = tensor_memory(LANES, int(column.max()) + 1, ctas)
    held = matrix("row", "column", rows, columns, bits)
    bit = np.arange(bits)
    cells = []
    for cta in range(ctas):
        there = {"lane": lane[..., None], "column": column[..., None], "bit": bit}
        row = cta * own + np.arange(own)[:, None, None]
        here = {"row": row, "column": np.arange(columns)[None, :, None], "bit": bit}
        cells.append((there | ({"cta": cta} if ctas > 1 else {}), here))
    return _placed(tmem, held, cells)


def _operand(match: re.Match[str]) -> LayoutMap:
    """A: element k of a row at virtual column k, in units of an element, 32 bytes in all."""
    rows, ctas = int(match["m"]), int(match["cta"])
    bits = _TYPES.get(match["type"], 8)
    depth, own = 256 // bits, rows // ctas
    if own == 64 and ctas == 2:
        # Duplicated: 128 lanes, of which the upper 64 repeat the lower.
        lane, column = _virtual(((128, depth), (1, 128)), 128, depth)
        row_of = np.arange(128) % 64
    else:
        lane, column = _virtual(_atom(own, depth, own == 64), own, depth)
        row_of = np.arange(own)
    place = column[..., None] * bits + np.arange(bits)
    tmem, held = tensor_memory(LANES, 8, ctas), matrix("row", "k", rows, depth, bits)
    cells = []
    for cta in range(ctas):
        there = {"lane": lane[..., None], "column": place // 32, "bit": place % 32}
        here = {
            "row": cta * own + row_of[:, None, None],
            "k": np.arange(depth)[None, :, None],
            "bit": np.arange(bits),
        }
        cells.append((there | ({"cta": cta} if ctas > 1 else {}), here))
    return _placed(tmem, held, cells)


def _scales(match: re.Match[str]) -> LayoutMap:
    """Scale factors of one byte: ((32, rows/32), 4) lanes and columns of 4 bytes, then blocks."""
    rows, blocks = int(match["rows"]), int(match["vector"])
    folded = match["pair"] is not None
    here_rows = rows // 2 if folded else rows
    shape: Nested = (32, here_rows // 32)
    stride: Nested = (1, 4 * LANES)
    if folded:
        shape, stride = (*shape, 2, 2), (*stride, 64, 32)
    else:
        shape, stride = (*shape, 4), (*stride, 32)
    copies = 2 if folded else 4
    index = np.arange(rows * copies)
    address = evaluate(shape, stride, index)[:, None] + LANES * np.arange(blocks)[None, :]
    byte = address // LANES
    bit = np.arange(8)
    held = Space("scales", (("row", rows), ("block", blocks), ("bit", 8)))
    there = {
        "lane": (address % LANES)[..., None],
        "column": (byte // 4)[..., None],
        "bit": (byte % 4)[..., None] * 8 + bit,
    }
    here = {
        "row": (index % rows)[:, None, None],
        "block": np.arange(blocks)[None, :, None],
        "bit": bit,
    }
    return _placed(tensor_memory(LANES, max(here_rows // 32, 1)), held, [(there, here)])


def _scales_of_pair(match: re.Match[str]) -> LayoutMap:
    """Those of a pair with M = 256: each CTA has those of one SM's atom with 128 rows and all N.

    "half" is the half of D's rows, M/2 each, that B's scales are multiplied into.
    """
    of_a, blocks = match["n"] is None, int(match["vector"])
    own = 128 if of_a else int(match["n"])
    # ((32, rows/32), 4): lanes, columns of 4 bytes, and the copy for each 32 lanes.
    shape, stride = ((32, own // 32), 4), ((1, 4 * LANES), 32)
    row, copy = np.divmod(np.arange(own * 4), 4)
    address = evaluate(shape[0], stride[0], row) + copy * stride[1]
    byte = (address // LANES)[:, None] + np.arange(blocks)
    axes = (("row", 256 if of_a else own), ("block", blocks), ("bit", 8))
    held = Space("scales", axes if of_a else (("half", 2), *axes))
    bit, cells = np.arange(8), []
    for cta in range(2):
        there = {
            "cta": cta,
            "lane": (address % LANES)[:, None, None],
            "column": (byte // 4)[..., None],
            "bit": (byte % 4)[..., None] * 8 + bit,
        }
        first, half = (cta * own, {}) if of_a else (0, {"half": cta})
        here = {"row": first + row[:, None, None], "block": np.arange(blocks)[:, None], "bit": bit}
        cells.append((there, half | here))
    return _placed(tensor_memory(LANES, own // 32, 2), held, cells)


STATEMENTS = (
    Statement(
        "CUTLASS, TMEM fragments",
        _FILE.format("tmem_frg and tmem_frg_ws, accumulators"),
        Level.HW_CI,
        r"tcgen05\.mma(?P<ws>\.ws)?\.cta_group::(?P<cta>[12])"
        r"\.m(?P<m>\d+)n(?P<n>\d+)\.(?P<type>f32|s32|f16):D",
        _result,
    ),
    Statement(
        "CUTLASS, TMEM fragments",
        _FILE.format("tmem_frg_2sm, FrgTypeC of every SM100_MMA_*_2x1SM_SS_SPARSE"),
        Level.CODE,
        r"tcgen05\.mma(?P<ws>\.ws)?\.sp\.cta_group::(?P<cta>2)"
        r"\.m(?P<m>128)n(?P<n>\d+)\.(?P<type>f32|s32|f16):D",
        _result,
        reading="a pair's fragment knows nothing of sparsity: 64 rows of a CTA have one layout",
    ),
    Statement(
        "CUTLASS, TMEM fragments",
        _FILE.format("tmem_frg, A of TS: NonInterleaved, and Duplicated for a pair with 128 rows"),
        Level.HW_CI,
        r"tcgen05\.mma\.cta_group::(?P<cta>[12])\.kind::(?:f16|tf32|i8|f8f6f4)\.m(?P<m>\d+)"
        r"\.(?P<type>f16|bf16|tf32|s8|u8|e4m3|e5m2):A",
        _operand,
    ),
    Statement(
        "CUTLASS, TMEM fragments",
        _FILE.format("tmem_sf_frg, 4x1 and 2x2 data paths"),
        Level.HW_CI,
        r"tcgen05\.mma\.cta_group::(?:1|2(?P<pair>\.m128(?=\.n)))\.[mn](?P<rows>\d+)"
        r"\.scale_vec::(?P<vector>\d)X\.id0:SF[AB]",
        _scales,
    ),
    Statement(
        "CUTLASS, TMEM fragments",
        "NVIDIA/cutlass 4.2, include/cute/atom/mma_traits_sm100.hpp, SM100_MMA_MXF4_2x1SM_SS and "
        "SM100_MMA_MXF8F6F4_2x1SM_SS: TmemAlloc and MMA_ScaleFactor",
        Level.HW_CI,
        r"tcgen05\.mma\.cta_group::2\.m256(?:\.n(?P<n>\d+))?\.scale_vec::(?P<vector>\d)X\.id0"
        r":SF[AB]",
        _scales_of_pair,
        reading="MMA_ScaleFactor is one SM's atom of M/2 rows and all columns: each CTA's scales",
    ),
)
