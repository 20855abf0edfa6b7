"""MFMA of CDNA: which matrix element each register of each lane holds.

In a wave of 64 lanes, lane l holds elements of row l mod M of A (M rows by K), of column l mod N of
B, and of column l mod N of D. Elements follow each other in a lane's registers, low bits first;
`k_of` gives the k of a lane's n-th element. An instruction of several blocks multiplies that many
pairs of matrices: block b of A and B lies in the lanes from b * M on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import TARGETS, targets_with

LANES = 64
KRule = Callable[[Any, Any], Any]

_ISA = "AMD CDNA4 ISA, 7.1.5.1: dense matrix layouts"
_ISA_XF32 = "AMD CDNA3 ISA, matrix instructions: dense layouts"
_ISA_FIRST = "AMD MI200 ISA, matrix instructions: dense layouts"
_CALCULATOR = "ROCm/amd_matrix_instruction_calculator: layouts of A, B, C and D"
GAUGE = (
    "one k permutation common to A and B changes no product; with scales only one inside each "
    "block of 32 k"
)
LEGALITY = (
    "EXEC is ignored, all 64 lanes take part; registers even-aligned VGPRs or AGPRs; "
    "software wait states before and after"
)


@dataclass(frozen=True)
class Operand:
    """How A (and, with columns for rows, B) lies in the registers of a wave.

    Attributes:
        side: Rows of A, columns of B: 4, 16 or 32.
        depth: K of the instruction.
        bits: Width of an element.
        k_of: k of element n of a lane group g = lane / (side * blocks).
        formula: The same in words.
        blocks: Matrices that the instruction holds of each operand.
        along: What K counts: "k", or "kept" of the elements that a sparse A keeps.
    """

    side: int
    depth: int
    bits: int
    k_of: KRule
    formula: str
    blocks: int = 1
    along: str = "k"

    @property
    def elements(self) -> int:
        """Elements in one lane."""
        return self.side * self.depth * self.blocks // LANES

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


def operand(side: int, depth: int, bits: int, blocks: int = 1) -> Operand:
    """The layout of A of an instruction with M = N = side, K = depth and elements of `bits`."""
    per_lane = side * depth * blocks // LANES
    runs = bits == 8 and per_lane == 32
    k_of = two_runs(depth) if runs else consecutive(per_lane)
    words = (
        f"k = {depth // 2}*(n/16) + 16*(l/{side}) + n%16"
        if runs
        else f"k = {per_lane}*(l/{side * blocks}) + n"
    )
    if blocks > 1:
        words = f"block (l/{side})%{blocks}, {words}"
    return Operand(side, depth, bits, k_of, f"element n of lane l: i = l%{side}, {words}", blocks)


def _in_blocks(axes: tuple[tuple[str, int], ...], blocks: int) -> tuple[tuple[str, int], ...]:
    """The axes of one matrix, after a block's number where there are several."""
    return (("block", blocks), *axes) if blocks > 1 else axes


