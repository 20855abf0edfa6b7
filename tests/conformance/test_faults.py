"""Faults of compilers: the emulator keeps PTX's promise, and the row says what ptxas made of it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.faults.programs import FAULTS, FaultProgram
from lanemap.conformance.faults.trial import LEVELS, TIMES, as_program, words
from lanemap.conformance.programs.crew import emulate
from lanemap.records.files import read_record
from lanemap.records.schema import Record

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [program for fault in FAULTS for program in fault.programs]
FAILING = [program for program in PROGRAMS if not program.cure]


@cache
def row() -> Record:
    return read_record(ROOT / "results" / "sm_90a" / "cuda" / "compiler_faults.json")


def stored(program: FaultProgram) -> dict[str, Any]:
    """The row's part on one program."""
    found: list[dict[str, Any]] = [
        item for fault in row().findings["faults"] for item in fault["programs"]
        if item["name"] == program.name
    ]  # fmt: skip
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_emulator_keeps_the_promise(program: FaultProgram) -> None:
    """The promises are written down from the ISA, in programs.py; none comes from the emulator."""
    output, error = emulate(as_program(program))
    assert not error
    assert words(output) == list(program.promise)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_row_holds_the_program_as_it_stands(program: FaultProgram) -> None:
    item = stored(program)
    assert item["ptx"] == program.text and item["promise"] == list(program.promise)
    assert {outcome["options"] for outcome in item["outcomes"]} == set(LEVELS)
    assert all(outcome["runs"] == TIMES for outcome in item["outcomes"])


@pytest.mark.parametrize("program", FAILING, ids=lambda program: program.name)
def test_each_fault_was_seen_on_silicon_and_each_cure_helps(program: FaultProgram) -> None:
    """At -O3, every time, with every ptxas of the row; what a cure changes comes out right."""
    assert row().evidence == "silicon"
    for outcome in stored(program)["outcomes"]:
        if outcome["options"] == "-O3":
            assert not outcome.get("as promised", False)
            assert outcome["the same"] == TIMES
    fault = next(fault for fault in FAULTS if program in fault.programs)
    cures = [other for other in fault.programs if other.cure]
    assert cures
    for other in cures:
        assert all(outcome.get("as promised") for outcome in stored(other)["outcomes"])


def test_the_page_says_what_the_row_says() -> None:
    """docs/found.md: a section for each fault, the compilers, the words that came out."""
    page = (ROOT / "docs" / "found.md").read_text()
    anchors = set(re.findall(r'<a id="([\w-]+)"></a>', page))
    assert {fault.name for fault in FAULTS} <= anchors
    for fault in FAULTS:
        section = page.split(f'<a id="{fault.name}"></a>')[1].split("<a id=")[0]
        block = re.search(r"```ptx\n(.*?)```", section, re.DOTALL)
        assert block is not None
        lines = [line.strip() for line in block[1].splitlines() if line.strip()]
        whole = [line.strip() for line in fault.programs[0].text.splitlines()]
        others = [[line.strip() for line in p.text.splitlines()] for p in fault.programs]
        assert any(all(line in text for line in lines) for text in [whole, *others])
        for outcome in stored(fault.programs[0])["outcomes"]:
            assert outcome["compiler"].removeprefix("ptxas ") in section
