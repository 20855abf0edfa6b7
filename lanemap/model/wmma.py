"""Fragments of wmma: which matrix element each register of each thread of a warp holds.

The PTX ISA leaves these open. ptxas builds wmma from HMMA, IMMA, BMMA and DMMA with M = 16 (or 8)
and N = 8, so its fragments are those of `mma.sync`, side by side. With m8n32k16 it computes the
transposed product: B takes the place of A. A register holds e consecutive k; lane l holds lines
(rows of A, columns of B) from l/4 on and k from e*(l%4) on.

* The operand in the place of A (A itself, or B of m8n32k16): words go to line + 8, then to
  k + 4*e, then to line + 16.
* The other: words go to k + 4*e, then to line + 8.
* C and D: rows from l/4 on, columns from 2*(l%4) on; elements go along columns, then to row + 8,
  then to column + 8 (m16n16) or row + 16 (m32n8). For m8n32k16 rows and columns change places.

A and B of f16 have 8 registers whatever their size: copies of the words follow each other, and
wmma.mma reads the first copy. An H200 shows this for sm_90a; for sm_100a and sm_103a ptxas makes
the same loads, stores and products of every form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lanemap.layout import LayoutMap, Space
from lanemap.model.mma_sync import LANES
from lanemap.model.variant import Variant
from lanemap.targets import modeled

_BITS = {
    "f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
RESULT_BITS = {"f64": 64, "f32": 32, "s32": 32, "f16": 16}
F16_WORDS = 8


@dataclass(frozen=True)
class Shape:
    """One shape with the types that it has.

    Attributes:
        rows: M.
        columns: N.
        depth: K.
        types: Types of A and B.
        results: Types of C and D.
    """

    rows: int
    columns: int
    depth: int
    types: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def name(self) -> str:
        """As the instruction spells it."""
        return f"m{self.rows}n{self.columns}k{self.depth}"

    @property
    def swapped(self) -> bool:
        """Whether the transposed product is computed."""
        return self.rows < self.columns


_LARGE = (("f16", "bf16", "s8", "u8"), ("f16", "f32", "s32"))
SHAPES = (
    Shape(16, 16, 16, *_LARGE),
    Shape(8, 32, 16, *_LARGE),
    Shape(32, 8, 16, *_LARGE),
    Shape(16, 16, 8, ("tf32",), ("f32",)),
    Shape(8, 8, 4, ("f64",), ("f64",)),
    Shape(8, 8, 32, ("s4", "u4"), ("s32",)),
    Shape(8, 8, 128, ("b1",), ("s32",)),
)


def words_of(shape: Shape, operand: str, kind: str) -> int:
    """Registers of 32 bits of one lane that hold A or B."""
    lines = shape.rows if operand == "A" else shape.columns
    return F16_WORDS if kind == "f16" else lines * shape.depth * _BITS[kind] // (32 * LANES)


def operand_map(shape: Shape, operand: str, kind: str) -> LayoutMap:
    """Registers of A or B and the elements that they hold.

    Args:
        shape: The instruction's.
        operand: "A" or "B".
        kind: Type of the elements.

    Returns:
        A: matrix row, k, bit. B: matrix k, column, bit.
    """
    bits = _BITS[kind]
    lines = shape.rows if operand == "A" else shape.columns
    unit, wide = max(1, 32 // bits), max(1, bits // 32)
    groups = shape.depth // (4 * unit)
    tall = (operand == "A") != shape.swapped
    along = "row" if operand == "A" else "column"
    sizes = {along: lines, "k": shape.depth, "bit": bits}
    order = ("row", "k", "bit") if operand == "A" else ("k", "column", "bit")
    register = Space(
        "register", (("lane", LANES), ("register", words_of(shape, operand, kind)), ("bit", 32))
    )
    copy = lines * shape.depth * bits // (32 * LANES)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        word = register % copy // wide
        halves = min(2, lines // 8) if tall else 1
        half, group, block = word % halves, word // halves % groups, word // (halves * groups)
        line = lane // 4 + 8 * half + (8 * halves) * block
        place = 32 * (register % wide) + bit
        k = unit * (lane % 4) + 4 * unit * group + (bit // bits if bits < 32 else 0)
        return {along: line, "k": k, "bit": place % bits}

    return LayoutMap.from_function(
        register, Space("matrix", tuple((axis, sizes[axis]) for axis in order)), source
    )


def result_map(shape: Shape, kind: str) -> LayoutMap:
    """Registers of C or D and the elements that they hold: matrix row, column, bit."""
    bits = RESULT_BITS[kind]
    words = shape.rows * shape.columns * bits // (32 * LANES)
    register = Space("register", (("lane", LANES), ("register", words), ("bit", 32)))
    matrix = Space("matrix", (("row", shape.rows), ("column", shape.columns), ("bit", bits)))
    height = max(shape.rows, shape.columns) if shape.swapped else shape.rows

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        pair = element // 2
        halves = min(2, height // 8)
        across = 8 * (pair // halves) if height == 16 else 0
        down = 8 * (pair % halves) if height == 16 else 8 * pair
        row, column = lane // 4 + down, 2 * (lane % 4) + element % 2 + across
        if shape.swapped:
            row, column = column, row
        return {"row": row, "column": column, "bit": (32 * register + bit) % bits}

    return LayoutMap.from_function(register, matrix, source)


#: On Turing, ptxas divides k between two machine instructions.
_TARGETS = modeled("matrices of sm_80")
GAUGE = "one k permutation common to A and B changes no product"


def _variant(name: str, formula: str, build: Any, gauge: str) -> Variant:
    return Variant(
        name=name,
        targets=_TARGETS,
        family="wmma fragment",
        formula=formula,
        citations=(
            "observed on an NVIDIA H200 (results/sm_90a/cuda/wmma_fragments.json)",
            "NVIDIA ptxas 13.0.88: the SASS of wmma for sm_90a, sm_100a and sm_103a; of m16n16k16 "
            "with f16 for sm_80, sm_89, sm_110 and sm_120, too",
        ),
        legality=(
            f"{', '.join(_TARGETS)} as ptxas 13.0 compiles them; the PTX ISA leaves the fragment "
            "open, so no program may rely on it"
        ),
        build=build,
        gauge=gauge,
    )


def _of(shape: Shape) -> Iterator[Variant]:
    for kind in shape.types:
        for operand in "AB":
            tall = (operand == "A") != shape.swapped
            order = "line + 8, k + 4*e, line + 16" if tall else "k + 4*e, line + 8"

            def build(operand: str = operand, kind: str = kind) -> LayoutMap:
                return operand_map(shape, operand, kind)

            yield _variant(
                f"wmma.{shape.name}.{kind}:{operand}",
                f"word w of lane l: line l/4, k e*(l%4); words in the order {order}",
                build,
                GAUGE,
            )
    for kind in shape.results:

        def build_result(kind: str = kind) -> LayoutMap:
            return result_map(shape, kind)

        rows, columns = ("column", "row") if shape.swapped else ("row", "column")
        yield _variant(
            f"wmma.{shape.name}.{kind}:D",
            f"element i of lane l: {rows} l/4, {columns} 2*(l%4) + i%2, pairs 8 further",
            build_result,
            "",
        )


def variants() -> list[Variant]:
    """A, B and D of every shape."""
    return [each for shape in SHAPES for each in _of(shape)]
