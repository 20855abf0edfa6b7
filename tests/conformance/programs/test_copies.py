"""The programs of asynchronous copies: NumPy, the emulator and an H200 agree, and faults show."""

from __future__ import annotations

import base64
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lanemap.conformance.programs.comparison import digest, marks
from lanemap.conformance.programs.copies import oracle, plan
from lanemap.conformance.programs.copies.choices import BulkRing, Exchange, Ring, Store
from lanemap.conformance.programs.crew import emulate
from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

ROW = Path(__file__).resolve().parents[3] / "results" / "sm_90a" / "cuda" / "copies.json"


def test_programs_differ_and_have_every_kind_of_part() -> None:
    parts = [part for number in range(plan.COUNT) for part in plan.program(number).parts]
    kinds = {type(part) for part in parts}
    assert kinds == {Ring, BulkRing, Store, Exchange}
    rings = [part for part in parts if isinstance(part, Ring)]
    assert {ring.completion for ring in rings} == {"group", "noinc", "inc"}
    assert {ring.size for ring in rings} == {4, 8, 16}
    assert any(None not in (*ring.counts,) or any(ring.ignored) for ring in rings)
    assert {part.kind for part in parts if isinstance(part, Exchange)} == {
        "st.async",
        "red.async",
        "copy",
        "reduce",
    }
    assert {part.multicast for part in parts if isinstance(part, BulkRing)} == {True, False}
    assert len({plan.program(number).text for number in range(plan.COUNT)}) == plan.COUNT
    assert plan.program(5) == plan.program(5)


def test_the_oracle_by_hand() -> None:
    """Two trips of 4 bytes: thread t reads what t ^ 1 copied, folded as sum * 33 + word."""
    ring = Ring(2, 2, 4, "ca", "shared", "", (None, 2), (True, False), 1, 0, "group")
    given = np.arange(2 * 128 * 4, dtype=np.uint32) + 0x10000
    sums = oracle.of_ring(ring, given)
    # trip 0: odd threads ignore their source; trip 1: only the low half of a word counts
    first = [0, 0x10000, 0, 0x10008]
    assert sums[:4].tolist() == [(33 * first[t] + (512 + 4 * (t ^ 1))) % 2**32 for t in range(4)]
    old, new = np.array([5, 0, 9], np.uint32), np.array([7, 3, 9], np.uint32)
    assert oracle.reduced("inc.u32", old, new).tolist() == [6, 1, 0]
    assert oracle.reduced("dec.u32", old, new).tolist() == [4, 3, 8]
    assert oracle.reduced("min.s32", np.array([2**32 - 1], np.uint32), new[:1])[0] == 2**32 - 1


@pytest.mark.parametrize("number", range(0, plan.COUNT, 4))
def test_the_emulator_leaves_what_numpy_says(number: int) -> None:
    for each in (number, number + 1):
        program = plan.program(each)
        output, error = emulate(program)
        assert not error
        assert output == program.expected


@pytest.mark.slow
@pytest.mark.parametrize("number", range(plan.COUNT))
def test_every_program(number: int) -> None:
    program = plan.program(number)
    assert emulate(program) == (program.expected, "")


def _first(text: str, *needs: str) -> int:
    """The first program whose text has all of these."""
    return next(
        number
        for number in range(plan.COUNT)
        if all(each in plan.program(number).text for each in (text, *needs))
    )


#: What is left out or changed, and what the report must then say.
_FAULTS = {
    "a group too many stays outstanding": (
        "cp.async.wait_group 0;", "cp.async.wait_group 1;", "cp.async.wait_group"),
    "no group is committed": ("cp.async.commit_group;", "", "cp.async.wait_group"),
    "a ring without a wait": (
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p9, [full",
        "mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 p9, [full",
        "writes asynchronously"),
    "no proxy fence": ("fence.proxy.async.shared::cta;", "", "fence.proxy.async"),
}  # fmt: skip


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_fault_is_reported(fault: str) -> None:
    right, wrong, words = _FAULTS[fault]
    program = plan.program(_first(right))
    _, error = emulate(replace(program, text=program.text.replace(right, wrong)))
    assert words in error, error


def test_wrong_bytes_are_noticed() -> None:
    """A copy to the neighbor's place is clean, but leaves something else than NumPy says."""
    program = plan.program(0)
    ring = next(part for part in program.parts if isinstance(part, Ring))
    right = f"xor.b32 a1, %n, {ring.write};"
    text = program.text.replace(right, f"xor.b32 a1, %n, {ring.write ^ 2};", 1)
    output, error = emulate(replace(program, text=text))
    assert not error and output != program.expected


# -- what an H200 answered
@cache
def row() -> Record:
    return read_record(ROW)


def test_every_program_ran_on_the_h200_and_none_differs() -> None:
    found = row().findings
    assert row().evidence == "silicon" and found["disagreements"] == []
    assert len(found["programs"]) == plan.COUNT and found["runs"] == 3
    assert not any(any(program["errors"]) for program in found["programs"])


@pytest.mark.parametrize("number", range(plan.COUNT))
def test_the_h200_left_what_numpy_says(number: int) -> None:
    stored, program = row().findings["programs"][number], plan.program(number)
    assert source_hash(program.text) == stored["ptx"], "the program is not the one that was run"
    assert marks(program, program.expected) == base64.b64decode(stored["slots"])
    assert digest(program, program.expected) == stored["output"]
