"""`lanemap draw`: forms, parts, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lanemap.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "draw.md"


def test_what_the_page_shows_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(
        r"^    (lanemap draw .*)\n\n```text\n(.*?)```$", PAGE.read_text(), re.M | re.S
    )
    assert shown
    for command, text in shown:
        assert main.run(command.split()[1:]) == 0
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
