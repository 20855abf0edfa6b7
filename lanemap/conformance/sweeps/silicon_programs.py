"""Programs of all forms on the emulator and on a GPU: every compared slot is equal."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import differences, digest
from lanemap.conformance.programs.crew import Gpu, prepare
from lanemap.sweeping.sweep import Found, Sweep, each


@cache
def _gpu() -> Gpu:
    """The process that drives this process's GPU, which ends with it."""
    return Gpu()


def _one(item: str) -> Found:
    program, ready = plan.program(int(item)), prepare(plan.program, int(item))
    output, error = _gpu().run(program, ready.cubin)
    if ready.error or error:
        return Found(item, f"emulator: {ready.error or 'ends'}; GPU: {error or 'ends'}")
    unequal = sorted(
        {
            program.slots[one.slot].form
            for one in differences(program, ready.output, output)
            if program.slots[one.slot].compared
        }
    )
    lanes = sum(slot.threads for slot in program.slots if slot.compared)
    counts = {"forms": len(program.forms), "lanes compared": lanes}
    wrong = f"{', '.join(unequal)}: the GPU computes something else" if unequal else ""
    return Found(item, wrong, counts, digest(program, output))


SWEEP = Sweep(
    "random programs of all forms for sm_90a, emulator and GPU; 0:327 has each form three times",
    each(_one),
    batch=4,
    per_gpu=16,  # most of a program's time is the emulator's
)
