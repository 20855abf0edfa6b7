"""The stored scores of the mutation run: that they add up, and that part of them holds today."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.mutation import score as scores
from tools.mutation.sites import EMULATOR, FRONT_ENDS, mutants, ordered, sample

ROOT = Path(__file__).resolve().parents[2]


def content(front_end: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(scores.stored(front_end).read_text())
    return found


def current(front_end: str) -> list[str]:
    """Files that have not changed since their mutants were judged."""
    rows = content(front_end)["files"]
    return [
        file
        for file, row in rows.items()
        if (EMULATOR / file).exists() and scores.file_hash(EMULATOR / file) == row["sha256"]
    ]


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_score_adds_up(front_end: str) -> None:
    rows = content(front_end)
    names = [name for status in scores.STATUSES for name in rows[status]]
    assert len(names) == len(set(names)) == sum(rows["counts"].values())
    assert rows["counts"] == {status: len(rows[status]) for status in scores.STATUSES}
    of_file = Counter(scores.file_of(name) for name in names)
    assert {file: row["chosen"] for file, row in rows["files"].items()} == of_file
    open_ = set(rows["survived"]) | set(rows["unreached"])
    assert set(rows["argued"]) <= open_
    killed = len(rows["killed"])
    share = killed / (killed + len(open_ - set(rows["argued"])))
    assert rows["noticed"] == round(share, 4) >= 0.95
    assert scores.read(scores.stored(front_end)).share == share


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_what_is_judged_of_a_file_are_the_first_by_the_seed(front_end: str) -> None:
    """So nobody chose them. Of a file that has changed since, nothing can be said."""
    rows = content(front_end)
    names = {name for status in scores.STATUSES for name in rows[status]}
    for file in current(front_end):
        row = rows["files"][file]
        every = [each.name for each in ordered(EMULATOR / file, rows["seed"])]
        chosen = {name for name in names if scores.file_of(name) == file}
        assert chosen <= set(every)
        assert chosen == set(every[: row["chosen"]]) or file in rows["drawn by line"]
        assert row["mutants"] == len(every) and row["chosen"] >= 2


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_what_is_argued_exists_and_has_a_reason(front_end: str) -> None:
    argued = content(front_end)["argued"]
    for name, reason in argued.items():
        assert reason[0].isupper() and reason.endswith(".") and len(reason.split()) >= 6
        if scores.file_of(name) in current(front_end):
            assert name in {each.name for each in mutants(EMULATOR / scores.file_of(name))}


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_test_that_noticed_a_mutant_is_still_there(front_end: str) -> None:
    for test in content(front_end)["killed"].values():
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


def test_a_score_forgets_what_has_changed(tmp_path: Path) -> None:
    score = scores.Score("amdgcn", 1)
    for each in sample("amdgcn", 20, 1):
        score.add(scores.Verdict(each.name, "killed", "tests/a.py::test_b"))
    before = set(score.verdicts)
    file = scores.file_of(min(before))
    score.hashes[file] = "another"
    score.forget()
    assert {scores.file_of(name) for name in before - set(score.verdicts)} == {file}
    one = score.names("killed")[0]
    score.forget(["killed"], one)
    assert one not in score.verdicts and score.names("killed")
    score.write(tmp_path / "score.json")
    again = scores.read(tmp_path / "score.json")
    assert (again.hashes, again.argued.keys() & score.names("killed")) == (score.hashes, set())
    assert {name: each.status for name, each in again.verdicts.items()} == {
        name: each.status for name, each in score.verdicts.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_mutants_are_noticed_again(front_end: str) -> None:
    command = [sys.executable, "-m", "tools.mutation", "--front", front_end, "--check", "25"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert "25 of 25 noticed again" in ended.stderr
