"""Programs of all forms on the emulator: none fails, and results are those that a GPU left."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import digest
from lanemap.conformance.programs.crew import emulate
from lanemap.paths import find
from lanemap.records.files import read_record
from lanemap.sweeping.sweep import Found, Sweep, each

ROW = find("results") / plan.TARGET / "cuda" / "programs.json"
#: Digits of a program's hash that are kept.
_DIGITS = 16


@cache
def _observed() -> list[str | None]:
    """What the GPU left of the first programs, as hashes; None of one that failed there."""
    return [each["output"] for each in read_record(ROW).findings["programs"]]


def _one(item: str) -> Found:
    number = int(item)
    program = plan.program(number)
    output, error = emulate(program)
    known = _observed()[number] if number < plan.count() else None
    found = digest(program, output) if not error else ""
    if known and found != known:
        error = error or f"results differ from those in {ROW.name}"
    counts = {"compared with a GPU": int(known is not None), "forms": len(program.forms)}
    return Found(item, error, counts, found.removeprefix("sha256:")[:_DIGITS] or None)


SWEEP = Sweep(
    "random programs of all forms for sm_90a on the emulator; the first 327 against an H200's row",
    each(_one),
    batch=20,
    files=lambda items: [ROW],
)
