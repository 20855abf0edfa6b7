"""Which lanemap made a row: in a checkout, in an archive of it, and where neither is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.records import environment

ROOT = Path(__file__).resolve().parents[2]


def told(folder: Path, **variables: str) -> list[str]:
    """Revision and source hash that the lanemap in a folder states."""
    code = (
        "from lanemap.records.environment import own_revision, package_hash\n"
        "print(own_revision(), package_hash())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", **variables},
    )  # fmt: skip
    return done.stdout.split()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package without its repository."""
    shutil.copytree(
        ROOT / "lanemap", tmp_path / "lanemap", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def test_a_copy_has_the_revision_that_it_is_told(copy: Path) -> None:
    revision, source = told(copy)
    assert revision == "None"
    assert told(copy, LANEMAP_REVISION="abc") == ["abc", source]


def test_an_archive_has_the_revision_that_git_wrote_into_it(copy: Path) -> None:
    _, source = told(copy)
    (copy / "lanemap/records/revision.txt").write_text("0123abcd\n")
    assert told(copy) == ["0123abcd", source]


def test_the_source_hash_changes_with_the_source(copy: Path) -> None:
    before = told(copy)[1]
    with (copy / "lanemap/errors.py").open("a") as stream:
        stream.write("# more\n")
    assert told(copy)[1] != before
    assert environment.package_hash().startswith("sha256:")


def test_git_archive_fills_the_file_in() -> None:
    attributes = (ROOT / ".gitattributes").read_text()
    assert "lanemap/records/revision.txt export-subst" in attributes
    assert (ROOT / "lanemap/records/revision.txt").read_text() == "$Format:%H$\n"
