"""`lanemap when`: states by release, worked out by hand from a row made for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli.main import run
from lanemap.records.files import write_records
from lanemap.records.schema import Record


def outcome(compiler: str, options: str, **what: Any) -> dict[str, Any]:
    ran = {} if "refused" in what else {"runs": 1, "the same": 1}
    return {"compiler": compiler, "options": options, "runs": 0, "the same": 0} | ran | what


RIGHT: dict[str, Any] = {"as promised": True}
WRONG: dict[str, Any] = {"as promised": False, "words": [7]}
#: Oldest last: releases are put in order by their numbers, 9 before 10.
FIRST = [
    outcome("cc 11.0", "-O0", other="the source:3: reads what nobody wrote"),
    outcome("cc 10.0", "-O0", **RIGHT), outcome("cc 10.0", "-O2 -mcpu=a", error="it hung"),
    outcome("cc 9.1", "-O0", **WRONG), outcome("cc 9.1", "-O2 -mcpu=a", **RIGHT),
    outcome("cc 8.0", "-O0", refused="no"), outcome("cc 8.0", "-O2 -mcpu=a", refused="no"),
]  # fmt: skip


@pytest.fixture
def results(tmp_path: Path) -> Path:
    programs = [
        {"name": name, "cure": cure, "text": "x", "promise": [1], "outcomes": outcomes}
        for name, cure, outcomes in (
            ("first", "", FIRST),
            ("cured", "a branch", [outcome("cc 8.0", "-O0", **WRONG)]),
        )
    ]
    found = {"faults": [{"name": "lost", "promise": "It is kept.", "programs": programs}]}
    kind = "compiler_faults"
    write_records([Record(kind, "gfx950", "emulator", "emulator", (), found, kind=kind)], tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["when", *words]) == 0
    return capsys.readouterr().out


def test_without_rows_it_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in ([], ["lost"]):
        assert run(["when", *words, "--results", str(tmp_path)]) == 2
        assert "no row here says what releases of compilers make" in capsys.readouterr().err


def test_a_fault_begins_where_a_release_is_first_wrong(
    capsys: pytest.CaptureFixture[str], results: Path
) -> None:
    text = said(capsys, "lost", "--results", str(results))
    assert "lost: It is kept." in text and "gfx950, evidence emulator" in text
    assert "-O0: refused in 8.0, wrong in 9.1, right in 10.0, another fault in 11.0" in text
    assert "-O2: refused in 8.0, right in 9.1, wrong in 10.0" in text


def test_json_has_the_same(capsys: pytest.CaptureFixture[str], results: Path) -> None:
    (data,) = json.loads(said(capsys, "lost", "--results", str(results), "--json"))
    assert list(data["states"]) == sorted(data["states"])  # by name, as all JSON
    assert {"cc 10.0", "cc 9.1"} < data["states"].keys()
    assert data["states"]["cc 9.1"] == {"-O0": "wrong", "-O2": "right"}


def test_all_faults_are_listed(capsys: pytest.CaptureFixture[str], results: Path) -> None:
    lines = said(capsys, "--results", str(results)).splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["lost", "first", "-O0"],
        ["lost", "first", "-O2"],
    ]


def test_an_unknown_fault_is_a_sentence(capsys: pytest.CaptureFixture[str], results: Path) -> None:
    assert run(["when", "found", "--results", str(results)]) == 2
    assert "'found' is no fault" in capsys.readouterr().err
