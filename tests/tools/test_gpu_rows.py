"""Rows that are measured on one machine and written on another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanemap import paths
from tools import gpu_rows


@pytest.mark.parametrize("name", ["l2_map", "streams"])
def test_a_row_is_written_as_it_was_measured(name: str, tmp_path: Path) -> None:
    stored = paths.find("results") / "sm_90a/cuda" / f"{name}.json"
    row = json.loads(stored.read_text())
    measured = tmp_path / "measured.json"
    measured.write_text(json.dumps({key: row[key] for key in ("findings", "environment")}))
    gpu_rows.write(measured, tmp_path, "sm_90a", name)
    assert (tmp_path / "sm_90a/cuda" / stored.name).read_text() == stored.read_text()
