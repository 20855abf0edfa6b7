"""Runs the windows of timing probes on the machine of the timing model, beside their rows.

    python -m tools.timing_model                   the table of tests/timing/consistency.json
    python -m tools.timing_model --run [GROUP..]   runs those groups, or all, and writes the table

A series agrees if the machine takes what its row says: within half a cycle for a latency, within
3 % for what else there is. Of those that do not, the table has both numbers; of those that the
machine refuses, the reason.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from lanemap.timing.find import find_probes
from lanemap.timing.model.consistency import Compared, compared, why
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.rows import TARGET
from lanemap.timing.series import Series, SeriesModule, SeriesProbe, assembled

TABLE = Path(__file__).parent.parent / "tests" / "timing" / "consistency.json"
#: The groups that the machine can be asked for, in the order of the model's units.
GROUPS = (
    "issue", "alu_rates", "alu_paths", "mma", "smem", "sync", "wgmma", "copies", "memory",
    "contention", "stores", "apart", "written", "busy", "ragged", "wgmma_beside",
)  # fmt: skip


def modules(probe: SeriesProbe) -> list[SeriesModule]:
    """Every series of a probe, assembled; those that differ in their warps alone are one."""
    groups: dict[Any, list[Series]] = {}
    for each in probe.series:
        bare = replace(each, axes={}, warps=1 if each.cluster == 1 else each.warps)
        texts = tuple(bare.text(links) for links in (min(each.lengths), max(each.lengths)))
        groups.setdefault((texts, repr(each.patches), repr(each.rewriting)), []).append(each)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda own: assembled(own[0], TARGET), groups.values()))
    by_label = {
        each.label: replace(module, series=each)
        for module, own in zip(found, groups.values(), strict=True)
        for each in own
    }
    return [by_label[each.label] for each in probe.series]


def run(group: str) -> dict[str, Any]:
    """The table of one group."""
    probe = find_probes()[group]
    assert isinstance(probe, SeriesProbe)
    return table(list(compared(group, modules(probe), Parameters())))


def table(found: list[Compared]) -> dict[str, Any]:
    """What the table says of a group's series."""
    return {
        "agree": {each.series: cycles(each) for each in found if each.agrees},
        "disagree": {
            each.series: [round(float(each.row), 3), cycles(each)]
            for each in found
            if each.model is not None and not each.agrees
        },
        "refused": {each.series: each.reason for each in found if each.model is None},
    }


def cycles(each: Compared) -> float | None:
    """The machine's cycles, as the table has them."""
    return None if each.model is None else round(float(each.model), 3)


def lines(groups: dict[str, Any]) -> list[str]:
    """The table as text."""
    found = [f"{'group':12}{'agree':>8}{'disagree':>10}{'refused':>9}"]
    for name, own in groups.items():
        counts = (len(own[kind]) for kind in ("agree", "disagree", "refused"))
        found.append("{:12}{:8}{:10}{:9}".format(name, *counts))
    for name, own in groups.items():
        for series, (row, model) in own["disagree"].items():
            found.append(
                f"{name}: {series}: {row:g} cycles, the machine {model:g}; {why(name, series)}"
            )
        found += [f"{name}: {series}: refused: {each}" for series, each in own["refused"].items()]
    return found


def main() -> None:
    """Print the table, or make it."""
    groups: dict[str, Any] = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    if sys.argv[1:2] == ["--run"]:
        for name in sys.argv[2:] or GROUPS:
            groups[name] = run(name)
            ordered = {each: groups[each] for each in GROUPS if each in groups}
            TABLE.write_text(json.dumps(ordered, indent=1, sort_keys=False) + "\n")
    print("\n".join(lines(groups)))


if __name__ == "__main__":
    main()
