"""The planner's grid: copies of every data path layout, type and shape, for tests and timing.

* load: a D layout A to G, its N and type, and the fragment that each shape yields of it;
* store: an A operand, its type, and the fragment that each shape stores it from;
* chain: an f32 accumulator into the A operand of the next MMA, through a conversion;
* scales: scale factors from a fragment of one row to a thread.

Placements and instruction forms are the model's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from lanemap.layout import LayoutMap
from lanemap.layout.planner import NoPlan, Plan, infer_fragment, plan_copy, repeat_along
from lanemap.model import Variant, variants
from lanemap.model.tcgen05_mma import LAYOUTS, a_map, result_map, scale_map
from lanemap.model.tensor_cells import ELEMENTS, Element

COLUMNS = (64, 80, 96, 128)
SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
# Rows, CTAs and the letter of the D layout whose lanes A has.
A_FORMS = ((64, 1, "F"), (128, 1, "D"), (128, 2, "B"), (256, 2, "A"))
A_TYPES = ("bf16", "tf32", "s8", "e4m3", "e2m3", "e2m1")


@dataclass(frozen=True)
class Case:
    """One copy of the grid.

    Attributes:
        name: Kind, layout, type and shape.
        plan: Makes the plan.
        possible: Whether there is a plan at all.
    """

    name: str
    plan: Callable[[], Plan | NoPlan]
    possible: bool = True


def movers() -> list[Variant]:
    """The loads and stores of the model."""
    return [v for v in variants("sm_100a") if v.family in ("tcgen05.ld", "tcgen05.st")]


def cases() -> Iterator[Case]:
    """Every case of the grid."""
    table = movers()
    yield from loads(table)
    yield from stores(table)
    yield from chains(table)
    yield from scales(table)


def loads(table: list[Variant]) -> Iterator[Case]:
    """Each D layout through each shape; f16 also through packing loads."""
    for layout in LAYOUTS:
        for columns in (n for n in COLUMNS if n in layout.legal()):
            for bits in (32, 16):
                source = _once(result_map, layout, columns, bits)
                for shape in SHAPES if bits == 32 else [f"{s}.pack::16b" for s in SHAPES]:
                    form = f"{layout.letter} {layout.form} m{layout.rows} n{columns}"
                    yield Case(f"load {form} {bits}-bit {shape}", _load(source, shape, table))


def stores(table: list[Variant]) -> Iterator[Case]:
    """Each A operand from the fragment of each shape."""
    for rows, ctas, _ in A_FORMS:
        for element in _elements(rows):
            operand = _once(a_operand, rows, ctas, element, 8)
            for shape in SHAPES:
                name = f"store A m{rows} of {ctas} {element.kind} {element.name} {shape}"
                yield Case(name, _store(operand, shape, table))


def chains(table: list[Variant]) -> Iterator[Case]:
    """Accumulators into A operands of the same lanes.

    Layout B has the upper half of N on other lanes than A wants them on: there is no plan.
    """
    for rows, ctas, letter in A_FORMS:
        layout = next(each for each in LAYOUTS if each.letter == letter)
        for element in _elements(rows):
            for columns in (64, 128):
                steps = columns * element.holder // 256
                name = f"chain {letter} n{columns} to {element.kind} {element.name}"
                source = _once(result_map, layout, columns, 32)
                operand = _once(a_operand, rows, ctas, element, steps)
                yield Case(name, _copy(source, operand, table), letter != "B")


def scales(table: list[Variant]) -> Iterator[Case]:
    """Scale factors, four times replicated, from a row to a thread."""
    for rows in (128, 256):
        for blocks, byte in ((1, 0), (1, 3), (2, 2), (4, 0)):
            placed = _once(scale_map, rows, blocks, byte)
            yield Case(f"scales {rows} rows {blocks}X id {byte}", _store(placed, "32x32b", table))


def a_operand(rows: int, ctas: int, element: Element, steps: int) -> LayoutMap:
    """A of so many K steps of 32 bytes in tensor memory."""
    return repeat_along(a_map(rows, ctas, element), steps, "k")


def _elements(rows: int) -> list[Element]:
    kinds = [e for e in ELEMENTS if e.name in A_TYPES and (e.kind != "mxf4" or rows > 64)]
    return kinds


def _once(make: Callable[..., LayoutMap], *arguments: object) -> Callable[[], LayoutMap]:
    """A placement that is made at its first use, and then kept."""
    return cache(lambda: make(*arguments))


def _load(
    source: Callable[[], LayoutMap], shape: str, table: list[Variant]
) -> Callable[[], Plan | NoPlan]:
    return lambda: infer_fragment(source(), shape, variants=table)


def _store(
    operand: Callable[[], LayoutMap], shape: str, table: list[Variant]
) -> Callable[[], Plan | NoPlan]:
    def plan() -> Plan | NoPlan:
        fragment = infer_fragment(operand(), shape, variants=table).destination.layout
        return plan_copy(fragment, operand(), variants=table)

    return plan


def _copy(
    source: Callable[[], LayoutMap],
    destination: Callable[[], LayoutMap],
    table: list[Variant],
) -> Callable[[], Plan | NoPlan]:
    return lambda: plan_copy(source(), destination(), variants=table)
