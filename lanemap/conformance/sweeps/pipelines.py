"""Pipelines of asynchronous stages: clean on the emulator, with the bytes that a GPU left."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.programs.pipelines.trial import COUNT, TARGET, emulate
from lanemap.paths import find
from lanemap.records.files import read_record
from lanemap.sweeping.sweep import Found, Sweep, each

ROW = find("results") / TARGET / "cuda" / "pipelines.json"


@cache
def _observed() -> list[str]:
    return [each["output"] for each in read_record(ROW).findings["programs"]]


def _one(item: str) -> Found:
    number = int(item)
    output, error = emulate(number)
    known = number < COUNT
    if known and not error and output != _observed()[number]:
        error = f"its bytes differ from those in {ROW.name}"
    return Found(item, error, {"compared with a GPU": int(known)})


SWEEP = Sweep(
    f"random pipelines for sm_90a without a hazard; the first {COUNT} against an H200's row",
    each(_one),
    batch=8,
    files=lambda items: [ROW],
)
