"""The tables of docs/time.md are those that tools.predictions prints, of what was committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanemap.records.files import read_record
from lanemap.records.hashes import source_hash
from tests.timing.earlier import EARLIER
from tests.timing.executed import DEVELOPMENT
from tests.timing.held_out import CLASSES, HELD_OUT, PAIR
from tools import predictions

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_has_what_the_row_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert predictions.main(["show"]) == 0
    said = predictions.PAGE.read_text().partition(predictions.MADE)[2]
    assert said.strip() == capsys.readouterr().out.strip()


def test_the_row_is_of_what_was_committed() -> None:
    row = read_record(ROOT / "results/sm_90a/cuda/predictions.json").findings
    committed = json.loads(predictions.PREDICTIONS.read_text())
    assert row["committed"] == source_hash(predictions.PREDICTIONS.read_text())
    for each in row["launches"]:
        name = each["name"] if each["set"] == "development" else f"held_out {each['name']}"
        assert committed[name].get("predicted") == each["predicted"]


def test_held_out_launches_are_those_of_their_seed() -> None:
    """At least 60 in five classes; none is of the development set."""
    classes = [kind for kind in CLASSES.values() if kind != PAIR]
    assert len(classes) >= 60 and len(set(classes)) >= 5
    assert not set(HELD_OUT) & {*DEVELOPMENT, *EARLIER}
