"""MFMA of gfx950: which matrix element each register of each lane holds.

In a wave of 64 lanes, lane l holds elements of row l mod M of A (M rows by K), of column l mod N of
B, and of column l mod N of D. Elements follow each other in a lane's registers, low bits first;
`k_of` gives the k of a lane's n-th element.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant

LANES = 64
KRule = Callable[[Any, Any], Any]

_ISA = "AMD CDNA4 ISA, 7.1.5.1: dense matrix layouts"
_CALCULATOR = "ROCm/amd_matrix_instruction_calculator: layouts of C and D"
GAUGE = (
    "one k permutation common to A and B changes no product; with scales only one inside each "
    "block of 32 k"
)
_LEGALITY = (
    "gfx950; EXEC is ignored, all 64 lanes take part; registers even-aligned VGPRs or AGPRs; "
    "software wait states before and after"
)


@dataclass(frozen=True)
class Operand:
    """How A (and, with columns for rows, B) lies in the registers of a wave.

    Attributes:
        side: Rows of A, columns of B: 16 or 32.
        depth: K of the instruction.
        bits: Width of an element.
        k_of: k of element n of a lane group g = lane / side.
        formula: The same in words.
    """

    side: int
    depth: int
    bits: int
    k_of: KRule
    formula: str

    @property
    def elements(self) -> int:
        """Elements in one lane."""
        return self.side * self.depth // LANES

    @property
    def registers(self) -> int:
        """Registers of a lane."""
        return self.elements * self.bits // 32


def consecutive(per_lane: int) -> KRule:
    """Each lane group holds `per_lane` consecutive k."""
    return lambda group, element: per_lane * group + element


def two_runs(depth: int) -> KRule:
    """8-bit elements of f8f6f4: 16 of the lower half of K, then 16 of the upper half."""
    return lambda group, element: depth // 2 * (element // 16) + 16 * group + element % 16


def operand(side: int, depth: int, bits: int) -> Operand:
    """The layout of A of an instruction with M = N = side, K = depth and elements of `bits`."""
    per_lane = side * depth // LANES
    runs = bits == 8 and per_lane == 32
    k_of = two_runs(depth) if runs else consecutive(per_lane)
    words = (
        f"k = {depth // 2}*(n/16) + 16*(l/{side}) + n%16"
        if runs
        else f"k = {per_lane}*(l/{side}) + n"
    )
    return Operand(side, depth, bits, k_of, f"element n of lane l: i = l%{side}, {words}")


def operand_map(chosen: Operand, name: str) -> LayoutMap:
    """The registers of A or B ("register") and the matrix elements that they hold ("matrix").

    Returns:
        A: matrix row, k, bit. B: matrix k, column, bit.
    """
    register = Space("register", (("lane", LANES), ("register", chosen.registers), ("bit", 32)))
    along = "row" if name == "A" else "column"
    sizes = {along: chosen.side, "k": chosen.depth, "bit": chosen.bits}
    order = ("row", "k", "bit") if name == "A" else ("k", "column", "bit")
    matrix = Space("matrix", tuple((axis, sizes[axis]) for axis in order))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        k = chosen.k_of(lane // chosen.side, place // chosen.bits)
        return {along: lane % chosen.side, "k": k, "bit": place % chosen.bits}

    return LayoutMap.from_function(register, matrix, source)


def result_map(side: int, bits: int = 32) -> LayoutMap:
    """The registers of C or D and the matrix elements that they hold: row, column, bit.

    16x16: row 4*(l/16) + r; 32x32: row 8*(r/4) + 4*(l/32) + r%4; f64 16x16: row 4*r + l/16.
    The column is l mod side.
    """
    elements = side * side // LANES
    register = Space(
        "register", (("lane", LANES), ("register", elements * bits // 32), ("bit", 32))
    )
    matrix = Space("matrix", (("row", side), ("column", side), ("bit", bits)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        if bits == 64:
            row = 4 * element + lane // side
        else:
            row = LANES // side * 4 * (element // 4) + 4 * (lane // side) + element % 4
        return {"row": row, "column": lane % side, "bit": (32 * register + bit) % bits}

    return LayoutMap.from_function(register, matrix, source)


def scale_map(side: int, depth: int, name: str, byte: int = 0) -> LayoutMap:
    """The register of the scales of A or B: lane l holds row l%side, block l/side of 32 k.

    Args:
        side: 16 or 32.
        depth: K.
        name: "A" or "B".
        byte: Which byte of the register op_sel and op_sel_hi choose; the others are not read.

    Returns:
        "register" lane, register 1, bit; "scales" row (column for B), block, bit 8.
    """
    register = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))
    along = "row" if name == "A" else "column"
    scales = Space("scales", ((along, side), ("block", depth // 32), ("bit", 8)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        bit_of = np.where(bit // 8 == byte, bit % 8, UNDEFINED)
        return {along: lane % side, "block": lane // side, "bit": bit_of}

    return LayoutMap.from_function(register, scales, source)


@dataclass(frozen=True)
class Form:
    """One MFMA: its name, its shape and the width of its elements.

    Attributes:
        name: Mnemonic.
        side: M = N.
        depth: K.
        bits: Width of elements of A and B.
        result_bits: Width of elements of C and D.
    """

    name: str
    side: int
    depth: int
    bits: int
    result_bits: int = 32


_FP8 = [f"{a}_{b}" for a in ("fp8", "bf8") for b in ("fp8", "bf8")]
FORMS = (
    *(Form(f"v_mfma_f32_16x16x32_{pair}", 16, 32, 8) for pair in _FP8),
    *(Form(f"v_mfma_f32_32x32x16_{pair}", 32, 16, 8) for pair in _FP8),
    *(Form(f"v_mfma_f32_16x16x32_{each}", 16, 32, 16) for each in ("f16", "bf16")),
    *(Form(f"v_mfma_f32_32x32x16_{each}", 32, 16, 16) for each in ("f16", "bf16")),
    Form("v_mfma_i32_16x16x64_i8", 16, 64, 8),
    Form("v_mfma_i32_32x32x32_i8", 32, 32, 8),
    *(Form(f"v_mfma_f32_16x16x16_{each}", 16, 16, 16) for each in ("f16", "bf16")),
    *(Form(f"v_mfma_f32_32x32x8_{each}", 32, 8, 16) for each in ("f16", "bf16")),
    Form("v_mfma_i32_16x16x32_i8", 16, 32, 8),
    Form("v_mfma_i32_32x32x16_i8", 32, 16, 8),
    Form("v_mfma_f32_16x16x4_f32", 16, 4, 32),
    Form("v_mfma_f32_32x32x2_f32", 32, 2, 32),
    Form("v_mfma_f64_16x16x4_f64", 16, 4, 64, 64),
)
# cbsz (A) and blgp (B) of f8f6f4: the format's name and its width.
FORMATS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}
MIXED = (("v_mfma_f32_16x16x128_f8f6f4", 16, 128), ("v_mfma_f32_32x32x64_f8f6f4", 32, 64))


def _operand_variant(name: str, chosen: Operand, letter: str) -> Variant:
    formula = chosen.formula if letter == "A" else chosen.formula.replace("i =", "j =")
    return Variant(
        name=name,
        target="gfx950",
        family="MFMA operand",
        formula=formula,
        citations=(_ISA,),
        legality=_LEGALITY,
        build=lambda: operand_map(chosen, letter),
        gauge=GAUGE,
    )


def _result_variant(name: str, side: int, bits: int) -> Variant:
    rows = {16: "4*(l/16) + r", 32: "8*(r/4) + 4*(l/32) + r%4"}[side]
    if bits == 64:
        rows = "4*r + l/16, r counting pairs of registers"
    return Variant(
        name=name,
        target="gfx950",
        family="MFMA result",
        formula=f"register r of lane l: row {rows}, column l%{side}",
        citations=(_ISA, _CALCULATOR),
        legality=_LEGALITY,
        build=lambda: result_map(side, bits),
    )


def _scale_variant(name: str, side: int, depth: int, letter: str, byte: int) -> Variant:
    what = "row" if letter == "A" else "column"
    return Variant(
        name=f"{name}:scale_{letter}.byte{byte}",
        target="gfx950",
        family="MFMA scale",
        formula=f"byte {byte} of lane l: scale of {what} l%{side}, k-block l/{side} of 32 k",
        citations=("AMD CDNA4 ISA, v_mfma_scale: scale operands and op_sel",),
        legality=_LEGALITY + "; E8M0; op_sel_hi and op_sel choose the byte",
        build=lambda: scale_map(side, depth, letter, byte),
        rest="not read",
    )


def variants() -> list[Variant]:
    """A, B and D of the dense MFMA; every format and the scales of f8f6f4."""
    found: list[Variant] = []
    for form in FORMS:
        chosen = operand(form.side, form.depth, form.bits)
        found += [_operand_variant(f"{form.name}:{x}", chosen, x) for x in "AB"]
        found.append(_result_variant(f"{form.name}:D", form.side, form.result_bits))
    for name, side, depth in MIXED:
        for kind, bits in FORMATS.items():
            chosen = operand(side, depth, bits)
            found += [_operand_variant(f"{name}:{x}.{kind}", chosen, x) for x in "AB"]
        found.append(_result_variant(f"{name}:D", side, 32))
        scaled = name.replace("v_mfma_f32", "v_mfma_scale_f32")
        for letter in "AB":
            found += [_scale_variant(scaled, side, depth, letter, byte) for byte in range(4)]
    return found
