"""Fragments of `mma.sync`: which matrix element each register of each thread of a warp holds.

Let g = lane/4, t = lane%4, and e the number of elements in a 32-bit register. The registers of A
alternate between rows g and g + 8. The first pair holds k from e*t to e*t + e - 1; each next pair
is 4*e further along k. B has column g and the same k. C and D have rows g (and g + 8) and columns
2*t and 2*t + 1.

.kind::f8f6f4 and .kind::mxf8f6f4 hold every element in a byte: those of 6 bits in its low bits,
those of 4 bits in its middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

LANES = 32
TARGETS = modeled()


@dataclass(frozen=True)
class Shape:
    """One dense shape with one width of elements.

    Attributes:
        rows: M, 8 or 16; N is 8.
        depth: K.
        bits: Width of elements of A and B.
        types: Types of that width.
        results: Types of C and D.
        padding: Of `bits`, how many lie below and above the element and belong to nothing.
        needs: The feature that a target must have (lanemap.targets.FEATURES); "" for none.
    """

    rows: int
    depth: int
    bits: int
    types: tuple[str, ...]
    results: tuple[str, ...]
    padding: tuple[int, int] = (0, 0)
    needs: str = ""

    @property
    def width(self) -> int:
        """Bits of an element without its padding."""
        return self.bits - sum(self.padding)

    @property
    def name(self) -> str:
        """As the instruction spells it."""
        return f"m{self.rows}n8k{self.depth}"


_INT8, _INT4 = ("s8", "u8"), ("s4", "u4")
_FP8 = ("e4m3", "e5m2")
NARROW = "block-scaled mma.sync"
_AMPERE, _HOPPER = "matrices of sm_80", "f64 matrices of sm_90"
SHAPES = (
    Shape(8, 4, 64, ("f64",), ("f64",), needs=_AMPERE),
    Shape(16, 4, 64, ("f64",), ("f64",), needs=_HOPPER),
    Shape(16, 8, 64, ("f64",), ("f64",), needs=_HOPPER),
    Shape(16, 16, 64, ("f64",), ("f64",), needs=_HOPPER),
    Shape(16, 4, 32, ("tf32",), ("f32",), needs=_AMPERE),
    Shape(16, 8, 32, ("tf32",), ("f32",), needs=_AMPERE),
    Shape(16, 8, 16, ("f16",), ("f16", "f32")),
    Shape(16, 8, 16, ("bf16",), ("f32",), needs=_AMPERE),
    Shape(16, 16, 16, ("f16", "bf16"), ("f16", "f32"), needs=_AMPERE),
    Shape(8, 16, 8, _INT8, ("s32",)),
    Shape(16, 16, 8, _INT8, ("s32",), needs=_AMPERE),
    Shape(16, 16, 8, _FP8, ("f16", "f32"), needs="FP8"),
    Shape(16, 32, 8, _INT8, ("s32",), needs=_AMPERE),
    Shape(16, 32, 8, _FP8, ("f16", "f32"), needs="FP8"),
    Shape(8, 32, 4, _INT4, ("s32",)),
    Shape(16, 32, 4, _INT4, ("s32",), needs=_AMPERE),
    Shape(16, 64, 4, _INT4, ("s32",), needs=_AMPERE),
    Shape(8, 128, 1, ("b1",), ("s32",)),
    Shape(16, 128, 1, ("b1",), ("s32",), needs=_AMPERE),
    Shape(16, 256, 1, ("b1",), ("s32",), needs=_AMPERE),
    Shape(16, 32, 8, ("e3m2", "e2m3"), ("f16", "f32"), (0, 2), NARROW),
    Shape(16, 32, 8, ("e2m1",), ("f16", "f32"), (2, 2), NARROW),
    Shape(16, 64, 4, ("e2m1",), ("f32",), needs=NARROW),
)
RESULT_BITS = {"f64": 64, "f32": 32, "s32": 32, "f16": 16}


def shape_of(name: str, kind: str) -> Shape | None:
    """The shape of that name with elements of a type; None if there is none."""
    return next((each for each in SHAPES if each.name == name and kind in each.types), None)


def _fragment_space(elements: int, bits: int) -> Space:
    return Space("register", (("lane", LANES), ("register", elements * bits // 32), ("bit", 32)))


def _inside(shape: Shape, position: Any) -> Any:
    """The bit of its element that a bit of the registers is; UNDEFINED for padding."""
    inside = position % shape.bits - shape.padding[0]
    return np.where((inside >= 0) & (inside < shape.width), inside, UNDEFINED)


def a_map(shape: Shape) -> LayoutMap:
    """Registers of A and the elements that they hold: matrix row, k, bit."""
    matrix = Space("matrix", (("row", shape.rows), ("k", shape.depth), ("bit", shape.width)))
    unit = max(1, 32 // shape.bits)
    halves = shape.rows // 8

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // shape.bits
        group = element // unit
        k = unit * (lane % 4) + element % unit + 4 * unit * (group // halves)
        row = lane // 4 + 8 * (group % halves)
        return {"row": row, "k": k, "bit": _inside(shape, 32 * register + bit)}

    return LayoutMap.from_function(
        _fragment_space(shape.rows * shape.depth // LANES, shape.bits), matrix, source
    )


def b_map(shape: Shape) -> LayoutMap:
    """Registers of B and the elements that they hold: matrix k, column, bit."""
    matrix = Space("matrix", (("k", shape.depth), ("column", 8), ("bit", shape.width)))
    unit = max(1, 32 // shape.bits)

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // shape.bits
        k = unit * (lane % 4) + element % unit + 4 * unit * (element // unit)
        return {"k": k, "column": lane // 4, "bit": _inside(shape, 32 * register + bit)}

    return LayoutMap.from_function(
        _fragment_space(8 * shape.depth // LANES, shape.bits), matrix, source
    )


def d_map(rows: int, bits: int) -> LayoutMap:
    """Registers of C or D and the elements that they hold: matrix row, column, bit."""
    matrix = Space("matrix", (("row", rows), ("column", 8), ("bit", bits)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        return {
            "row": lane // 4 + 8 * (element // 2),
            "column": 2 * (lane % 4) + element % 2,
            "bit": (32 * register + bit) % bits,
        }

    return LayoutMap.from_function(_fragment_space(rows * 8 // LANES, bits), matrix, source)


def quad_map(operand: str, major: str = "", bits: int = 16) -> LayoutMap:
    """`mma.m8n8k4` with f16: four products at once, each by 8 threads (4 low, 4 high lanes).

    Args:
        operand: "A", "B" or "D".
        major: "row" or "col", of A and B.
        bits: 16 or 32, of D.

    Returns:
        "register"; "matrix": product 4, then row, k, bit (A), k, column, bit (B), row, column, bit.
    """
    elements = 8 if operand == "D" else 4
    axes = {"A": ("row", "k"), "B": ("k", "column"), "D": ("row", "column")}[operand]
    sizes = {"row": 8, "k": 4, "column": 8}
    matrix = Space(
        "matrix", (("product", 4), *((axis, sizes[axis]) for axis in axes), ("bit", bits))
    )

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        i = (32 * register + bit) // bits
        along, high = lane % 4, 4 * (lane // 16)
        held: dict[str, Any] = {"product": lane // 4 % 4, "bit": (32 * register + bit) % bits}
        if operand == "D" and bits == 32:
            row = lane % 2 + (i & 2) + high
            return held | {"row": row, "column": (i & 4) + (lane & 2) + (i & 1)}
        if operand == "D":
            return held | {"row": along + high, "column": i}
        outer = "row" if operand == "A" else "column"
        contiguous = (operand, major) in (("A", "row"), ("B", "col"))
        return held | (
            {outer: along + high, "k": i} if contiguous else {outer: i + high, "k": along}
        )

    return LayoutMap.from_function(_fragment_space(elements, bits), matrix, source)


GAUGE = "one k permutation common to A and B changes no product"
_ISA = "NVIDIA PTX ISA, matrix fragments for mma.{}"


def _variant(
    name: str,
    formula: str,
    build: Any,
    shape: str,
    gauge: str = GAUGE,
    needs: str = "",
    rest: str = "",
) -> Variant:
    targets = modeled(needs) if needs else TARGETS
    return Variant(
        name=name,
        targets=targets,
        family="mma.sync fragment",
        formula=formula,
        citations=(_ISA.format(shape),),
        legality=f"{', '.join(targets)}; .sync.aligned: all threads of the warp, converged",
        build=build,
        gauge=gauge,
        rest=rest,
    )


def _of(shape: Shape) -> Iterator[Variant]:
    unit = max(1, 32 // shape.bits)
    halves = shape.rows // 8
    k = f"{unit}*(l%4) + i%{unit}" if unit > 1 else "l%4"
    step = f"{4 * unit}*(i/{unit * halves})"
    row = f"l/4 + 8*((i/{unit})%2)" if halves == 2 else "l/4"
    for kind in shape.types:
        prefix = f"mma.sync.{shape.name}.{kind}"
        a = f"element i of lane l: row {row}, k {k} + {step}"
        b = f"element i of lane l: k {k} + {4 * unit}*(i/{unit}), column l/4"
        held, rest = "", ""
        if shape.padding != (0, 0):
            last = shape.padding[0] + shape.width - 1
            held, rest = f"; in bits {shape.padding[0]} to {last} of a byte", "padding, not read"
        for operand, formula, build in (("A", a, a_map), ("B", b, b_map)):
            yield _variant(
                f"{prefix}:{operand}",
                formula + held,
                partial(build, shape),
                shape.name,
                needs=shape.needs,
                rest=rest,
            )
    for kind in shape.results:
        row = "l/4 + 8*(i/2)" if halves == 2 else "l/4"
        formula = f"element i of lane l: row {row}, column 2*(l%4) + i%2"
        yield _variant(
            f"mma.sync.{shape.name}.{kind}:D",
            formula,
            partial(d_map, shape.rows, RESULT_BITS[kind]),
            shape.name,
            gauge="",
            needs=shape.needs,
        )


def _quads() -> Iterator[Variant]:
    where = "product (l/4)%4; h = 4*(l/16); element i: "
    forms = (
        ("row.f16:A", "row l%4 + h, k i", lambda: quad_map("A", "row"), GAUGE),
        ("col.f16:A", "row i + h, k l%4", lambda: quad_map("A", "col"), GAUGE),
        ("col.f16:B", "k i, column l%4 + h", lambda: quad_map("B", "col"), GAUGE),
        ("row.f16:B", "k l%4, column i + h", lambda: quad_map("B", "row"), GAUGE),
        ("f16:D", "row l%4 + h, column i", lambda: quad_map("D"), ""),
        (
            "f32:D",
            "row l%2 + (i&2) + h, column (i&4) + (l&2) + (i&1)",
            lambda: quad_map("D", bits=32),
            "",
        ),
    )
    for name, formula, build, gauge in forms:
        yield _variant(f"mma.sync.m8n8k4.{name}", where + formula, build, "m8n8k4 with f16", gauge)


def variants() -> list[Variant]:
    """A, B and D of every dense shape."""
    found: dict[str, Variant] = {}
    for each in (*(each for shape in SHAPES for each in _of(shape)), *_quads()):
        # Widths that share a shape share its D, which every target has that has one of them.
        other = found.setdefault(each.name, each)
        if len(other.targets) < len(each.targets):
            found[each.name] = each
    return list(found.values())
