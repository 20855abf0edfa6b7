"""`tcgen05.mma` and tensor memory: where D, A and the scale factors lie.

Rows m and columns n are those of the whole D; with .cta_group::2 the maps have an axis "cta", the
rank of the CTA in its pair. Columns count from the operand's address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.layout.cells import IntArray
from lanemap.model.tensor_cells import (
    ELEMENTS,
    LANES,
    ROWS,
    SCALES,
    STEP_COLUMNS,
    Element,
    Rows,
    added,
    k_columns,
)
from lanemap.model.variant import Variant
from lanemap.targets import modeled

TARGETS = modeled("tcgen05")


@dataclass(frozen=True)
class Layout:
    """One data path layout of D.

    Attributes:
        form: The instruction up to the shape.
        lies: Where its rows and blocks of columns lie.
        columns: Legal N: first, last and step.
        formula: Where element (m, n) lies.
    """

    form: str
    lies: Rows
    columns: tuple[int, int, int]
    formula: str

    @property
    def letter(self) -> str:
        """As the PTX ISA names it."""
        return self.lies.letter

    @property
    def rows(self) -> int:
        """M."""
        return self.lies.rows

    @property
    def ctas(self) -> int:
        """CTAs that hold D."""
        return self.lies.ctas

    @property
    def fold(self) -> int:
        """Blocks of columns that lie on lanes of their own: D has N / fold columns."""
        return self.lies.fold

    def legal(self) -> list[int]:
        """The legal N; those of .ws are 64, 128 and 256."""
        first, last, step = self.columns
        if ".ws" in self.form:
            return [64, 128, 256]
        return list(range(first, last + 1, step))


_HALF = "lane 32*(m/16) + 16*half + m%16, column n; half is 0 or 1 as the lane of d-tmem is 0 or 16"
LAYOUTS = (
    Layout(
        "tcgen05.mma.cta_group::2",
        ROWS["A"],
        (16, 256, 16),
        "CTA m/128, lane m%128, column n",
    ),
    Layout(
        "tcgen05.mma.cta_group::2",
        ROWS["B"],
        (16, 256, 16),
        "CTA m/64, lane m%64 + 64*(n/(N/2)), column n%(N/2)",
    ),
    Layout(
        "tcgen05.mma.sp.cta_group::2",
        ROWS["C"],
        (16, 256, 16),
        f"CTA m/64, then with m%64 for m: {_HALF}",
    ),
    Layout(
        "tcgen05.mma.cta_group::1",
        ROWS["D"],
        (8, 256, 8),
        "lane m, column n",
    ),
    Layout(
        "tcgen05.mma.ws.cta_group::1",
        ROWS["D"],
        (64, 256, 64),
        "lane m, column n",
    ),
    Layout(
        "tcgen05.mma.ws.cta_group::1",
        ROWS["E"],
        (64, 256, 64),
        "lane m + 64*(n/(N/2)), column n%(N/2)",
    ),
    Layout(
        "tcgen05.mma.cta_group::1",
        ROWS["F"],
        (8, 256, 8),
        _HALF,
    ),
    Layout(
        "tcgen05.mma.ws.cta_group::1",
        ROWS["G"],
        (64, 256, 64),
        "lane m + 32*(n/(N/4)), column n%(N/4)",
    ),
)
LISTED_COLUMNS = (16, 64, 80, 128, 256)
TYPES = {"f32": 32, "s32": 32, "f16": 16}


def tmem_space(ctas: int, columns: int) -> Space:
    """Tensor memory of one CTA or of a pair: (cta,) lane 128, column, bit 32."""
    axes = (("lane", LANES), ("column", columns), ("bit", 32))
    return Space("tmem", (("cta", ctas), *axes) if ctas > 1 else axes)


def _held(lies: Rows) -> tuple[IntArray, IntArray]:
    """The row of a CTA, and the block of columns, that each lane holds; -1 for none."""
    row_of, block_of = np.full((2, LANES), UNDEFINED)
    for block in range(lies.fold):
        for row in range(1 << len(lies.row)):
            lane = added(lies.row, row) + added(lies.block, block)
            row_of[lane], block_of[lane] = row, block
    return row_of, block_of


def _row(lies: Rows, row_of: IntArray, cta: Any, lane: Any) -> Any:
    """The m of a lane; -1 for a lane that holds nothing."""
    row = row_of[lane]
    return np.where(row == UNDEFINED, UNDEFINED, row + (cta << len(lies.row)))


def result_map(layout: Layout, columns: int, bits: int = 32) -> LayoutMap:
    """Where D lies: each bit of tensor memory and the bit of the matrix that it receives.

    Args:
        layout: One of `LAYOUTS`.
        columns: N.
        bits: Width of an element of D: one a column, in its low bits.

    Raises:
        UserError: N is illegal.
    """
    if columns not in layout.legal():
        legal = ", ".join(map(str, layout.legal()))
        raise UserError(f"layout {layout.letter} has no N = {columns}; it has {legal}")
    tmem = tmem_space(layout.ctas, columns // layout.fold)
    matrix = Space("matrix", (("row", layout.rows), ("column", columns), ("bit", bits)))

    row_of, block_of = _held(layout.lies)

    def source(lane: Any, column: Any, bit: Any, cta: Any = 0) -> dict[str, Any]:
        n = column + columns // layout.fold * block_of[lane]
        row = _row(layout.lies, row_of, cta, lane)
        return {"row": row, "column": n, "bit": np.where(bit < bits, bit, UNDEFINED)}

    return LayoutMap.from_function(tmem, matrix, source)


def _a_rows(rows: int, ctas: int, stationary: bool) -> Rows:
    """The layout of D whose lanes A takes."""
    return next(
        layout.lies
        for layout in LAYOUTS
        if (layout.rows, layout.ctas) == (rows, ctas)
        and ".sp" not in layout.form
        and (".ws" in layout.form) == stationary
    )


def a_map(rows: int, ctas: int, element: Element, stationary: bool = False) -> LayoutMap:
    """Where one step of A (32 bytes of K) must lie in tensor memory: matrix row, k, bit.

    Args:
        rows: M.
        ctas: CTAs that hold A.
        element: How an element lies.
        stationary: Whether it is that of .ws.
    """
    depth = STEP_COLUMNS * 32 // element.holder
    tmem = tmem_space(ctas, STEP_COLUMNS)
    matrix = Space("matrix", (("row", rows), ("k", depth), ("bit", element.bits)))
    lies = _a_rows(rows, ctas, stationary)
    row_of, _ = _held(lies)
    k_of = np.full((STEP_COLUMNS, 32), UNDEFINED)
    bit_of = k_of.copy()
    for k in range(depth):
        column, first = (added(each, k) for each in zip(*k_columns(element.holder), strict=True))
        inside = slice(first + element.shift, first + element.shift + element.bits)
        k_of[column, inside], bit_of[column, inside] = k, range(element.bits)

    def source(lane: Any, column: Any, bit: Any, cta: Any = 0) -> dict[str, Any]:
        row = _row(lies, row_of, cta, lane)
        return {"row": row, "k": k_of[column, bit], "bit": bit_of[column, bit]}

    return LayoutMap.from_function(tmem, matrix, source)


def scale_map(rows: int, blocks: int, first_byte: int, folded: bool = False) -> LayoutMap:
    """Where scale factors of one MMA must lie: "scales" row (m or n), block, bit 8.

    Args:
        rows: M or N, a multiple of 8; its columns are rounded up to 128 rows.
        blocks: Scales of a row in one MMA: 1, 2 or 4 for scale_vec 1X, 2X, 4X.
        first_byte: The SF id: the byte of the column where block 0 lies.
        folded: M = 128 of two CTAs, SFB: the first half of n on lanes 0 to 63, the rest above.
    """
    lies, halves = SCALES[folded], 2 if folded else 1
    here = rows // halves
    columns = -(-here // 128) * 4
    tmem = tmem_space(1, columns)
    scales = Space("scales", (("row", rows), ("block", blocks), ("bit", 8)))
    row_of, block_of = np.full((LANES, columns), UNDEFINED), np.full(32, UNDEFINED)
    for block in range(blocks):
        first = added(lies.block, block + first_byte)
        block_of[first : first + 8] = block
    for row in range(here):
        lane, column = (added(each, row) for each in zip(*lies.row, strict=True))
        for half, copy in np.ndindex(halves, 1 << len(lies.copy)):
            row_of[lane + added(lies.half, half) + added(lies.copy, copy), column] = (
                row + here * half
            )

    def source(lane: Any, column: Any, bit: Any) -> dict[str, Any]:
        return {"row": row_of[lane, column], "block": block_of[bit], "bit": bit % 8}

    return LayoutMap.from_function(tmem, scales, source)


def pair_scale_map(letter: str, rows: int, blocks: int, first_byte: int) -> LayoutMap:
    """Where scale factors of a pair with M = 256 must lie, in tensor memory of both CTAs.

    Each CTA multiplies its 128 rows of D: it has the scales of its rows of A, and all those of B.
    So a scale of B lies in both CTAs, and "scales" has an axis "half" for B: the scale is that
    of rows 0 to 127 of D, or of rows 128 to 255.

    Args:
        letter: "A" or "B".
        rows: M or N.
        blocks: Scales of a row in one MMA.
        first_byte: The SF id.
    """
    here = rows // 2 if letter == "A" else rows
    one = scale_map(here, blocks, first_byte)
    _, *axes = one.source.axes
    if letter == "A":
        scales = Space("scales", (("row", rows), *axes))
    else:
        scales = Space("scales", (("half", 2), *one.source.axes))
    both = [np.where(one.table < 0, UNDEFINED, one.table + i * one.source.size) for i in range(2)]
    return LayoutMap(
        Space("tmem", (("cta", 2), *one.destination.axes)), scales, np.concatenate(both)
    )


_PTX = "NVIDIA PTX ISA, tcgen05.mma: {}"
_CUT = "NVIDIA/cutlass at 7107b05, {}"
GAUGE = "one k permutation common to A and B changes no product"


def _result_variant(layout: Layout, columns: int, kind: str) -> Variant:
    bits = TYPES[kind]
    packed = "" if bits == 32 else "; in the low 16 bits of the column"
    return Variant(
        name=f"{layout.form}.m{layout.rows}n{columns}.{kind}:D",
        targets=TARGETS,
        family="tcgen05.mma D",
        formula=f"layout {layout.letter}: {layout.formula}{packed}",
        citations=(
            _PTX.format(f"data path layout {layout.letter}, packing of D"),
            _CUT.format("mma_traits_sm100.hpp, tmem layouts of C"),
        ),
        legality=f"{', '.join(TARGETS)}; N of {_span(layout)}",
        build=lambda: result_map(layout, columns, bits),
        rest="" if bits == 32 and layout.letter not in "CF" else "lanes and halves not used by D",
    )


def _span(layout: Layout) -> str:
    if ".ws" in layout.form:
        return "64, 128, 256"
    first, last, step = layout.columns
    return f"{first} to {last} in steps of {step} (which of them depends on the kind)"


_A_LEGALITY = "16-bit elements are written by a plain .b32 st, not by .unpack::16b"
_M64 = "; sources differ for M = 64: TVM lays A on lanes 0 to 63, the PTX ISA and CUTLASS as D"


_STATIONARY = (
    "deepseek-ai/FlashMLA at 9241ae3, kerutils/device/sm100/gemm.cuh: A of .ws is duplicated"
)


def _a_variant(form: str, rows: int, ctas: int, element: Element) -> Variant:
    stationary = ".ws" in form
    twice = (rows, ctas) == (128, 2) or (rows == 64 and stationary)
    where = "the lane of D's row m" + (", and 64 lanes on" if twice else "")
    held = f", bits {element.shift} to {element.shift + element.bits - 1} of its holder"
    shifted = held if element.bits < element.holder else ""
    targets = modeled("tcgen05.kind::i8") if element.kind == "i8" else TARGETS
    return Variant(
        name=f"{form}.kind::{element.kind}.m{rows}.{element.name}:A",
        targets=targets,
        family="tcgen05.mma A in tensor memory",
        formula=f"row m on {where}; element k in column k*{element.holder}/32, low first{shifted}",
        citations=(
            _PTX.format("packing of A in tensor memory"),
            _CUT.format("mma_traits_sm100.hpp, tmem layouts of A"),
            "gau-nernst/learn-cuda at 1454f8b and tile-ai/tilelang at a35008a: P by plain b32 st",
            *((_STATIONARY,) if stationary else ()),
        ),
        legality=f"{', '.join(targets)}; "
        + _A_LEGALITY
        + (_M64 if rows == 64 and not stationary else ""),
        build=lambda: a_map(rows, ctas, element, stationary),
        gauge=GAUGE,
        rest="" if element.bits == element.holder and (rows > 64 or twice) else "not read",
    )


def _scale_variant(
    form: str, letter: str, rows: int, vector: int, byte: int, folded: bool = False
) -> Variant:
    size = "m" if letter == "A" else "n"
    lanes = (
        "lane r%32 + 32*rep, rep 0..3"
        if not folded
        else ("lane r%32 + 32*rep, rep 0, 1, for r < N/2; the rest 64 lanes on")
    )
    return Variant(
        name=f"{form}.{size}{rows}.scale_vec::{vector}X.id{byte}:SF{letter}",
        targets=TARGETS,
        family="tcgen05.mma scale factors",
        formula=f"scale (r, j): {lanes}, column r/32, byte j + {byte}",
        citations=(
            _PTX.format("block scaling, scale factors in tensor memory"),
            _CUT.format("mma_traits_sm100.hpp, tmem_frg of the scale factors"),
        ),
        legality=f"{', '.join(TARGETS)}; SF id 0 to 3 for 1X, 0 or 2 for 2X, 0 for 4X",
        build=lambda: scale_map(rows, vector, byte, folded),
        rest="" if vector == 4 and rows % 128 == 0 else "not read",
    )


def _pair_scale_variant(letter: str, rows: int, vector: int, byte: int) -> Variant:
    size = "" if letter == "A" else f".n{rows}"
    whose = {"A": "CTA r/128, with r%128 for r", "B": "both CTAs, each for its own rows of D"}
    return Variant(
        name=f"tcgen05.mma.cta_group::2.m256{size}.scale_vec::{vector}X.id{byte}:SF{letter}",
        targets=TARGETS,
        family="tcgen05.mma scale factors",
        formula=f"scale (r, j): {whose[letter]}: lane r%32 + 32*rep, rep 0..3, column r/32, "
        f"byte j + {byte}",
        citations=(
            _PTX.format("block scaling, scale factors in tensor memory"),
            _CUT.format("mma_traits_sm100.hpp, SM100_MMA_MXF4_2x1SM_SS: 4x1 for M = 256"),
            "deepseek-ai/DeepGEMM at 18cd5aa, sm100_fp8_gemm_1d1d.cuh: each CTA of a pair loads "
            "the scales of its own rows of A and of all columns of its tile",
        ),
        legality=f"{', '.join(TARGETS)}; SF id 0 to 3 for 1X, 0 or 2 for 2X, 0 for 4X",
        build=lambda: pair_scale_map(letter, rows, vector, byte),
        rest="" if vector == 4 else "not read",
    )


def variants() -> list[Variant]:
    """D in layouts A to G for some N, A in tensor memory, scale factors."""
    found = [
        _result_variant(layout, columns, kind)
        for layout in LAYOUTS
        for columns in LISTED_COLUMNS
        if columns in layout.legal()
        for kind in TYPES
    ]
    for form, rows, ctas in (
        ("tcgen05.mma.cta_group::1", 64, 1),
        ("tcgen05.mma.cta_group::1", 128, 1),
        ("tcgen05.mma.cta_group::2", 128, 2),
        ("tcgen05.mma.cta_group::2", 256, 2),
        ("tcgen05.mma.ws.cta_group::1", 64, 1),
        ("tcgen05.mma.ws.cta_group::1", 128, 1),
    ):
        plain = rows == 64 or ".ws" in form
        elements = [e for e in ELEMENTS if not plain or e.kind != "mxf4"]
        found += [_a_variant(form, rows, ctas, element) for element in elements]
    one, two = "tcgen05.mma.cta_group::1", "tcgen05.mma.cta_group::2"
    for vector, ids in ((1, (0, 1, 2, 3)), (2, (0, 2)), (4, (0,))):
        for byte in ids:
            found.append(_scale_variant(one, "A", 128, vector, byte))
            found += [_scale_variant(one, "B", n, vector, byte) for n in (64, 128, 256)]
            found.append(_scale_variant(f"{two}.m128", "B", 256, vector, byte, folded=True))
            found.append(_pair_scale_variant("A", 256, vector, byte))
            found += [_pair_scale_variant("B", n, vector, byte) for n in (128, 256)]
    return found


_NAME = re.compile(r"(tcgen05\.mma[\w.:]*)\.m(\d+)n(\d+)\.(f32|s32|f16)(?::D)?")


def resolve(name: str) -> tuple[Variant, ...]:
    """D for an N that `variants` does not list.

    Raises:
        UserError: N is illegal for the layout.
    """
    match = _NAME.fullmatch(name)
    for layout in LAYOUTS:
        if match and match[1] == layout.form and int(match[2]) == layout.rows:
            columns = int(match[3])
            if columns not in layout.legal():
                raise UserError(f"{name}: N = {columns} is illegal; {_span(layout)}")
            return (_result_variant(layout, columns, match[4]),)
    return ()
