"""wgmma: the element of D that each register of a warpgroup holds."""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import Geometry, TagReading
from lanemap.probing.wgmma.fragments import Fragments, bits_of, matrix, registers
from lanemap.probing.wgmma.kernel import ROWS, Form, source
from lanemap.probing.wgmma.launches import name_elements

COLUMNS = (8, 16, 64, 80, 128, 256)
OPERANDS = {"f32": "f16", "f16": "f16", "s32": "u8"}
WIDTHS = {"f32": 32, "f16": 16, "s32": 32}
FORMS = {
    f"wgmma.m64n{n}.{d}:D": Form(n, d, kind, kind) for d, kind in OPERANDS.items() for n in COLUMNS
}
GEOMETRY = {
    name: Geometry(
        registers(form.d_registers), matrix(ROWS, "column", form.n, WIDTHS[form.d]), WIDTHS[form.d]
    )
    for name, form in FORMS.items()
}
ANALYSIS = Fragments(GEOMETRY, dict.fromkeys(FORMS, 0))


@axis("form", tuple(FORMS))
@probe("wgmma", target="sm_90a", source=source(tuple(FORMS.values())), analysis=ANALYSIS)
def wgmma_d(state: State) -> list[TagReading]:
    """Which element of D does each register of each thread hold?"""
    name = str(state["form"])
    form = state.choose("form", FORMS)
    row, column = name_elements(state, form)
    elements = np.where((row >= 0) & (column >= 0), row * form.n + column, -1)
    width = WIDTHS[form.d]
    return [
        TagReading(
            variant=name,
            pattern="rows and columns",
            description="A with the number of the row and B of ones, then A of ones and B with the "
            "number of the column, in k = 0",
            warps=4,
            passes=2,
            received=bits_of(elements, width),
            offered=np.arange(ROWS * form.n * width),
        )
    ]
