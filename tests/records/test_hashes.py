"""The hash that a row carries over its contents: any slip is noticed, and adding it was none."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from lanemap.errors import UserError
from lanemap.records.files import read_record

ROOT = Path(__file__).resolve().parents[2]
ROWS = sorted((ROOT / "results").glob("*/*/*.json"))
LDMATRIX = ROOT / "results" / "sm_90a" / "cuda" / "ldmatrix.json"
PROGRAMS = ROOT / "results" / "sm_90a" / "cuda" / "programs.json"


def refused(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(UserError) as refusal:
        read_record(path)
    said = str(refusal.value)
    assert said.startswith(f"{path}: ") and "\n" not in said
    return said


@pytest.mark.parametrize("path", ROWS, ids=lambda path: "/".join(path.parts[-3:]))
def test_the_hash_is_sha256_of_the_other_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    (own,) = [line for line in lines if line.startswith(b'  "hash": ')]
    lines.remove(own)
    stated = hashlib.sha256(b"".join(lines)).hexdigest()
    assert own == f'  "hash": "sha256:{stated}",\n'.encode()


@pytest.mark.parametrize(("path", "pattern"), [
    pytest.param(LDMATRIX, r'"passes": (\d)', id="passes"),
    pytest.param(LDMATRIX, r'"parts_per_cell": (\d)', id="certificate"),
    pytest.param(LDMATRIX, r'"time": "202(\d)', id="time"),
    pytest.param(PROGRAMS, r'"revision": "(\w)', id="revision"),
    pytest.param(PROGRAMS, r'"sm_clock_mhz": 1(\d)', id="clock"),
    pytest.param(PROGRAMS, r'"output": "sha256:(\w)', id="output"),
])  # fmt: skip
def test_a_value_that_nothing_else_ties_down_is_guarded(
    tmp_path: Path, path: Path, pattern: str
) -> None:
    """The row stays one that its schema accepts; only the hash says that it was changed."""
    text = path.read_text()
    found = re.search(pattern, text)
    assert found is not None
    changed = text[: found.start(1)] + str(int(found[1], 16) % 9 + 1) + text[found.end(1) :]
    if changed == text:
        changed = text[: found.start(1)] + "9" + text[found.end(1) :]
    json.loads(changed)
    said = refused(tmp_path / path.name, changed)
    assert "it was changed after it was written" in said


def test_a_row_without_its_own_hash_is_refused(tmp_path: Path) -> None:
    text = LDMATRIX.read_text()
    line = re.search(r'^  "hash": .*\n', text, re.MULTILINE)
    other = re.search(r'^  "hash": .*\n', PROGRAMS.read_text(), re.MULTILINE)
    assert line is not None and other is not None
    path = tmp_path / "row.json"
    assert "it carries no hash" in refused(path, text.replace(line[0], ""))
    assert "it carries no hash" in refused(path, text.replace(line[0], 2 * line[0]))
    assert "it was changed" in refused(path, text.replace(line[0], other[0]))
    # Not even the layout of the text may be another.
    assert "it was changed" in refused(
        path, text.replace('": ', '":  ').replace(line[0].replace('": ', '":  '), line[0])
    )
    path.write_text(text)
    assert read_record(path).probe == "ldmatrix"


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else b""


def test_adding_the_hashes_changed_nothing_else() -> None:
    """The rows of the commit before, byte for byte, and a line that is their hash."""
    added = git("log", "--format=%H", "--reverse", '-S  "hash": "sha256:', "--", str(LDMATRIX))
    commit = added.decode().partition("\n")[0]
    rows = git("ls-tree", "-r", "--name-only", f"{commit}^", "results").decode().splitlines()
    if not commit or not rows:
        pytest.skip("this checkout has no history")
    rows = [name for name in rows if name.endswith(".json")]
    assert len(rows) > 60
    for name in rows:
        before, after = git("show", f"{commit}^:{name}"), git("show", f"{commit}:{name}")
        line = f'  "hash": "sha256:{hashlib.sha256(before).hexdigest()}",\n'.encode()
        assert after.count(line) == 1 and after.replace(line, b"") == before, name
