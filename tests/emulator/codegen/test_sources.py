"""Hashes of the emulator's source text in keys of the object cache."""

from __future__ import annotations

from pathlib import Path

from lanemap.emulator import amdgcn
from lanemap.emulator import ptx as front_end
from lanemap.emulator.codegen import sources
from tests import ptx

TEXT = ptx.entry("", "")


def test_an_edit_changes_only_the_hash_of_its_own_folder(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").write_text("x = 1\n")
    before = [sources.source_hash(tmp_path / name) for name in ("one", "other")]
    sources.source_hash.cache_clear()
    (tmp_path / "one" / "code.py").write_text("x = 2\n")
    after = [sources.source_hash(tmp_path / name) for name in ("one", "other")]
    assert before[0] != after[0] and before[1] == after[1]


def test_a_program_depends_on_its_own_front_end() -> None:
    key = front_end.load(TEXT, "k").kernels["k"].program.key
    folders = [Path(package.__file__).parent for package in (front_end, amdgcn)]
    assert [sources.source_hash(folder) in key for folder in folders] == [True, False]
