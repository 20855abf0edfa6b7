"""Answers that are computed once: from the cache only while all that they rest on is the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli import main, remembered
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.compare import comparison, relations
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests.records.rows import ENVIRONMENT, HASH, findings

TR8 = "ds_read_b64_tr_b8"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty root of results/, and a cache of this test's own."""
    monkeypatch.setenv("LANEMAP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "results").mkdir()
    return tmp_path / "results"


def row(layout: LayoutMap) -> Record:
    seen = (Observation(TR8, layout, HASH, None, 1),)
    return Record("mine", "gfx950", "hip", "silicon", seen, findings(TR8), ENVIRONMENT)


def never(*arguments: Any) -> Any:
    raise AssertionError("it was computed again")


def test_an_answer_is_computed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert remembered.remembered(("a", "b"), folder, lambda: {"x": (1, 2)}) == {"x": [1, 2]}
    assert remembered.remembered(("a", "b"), folder, never) == {"x": [1, 2]}
    # Another question, another row, another lanemap: another answer.
    assert remembered.remembered(("ab", ""), folder, lambda: 2) == 2
    write_records([row(variant(TR8).map)], folder)
    assert remembered.remembered(("a", "b"), folder, lambda: 3) == 3
    package = folder.parent / "package"
    (package / "model").mkdir(parents=True)
    (package / "model" / "mfma.py").write_text("A = 1\n")
    monkeypatch.setattr(remembered, "_PACKAGE", package)
    assert remembered.remembered(("a", "b"), folder, lambda: 5) == 5
    (package / "model" / "mfma.py").write_text("A = 2\n")
    assert remembered.remembered(("a", "b"), folder, lambda: 6) == 6


@pytest.mark.parametrize(
    ("words", "computes"),
    [
        (("compare", "--all", "--target", "gfx950"), (comparison, "compare_all")),
        (("list", "variants", "--target", "gfx950"), (relations, "relate_observed")),
    ],
)
def test_verbs_answer_again_what_they_answered(
    words: tuple[str, ...],
    computes: tuple[Any, str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: Callable[[], tuple[int, str]] = lambda: (  # noqa: E731
        main.run([*words, "--results", str(folder), "--json"]),
        capsys.readouterr().out,
    )
    alone = asked()
    write_records([row(variant(TR8).map)], folder)
    seen = asked()
    assert seen != alone and json.loads(seen[1])
    monkeypatch.setattr(*computes, never)
    monkeypatch.setattr("lanemap.model.variants", never)
    assert asked() == seen
