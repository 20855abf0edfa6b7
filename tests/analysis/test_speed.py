"""The page of the emulator's own speed: lines of a history, and what is marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis import speed
from lanemap.errors import UserError


def run(revision: str, **figures: float) -> dict[str, object]:
    return {
        "date": "2026-11-28", "revision": revision, "machine": "a processor, 2 cores",
        "benchmark": "instructions", "unit": "ns", "figures": figures,
    }  # fmt: skip


def test_a_figure_that_takes_longer_is_marked() -> None:
    (table,) = speed.tables(
        [run("a", ex2=40, shfl=60), run("b", ex2=41, shfl=20), run("c", ex2=60, shfl=20)]
    )
    rows = {row["name"]: row for row in table["rows"]}
    assert rows["ex2"]["slower"] and not rows["shfl"]["slower"]
    assert (rows["shfl"]["first"], rows["shfl"]["last"], rows["shfl"]["least"]) == (
        "60",
        "20",
        "20",
    )
    assert rows["ex2"]["plot"].count("<circle") == 3


def test_a_figure_that_grows_little_by_little_is_marked() -> None:
    (table,) = speed.tables([run("a", ex2=40), run("b", ex2=45), run("c", ex2=50)])
    assert table["rows"][0]["slower"]


def test_what_is_noise_beside_others_is_not_marked() -> None:
    (table,) = speed.tables([run("a", ex2=100, mov=-0.4), run("b", ex2=100, mov=1.9)])
    assert not any(row["slower"] for row in table["rows"])
    (table,) = speed.tables([run("a", ex2=100, mov=-0.4), run("b", ex2=100, mov=9)])
    assert {row["name"] for row in table["rows"] if row["slower"]} == {"mov"}


def test_a_run_says_how_loaded_its_machine_was() -> None:
    (table,) = speed.tables([run("a", ex2=1) | {"load": "3.5"}, run("b", ex2=1)])
    assert table["revisions"] == ["a (2026-11-28, load 3.5)", "b (2026-11-28)"]


def test_machines_have_tables_of_their_own() -> None:
    other = run("b", ex2=3) | {"machine": "another"}
    assert len(speed.tables([run("a", ex2=4), other])) == 2


def test_a_figure_that_is_new_has_fewer_points() -> None:
    (table,) = speed.tables([run("a", ex2=4), run("b", ex2=4, tanh=9)])
    rows = {row["name"]: row for row in table["rows"]}
    assert rows["tanh"]["plot"].count("<circle") == 1 and rows["ex2"]["plot"].count("<circle") == 2


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(json.dumps(run("a", ex2=4)) + "\n{}\n")
    with pytest.raises(UserError, match=r"history.jsonl:2: .*make history"):
        speed.runs(path)


def test_the_file_of_this_repository_is_read() -> None:
    assert speed.tables(speed.runs()) or not speed.HISTORY.is_file()
    assert speed.runs(Path("no such file")) == []
