"""`lanemap banks`: the answer in words and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lanemap.cli import main


def test_the_answer_names_who_conflicts_and_the_evidence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(["banks", "ldmatrix.x1", "--address", "lane*256"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "ldmatrix.x1 (judged as ldmatrix.sync.aligned.m8n8.x1.shared.b16) at lane*256 on sm_90a: "
        "8 passes, 7 more than without bank conflicts"
    )
    assert lines[1].startswith("  lanes 0 to 7: 8 passes, bank 0 has word 0 (lane 0), word 64 (")
    assert lines[2] == "rule: load of 8x8 matrices, 32 banks of 4 bytes; evidence: silicon"
    assert "results/sm_90a/cuda/smem_banks.json" in lines[3]


def test_json_has_the_phases(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["banks", "ds_read_b64", "--address", "lane*8", "--target", "MI300X", "--json"]
    assert main.run(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["target"], told["passes"], told["conflicts"]) == ("gfx942", 4, 0)
    assert len(told["phases"]) == 4 and told["addresses"][:3] == [0, 8, 16]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ds_read_b32", "--target", "sm_90a"], "ds_read_b32 is no instruction of sm_90a"),
        (["ld.shared.b32", "--target", "mi300x"], "ld.shared.b32 is no instruction of gfx942"),
        (["mov.b32"], "'mov.b32' is no access of shared memory on sm_90a"),
    ],
)
def test_bad_usage_is_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["banks", *words, "--address", "lane*4"]) == 2
    assert said in capsys.readouterr().err


def test_what_the_page_shows_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "counting.md").read_text()
    (shown,) = re.findall(r"^```text\n(ld\.shared.*?)```$", page, re.M | re.S)
    address = re.findall(r" at (.*) on ", shown)[0]
    assert f"    lanemap banks ld.shared.b32 --address '{address}'\n" in page
    assert main.run(["banks", "ld.shared.b32", "--address", address]) == 0
    assert capsys.readouterr().out.startswith(shown)
