"""tcgen05.ld with .pack::16b: do the high halves of the columns affect the result?

Each shape loads three times. The low halves always hold the number of their word. The high halves
hold the same number, its complement, or what an unpacking store has left undefined.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.forms import (
    CTA_THREADS,
    SHAPES,
    Form,
)
from lanemap.probing.tmem.halves import Halves, HalvesReading, asked, images, pairs
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    fill_low,
    kernel,
    listed,
)


def text(form: Form) -> str:
    """The kernel of a shape: CTAs 0 and 1 fill whole words, CTA 2 low halves alone."""
    stores = "".join(
        f"    st.global.b32 [to+{4 * CTA_THREADS * i}], v{i};\n" for i in range(form.registers)
    )
    load = f"""\
    {form.instruction(listed(form.registers), "base")}
    tcgen05.wait::ld.sync.aligned;
"""
    stored = f"""\
    mul.wide.u32 to, pass, {4 * CTA_THREADS * form.registers};
    add.s64 to, to, output;
    mul.wide.u32 far, thread, 4;
    add.s64 to, to, far;
{stores}"""
    body = [
        Piece("    setp.eq.u32 turned, pass, 2;\n    @turned bra low;\n", "pass", "turned"),
        fill("filling"),
        Piece("    bra filled;\nlow:\n"),
        fill_low("unpacking", "pairs"),
        Piece("filled:\n"),
        barrier(),
        Piece(load, "base", "v"),
        Piece(stored, "v pass thread output", "to far"),
    ]
    return kernel(form.entry, ("images", "pairs", "output"), form.registers, body)


FORMS = {shape: asked("ld", shape) for shape in SHAPES}
SOURCE = HEAD + "".join(map(text, FORMS.values()))


@axis("shape", SHAPES)
@probe("tcgen05.ld", target="sm_100a", source=SOURCE, analysis=Halves(loads=True), hazards="report")
def tcgen05_pack(state: State) -> list[HalvesReading]:
    """Do the high halves, which a packing load leaves out, play any part in it?"""
    form, device = state.choose("shape", FORMS), state.device
    output = device.empty((3, form.registers, CTA_THREADS), np.uint32)
    arguments = [device.array(images()), device.array(pairs()), output]
    place = np.uint32(0), np.uint32(0)
    state.entry(form.entry)((3, 1, 1), (CTA_THREADS, 1, 1), [*arguments, *place])
    undefined = output.undefined()
    return [HalvesReading(form, output.get(), undefined)]
