"""The tables of docs/time.md are those that tools.predictions prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import predictions

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_has_the_tables_of_the_row(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/time.md").read_text().partition("## Against an H200")[2]
    assert predictions.main(["show"]) == 0
    classes, launches = capsys.readouterr().out.split("\n\n")
    assert classes in page
    printed = launches.splitlines()
    shown = [line for line in page.partition("| launch")[2].splitlines() if line.startswith("| ")]
    held_out = [line for line in printed if line in shown]
    assert held_out == shown
    assert len(shown) == 67
