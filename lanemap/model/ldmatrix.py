"""`ldmatrix`, `stmatrix` and `movmatrix`: 16-byte rows of shared memory and a warp's registers.

Lane i gives the address of row i: rows 0 to 7 (0 to 15 for 16x16) are the first matrix, the next
ones the second. The bytes there are the chunk of lane i. Addresses of further lanes are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

LANES = 32
ROW_BITS = 128
# lane, register, element of the register -> lane of the chunk, element of the chunk.
Rule = Callable[[Any, Any, Any], tuple[Any, Any]]


def rows_8x8(lane: Any, register: Any, element: Any) -> tuple[Any, Any]:
    """Halfwords; four lanes hold a row: row lane/4, columns 2*(lane%4) and the next."""
    return 8 * register + lane // 4, 2 * (lane % 4) + element


def columns_8x8(lane: Any, register: Any, element: Any) -> tuple[Any, Any]:
    """Halfwords of the transposed matrix: column lane/4, rows 2*(lane%4) and the next."""
    return 8 * register + 2 * (lane % 4) + element, lane // 4


def rows_8x16(lane: Any, register: Any, element: Any) -> tuple[Any, Any]:
    """Bytes; four lanes hold a row: row lane/4, columns 4*(lane%4) to 3 more."""
    return 8 * register + lane // 4, 4 * (lane % 4) + element


def columns_16x16(lane: Any, register: Any, element: Any) -> tuple[Any, Any]:
    """Bytes of a transposed 16x16 matrix in two registers.

    Register r%2: column lane/4 + 8*(r%2), rows 4*(lane%4) to 3 more of matrix r/2.
    """
    return 16 * (register // 2) + 4 * (lane % 4) + element, lane // 4 + 8 * (register % 2)


def columns_16x8(lane: Any, register: Any, element: Any) -> tuple[Any, Any]:
    """Bytes of a 16x8 accumulator stored by columns: as the D fragment of an m16n8 MMA.

    Element e is row lane/4 + 8*(e/2), column 2*(lane%4) + e%2; column c is chunk c.
    """
    return 8 * register + 2 * (lane % 4) + element % 2, lane // 4 + 8 * (element // 2)


@dataclass(frozen=True)
class Form:
    """One shape and element type.

    Attributes:
        load: Whether it loads.
        shape: The instruction's spelling.
        modifiers: Between the count and the type: "" or ".trans".
        kind: Type.
        counts: Legal xN.
        registers: Registers for each matrix.
        bits: Width of an element in a register.
        stored: Its width in shared memory.
        rule: Where an element lies.
        targets: Instruction sets that have it.
        formula: The rule in words.
    """

    load: bool
    shape: str
    modifiers: str
    kind: str
    counts: tuple[int, ...]
    registers: int
    bits: int
    stored: int
    rule: Rule
    targets: tuple[str, ...]
    formula: str

    def name(self, count: int) -> str:
        """The instruction form for xN."""
        verb = "ldmatrix" if self.load else "stmatrix"
        return f"{verb}.sync.aligned.{self.shape}.x{count}{self.modifiers}.shared.{self.kind}"


_ALL, _STORES, _NEW = modeled(), modeled("stmatrix"), modeled("matrices of bytes")
_ROWS = "register r of lane l, half e: half 2*(l%4) + e of the chunk of lane 8*r + l/4"
_COLUMNS = "register r of lane l, half e: half l/4 of the chunk of lane 8*r + 2*(l%4) + e"
_BYTES = "register r of lane l, byte e: element 4*(l%4) + e of the chunk of lane 8*r + l/4"
_WIDE = (
    "register r of lane l, byte e: element l/4 + 8*(r%2) of the chunk of lane "
    "16*(r/2) + 4*(l%4) + e"
)
_TALL = "register r of lane l, byte e: byte l/4 + 8*(e/2) of the chunk of lane 8*r + 2*(l%4) + e%2"
_LOW = "; in the low bits of the byte, the high ones zero"
_SMALL = (("b8x16.b6x16_p32", 6), ("b8x16.b4x16_p64", 4))
FORMS = (
    *(
        Form(load, "m8n8", trans, "b16", (1, 2, 4), 1, 16, 16, rule, targets, words)
        for load, targets in ((True, _ALL), (False, _STORES))
        for trans, rule, words in (("", rows_8x8, _ROWS), (".trans", columns_8x8, _COLUMNS))
    ),
    Form(True, "m16n16", ".trans", "b8", (1, 2), 2, 8, 8, columns_16x16, _NEW, _WIDE),
    *(
        Form(True, "m16n16", ".trans", kind, (1, 2), 2, 8, bits, columns_16x16, _NEW, _WIDE + _LOW)
        for kind, bits in _SMALL
    ),
    *(
        Form(True, "m8n16", "", kind, (1, 2, 4), 1, 8, bits, rows_8x16, _NEW, _BYTES + _LOW)
        for kind, bits in _SMALL
    ),
    Form(False, "m16n8", ".trans", "b8", (1, 2, 4), 1, 8, 8, columns_16x8, _NEW, _TALL),
)


def matrix_map(form: Form, count: int) -> LayoutMap:
    """The map of a load, or that of a store turned into "register from chunk".

    Padding bits of 6-bit and 4-bit elements are undefined in the map (the instruction clears
    them).

    Returns:
        "register": lane 32, register, bit 32; "chunk": lane 32, bit 128.
    """
    registers = form.registers * count
    register_space = Space("register", (("lane", LANES), ("register", registers), ("bit", 32)))
    chunk = Space("chunk", (("lane", LANES), ("bit", ROW_BITS)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        from_lane, element = form.rule(lane, register, bit // form.bits)
        inside = bit % form.bits
        place = np.where(inside < form.stored, form.stored * element + inside, UNDEFINED)
        return {"lane": from_lane, "bit": place}

    return LayoutMap.from_function(register_space, chunk, source)


def movmatrix_map() -> LayoutMap:
    """The map of `movmatrix`: registers that receive and registers that give, halves transposed."""
    space = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        row, column = 2 * (lane % 4) + bit // 16, lane // 4
        return {
            "lane": 4 * row + column // 2,
            "register": register,
            "bit": 16 * (column % 2) + bit % 16,
        }

    return LayoutMap.from_function(space, space, source)


_PTX = "NVIDIA PTX ISA, {}"
_CUT = "NVIDIA/cutlass, copy_sm100.hpp and copy_traits_sm100.hpp, {}"
_PAD = "NVIDIA CUDA driver API, CU_TENSOR_MAP_DATA_TYPE_16U{}_ALIGN16B: data first, then the gap"
_LEGALITY = "{}; all threads of the warp, converged; row addresses multiples of 16 bytes"


def _citations(form: Form) -> tuple[str, ...]:
    found = [_PTX.format("ldmatrix" if form.load else "stmatrix")]
    if form.bits == 8:
        what = {
            "m16n16": "the SM100_U8x*_LDSM_T atoms (whose copy shuffles bytes after the load)",
            "m8n16": "the SM100_SU*_DU8x16 atoms",
            "m16n8": "the SM100_U8x*_STSM_T atoms",
        }
        found.append(_CUT.format(what[form.shape]))
    if form.stored < form.bits:
        found.append("NVIDIA/cutlass, mma_traits_sm120.hpp: elements in the low bits of the byte")
        found.append(_PAD.format(form.stored))
    return tuple(found)


def _variant(form: Form, count: int) -> Variant:
    def build() -> LayoutMap:
        load = matrix_map(form, count)
        return load if form.load else load.inverse()

    rows = count * (16 if form.shape == "m16n16" else 8)
    unaddressed = not form.load and rows < LANES
    padding = form.stored < form.bits
    return Variant(
        name=form.name(count),
        targets=form.targets,
        family="ldmatrix" if form.load else "stmatrix",
        formula=form.formula,
        citations=_citations(form),
        legality=_LEGALITY.format(", ".join(form.targets)),
        build=build,
        rest="zero" if padding else "chunks of lanes without a row" if unaddressed else "",
    )


def variants() -> list[Variant]:
    """Loads, stores and the move."""
    found = [_variant(form, count) for form in FORMS for count in form.counts]
    move = Variant(
        name="movmatrix.sync.aligned.m8n8.trans.b16",
        targets=_ALL,
        family="movmatrix",
        formula="half e of lane l: half (l/4)%2 of lane 4*(2*(l%4) + e) + l/8",
        citations=(_PTX.format("movmatrix"),),
        legality=f"{', '.join(_ALL)}; all threads of the warp, converged",
        build=movmatrix_map,
    )
    return [*found, move]
