"""`make silicon` keeps the rows of probes, and says where a GPU gives other results."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.silicon import _probe, agree
from lanemap.devices import open_device
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.probe import find_probe
from lanemap.records.files import read_record, write_records
from tests.records.rows import ENVIRONMENT

RESULTS = Path(__file__).resolve().parents[2] / "results"
MOVE = "movmatrix.sync.aligned.m8n8.trans.b16"


class Gpu:
    """The emulator in the place of a GPU, with another map for an instruction if one is given."""

    name, evidence, target = "cuda", "silicon", "sm_90a"

    def __init__(self, models: Mapping[str, LayoutMap] | None = None) -> None:
        self._device = open_device("sm_90a", "emulator", models=models)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def environment(self) -> Mapping[str, Any]:
        return ENVIRONMENT


def run(out: Path, models: Mapping[str, LayoutMap] | None = None, name: str = "movmatrix") -> int:
    return _probe(find_probe(name), Gpu(models), out)


def emulated(out: Path) -> None:
    write_records([read_record(RESULTS / "sm_90a" / "emulator" / "movmatrix.json")], out)


def test_a_row_is_written_once_and_compared_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emulated(tmp_path)
    assert run(tmp_path) == 0
    path = tmp_path / "sm_90a" / "cuda" / "movmatrix.json"
    assert read_record(path).evidence == "silicon"
    before = path.read_bytes()
    assert run(tmp_path) == 0 and path.read_bytes() == before
    assert f"{path}: the GPU gave the same results" in capsys.readouterr().out


def test_another_map_is_three_disagreements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the model, with the emulator's row and with the stored row, which stays."""
    emulated(tmp_path)
    assert run(tmp_path) == 0
    path = tmp_path / "sm_90a" / "cuda" / "movmatrix.json"
    before = path.read_bytes()
    stays = LayoutMap.identity(variant(MOVE).map.destination)
    assert run(tmp_path, {MOVE: stays}) == 3 and path.read_bytes() == before
    said = capsys.readouterr().out
    assert "disagrees with the model" in said and "is never overwritten" in said
    assert f"{tmp_path / 'sm_90a' / 'emulator' / 'movmatrix.json'} says otherwise" in said


def test_a_probe_that_cannot_run_is_one_disagreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = replace(find_probe("movmatrix"), source="nonsense\n")
    assert _probe(broken, Gpu(), tmp_path) == 1
    assert "probe movmatrix: " in capsys.readouterr().out and not list(tmp_path.rglob("*.json"))


def test_measured_numbers_may_differ_and_findings_may_not() -> None:
    row = read_record(RESULTS / "sm_90a" / "cuda" / "smem_banks.json")
    findings = copy.deepcopy(dict(row.findings))
    found = findings["variants"]["ld.shared.v4.b32:banks"]
    found["measured"]["farthest_from_whole_passes"] += 0.01
    assert agree(row, replace(row, findings=findings))
    found["rule"]["masks"] = [1]
    assert not agree(row, replace(row, findings=findings))

