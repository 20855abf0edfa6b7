"""wgmma: the element of A that each register of a warpgroup holds, for every type of A."""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tags.bits import NO_CELL
from lanemap.probing.warp.tagged import Geometry, TagReading
from lanemap.probing.wgmma.elements import codes, digits, joined, operand
from lanemap.probing.wgmma.fragments import Fragments, matrix, registers
from lanemap.probing.wgmma.kernel import A_REGISTERS, BITS, ROWS, THREADS, Form, source
from lanemap.probing.wgmma.launches import A_BYTES, Cases, matrix_of, name_elements

RESULTS = {"s8": "s32", "u8": "s32", "b1": "s32"}


def form_of(kind: str, in_registers: bool) -> Form:
    """The form with as many columns as A has k."""
    n = max(8, 256 // BITS[kind])
    return Form(n, RESULTS.get(kind, "f32"), kind, kind, registers=in_registers)


KINDS = {f"wgmma.m64k{256 // bits}.{kind}:A": kind for kind, bits in BITS.items()}
SOURCE = source([form_of(kind, held) for kind in KINDS.values() for held in (False, True)])
GEOMETRY = {
    name: Geometry(
        registers(A_REGISTERS), matrix(ROWS, "k", 256 // BITS[kind], BITS[kind]), BITS[kind]
    )
    for name, kind in KINDS.items()
}
ANALYSIS = Fragments(GEOMETRY, {name: 256 // BITS[kind] for name, kind in KINDS.items()})


@axis("form", tuple(KINDS))
@probe("wgmma", target="sm_90a", source=SOURCE, analysis=ANALYSIS)
def wgmma_a(state: State) -> list[TagReading]:
    """Which element of A does each register of each thread hold?"""
    name, kind = str(state["form"]), state.choose("form", KINDS)
    bits = BITS[kind]
    form, unit = form_of(kind, True), 32 // bits
    names = name_elements(state, form_of(kind, False))
    tags = np.arange(THREADS * A_REGISTERS * unit).reshape(THREADS, A_REGISTERS, unit)
    cases = Cases(form)
    shown = digits(kind, tags)
    for digit in shown:
        held = np.zeros((THREADS, A_REGISTERS), np.uint64)
        for e in range(unit):
            held |= codes(kind, digit[..., e]).astype(np.uint64) << np.uint64(bits * e)
        image = np.zeros(A_BYTES + 8192, np.uint8)
        identity = np.eye(form.n, form.depth, dtype=np.int64)
        cases.add(image, held.astype(np.uint32), operand(image, kind, identity, A_BYTES))
    d = matrix_of(cases.run(state), names, form.n)[:, :, : form.depth]
    holder = joined(kind, list(d)).reshape(-1)
    found = np.full((tags.size, bits), NO_CELL, np.int64)
    seen = np.flatnonzero((holder >= 0) & (holder < tags.size))
    found[holder[seen]] = seen[:, None] * bits + np.arange(bits)
    return [
        TagReading(
            variant=name,
            pattern="tagged registers",
            description="A with a number in each element of the registers, B an identity",
            warps=4,
            passes=len(shown) - 1,  # those that the tags take; one more checks them
            received=found.reshape(-1),
            offered=np.arange(ROWS * form.depth * bits),
        )
    ]
