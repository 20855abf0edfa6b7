"""Every stored row agrees with itself, and with no row in which one value is another."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.agreement import agree, essence
from lanemap.conformance.faults.trial import outcomes
from lanemap.records.files import read_record
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"
ROWS = sorted(RESULTS.glob("*/*/*.json"))


def named(path: Path) -> str:
    return path.relative_to(RESULTS).as_posix()


#: Rows that a second run finds again without tolerance; timings have one, and own tests.
BIT_FOR_BIT = [path for path in ROWS if not path.name.startswith("timing_")]
#: Dicts with more keys than this have names of variants or forms as keys.
MANY = 24
#: What a second run may find otherwise, by kind of row, as the end of a place in its JSON. It is
#: written out here once more: who ran it, what compilers made, times, and what differs in each run.
FREE = {
    "": {"device", "evidence", "findings.command", "model_hash", "environment"},
    "bank_rules": {"measured.farthest_from_whole_passes", "measured.pass_cycles"},
    "programs": {"findings.compiler", "cubin", "exemptions.reason"},
    "mbarriers": {
        "findings.compiler", "cubin", "states.the same each time", "opaque.runs",
        "opaque.the same", "opaque.words.object", "opaque.words.state", "opaque.words.statement",
    },
    "copies": {"findings.compiler", "cubin"},
    "earlier_targets": {"findings.compiler", "findings.proves", "findings.proves_not"},
    "tensor_cores": {"findings.compiler", "kinds.cubin", "kinds.sass"},
    "kernel_products": {"findings.compiler", "ptx", "tile"},
    "kernel_attentions": {"findings.compiler", "ptx", "tile"},
    "museum": {"faulty", "elements", "compute_sanitizer", "own_compiler"},
}  # fmt: skip
#: `faults` of compilers are compared by what came out of each program: see below.
ELSEWHERE = {"compiler_faults": "findings.faults", "programs": "findings.stops"}


@cache
def text_of(path: Path) -> str:
    return path.read_text()


def places(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Each plain value of JSON: its place without numbers and names of variants, where it stands,
    and its key there."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    many = isinstance(value, dict) and len(value) > MANY and len(place) > 1
    for key, each in items:
        own = place if many or isinstance(key, int) else (*place, key)
        if isinstance(each, (dict, list)):
            yield from places(each, own)
        else:
            yield own, value, key


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool) or value is None:
        return not value
    return value + 1 if isinstance(value, (int, float)) else value + "."


def is_free(place: str, kind: str) -> bool:
    ends = FREE[""] | FREE.get(kind, set())
    return place.startswith("environment") or any(
        f".{place}".endswith(f".{end}") or f".{end}." in f".{place}." for end in ends
    )


@pytest.mark.parametrize("path", sampled(ROWS, 3, named))
def test_a_row_agrees_with_itself(path: Path) -> None:
    row = read_record(path)
    assert agree(row, row)


@pytest.mark.parametrize("path", sampled(BIT_FOR_BIT, 5, named))
def test_a_row_agrees_with_no_row_that_has_one_other_value(path: Path) -> None:
    """Of each place the first value; nothing but what is listed above may be another."""
    data = json.loads(text_of(path))
    before, seen = essence(data), set()
    for place, holder, key in places(data):
        name = ".".join(place)
        if place in seen or name.startswith(ELSEWHERE.get(data["kind"], " ")) or name == "kind":
            continue
        seen.add(place)
        kept, holder[key] = holder[key], other(holder[key])
        assert (essence(data) == before) == is_free(name, data["kind"]), name
        holder[key] = kept
    assert seen


def test_what_came_out_of_each_fault_is_compared() -> None:
    row = read_record(RESULTS / "sm_90a" / "cuda" / "compiler_faults.json")
    for change in ("text", "promise", "cure", "name"):
        findings = copy.deepcopy(dict(row.findings))
        program = findings["faults"][0]["programs"][0]
        program[change] = [9] if change == "promise" else program[change] + "."
        others = replace(row, findings=findings)
        assert outcomes(findings) != outcomes(row.findings)
        # A program of another name is one more that one run alone had.
        assert agree(row, others) == (change == "name")


def test_series_are_compared_that_both_runs_had() -> None:
    row = read_record(RESULTS / "sm_90a" / "cuda" / "programs.json")
    findings = copy.deepcopy(dict(row.findings))
    findings["further"] = findings["further"][:1]
    assert agree(row, replace(row, findings=findings))
    findings["further"][0]["outputs"] = "sha256:0"
    assert not agree(row, replace(row, findings=findings))
    findings = copy.deepcopy(dict(row.findings))
    findings["stops"]["trap"][1] = ""
    assert not agree(row, replace(row, findings=findings))
    findings["stops"]["trap"][1] = "other words for the same fault"
    assert agree(row, replace(row, findings=findings))
