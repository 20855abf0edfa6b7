"""The document for compilers against the rows that it comes from, read here as plain JSON."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli import main

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
#: The field that holds the cycles of each class.
FIELD = {
    "fixed latency": "latency", "variable latency": "latency", "interlocked latency": "latency",
    "interval": "interval", "rate": "interval", "event": "elapsed",
}  # fmt: skip


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    with contextlib.redirect_stdout(io.StringIO()) as told:
        assert main.run(["timing", "--export"]) == 0
    found: dict[str, Any] = json.loads(told.getvalue())
    return found


def of(document: dict[str, Any], instruction: str) -> list[dict[str, Any]]:
    return [each for each in document["timings"] if each["instruction"] == instruction]


def test_every_explained_figure_is_a_row_with_its_evidence(document: dict[str, Any]) -> None:
    assert (document["schema"], document["version"]) == ("lanemap.timing", 1)
    stored = {}
    for path in sorted(RESULTS.glob("sm_90a/cuda/timing_*.json")):
        row = json.loads(path.read_text())
        for each in row["findings"]["figures"]:
            if each["explained"]:
                key = (path.relative_to(RESULTS).as_posix(), each["from_event"], each["to_event"],
                       json.dumps(each.get("axes", {}), sort_keys=True))  # fmt: skip
                stored[key] = each, row
    assert len(document["timings"]) == len(stored) > 1000
    for each in document["timings"]:
        key = (each["row"], each["from_event"], each["to_event"],
               json.dumps(each["axes"], sort_keys=True))  # fmt: skip
        figure, row = stored.pop(key)
        assert each["row_hash"] == row["hash"] and each["evidence"] == "silicon"
        assert each["gpu"] == row["environment"]["before"]["gpu"]
        cycles = {name: each[name] for name in ("latency", "interval", "elapsed")}
        field = FIELD[figure["kind"]]
        assert cycles.pop(field) == figure["value"] and set(cycles.values()) == {None}
        assert each["unit"] == figure.get("unit", "cycles")
        assert each["domain"] == figure.get("domain", "SM")
        assert set(each["certificates"]) == set(figure["certificates"])
        assert "code" in each["certificates"]
    assert not stored


def test_the_fields_are_those_of_the_page(document: dict[str, Any]) -> None:
    """docs/timing.md describes every field, and no other."""
    page = (ROOT / "docs" / "timing.md").read_text()
    part = page.split("## For compilers")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE)
    described = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(described) == sorted(document["timings"][0])
    assert all(f"`{name}`" in part for name in document)


def test_occupancy_is_the_best_interval_over_the_warps_of_a_scheduler(
    document: dict[str, Any],
) -> None:
    """CUDA's programming guide, throughput of native arithmetic, 9.0: 16 results a cycle of an SM
    for ex2, so 8 cycles a warp of a scheduler; 64 for lop3, so 2.
    """
    for name, cycles in (("MUFU.EX2", 8), ("LOP3.LUT", 2)):
        rows = [each for each in of(document, name) if not set(each["axes"]) - {"warps"}]
        busy = {each["occupancy"] for each in rows}
        assert len(busy) == 1
        assert abs(busy.pop() - cycles) < 0.1 * cycles


def test_pipes_are_named_by_their_classes(document: dict[str, Any]) -> None:
    rows = of(document, "POPC")
    assert all({"POPC", "MUFU.EX2"} <= set(each["pipe"]) for each in rows)
    assert {each["pipe"] for each in of(document, "UTMALDG.2D")} == {None}
    assert {tuple(each["ptx"]) for each in rows} == {("popc.b32",)}


def test_a_name_exports_its_rows_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["timing", "popc.b32", "--export"]) == 0
    rows = json.loads(capsys.readouterr().out)["timings"]
    assert {each["instruction"] for each in rows} == {"POPC", "UPOPC"}
