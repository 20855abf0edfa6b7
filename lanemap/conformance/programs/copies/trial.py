"""The programs of asynchronous copies on the emulator and on a GPU, and what their row says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lanemap.conformance.programs.comparison import differences
from lanemap.conformance.programs.copies import plan
from lanemap.conformance.programs.crew import Gpu
from lanemap.conformance.programs.series import Outcome, Series
from lanemap.conformance.programs.trial import compiler, program_row

#: How often the GPU runs each program: it must leave the same each time.
TIMES = 3


def disagreements(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """Return where a run of one program, or the emulator, left something else than the oracle."""
    rows: list[dict[str, Any]] = []
    program = outcomes[0].program
    expected = plan.program(outcomes[0].number).expected
    runs = [("emulator", outcomes[0].emulated, outcomes[0].errors[0])]
    runs += [("silicon", each.observed, each.errors[1]) for each in outcomes]
    for device, output, error in runs:
        if error:
            rows.append({"program": program.name, "device": device, "error": error})
            continue
        for found in differences(program, output, expected):
            slot = program.slots[found.slot]
            rows.append(
                {
                    "program": program.name,
                    "device": device,
                    "part": slot.form,
                    "threads": len(found.lanes),
                }
            )
    return rows


def observe(keep: Path | None) -> tuple[Mapping[str, Any], int]:
    """Run everything; return the findings and how many slots and programs disagree.

    Raises:
        MissingEnvironment: there is no GPU of the target.
    """
    gpu = Gpu()
    try:
        found = list(Series(plan.program, range(plan.COUNT), TIMES).run(gpu, keep))
    finally:
        gpu.close()
    differing = [row for outcomes in found for row in disagreements(outcomes)]
    for row in differing[:40]:
        print(row, flush=True)
    print(
        f"{len(found)} programs of asynchronous copies; {len(differing)} differences in {TIMES} "
        "runs",
        flush=True,
    )
    parts = Counter(slot.form for outcomes in found for slot in outcomes[0].program.slots)
    return {
        "compiler": compiler(),
        "runs": TIMES,
        "programs": [program_row(outcomes[-1]) for outcomes in found],
        "parts": dict(sorted(parts.items())),
        "disagreements": differing,
    }, len(differing)
