"""`lanemap draw`: forms, parts, and what it refuses."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import lanemap
from lanemap.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "draw.md"


def test_what_the_page_shows_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(
        r"^    (lanemap [^\n]*)\n\n```text\n(.*?)```$", PAGE.read_text(), re.M | re.S
    )
    assert shown
    for command, text in shown:
        assert main.run(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out.startswith(text)


def test_a_table_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["draw", "shared.swizzle.32b", "--as", "csv"]) == 0
    assert capsys.readouterr().out.startswith("shared.byte,linear.byte,count\n0,0,16\n")
    assert main.run(["draw", "shared.swizzle.32b", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "shared.swizzle.32b"


def test_a_picture_goes_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert main.run(["draw", "shared.swizzle.32b", "--out", str(out)]) == 0
    assert out.read_text().lstrip().startswith("<?xml") and "shared.swizzle.32b" in out.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shared.swizzle.32b", "--as", "png"], "a PNG is no text: name its file with --out"),
        (["shared.swizzle.32b", "--rows", "3"], "--rows '3' is no range; write it like 0:32"),
        (["shared.swizzle.32b", "--rows", "6:9"], "--rows 6:9 is outside shared.swizzle.32b"),
        (["shared.swizzle.32b", "--differences"], "a difference is of two layouts"),
        (["shared.swizzle.32b", "--by", "lanes"], "--by lanes is neither side of this map"),
        (["shared.swizzle.32b", "--as", "csv", "--json"], "--json and --as are two forms"),
        (["shared.swizzle.32b", "--out", "a.gif"], "a.gif: a drawing is written to a file that"),
        (["shared.swizzle.32b", "tcgen05.ld.16x64b.x4"], "nothing joins the two"),
        (["shared.swizzle.32b", "ds_read_b64_tr_b8", "--differences"], "cannot compare a map"),
    ],
)
def test_bad_usage_is_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["draw", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and said in captured.err and captured.err.count("\n") == 1


def test_a_pasted_layout_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["draw", "((4,8),(2,2)):((32,1),(16,8))", "--matrix", "16x8"]
    assert main.run(words) == 0
    pasted = capsys.readouterr().out.splitlines()
    assert main.run(["draw", "mma.sync.m16n8k16.f32:D"]) == 0
    own = capsys.readouterr().out.splitlines()
    assert pasted[-16:] == own[-16:]  # CUTLASS's SM80_16x8_Row


def test_a_pasted_layout_is_laid_over_an_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    right, wrong = "((4,8),(2,2)):((32,1),(16,8))", "((4,8),(2,2)):((32,1),(8,16))"
    assert main.run(["draw", "mma.sync.m16n8k16.f32:D", right, "--differences"]) == 0
    assert "They are the same map." in capsys.readouterr().out
    assert main.run(["draw", wrong, "mma.sync.m16n8k16.f32:D", "--differences"]) == 0
    assert "64 of 128 cells differ" in capsys.readouterr().out
    assert main.run(["draw", "(8,8):(8,1)", "Sw<3,0,3> o 0 o (8,8):(8,1)", "--differences"]) == 0
    assert "56 of 64 cells differ" in capsys.readouterr().out


def test_both_labels_of_a_cell_that_differs_are_shown() -> None:
    """Row 8, k 0 of A is value 2 of thread 0 (PTX ISA); the layout has it as value 4."""
    wrong = "((4,8),(2,2,2)):((32,1),(16,128,8))"
    (grid,) = lanemap.draw("mma.sync.m16n8k16.f16:A", wrong, differences=True).grids
    assert grid.labels[8][0] == "0.2\n0.4" and grid.labels[9][3] == "5.3\n5.5"
    assert grid.labels[0][0] == "0.0" and grid.labels[15][15] == "31.7"


def test_compare_says_whether_a_layout_is_the_instructions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "mma.sync.m16n8k16.f16:A"
    right = "((4,8),(2,2),2):((2,16),(128,8),1)"
    assert main.run(["compare", name, "--layout", right]) == 0
    assert capsys.readouterr().out.startswith(f"the same as {name} on 256 elements")
    wrong = "((4,8),(2,2,2)):((32,1),(16,128,8))"
    assert main.run(["compare", name, "--layout", wrong, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["first"]["cell"] == {"thread": 0, "value": 2} and told["differing"] == 128
    assert main.run(["compare", "mma.sync.m16n8k16.f16", "--layout", right]) == 2
    assert "choose one of" in capsys.readouterr().err
    assert main.run(["compare", "--layout", right]) == 2
    assert "name the variant" in capsys.readouterr().err