def operand_map(chosen: Operand, name: str) -> LayoutMap:
    """The registers of A or B ("register") and the matrix elements that they hold ("matrix").

    Returns:
        A: matrix row, k (as `chosen.along` names it), bit. B: matrix k, column, bit. Before them
        the block, if there are several.
    """
    register = Space("register", (("lane", LANES), ("register", chosen.registers), ("bit", 32)))
    side, k_axis = "row" if name == "A" else "column", chosen.along
    sizes = {side: chosen.side, k_axis: chosen.depth, "bit": chosen.bits}
    order = (side, k_axis, "bit") if name == "A" else (k_axis, side, "bit")
    axes = tuple((axis, sizes[axis]) for axis in order)
    matrix = Space("matrix", _in_blocks(axes, chosen.blocks))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        k = chosen.k_of(lane // (chosen.side * chosen.blocks), place // chosen.bits)
        found = {side: lane % chosen.side, k_axis: k, "bit": place % chosen.bits}
        if chosen.blocks > 1:
            found["block"] = lane // chosen.side % chosen.blocks
        return found

    return LayoutMap.from_function(register, matrix, source)


def result_map(side: int, bits: int = 32, blocks: int = 1) -> LayoutMap:
    """The registers of C and D and the matrix elements that they hold: row, column, bit.

    16x16: row 4*(l/16) + r; 32x32: row 8*(r/4) + 4*(l/32) + r%4; f64 16x16: row 4*r + l/16.
    The column is l mod side. Blocks of 16x16 and 32x32 follow each other in the registers. Those of
    4x4 lie side by side in the lanes, block (l/4)%16 in 4 registers of 32 bits (row r), block
    (l/4)%4 in one pair of registers of f64 (row l/16).
    """
    elements = side * side * blocks // LANES
    register = Space(
        "register", (("lane", LANES), ("register", elements * bits // 32), ("bit", 32))
    )
    matrix = Space("matrix", _in_blocks((("row", side), ("column", side), ("bit", bits)), blocks))
    run = 1 if bits == 64 else 4  # rows that follow each other in the registers of a lane
    beside = blocks if side == 4 else 1  # blocks that lie side by side in the lanes
    per_block = max(elements // blocks, run)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        block = element // per_block + lane // side % beside
        group, held = lane // (side * beside), element % per_block
        row = LANES // (side * beside) * run * (held // run) + run * group + held % run
        found = {"row": row, "column": lane % side, "bit": (32 * register + bit) % bits}
        return {"block": block, **found} if blocks > 1 else found

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
class Shape:
    """The name, shape and element width of a dense or sparse MFMA.

    Attributes:
        name: Mnemonic.
        side: M = N.
        depth: K.
        kinds: Types of the elements of A and of B.
    """

    name: str
    side: int
    depth: int
    kinds: tuple[str, str]

    @property
    def bits(self) -> int:
        """Width of elements of A and B."""
        return BITS[self.kinds[0]]

    @property
    def result(self) -> str:
        """Type of elements of C and D: "f32", "i32" or "f64"."""
        return self.name.split("_")[2]


BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8}
FP8 = tuple(f"{a}_{b}" for a in ("fp8", "bf8") for b in ("fp8", "bf8"))
_RESULTS = {"i8": "i32", "f64": "f64"}


def named(mnemonic: str, size: str, types: str) -> tuple[str, int, int, tuple[str, str]]:
    """Return the fields of `Shape` for "v_mfma" or "v_smfmac", "16x16x32" and "fp8_bf8", say."""
    side, _, depth = (int(part) for part in size.partition("_")[0].split("x"))
    kinds = types.split("_")
    name = f"{mnemonic}_{_RESULTS.get(types, 'f32')}_{size}_{types}"
    return name, side, depth, (kinds[0], kinds[-1])


_NAME = re.compile(r"(v_mfma_\w\d\d_\d+x\d+x\d+)(?:_\d+b)?_(f64|f32|xf32|f16|bf16|i8)$")


@dataclass(frozen=True)
class Form(Shape):
    """One dense MFMA.

    Attributes:
        blocks: Pairs of matrices that it multiplies.
        cores: The one generation that has it by this name (`Target.tensor_cores`); "" for all whose
            lists have it.
    """

    blocks: int = 1
    cores: str = ""

    @property
    def result_bits(self) -> int:
        """Width of elements of C and D."""
        return 64 if self.result == "f64" else 32

    @property
    def operand(self) -> Operand:
        """The layout of A."""
        return operand(self.side, self.depth, self.bits, self.blocks)

    @property
    def spellings(self) -> list[str]:
        """The older names of the same instruction: v_mfma_f32_4x4x4bf16, also with _1k."""
        match = _NAME.match(self.name)
        if match is None:
            return []
        older = match[1] + match[2]
        both = match[2] == "bf16" and self.operand.registers == 2
        return [older, f"{older}_1k"] if both else [older]

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that have it by any name."""
        found = targets_with(self.name, *self.spellings)
        return tuple(each for each in found if self.cores in ("", TARGETS[each].tensor_cores))


_SHAPES = {
    "f32": ("16x16x4", "32x32x2", "4x4x1_16b", "16x16x1_4b", "32x32x1_2b"),
    "xf32": ("16x16x8", "32x32x4"),
    "f64": ("16x16x4", "4x4x4_4b"),
    "i8": ("16x16x64", "32x32x32", "16x16x32", "32x32x16", "4x4x4_16b", "16x16x4_4b", "32x32x4_2b"),
    "f16": ("16x16x32", "32x32x16", "16x16x16", "32x32x8", "4x4x4_16b", "16x16x4_4b", "32x32x4_2b"),
    "fp8": ("16x16x32", "32x32x16"),
}  # fmt: skip


def _form(size: str, types: str) -> Form:
    blocks = size.partition("_")[2].rstrip("b")
    return Form(*named("v_mfma", size, types), int(blocks or 1))


#: Those of CDNA 1 and 2 that later ones have not, with two bf16 or four bytes in a register; later
#: ones call another instruction v_mfma_f32_32x32x4bf16.
_FIRST = tuple(
    Form(f"v_mfma_{name}", side, depth, (kind, kind), blocks, "CDNA 2")
    for name, kind, side, depth, blocks in (
        ("f32_32x32x4bf16", "bf16", 32, 4, 1),
        ("f32_16x16x8bf16", "bf16", 16, 8, 1),
        ("f32_32x32x2bf16", "bf16", 32, 2, 2),
        ("f32_16x16x2bf16", "bf16", 16, 2, 4),
        ("f32_4x4x2bf16", "bf16", 4, 2, 16),
        ("i32_32x32x8i8", "i8", 32, 8, 1),
        ("i32_16x16x16i8", "i8", 16, 16, 1),
    )
)
FORMS = (
    tuple(
        _form(size, types)
        for kind, sizes in _SHAPES.items()
        for types in {"f16": ("f16", "bf16"), "fp8": FP8}.get(kind, (kind,))
        for size in sizes
    )
    + _FIRST
)
# cbsz (A) and blgp (B) of f8f6f4: the format's name and its width.
FORMATS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}
MIXED = (("v_mfma_f32_16x16x128_f8f6f4", 16, 128), ("v_mfma_f32_32x32x64_f8f6f4", 32, 64))


def _cited(name: str) -> str:
    """The ISA document of the newest target that has an instruction."""
    if any(name.startswith(form.name) for form in _FIRST):
        return _ISA_FIRST
    return _ISA_XF32 if "xf32" in name else _ISA


def _operand_variant(name: str, chosen: Operand, letter: str, targets: tuple[str, ...]) -> Variant:
    formula = chosen.formula if letter == "A" else chosen.formula.replace("i =", "j =")
    return Variant(
        name=name,
        targets=targets,
        family="MFMA operand",
        formula=formula,
        citations=(_cited(name),),
        legality=LEGALITY,
        build=lambda: operand_map(chosen, letter),
        gauge=GAUGE,
    )


def _result_variant(
    name: str, side: int, targets: tuple[str, ...], bits: int = 32, blocks: int = 1
) -> Variant:
    rows = {4: "r", 16: "4*(l/16) + r", 32: "8*(r/4) + 4*(l/32) + r%4"}[side]
    if bits == 64:
        rows = "l/16" if side == 4 else "4*r + l/16, r counting pairs of registers"
    if blocks > 1:
        each = side * side // LANES
        rows += f", block (l/4)%{blocks}" if side == 4 else f", r from {each}*block on"
    return Variant(
        name=name,
        targets=targets,
        family="MFMA result",
        formula=f"register r of lane l: row {rows}, column l%{side}",
        citations=(_ISA, _CALCULATOR),
        legality=LEGALITY,
        build=lambda: result_map(side, bits, blocks),
    )


def _scale_variant(name: str, side: int, depth: int, letter: str, byte: int) -> Variant:
    what = "row" if letter == "A" else "column"
    return Variant(
        name=f"{name}:scale_{letter}.byte{byte}",
        targets=targets_with(name),
        family="MFMA scale",
        formula=f"byte {byte} of lane l: scale of {what} l%{side}, k-block l/{side} of 32 k",
        citations=("AMD CDNA4 ISA, v_mfma_scale: scale operands and op_sel",),
        legality=LEGALITY + "; E8M0; op_sel_hi and op_sel choose the byte",
        build=lambda: scale_map(side, depth, letter, byte),
        rest="not read",
    )


def variants() -> list[Variant]:
    """A, B and D of the dense MFMA; each format of f8f6f4 and its scales."""
    found: list[Variant] = []
    for form in FORMS:
        name, targets = form.name, form.targets
        found += [_operand_variant(f"{name}:{x}", form.operand, x, targets) for x in "AB"]
        found.append(
            _result_variant(f"{name}:D", form.side, targets, form.result_bits, form.blocks)
        )
    for name, side, depth in MIXED:
        targets = targets_with(name)
        for kind, bits in FORMATS.items():
            chosen = operand(side, depth, bits)
            found += [_operand_variant(f"{name}:{x}.{kind}", chosen, x, targets) for x in "AB"]
        found.append(_result_variant(f"{name}:D", side, targets))
        scaled = name.replace("v_mfma_f32", "v_mfma_scale_f32")
        for letter in "AB":
            found += [_scale_variant(scaled, side, depth, letter, byte) for byte in range(4)]
    return found
