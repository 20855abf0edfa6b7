"""tcgen05.ld: every legal form, from each of the four warps, at several addresses.

Tensor memory is filled by the reference store, `tcgen05.st.32x32b.x1` at every column; then the
form in question loads. The certificates say what this cannot show: the lanes of a quadrant have
no names except those that instructions give them.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.forms import (
    BASES,
    CTA_THREADS,
    SHAPES,
    WARPS,
    Batch,
    batches,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    kernel,
    listed,
    target,
)
from lanemap.probing.tmem.moves import MoveReading, Moves, load_images


def text(batch: Batch) -> str:
    """The kernel that asks of a batch; output is words [pass][warp][register of all][lane]."""
    place = f"""\
    mad.lo.u32 address, pass, {WARPS}, warp;
    mul.wide.u32 to, address, {128 * batch.registers};
    add.s64 to, to, output;
    mul.wide.u32 far, lane, 4;
    add.s64 to, to, far;
"""
    body = [fill("filling"), barrier(), Piece(place, "pass warp lane output", "address to far")]
    for form, column in batch.placed:
        count = form.registers
        load = f"""\
    {form.instruction(listed(count), "target")}
    tcgen05.wait::ld.sync.aligned;
"""
        stores = "".join(f"    st.global.b32 [to+{128 * i}], v{i};\n" for i in range(count))
        stores += f"    add.s64 to, to, {128 * count};\n"
        body += [target(form, column), Piece(load, "target", "v"), Piece(stores, "v to", "to")]
    most = max(form.registers for form, _ in batch.placed)
    return kernel(batch.name, ("images", "output"), most, body)


BATCHES = {shape: batches("ld", shape) for shape in SHAPES}
SOURCE = HEAD + "".join(text(batch) for found in BATCHES.values() for batch in found)


@axis("shape", SHAPES)
@axis("base", tuple(BASES))
@probe("tcgen05.ld", target="sm_100a", source=SOURCE, analysis=Moves(loads=True))
def tcgen05_ld(state: State) -> list[MoveReading]:
    """Which bit of tensor memory arrives in each register bit, for every legal form?"""
    base, device = state.choose("base", BASES), state.device
    given = device.array(load_images())
    passes = len(load_images())
    readings = []
    for batch in state.choose("shape", BATCHES):
        if not base.fits(batch):
            continue
        output = device.zeros((passes, WARPS, batch.registers, 32), np.uint32)
        place = np.uint32(base.lane << 16), np.uint32(base.turned)
        state.entry(batch.name)((passes, 1, 1), (CTA_THREADS, 1, 1), [given, output, *place])
        words = output.get()
        first = 0
        for form, column in batch.placed:
            own = words[:, :, first : first + form.registers]
            readings.append(MoveReading(form, base, base.column(form, column), own))
            first += form.registers
    return sorted(readings, key=lambda reading: reading.form.order)
