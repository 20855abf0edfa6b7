"""tcgen05.st with .unpack::16b: what happens to the high halves of the columns that it writes?

Each shape stores the same registers three times: over words whose halves are alike, over words
whose halves are complements, and over columns that nothing has written. Then memory is read.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
    SHAPES,
    Form,
)
from lanemap.probing.tmem.halves import Halves, HalvesReading, asked, images, registers
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    kernel,
    listed,
    read_back,
)


def text(form: Form) -> str:
    """The kernel of a shape: CTAs 0 and 1 fill tensor memory, CTA 2 leaves it as allocated."""
    loads = "".join(
        f"    ld.global.b32 v{i}, [from+{4 * CTA_THREADS * i}];\n" for i in range(form.registers)
    )
    given = f"""\
    mul.wide.u32 far, thread, 4;
    add.s64 from, registers, far;
{loads}"""
    store = f"""\
    {form.instruction(listed(form.registers), "base")}
    tcgen05.wait::st.sync.aligned;
"""
    body = [
        Piece("    setp.eq.u32 turned, pass, 2;\n    @turned bra filled;\n", "pass", "turned"),
        fill("filling"),
        Piece("filled:\n"),
        barrier(),
        Piece(given, "thread registers", "far from v"),
        Piece(store, "v base"),
        barrier(),
        read_back("reading"),
    ]
    return kernel(form.entry, ("images", "registers", "output"), form.registers, body)


FORMS = {shape: asked("st", shape) for shape in SHAPES}
SOURCE = HEAD + "".join(map(text, FORMS.values()))


@axis("shape", SHAPES)
@probe(
    "tcgen05.st", target="sm_100a", source=SOURCE, analysis=Halves(loads=False), hazards="report"
)
def tcgen05_unpack(state: State) -> list[HalvesReading]:
    """What becomes of the high halves of the columns that an unpacking store writes?"""
    form, device = state.choose("shape", FORMS), state.device
    output = device.empty((3, COLUMNS, LANES), np.uint32)
    arguments = [device.array(images()), device.array(registers(form)), output]
    place = np.uint32(0), np.uint32(0)
    state.entry(form.entry)((3, 1, 1), (CTA_THREADS, 1, 1), [*arguments, *place])
    undefined = output.undefined()
    return [HalvesReading(form, output.get(), undefined)]
