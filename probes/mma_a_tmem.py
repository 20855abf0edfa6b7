"""tcgen05.mma with A in tensor memory: which bit of it is which element, for every width."""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tensor_core.fragments import Fragments, Naming, tensor_memory
from lanemap.probing.tensor_core.kernel import HOLDERS, Form, Shape, source
from lanemap.probing.tensor_core.tensor_a import (
    STEP_COLUMNS,
    columns_of,
    read_a,
    replaced,
)
from lanemap.probing.tmem.forms import WARPS
from lanemap.probing.warp.tagged import Geometry, TagReading
from lanemap.probing.wgmma.elements import WIDTHS
from lanemap.probing.wgmma.fragments import matrix

#: Kind, type of A, type of B.
ELEMENTS = (
    ("f16", "f16", "f16"), ("f16", "bf16", "bf16"), ("tf32", "tf32", "tf32"), ("i8", "s8", "u8"),
    ("i8", "u8", "u8"), *(("f8f6f4", a, "e4m3") for a in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")),
    ("mxf4", "e2m1", "e2m1"),
)  # fmt: skip
#: .ws, CTAs, M.
FORMS = ((False, 1, 64), (False, 1, 128), (False, 2, 128), (False, 2, 256), (True, 1, 64),
         (True, 1, 128))  # fmt: skip


def is_asked(ws: bool, ctas: int, rows: int, kind: str, a: str) -> bool:
    """Whether a type is asked of: mxf4 has neither .ws nor M = 64; one form has all of 6 bits."""
    if kind == "mxf4":
        return not ws and rows > 64
    return (a != "e3m2" or (ws, ctas, rows) == (False, 1, 128)) and (a != "e2m3" or not ws)


def shapes() -> dict[str, Shape]:
    """Every shape that is asked of, by its variant."""
    found = {}
    for ws, ctas, rows in FORMS:
        for kind, a, b in ELEMENTS:
            if not is_asked(ws, ctas, rows, kind, a):
                continue
            form = Form(kind, ctas, ws, True, 2 if kind == "mxf4" else 0)
            name = f"{form.opcode.partition('.block')[0]}.m{rows}.{a}:A"
            d = "s32" if kind == "i8" else "f32"
            found[name] = Shape(form, rows, columns_of(kind), a, b, d)
    return found


SHAPES = shapes()
SOURCE = source(form for shape in SHAPES.values() for form in (shape.form, replaced(shape).form))
GEOMETRY = {
    name: Geometry(
        tensor_memory(shape.form.ctas, STEP_COLUMNS),
        matrix(shape.rows, "k", shape.depth, WIDTHS[shape.a]),
        HOLDERS[shape.form.kind],
    )
    for name, shape in SHAPES.items()
}
NAMED = {
    name: Naming(shape.depth, shape.depth // shape.form.vector if shape.form.vector else None)
    for name, shape in SHAPES.items()
}


@axis("form", tuple(SHAPES))
@probe("tcgen05.mma", target="sm_100a", source=SOURCE, analysis=Fragments(GEOMETRY, NAMED))
def mma_a_tmem(state: State) -> list[TagReading]:
    """Which element of A is each bit of tensor memory?"""
    name, shape = str(state["form"]), state.choose("form", SHAPES)
    received, products = read_a(state, shape)
    return [
        TagReading(
            variant=name,
            pattern="tagged columns",
            description="A with a number in each place of its columns, B two identities; of "
            "elements narrower than their places, also A with one bit of each place cleared",
            warps=WARPS * shape.form.ctas,
            passes=products,
            received=received,
            offered=np.arange(shape.rows * shape.depth * WIDTHS[shape.a]),
        )
    ]
