"""The programs of mbarriers on the emulator and on a GPU, and what their row says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lanemap.conformance.programs.comparison import written
from lanemap.conformance.programs.crew import Gpu
from lanemap.conformance.programs.mbarriers import plan, words
from lanemap.conformance.programs.mbarriers.text import STATE
from lanemap.conformance.programs.series import Outcome, Series
from lanemap.conformance.programs.trial import by_form, compiler, program_row

#: How often the GPU runs each program: what is compared must come out the same each time.
TIMES = 5
_LANES = 4


def disagreements(found: list[list[Outcome]]) -> list[dict[str, Any]]:
    """Return slots where any run differs, and programs that failed."""
    rows: list[dict[str, Any]] = []
    for outcomes in found:
        for outcome in outcomes:
            if any(outcome.errors):
                rows.append({"program": outcome.program.name, "errors": list(outcome.errors)})
            for difference in outcome.differences:
                slot = outcome.program.slots[difference.slot]
                if not slot.compared:
                    continue
                mine = written(slot, outcome.emulated)
                theirs = written(slot, outcome.observed)
                rows.append(
                    {
                        "program": outcome.program.name,
                        "form": slot.form,
                        "slot": difference.slot,
                        "lanes": len(difference.lanes),
                        "examples": [
                            {
                                "lane": lane,
                                "emulator": mine[lane].tobytes()[::-1].hex(),
                                "silicon": theirs[lane].tobytes()[::-1].hex(),
                            }
                            for lane in difference.lanes[:_LANES]
                        ],
                    }
                )
    return rows


def _states(found: list[list[Outcome]]) -> dict[str, int]:
    """Count the states that the GPU returned in each run, and those that were equal in all runs."""
    total = again = 0
    for outcomes in found:
        for slot in outcomes[0].program.slots:
            if slot.form != STATE or any(outcomes[-1].errors):
                continue
            seen = [written(slot, outcome.observed) for outcome in outcomes]
            total += slot.threads
            alike = np.all([(row == seen[0]).all(axis=1) for row in seen], axis=0)
            again += int(alike.sum())
    return {"states": total, "the same each time": again}


def _words(gpu: Gpu) -> dict[str, Any]:
    """Return the words of an object and of states, and in how many runs they were these."""
    program = words.program()
    runs = [gpu.run(program, None) for _ in range(TIMES)]
    first = runs[0]
    if first[1]:
        return {"error": first[1]}
    same = sum(run == first for run in runs)
    return {"runs": len(runs), "the same": same, "words": words.rows(first[0])}


def observe(keep: Path | None) -> tuple[Mapping[str, Any], int]:
    """Run everything; return the findings and how many slots and programs disagree.

    Raises:
        MissingEnvironment: there is no GPU of the target.
    """
    gpu = Gpu()
    try:
        found = list(Series(plan.program, range(plan.count()), TIMES).run(gpu, keep))
        seen = _words(gpu)
    finally:
        gpu.close()
    differing = disagreements(found)
    firsts = [outcomes[-1] for outcomes in found]
    for row in differing[:40]:
        print(row, flush=True)
    print(
        f"{len(found)} programs of mbarriers, {len(plan.forms())} forms; {len(differing)} "
        f"differences in {TIMES} runs",
        flush=True,
    )
    return {
        "compiler": compiler(),
        "runs": TIMES,
        "programs": [program_row(outcome) for outcome in firsts],
        "forms": by_form(firsts),
        "disagreements": differing,
        "states": _states(found),
        "opaque": seen,
    }, len(differing)
