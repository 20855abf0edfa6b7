"""tcgen05.mma: the element of D that each lane and column of tensor memory holds."""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tensor_core.fragments import (
    Fragments,
    Naming,
    received,
    tensor_memory,
)
from lanemap.probing.tensor_core.kernel import Form, Shape, source
from lanemap.probing.tensor_core.launches import name_elements
from lanemap.probing.tmem.forms import WARPS
from lanemap.probing.warp.tagged import Geometry, TagReading
from lanemap.probing.wgmma.fragments import matrix

#: Columns behind those of D that a product must leave alone: as many as the next larger N takes.
BEHIND = 32
WIDTHS = {"f32": 32, "f16": 16, "s32": 32}
#: .ws, CTAs, M, and N of the data path layouts of the PTX ISA: A, B; D, F; D, E, G. Layout C is
#: that of a sparse A alone, which the emulator does not execute.
LAYOUTS = (
    (False, 2, 256, (16, 80, 256)),
    (False, 2, 128, (16, 80, 256)),
    (False, 1, 128, (8, 80, 256)),
    (False, 1, 64, (8, 80, 256)),
    (True, 1, 128, (64, 128, 256)),
    (True, 1, 64, (64, 128, 256)),
    (True, 1, 32, (64, 128, 256)),
)


def columns_of(d: str, ws: bool, ctas: int, every: tuple[int, ...]) -> tuple[int, ...]:
    """The N that are asked of: integers of a pair have multiples of 32, f16 has small ones."""
    if d == "s32" and ctas == 2:
        return tuple({16: 32, 80: 96}.get(n, n) for n in every)
    return every if d != "f16" or ws else (every[0], 4 * every[0])


def shapes() -> dict[str, Shape]:
    """Every shape that is asked of, by its variant."""
    found = {}
    for ws, ctas, rows, every in LAYOUTS:
        for d in WIDTHS:
            kind, operand = ("i8", "u8") if d == "s32" else ("f16", "f16")
            form = Form(kind, ctas, ws)
            for columns in columns_of(d, ws, ctas, every):
                name = f"{form.opcode.partition('.kind')[0]}.m{rows}n{columns}.{d}:D"
                found[name] = Shape(form, rows, columns, operand, operand, d)
    return found


SHAPES = shapes()
GEOMETRY = {
    name: Geometry(
        tensor_memory(shape.form.ctas, shape.d_columns),
        matrix(shape.rows, "column", shape.columns, WIDTHS[shape.d]),
        32,
    )
    for name, shape in SHAPES.items()
}
ANALYSIS = Fragments(GEOMETRY, dict.fromkeys(SHAPES, Naming()))


@axis("form", tuple(SHAPES))
@probe(
    "tcgen05.mma",
    target="sm_100a",
    source=source(shape.form for shape in SHAPES.values()),
    analysis=ANALYSIS,
    hazards="report",
)
def mma_d(state: State) -> list[TagReading]:
    """Which element of D does each lane and column of tensor memory hold?"""
    name, shape = str(state["form"]), state.choose("form", SHAPES)
    named, width = name_elements(state, shape, BEHIND), WIDTHS[shape.d]
    found = (named.row >= 0) & (named.column >= 0)
    elements = np.where(found, named.row * shape.columns + named.column, -1)
    offered = np.arange(shape.rows * shape.columns * width)
    return [
        TagReading(
            variant=name,
            pattern="rows and columns",
            description="A with the number of the row and B of ones, then A of ones and B with the "
            "number of the column, in k = 0",
            warps=WARPS * shape.form.ctas,
            passes=2,
            received=received(elements, width, named.shown.bits(offered.size)),
            offered=offered,
            before=np.full(elements.size * 32, offered.size),
            changed_elsewhere=named.shown.changed_elsewhere,
        )
    ]
