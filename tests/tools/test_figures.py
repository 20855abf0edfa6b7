"""No figure in README or docs that nothing produced."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Observation
from tools.figures import evidence
from tools.figures import pages as figures

# Figures outside the blocks that are no counts of ours, by page, with what they are.
OTHERS = {
    "docs/probes.md": {
        "16,384": "bytes of a wave's LDS in the text, 64 lanes of 256",
        "65,536": "bits of 8 KB of shared memory",
    },
    "docs/emulator-scheduling.md": {"22,000": "hostile kernels of tests/emulator/fuzz"},
    "docs/emulator-order.md": {
        "3,200": "programs of lanemap/conformance/programs/races/warps.py",
        "2,727": "those of them that were caught, in a run that no test repeats",
        "1,500": "programs of tests/emulator/ptx/test_observation.py, whose slow test counts",
    },
}
NUMBER = re.compile(
    r"\b\d{1,3}(?:,\d{3})+\b|\b\d+(?= (?:of the \d|forms|programs|mutants|variants))"
)


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_are_what_the_tool_makes(page: Path) -> None:
    text = page.read_text()
    assert figures.renewed(text) == text, "run python -m tools.figures"


def test_the_stored_pictures_are_what_the_tool_draws() -> None:
    for path, text in figures.pictures().items():
        assert path.read_text() == text, f"{path.name}: run python -m tools.figures"
        assert f"(images/{path.name})" in (figures.ROOT / "docs" / "timing.md").read_text()


def test_every_figure_stands_on_a_page_and_readme_has_those_of_its_statements() -> None:
    blocks = {
        page: {match[2] for match in figures.BLOCK.finditer(page.read_text())}
        for page in figures.PAGES
    }
    assert blocks[figures.PAGES[0]] >= {"covered", "verified_in_brief"}
    assert set().union(*blocks.values()) == set(figures.FIGURES)


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_counts_stand_in_blocks_only(page: Path) -> None:
    name = page.relative_to(figures.ROOT).as_posix()
    outside = figures.BLOCK.sub("", page.read_text())
    outside = re.sub(
        r"```.*?```|`[^`\n]*`|^    lanemap [^\n]*", "", outside, flags=re.DOTALL | re.M
    )
    assert set(NUMBER.findall(outside)) <= set(OTHERS.get(name, {}))


def test_a_false_figure_is_seen() -> None:
    text = (figures.ROOT / "docs/coverage.md").read_text()
    block, *_ = re.findall(r"\| all \|.*", text)
    changed = text.replace(block, block.replace("4", "5"))
    assert changed != text and figures.renewed(changed) == text


def test_a_fault_on_the_gpu_alone_is_counted(tmp_path: Path, monkeypatch) -> None:
    """By hand: three programs, of which one faults on the GPU alone and one on both."""
    row = read_record(figures.RESULTS / "sm_90a/cuda/mbarriers.json")
    programs = [dict(each) for each in row.findings["programs"][:3]]
    for program, errors in zip(programs, (["", ""], ["", "fault"], ["a", "b"]), strict=True):
        program["errors"] = errors
    write_records([replace(row, findings=row.findings | {"programs": programs})], tmp_path)
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    text = " ".join(figures.mbarriers("sm_90a").split())
    assert "3 generated programs" in text and "1 of them completed on both" in text
    assert "1 program faulted on the GPU but not on the emulator" in text


def test_what_is_verified_follows_the_rows_of_silicon(tmp_path: Path, monkeypatch) -> None:
    from tests.records.test_hostile import row

    monkeypatch.setattr(evidence, "RESULTS", tmp_path)
    assert "No layout map has been verified on silicon" in evidence.verified("")
    write_records([row()], tmp_path)
    said = row()
    assert said.environment is not None
    (line,) = [line for line in evidence.verified("").splitlines() if "a_read" in line]
    gpu = said.environment["gpu"]
    assert line == f"| `{said.probe}` | gfx950, {gpu} | 1 | `a_read` |"
    partial = replace(said, probe="other", observations=(_half_known(said.observations[0]),))
    write_records([partial], tmp_path)
    assert f"| `other` | gfx950, {gpu} | 1 (partial) | `a_read` |" in evidence.verified("")


def _half_known(observation: Observation) -> Observation:
    mask = np.arange(observation.map.table.size) % 2 == 0
    return replace(observation, map=observation.map.restrict(mask=mask))


def test_long_lists_of_parts_are_shortened() -> None:
    assert evidence._few("a.{1,2,3,4,5,6,7}.b") == "a.{1,2,3,4,5,6,7}.b"
    assert evidence._few("a.{1,2,3,4,5,6,7,8}.b") == "a.{1,2,3,..,8}.b"
