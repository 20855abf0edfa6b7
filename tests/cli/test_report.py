"""`lanemap report`: pages from the records, and a sentence where the extra is missing."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.records.files import write_records
from tests.analysis.records import layout, record

#: Pages of one instruction alone, since those of all take a minute.
ONE = ("--only", "ds_read_b64_tr_b8")


def store(results: Path) -> None:
    """One record, whose map hands every lane its own chunk."""
    lane, byte = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")
    write_records([record(layout(lane, byte, 8))], results)


def test_pages_are_written_where_they_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store(tmp_path / "results")
    flags = ["--results", str(tmp_path / "results"), "--site", str(tmp_path / "pages"), *ONE]
    assert main.run(["report", *flags, "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written[0] == str(tmp_path / "pages" / "index.html")
    assert str(tmp_path / "pages/v/ds_read_b64_tr_b8.png") in written
    page = (tmp_path / "pages" / "evidence.html").read_text()
    assert "ds_read_b64_tr_b8" in page and "emulator" in page


def test_no_records_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main.run(["report", "--results", str(tmp_path), "--site", str(tmp_path / "s"), *ONE]) == 2
    )
    assert str(tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_a_missing_package_has_status_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store(tmp_path)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert (
        main.run(["report", "--results", str(tmp_path), "--site", str(tmp_path / "s"), *ONE]) == 3
    )
    assert "'.[analysis]'" in capsys.readouterr().err
