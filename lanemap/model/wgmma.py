"""Fragments of `wgmma.mma_async`: D, and A from registers, over the four warps of a warpgroup.

Warp w holds rows 16*w to 16*w + 15, each as `mma.sync` with M = 16 lays out its rows; D repeats
that every 8 columns.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

WARPS, LANES = 4, 32
TYPES = {
    **dict.fromkeys(("f16", "bf16"), 16),
    "tf32": 32,
    **dict.fromkeys(("e4m3", "e5m2", "s8", "u8"), 8),
    "b1": 1,
}
RESULTS = {"f32": 32, "s32": 32, "f16": 16}
LISTED_COLUMNS = (8, 16, 64, 80, 128, 256)
# K is 32 bytes of A.
STEP_BITS = 256


def _registers(elements: int, bits: int) -> Space:
    axes = (("warp", WARPS), ("lane", LANES), ("register", elements * bits // 32), ("bit", 32))
    return Space("register", axes)


def a_map(bits: int) -> LayoutMap:
    """Registers of A and the elements that they hold: matrix row 64, k, bit.

    Args:
        bits: Width of an element: 32, 16, 8 or 1.
    """
    depth, unit = STEP_BITS // bits, 32 // bits
    matrix = Space("matrix", (("row", 64), ("k", depth), ("bit", bits)))

    def source(warp: Any, lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        k = unit * (lane % 4) + bit // bits + 4 * unit * (register // 2)
        row = 16 * warp + lane // 4 + 8 * (register % 2)
        return {"row": row, "k": k, "bit": bit % bits}

    return LayoutMap.from_function(_registers(4 * unit, bits), matrix, source)


def d_map(columns: int, bits: int) -> LayoutMap:
    """Registers of D and the elements that they hold: matrix row 64, column, bit.

    Args:
        columns: N.
        bits: Width of an element: 32, or 16 (two to a register).
    """
    matrix = Space("matrix", (("row", 64), ("column", columns), ("bit", bits)))

    def source(warp: Any, lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        row = 16 * warp + lane // 4 + 8 * (element // 2 % 2)
        column = 8 * (element // 4) + 2 * (lane % 4) + element % 2
        return {"row": row, "column": column, "bit": bit % bits}

    return LayoutMap.from_function(_registers(columns // 2, bits), matrix, source)


def metadata_map(bits: int, selector: int) -> LayoutMap:
    """Registers of the metadata of a sparse A, and the chunks of rows that they describe.

    A chunk has four elements, or two of 32 bits. Of 8-bit elements all threads give metadata, of
    others the two of each quad that the selector names; the others' bits are undefined in the map.

    Args:
        bits: Width of an element: 32, 16 or 8.
        selector: 0 or 1; 0 for 8-bit elements.
    """
    chunks = 16 if bits == 8 else 8
    matrix = Space("matrix", (("row", 64), ("chunk", chunks), ("bit", 4)))

    def source(warp: Any, lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        row, pair = 16 * warp + lane // 4, lane % 4 - 2 * selector
        if bits == 8:
            return {
                "row": row + 8 * (lane % 2),
                "chunk": bit // 4 + 8 * (lane % 4 // 2),
                "bit": bit % 4,
            }
        chosen = (pair >= 0) & (pair < 2)
        return {
            "row": row + 8 * (bit // 16),
            "chunk": np.where(chosen, bit // 4 % 4 + 4 * pair, UNDEFINED),
            "bit": bit % 4,
        }

    return LayoutMap.from_function(_registers(1, 32), matrix, source)


_ISA = "NVIDIA PTX ISA, wgmma register fragments: {}"
_CUT = "NVIDIA/cutlass, mma_traits_sm90_gmma.hpp, {}"
_LEGALITY = "sm_90a; the four warps of a warpgroup, converged; wgmma.fence before the first use"
GAUGE = "one k permutation common to A and B changes no product"


def _a_variant(kind: str, bits: int) -> Variant:
    unit = 32 // bits
    k = f"{unit}*(l%4) + e + {4 * unit}*(r/2)" if unit > 1 else "l%4 + 4*(r/2)"
    return Variant(
        name=f"wgmma.m64k{STEP_BITS // bits}.{kind}:A",
        targets=modeled("wgmma"),
        family="wgmma fragment",
        formula=f"warp w, lane l, register r, element e: row 16*w + l/4 + 8*(r%2), k {k}",
        citations=(_ISA.format("matrix A"), _CUT.format("ALayout_64xK")),
        legality=_LEGALITY,
        build=lambda: a_map(bits),
        gauge=GAUGE,
    )


def _d_variant(columns: int, kind: str) -> Variant:
    bits = RESULTS[kind]
    return Variant(
        name=f"wgmma.m64n{columns}.{kind}:D",
        targets=modeled("wgmma"),
        family="wgmma fragment",
        formula=(
            "warp w, lane l, element i: row 16*w + l/4 + 8*((i/2)%2), "
            "column 8*(i/4) + 2*(l%4) + i%2"
        ),
        citations=(_ISA.format("accumulators"), _CUT.format("CLayout_64xN")),
        legality=f"{_LEGALITY}; {_span(kind)}",
        build=lambda: d_map(columns, bits),
    )


def _metadata_variant(kind: str, bits: int, selector: int) -> Variant:
    formula = (
        "warp w, lane l, bits 4*q to 4*q + 3: row 16*w + l/4 + 8*(l%2), chunk q + 8*(l%4/2)"
        if bits == 8
        else f"warp w, lane l with l%4 from {2 * selector} to {2 * selector + 1}, bits 4*q to "
        f"4*q + 3: row 16*w + l/4 + 8*(q/4), chunk q%4 + 4*(l%2)"
    )
    return Variant(
        name=f"wgmma.m64k{2 * STEP_BITS // bits}.{kind}.sp{selector}:E",
        targets=modeled("wgmma"),
        family="wgmma fragment",
        formula=formula,
        citations=(_ISA.format("sparse matrix storage: metadata of wgmma.mma_async.sp"),),
        legality=f"{_LEGALITY}; a chunk's two indices ascend; of tf32 they are 0b0100 or 0b1110",
        build=lambda: metadata_map(bits, selector),
        rest="" if bits == 8 else "nothing: the instruction does not read these lanes' registers",
    )


def legal_columns(kind: str) -> list[int]:
    """The legal N of a type of D: multiples of 8 up to 256; for s32, above 24 multiples of 16."""
    every = range(8, 257, 8)
    return [n for n in every if kind != "s32" or n <= 32 or n % 16 == 0]


def _span(kind: str) -> str:
    if kind == "s32":
        return "N is 8, 24 or one of the multiples of 16 up to 256"
    return "N is a multiple of 8 up to 256"


def variants() -> list[Variant]:
    """A of every type, D for some N."""
    found = [_a_variant(kind, bits) for kind, bits in TYPES.items()]
    for kind, bits in TYPES.items():
        selectors = {1: (), 8: (0,)}.get(bits, (0, 1))
        found += [_metadata_variant(kind, bits, selector) for selector in selectors]
    for kind in RESULTS:
        found += [_d_variant(n, kind) for n in LISTED_COLUMNS if n in legal_columns(kind)]
    return found


_NAME = re.compile(r"wgmma\.m64n(\d+)\.(f32|s32|f16)(?::D)?")


def resolve(name: str) -> tuple[Variant, ...]:
    """D for an N that `variants` does not list.

    Raises:
        UserError: N is illegal.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return ()
    columns, kind = int(match[1]), match[2]
    if columns not in legal_columns(kind):
        raise UserError(f"{name}: N = {columns} is illegal; {_span(kind)}")
    return (_d_variant(columns, kind),)
