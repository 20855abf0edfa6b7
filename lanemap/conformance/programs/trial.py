"""Runs every program on the emulator and on a GPU, compares them, and builds the row."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.packing import pack
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import digest, marks
from lanemap.conformance.programs.crew import Gpu, emulate
from lanemap.conformance.programs.exceptions import EXEMPTIONS, exemption
from lanemap.conformance.programs.program import Program
from lanemap.conformance.programs.reduction import STOPS, Disagreement, culprits, minimise, stopped
from lanemap.conformance.programs.series import Outcome, Series
from lanemap.errors import MissingEnvironment
from lanemap.records.hashes import source_hash
from lanemap.toolchain import ptxas

#: How many forms are minimized; the others are only named.
_MINIMISED = 60


def run(gpu: Gpu, keep: Path | None = None, series: int = 0) -> list[Outcome]:
    """Run all programs of a series on both devices.

    Args:
        gpu: The GPU.
        keep: Folder for each program's text and outputs; none by default.
        series: 0 for the programs of the row.
    """
    numbers = range(series * plan.count(), (series + 1) * plan.count())
    return [outcome for (outcome,) in Series(plan.program, numbers).run(gpu, keep)]


def differing_forms(outcomes: list[Outcome]) -> dict[str, int]:
    """Return the forms that should agree but differ, with the first program that shows it."""
    found: dict[str, int] = {}
    for outcome in outcomes:
        for difference in outcome.differences:
            slot = outcome.program.slots[difference.slot]
            if slot.compared:
                found.setdefault(slot.form, outcome.number)
    return found


def minimised(outcomes: list[Outcome], gpu: Gpu) -> list[Disagreement]:
    """Reduce differences to forms, and failures to the forms that fail alone."""

    def silicon(program: Program) -> tuple[bytes, str]:
        return gpu.run(program, None)

    found: dict[str, Disagreement] = {}
    for form, number in list(differing_forms(outcomes).items())[:_MINIMISED]:
        alone = None if form.startswith("(") else minimise(number, form, emulate, silicon)
        found[form] = alone or Disagreement(form, number, (), (0, 0), (), ("", ""))
    for outcome in outcomes:
        number = outcome.number
        for which, device in enumerate((emulate, silicon)):
            if not outcome.errors[which] or len(found) > _MINIMISED:
                continue
            guilty = culprits(number, device) or [("(together)", outcome.errors[which])]
            for form, error in guilty:
                errors = (error, "") if which == 0 else ("", error)
                found.setdefault(form, Disagreement(form, number, (), (0, 0), (), errors))
    return list(found.values())


def brief(outcomes: list[Outcome]) -> dict[str, Any]:
    """Return the row's entry for a further series: counts, and one hash of all outputs."""
    outputs = [digest(o.program, o.observed) for o in outcomes if not any(o.errors)]
    compared = [slot for o in outcomes for slot in o.program.slots if slot.compared]
    return {
        "series": outcomes[0].number // plan.count(),
        "programs": len(outcomes),
        "failed": len(outcomes) - len(outputs),
        "lanes": sum(slot.threads for slot in compared),
        "differing": sorted(differing_forms(outcomes)),
        "outputs": source_hash("".join(outputs)),
    }


def stops(gpu: Gpu) -> tuple[dict[str, list[str]], int]:
    """Execute trap and brkpt; return both devices' messages, and how often only one stops."""
    found = {form: stopped(form, emulate, lambda p: gpu.run(p, None)) for form in STOPS}
    return found, sum(bool(one) != bool(other) for one, other in found.values())


def summary(outcomes: list[Outcome]) -> str:
    """Return a paragraph of counts."""
    forms = {form for outcome in outcomes for form in outcome.program.forms}
    compared = {slot.form for o in outcomes for slot in o.program.slots if slot.compared} & forms
    lanes = sum(slot.threads for o in outcomes for slot in o.program.slots if slot.compared)
    failed = sum(any(outcome.errors) for outcome in outcomes)
    return (
        f"{len(accepted_forms(plan.TARGET))} forms, {len(forms)} run in programs, "
        f"{len(compared)} compared bit for bit in {lanes} lanes; "
        f"{len(differing_forms(outcomes))} differ; {failed} of {len(outcomes)} programs failed"
    )


def compiler() -> str | None:
    """Return name and version of what compiles programs ahead of a launch; None without one."""
    try:
        return f"ptxas {ptxas.version()}"
    except MissingEnvironment:
        return None


