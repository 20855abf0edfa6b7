"""Programs of asynchronous copies: the emulator leaves what NumPy computes."""

from __future__ import annotations

from lanemap.conformance.programs.comparison import differences
from lanemap.conformance.programs.copies import plan
from lanemap.conformance.programs.crew import emulate
from lanemap.sweeping.sweep import Found, Sweep, each


def _one(item: str) -> Found:
    program = plan.program(int(item))
    output, error = emulate(program)
    if not error and output != program.expected:
        slots = differences(program, output, program.expected)
        error = f"{', '.join(sorted({program.slots[each.slot].form for each in slots}))} differ"
    return Found(item, error)


SWEEP = Sweep(
    "random programs of asynchronous copies for sm_90a, against NumPy",
    each(_one),
    batch=20,
)
