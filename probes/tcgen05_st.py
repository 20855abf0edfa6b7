"""tcgen05.st: every legal form, from each of the four warps, at several addresses.

Tensor memory is filled by the reference store, the form in question stores, and all of tensor
memory is read back by the reference load: what the store reached, left alone, and left undefined.
"""

from __future__ import annotations

import numpy as np

from lanemap.errors import Disagreement
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.forms import (
    BASES,
    COLUMNS,
    CTA_THREADS,
    LANES,
    MOST_REGISTERS,
    SHAPES,
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
    read_back,
    target,
)
from lanemap.probing.tmem.moves import (
    Aftermath,
    MoveReading,
    Moves,
    store_images,
    store_registers,
)


def text(batch: Batch) -> str:
    """The kernel that asks of a batch; output is words [pass][column][lane]."""
    most = max(form.registers for form, _ in batch.placed)
    loads = "".join(f"    ld.global.b32 v{i}, [from+{4 * CTA_THREADS * i}];\n" for i in range(most))
    given = f"""\
    mul.wide.u32 from, pass, {4 * CTA_THREADS * MOST_REGISTERS};
    add.s64 from, from, registers;
    mul.wide.u32 far, thread, 4;
    add.s64 from, from, far;
{loads}"""
    body = [fill("filling"), barrier(), Piece(given, "pass thread registers", "from far v")]
    for form, column in batch.placed:
        store = f"    {form.instruction(listed(form.registers), 'target')}\n"
        body += [target(form, column), Piece(store, "v target")]
    body += [Piece("    tcgen05.wait::st.sync.aligned;\n"), barrier(), read_back("reading")]
    return kernel(batch.name, ("images", "registers", "output"), most, body)


BATCHES = {shape: batches("st", shape) for shape in SHAPES}
SOURCE = HEAD + "".join(text(batch) for found in BATCHES.values() for batch in found)


@axis("shape", SHAPES)
@axis("base", tuple(BASES))
@probe(
    "tcgen05.st",
    target="sm_100a",
    source=SOURCE,
    analysis=Moves(loads=False),
    # That an unpacking store leaves bits undefined is part of what is asked.
    hazards="report",
)
def tcgen05_st(state: State) -> list[MoveReading]:
    """Which register bit arrives in each bit of tensor memory, for every legal form?"""
    base, device = state.choose("base", BASES), state.device
    images = store_images()
    given, registers = device.array(images), device.array(store_registers())
    readings = []
    for batch in state.choose("shape", BATCHES):
        if not base.fits(batch):
            continue
        output = device.empty((len(images), COLUMNS, LANES), np.uint32)
        place = np.uint32(base.lane << 16), np.uint32(base.turned)
        before = len(device.hazards)
        state.entry(batch.name)(
            (len(images), 1, 1), (CTA_THREADS, 1, 1), [given, registers, output, *place]
        )
        if len(device.hazards) > before:
            raise Disagreement(f"{batch.name}: {device.hazards[before]}")
        undefined = output.undefined() if batch.halves else None
        marked = None if undefined is None else undefined.any(axis=0)
        after = Aftermath(batch, output.get(), marked)
        readings += [
            MoveReading(form, base, base.column(form, column), after=after)
            for form, column in batch.placed
        ]
    return sorted(readings, key=lambda reading: reading.form.order)