def findings(
    outcomes: list[Outcome],
    disagreements: list[Disagreement],
    stops: Mapping[str, list[str]],
    further: Sequence[Mapping[str, Any]],
) -> Mapping[str, Any]:
    """Return what a row holds."""
    return {
        "compiler": compiler(),
        "programs": [program_row(outcome) for outcome in outcomes],
        "forms": by_form(outcomes),
        "further": list(further),
        "stops": dict(stops),
        "disagreements": [item.to_json() for item in disagreements],
        "exemptions": _exemptions(),
    }


def program_row(outcome: Outcome) -> dict[str, Any]:
    """A program's hashes, and four bytes of hash per slot in base64."""
    program = outcome.program
    failed = bool(outcome.errors[1])
    return {
        "name": program.name,
        "threads": program.threads,
        "structured": any(slot.form == "(loop)" for slot in program.slots),
        "ptx": source_hash(program.text),
        "inputs": source_hash(program.inputs + program.output + program.parameters),
        "cubin": outcome.cubin,
        "output": None if failed else digest(program, outcome.observed),
        "slots": None if failed else base64.b64encode(marks(program, outcome.observed)).decode(),
        "errors": list(outcome.errors),
    }


def by_form(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """Return packed names of forms by what was found: programs, lanes compared, lanes equal.

    Forms that are equal in every lane stand together, with the fewest lanes that one has and the
    lanes of all.
    """
    counts: dict[str, list[int]] = {}
    for outcome in outcomes:
        for form in outcome.program.forms:
            counts.setdefault(form, [0, 0, 0])[0] += not any(outcome.errors)
        if any(outcome.errors):
            continue
        unequal = {d.slot: len(d.lanes) for d in outcome.differences}
        for number, slot in enumerate(outcome.program.slots):
            if slot.compared and not slot.form.startswith("("):
                counts[slot.form][1] += slot.threads
                counts[slot.form][2] += slot.threads - unequal.get(number, 0)
    groups: dict[tuple[str, int, int], list[str]] = {}
    for form, (programs, compared, equal) in counts.items():
        found = exemption(form)
        kind = found.kind if found else ("bits" if compared else "runs without a result")
        groups.setdefault((kind, programs, compared - equal), []).append(form)
    return [
        {
            "kind": kind,
            "programs": programs,
            "forms": len(names),
            "fewest_lanes": min(counts[name][1] for name in names),
            "lanes": sum(counts[name][1] for name in names),
            "equal": sum(counts[name][2] for name in names),
            "names": pack(names),
        }
        for (kind, programs, _), names in sorted(groups.items())
    ]


def _exemptions() -> list[dict[str, Any]]:
    """Return the table of exceptions, with the number of forms for each entry."""
    names = [form.name for form in accepted_forms(plan.TARGET)]
    return [
        {
            "kind": item.kind,
            "reason": item.reason,
            "pattern": item.pattern,
            "forms": sum(exemption(name) is item for name in names),
        }
        for item in EXEMPTIONS
    ]


def _series(gpu: Gpu, keep: Path | None, number: int) -> tuple[list[Outcome], list[Disagreement]]:
    """Run one series of programs on both devices and print a summary."""
    start = time.monotonic()
    outcomes = run(gpu, keep, number)
    seconds = time.monotonic() - start
    print(f"series {number}, {len(outcomes)} programs on both: {seconds:.1f} s", flush=True)
    print(summary(outcomes), flush=True)
    disagreements = minimised(outcomes, gpu)
    for item in disagreements:
        print(item.sentence(), flush=True)
    return outcomes, disagreements


def observe(keep: Path | None, further: int) -> tuple[Mapping[str, Any], int]:
    """Run all programs on both devices; return the findings and how many forms disagree.

    Args:
        keep: Folder for texts and outputs of the first series; none if None.
        further: How many series follow the first.

    Raises:
        MissingEnvironment: there is no GPU of the target.
    """
    gpu = Gpu()
    try:
        outcomes, disagreements = _series(gpu, keep, 0)
        briefs = []
        for number in range(1, further + 1):
            others, more = _series(gpu, None, number)
            briefs.append(brief(others))
            disagreements += more
        stopped_by, unequal = stops(gpu)
    finally:
        gpu.close()
    for form, words in stopped_by.items():
        print(f"{form}: emulator {words[0] or 'goes on'!r}, silicon {words[1] or 'goes on'!r}")
    found = findings(outcomes, disagreements, stopped_by, briefs)
    return found, len(disagreements) + unequal
