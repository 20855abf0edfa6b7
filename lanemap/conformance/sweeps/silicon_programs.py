"""Programs of all forms on the emulator and on a GPU: every compared slot is equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import differences, digest
from lanemap.conformance.programs.crew import Emulated, Gpu, prepare
from lanemap.sweeping.sweep import Found, Sweep


def _run(items: Sequence[str]) -> Iterator[Found]:
    gpu = Gpu()
    try:
        for item in items:
            yield _one(item, prepare(plan.program, int(item)), gpu)
    finally:
        gpu.close()


def _one(item: str, ready: Emulated, gpu: Gpu) -> Found:
    program = plan.program(int(item))
    output, error = gpu.run(program, ready.cubin)
    if ready.error or error:
        return Found(item, f"emulator: {ready.error or 'ends'}; GPU: {error or 'ends'}")
    unequal = sorted(
        {
            program.slots[each.slot].form
            for each in differences(program, ready.output, output)
            if program.slots[each.slot].compared
        }
    )
    lanes = sum(slot.threads for slot in program.slots if slot.compared)
    counts = {"forms": len(program.forms), "lanes compared": lanes}
    wrong = f"{', '.join(unequal)}: the GPU computes something else" if unequal else ""
    return Found(item, wrong, counts, digest(program, output))


SWEEP = Sweep(
    "random programs of all forms for sm_90a, emulator and GPU; 0:327 has each form three times",
    _run,
    batch=20,
    gpu=True,
)
