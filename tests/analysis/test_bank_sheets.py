"""Figures and the page of bank rules."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path

import pytest

from lanemap.cli.folders import module
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record

ROOT = Path(__file__).resolve().parents[2]
sheets, figures = module("analysis", "bank_sheets"), module("analysis", "figures")


@pytest.fixture(scope="module")
def row() -> Record:
    return read_record(ROOT / "results" / "sm_90a" / "emulator" / "smem_banks.json")


def only(row: Record, name: str, **rule: object) -> Record:
    """The row with one form, some parts of whose rule are others."""
    found = copy.deepcopy(row.findings["variants"][f"{name}:banks"])
    found["rule"] |= rule
    return replace(row, findings=dict(row.findings) | {"variants": {f"{name}:banks": found}})


def test_lanes_are_read_from_ranges() -> None:
    assert sheets._lanes("0 to 3, 12, 30 to 31") == [0, 1, 2, 3, 12, 30, 31]


def test_forms_are_in_the_order_of_their_width() -> None:
    names = [f"ld.shared.{kind}" for kind in ("v4.b32", "b32", "u8", "v2.b32", "u16")]
    ordered = [name for name, _ in sorted(((name, 0) for name in names), key=sheets._place)]
    assert [name[10:] for name in ordered] == ["u8", "u16", "b32", "v2.b32", "v4.b32"]


def test_a_rule_with_other_phases_is_another_figure_and_the_same_rule_the_same(row: Record) -> None:
    name = "st.shared.v2.b32"
    plain, again = figures.draw(only(row, name)), figures.draw(only(row, name))
    assert sorted(plain) == ["phases.png", "strides.png"] and plain == again
    other = figures.draw(only(row, name, phases=["0 to 7, 24 to 31", "8 to 23"]))
    assert other["phases.png"] != plain["phases.png"]
    assert other["strides.png"] == plain["strides.png"]


def test_a_form_without_a_rule_is_not_drawn(row: Record) -> None:
    bare = only(row, "ld.shared.u8")
    del bare.findings["variants"]["ld.shared.u8:banks"]["rule"]
    assert figures.draw(bare) == {}


def test_the_page_says_the_rule_in_words(row: Record, tmp_path: Path) -> None:
    changed = only(row, "ld.shared.v4.b32", banks=16, masks=[4], idle="none")
    write_records([changed], tmp_path / "results")
    module("analysis", "report").build(tmp_path / "results", tmp_path / "site")
    page = (tmp_path / "site" / "sm_90a" / "emulator" / "smem_banks.html").read_text()
    cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", page, re.S)]
    assert cells[:5] == [
        "ld.shared.v4.b32",
        "16 of 4 bytes",
        "0 to 7; 8 to 15; 16 to 23; 24 to 31",
        "every lane agrees with lane XOR 4",
        "takes no pass",
    ]


def test_a_family_has_one_figure_for_each_form_at_its_greatest_count() -> None:
    record = read_record(ROOT / "results" / "sm_100a" / "emulator" / "ldmatrix.json")
    assert sorted(figures.draw(record)) == [
        "m16n16.x2.trans.b8.png",
        "m16n16.x2.trans.b8x16.b4x16_p64.png",
        "m16n16.x2.trans.b8x16.b6x16_p32.png",
        "m8n16.x4.b8x16.b4x16_p64.png",
        "m8n16.x4.b8x16.b6x16_p32.png",
        "m8n8.x4.b16.png",
        "m8n8.x4.trans.b16.png",
    ]
