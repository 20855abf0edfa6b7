"""The stored scores of the sweep of mutants: that they add up, and that part holds today."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lanemap.records.files import record_path, row_text, write_records
from lanemap.sweeping.store import Store
from lanemap.sweeping.task import Result, Task
from tools.mutation import score as scores
from tools.mutation.__main__ import judged as verdicts_of
from tools.mutation.sites import EMULATOR, FRONT_ENDS, mutants, sample

ROOT = Path(__file__).resolve().parents[2]
#: What a score must not fall below.
LEAST = {"ptx": 0.93, "amdgcn": 0.97}


stored = cache(scores.stored)


def current(front_end: str) -> list[str]:
    """Files that have not changed since their mutants were judged."""
    return [
        file
        for file, row in stored(front_end).files.items()
        if (EMULATOR / file).exists() and scores.file_hash(EMULATOR / file) == row["sha256"]
    ]


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_score_adds_up(front_end: str) -> None:
    score = stored(front_end)
    for file, row in score.files.items():
        own = [name for name in score.survivors if scores.file_of(name) == file]
        assert row["survived"] == sum(score.survivors[name] for name in own)
        assert row["unreached"] == len(own) - int(row["survived"])
        assert sum(int(row[status]) for status in scores.STATUSES.values()) <= int(row["mutants"])
    assert len(score.noticed) == min(scores.CHECKED, score.counts["noticed"])
    assert score.share >= LEAST[front_end]


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_row_has_the_arguments_that_are_written(front_end: str) -> None:
    path = record_path(stored(front_end).record, scores.RESULTS)
    assert path.read_text() == row_text(stored(front_end).record), "python -m tools.mutation argue"


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_files_have_the_mutants_that_a_score_counts(front_end: str) -> None:
    score = stored(front_end)
    for file in current(front_end):
        names = {each.name for each in mutants(EMULATOR / file)}
        assert score.files[file]["mutants"] == len(names)
        named = {*score.survivors, *score.noticed}
        assert {name for name in named if scores.file_of(name) == file} <= names


def test_what_is_argued_has_a_reason() -> None:
    for name, reason in scores.arguments().items():
        assert reason[0].isupper() and reason.endswith(".") and len(reason.split()) >= 6
        assert (EMULATOR / scores.file_of(name)).exists()


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_test_that_noticed_a_mutant_is_still_there(front_end: str) -> None:
    for test in stored(front_end).noticed.values():
        file, _, function = test.partition("::")
        name = function.partition("[")[0].partition(" ")[0]
        assert name in names_in(file)


@cache
def names_in(file: str) -> set[str]:
    """What a file of tests defines or imports."""
    return {name for node in ast.parse((ROOT / file).read_text()).body for name in names_of(node)}


def names_of(node: ast.stmt) -> set[str]:
    """The function or class that a statement defines, or what it imports."""
    if isinstance(node, ast.ImportFrom):
        return {each.name for each in node.names}
    return {node.name} if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else set()


def test_verdicts_add_up_to_a_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [each.name for each in sample("amdgcn", 1, scores.SEED)]
    told = {
        names[0]: "survived", names[1]: "survived", names[2]: "unreached", names[3]: "refused",
        names[4]: "unchanged",
    } | dict.fromkeys(names[5:105], "killed")  # fmt: skip
    reason = "No program can see it for the sake of this test."
    monkeypatch.setattr(scores, "arguments", lambda: {names[1]: reason})
    verdicts = [scores.Verdict(name, status, "tests/a.py::test_b") for name, status in told.items()]
    score = scores.scored("amdgcn", verdicts)
    assert score.argued == [names[1]] and score.unnoticed == [names[0], names[2]]
    assert score.share == 100 / 102 and score.mutants == len(names)
    assert (len(score.noticed), score.counts["refused"]) == (scores.CHECKED, 1)
    monkeypatch.setattr(scores, "RESULTS", tmp_path)
    write_records([score.record], tmp_path)
    assert scores.stored("amdgcn") == score


def test_verdicts_count_while_the_mutants_file_is_the_same(tmp_path: Path) -> None:
    first, second, third = (each.name for each in sample("ptx", 1, scores.SEED)[:3])

    def kept(folder: str, code: str, **values: Any) -> Path:
        task = Task("mutants", tuple(values), code)
        Store(tmp_path / folder).put(task, Result(task.key, len(values), values=values))
        return tmp_path / folder

    def said(name: str, status: str, of: str = "") -> dict[str, Any]:
        return {name: [status, status, 1, of or scores.file_hash(EMULATOR / scores.file_of(name))]}

    old = said(first, "killed") | said(second, "survived") | said(third, "killed", "another text")
    folders = [kept("old", "one", **old), kept("new", "two", **said(second, "killed"))]
    found = {name: each.status for name, each in verdicts_of(folders).items()}
    assert found == {first: "killed", second: "killed"}
    folders.append(kept("later", "three", **said(first, "survived"), **said(second, "survived")))
    assert {name: each.status for name, each in verdicts_of(folders).items()} == found


@pytest.mark.slow
def test_mutants_are_noticed_again() -> None:
    command = [sys.executable, "-m", "tools.mutation", "check", "25"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert "50 of 50 noticed again" in ended.stderr
