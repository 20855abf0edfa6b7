"""Operand maps of MFMA from the products of pairs of elements, as for mma.sync."""

from __future__ import annotations

from lanemap.probing.mfma import kernel
from lanemap.probing.mfma.forms import every_form, forms
from lanemap.probing.mma.fragments import Fragments, explaining, names, reading
from lanemap.probing.probe import State
from lanemap.probing.warp.tagged import TagReading


def analysis() -> Fragments:
    """The analysis of the readings."""
    return explaining(every_form())


def readings(state: State) -> list[TagReading]:
    """Every form whose A has the type of this point of the axes: readings of A, B and D."""
    found = []
    for form in forms(state.device.target):
        if state["type"] != form.kinds[0]:
            continue
        named = names(form, kernel.meetings(state.device, state.entry(form.entry), form))
        for operand in "ABD":
            found.append(
                reading(
                    form.variant(operand),
                    form.entry,
                    kernel.passes(form),
                    form.registers(operand),
                    form.matrix(operand),
                    None if named is None else named[operand],
                )
            )
    return found
