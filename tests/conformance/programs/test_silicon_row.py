"""The emulator against what an H200 answered to the same programs: results/sm_90a/cuda."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.packing import unpack
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import digest, marks
from lanemap.conformance.programs.crew import emulate
from lanemap.conformance.programs.exceptions import EXEMPTIONS, is_run
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

ROWS = Path(__file__).resolve().parents[3] / "results" / "sm_90a" / "cuda"


@cache
def row() -> Record:
    return read_record(ROWS / "programs.json")


def sampled(count: int) -> list[int]:
    """Some programs, by a hash of the row: others once the row changes."""
    seed = source_hash(str(row().findings["programs"]))
    return sorted(
        range(plan.count()), key=lambda n: hashlib.sha256(f"{seed} {n}".encode()).digest()
    )[:count]


def check(number: int) -> None:
    """Hold the emulator's output of one program to the H200's."""
    stored: dict[str, Any] = row().findings["programs"][number]
    program = plan.program(number)
    assert source_hash(program.text) == stored["ptx"], "the program is not the one that was run"
    given = program.inputs + program.output + program.parameters
    assert source_hash(given) == stored["inputs"]
    output, error = emulate(program)
    assert not error
    compared = [slot.form for slot in program.slots if slot.compared]
    mine, theirs = marks(program, output), base64.b64decode(stored["slots"])
    assert len(mine) == len(theirs)
    differing = [
        form for i, form in enumerate(compared) if mine[4 * i : 4 * i + 4] != theirs[4 * i :][:4]
    ]
    assert not differing
    assert digest(program, output) == stored["output"]


@pytest.mark.parametrize("number", sampled(12))
def test_the_emulator_answers_as_the_h200_did(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(plan.count()))
def test_the_emulator_answers_every_program_as_the_h200_did(number: int) -> None:
    check(number)


def test_the_row_is_of_silicon_and_says_where_it_was_made() -> None:
    assert row().evidence == "silicon"
    environment = row().environment
    assert environment is not None
    for when in ("before", "after"):
        assert {"sm_clock_mhz", "throttle_reasons"} <= set(environment[when]["card"])
        assert environment[when]["host"]["revision"]
        assert environment[when]["host"]["source"].startswith("sha256:")


def test_no_form_disagrees_and_every_accepted_form_is_accounted_for() -> None:
    assert row().findings["disagreements"] == []
    further = row().findings["further"]
    assert len(further) >= 4
    assert all(not item["differing"] and not item["failed"] for item in further)
    groups = row().findings["forms"]
    names = [name for group in groups for name in unpack(group["names"])]
    assert len(names) == len(set(names))
    not_run = {form.name for form in accepted_forms(plan.TARGET) if not is_run(form.name)}
    assert set(names) | not_run == {form.name for form in accepted_forms(plan.TARGET)}
    for group in groups:
        assert group["programs"] == plan.ROUNDS
        assert group["equal"] == group["lanes"]
        if group["kind"] in ("bits", "any NaN"):
            assert group["fewest_lanes"] >= plan.ROUNDS


def test_the_row_holds_the_table_of_exemptions_as_it_stands() -> None:
    stored = {
        item["pattern"]: (item["kind"], item["reason"]) for item in row().findings["exemptions"]
    }
    assert stored == {item.pattern: (item.kind, item.reason) for item in EXEMPTIONS}
