"""The programs of mbarriers: what is in them; emulator, a second count and an H200 agree."""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lanemap.conformance.programs.comparison import digest, marks, written
from lanemap.conformance.programs.crew import emulate
from lanemap.conformance.programs.mbarriers import plan
from lanemap.conformance.programs.mbarriers.counts import MOST, Counts
from lanemap.conformance.programs.mbarriers.text import STATE, Mbarriers
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

ROW = Path(__file__).resolve().parents[3] / "results" / "sm_90a" / "cuda" / "mbarriers.json"

WORDS = {1: np.uint8, 4: np.uint32, 8: np.uint64}


def against_counts(program: Mbarriers, output: bytes) -> list[str]:
    """Return the forms in whose slots an output is not what the counts say."""
    found = []
    for slot, expected in zip(program.slots, program.expected, strict=True):
        if expected is None:
            continue
        seen = np.ascontiguousarray(written(slot, output)).view(WORDS[slot.size])[:, 0]
        if not np.array_equal(seen, np.array(expected)):
            found.append(slot.form)
    return found


def test_every_form_is_in_three_programs_and_leaves_something_to_compare() -> None:
    counts = Counter(form.name for forms in plan.assignment() for form in forms)
    assert set(counts) == {form.name for form in plan.forms()} and len(counts) >= 253
    assert set(counts.values()) == {3}
    for number in range(0, plan.count(), 7):
        program = plan.program(number)
        kept = {slot.form for slot in program.slots if slot.compared}
        assert set(program.forms) <= kept and STATE not in kept
        assert {"(ring)", "(rendezvous)"} <= kept
        assert program.text.count(".shared::cluster") > 4
    assert plan.program(3) == plan.program(3)


def test_both_outcomes_of_every_kind_of_question_occur() -> None:
    """Among the lanes of all programs each wait sees phases that are over and that are not."""
    seen: dict[str, set[int]] = {}
    for number in range(plan.count()):
        program = plan.program(number)
        for slot, expected in zip(program.slots, program.expected, strict=True):
            if "_wait" in slot.form and slot.size == 1 and expected is not None:
                seen.setdefault(slot.form, set()).update(expected)
    assert len(seen) == sum("_wait" in form.name for form in plan.forms())
    assert all(values == {0, 1} for values in seen.values())


def test_the_second_count_follows_an_example_of_the_isa() -> None:
    """Two arrivals and 16 bytes end a phase; a drop makes the next one wait for fewer."""
    counts = Counts(1)
    counts.init(0, 2)
    assert counts.arrive(0, 1, size=16) == 2
    assert counts.arrive(0, 1, drop=True) == 1
    assert (counts.phase[0], counts.bytes[0], counts.is_over(0, 0)) == (0, 16, False)
    counts.transact(0, -16)
    assert (counts.phase[0], counts.pending[0], counts.is_over(0, 0)) == (1, 1, True)
    assert MOST == 1048575


@pytest.mark.parametrize("number", (0, 13, 22, 35))
def test_the_emulator_counts_as_the_isa_says(number: int) -> None:
    program = plan.program(number)
    output, error = emulate(program)
    assert not error
    assert not against_counts(program, output)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("mbarrier.arrive_drop.", "mbarrier.arrive."),
        ("mbarrier.expect_tx.", "// "),
    ],
)
def test_a_program_that_does_something_else_is_noticed(right: str, wrong: str) -> None:
    program = plan.program(8)
    assert right in program.text
    lines = [
        line.replace(right, wrong) if line.startswith(("mbarrier", "@")) else line
        for line in program.text.splitlines()
    ]
    output, error = emulate(replace(program, text="\n".join(lines)))
    assert error or against_counts(program, output)


# -- what an H200 answered -----------------------------------------------------------------------
@cache
def row() -> Record:
    return read_record(ROW)


def check(number: int) -> None:
    """Hold the emulator to the H200's answers, slot by slot."""
    stored, program = row().findings["programs"][number], plan.program(number)
    assert source_hash(program.text) == stored["ptx"], "the program is not the one that was run"
    output, error = emulate(program)
    assert not error
    mine, theirs = marks(program, output), base64.b64decode(stored["slots"])
    compared = [slot.form for slot in program.slots if slot.compared]
    assert len(mine) == len(theirs) == 4 * len(compared)
    differing = [f for i, f in enumerate(compared) if mine[4 * i :][:4] != theirs[4 * i :][:4]]
    assert not differing
    assert digest(program, output) == stored["output"]


@pytest.mark.parametrize("number", range(2, plan.count(), 3))
def test_the_emulator_answers_as_the_h200_did(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(plan.count()))
def test_the_emulator_answers_every_program_as_the_h200_did(number: int) -> None:
    check(number)


def test_every_program_ran_on_the_h200_and_no_answer_differs() -> None:
    found = row().findings
    assert row().evidence == "silicon"
    assert found["disagreements"] == []
    assert all(group["equal"] == group["lanes"] for group in found["forms"])
    assert len(found["programs"]) == plan.count()
    assert not any(any(program["errors"]) for program in found["programs"])
