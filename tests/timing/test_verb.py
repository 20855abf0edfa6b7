"""`lanemap timing` in every form, and the errors that a user would make."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from lanemap.cli import main
from lanemap.timing import find
from lanemap.timing.series import SeriesProbe


def out(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.run(["timing", *words]) == 0
    return capsys.readouterr().out


def test_an_instruction_shows_what_waits_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "hfma2.mma")
    assert "issue of FFMA with the result as operand 3" in text
    assert "issue of FADD" not in text.replace("issue of FADD with", "")
    assert "is measured as" not in text + out(capsys, "issue")


def test_windows_are_printed_without_a_gpu(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    issue = find.find_probes()["issue"]
    assert isinstance(issue, SeriesProbe)
    short = min(issue.series, key=lambda each: max(each.lengths))
    monkeypatch.setattr(find, "find_probes", lambda: {"issue": replace(issue, series=(short,))})
    text = out(capsys, "issue", "--assemble")
    assert text.count(": as declared\n") == text.count("as declared") >= 1
    shown = [line for line in text.splitlines() if line.startswith("    ")]
    assert len(shown) > 2 and all(" stall " in line for line in shown)


@pytest.mark.slow
def test_every_window_of_a_group_is_as_declared(capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "issue", "--assemble").count(": as declared\n") > 15


def test_json_csv_and_markdown_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(out(capsys, "MUFU.EX2", "--json"))
    rows = list(csv.DictReader(io.StringIO(out(capsys, "MUFU.EX2", "--csv"))))
    lines = out(capsys, "MUFU.EX2", "--markdown").splitlines()[2:]
    assert len(told) == len(rows) == len(lines) > 1
    for one, row in zip(told, rows, strict=True):
        assert (one["from_event"], one["to_event"]) == (row["from_event"], row["to_event"])
        assert f"{one['cycles']:.4g}" == row["cycles"] and one["evidence"] == "silicon"
        assert not any(one["certificates"].values())


def test_all_adds_the_figures_that_are_not_explained(capsys: pytest.CaptureFixture[str]) -> None:
    few, every = (json.loads(out(capsys, "alu", "--json", *more)) for more in ((), ("--all",)))
    assert len(every) > len(few) and all(each["explained"] for each in few)
    for each in every:
        assert each["explained"] or each["cycles"] is None or any(each["certificates"].values())


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["nope"], 2, "no timing matches 'nope'; name a group (alu, "),
        (["mufu.ex3"], 2, "or the instruction MUFU.EX2"),
        (["--json", "--csv"], 2, "choose one of --json, --csv, --markdown and --export"),
        (["--csv", "--export"], 2, "choose one of --json, --csv, --markdown and --export"),
        (
            ["--target", "sm_100a"],
            2,
            "no timing of sm_100a is stored; `lanemap timing alu --device "
            "cuda --target sm_100a` measures",
        ),
        (
            ["--target", "gfx950"],
            2,
            "no timing of gfx950 is stored; `lanemap timing gfx950_alu "
            "--device hip --target gfx950` measures",
        ),
        (["--device", "emulator"], 2, "name the group to measure: alu"),
        (["alu", "--device", "emulator"], 3, "the emulator executes these kernels and has no"),
    ],
)
def test_an_error_is_one_sentence(
    words: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["timing", *words]) == status
    told = capsys.readouterr()
    assert sentence in told.err and told.err.count("\n") == 1 and not told.out


def test_a_pasted_instruction_shows_its_own_figures(capsys: pytest.CaptureFixture[str]) -> None:
    pasted = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4};"
    told = json.loads(out(capsys, pasted, "--json"))
    assert told and {each["instruction"] for each in told} == {"HMMA.16816.F32"}
    text = out(capsys, pasted)
    assert text.startswith(f"{pasted.split()[0]} is measured as HMMA.16816.F32\n")
    told = json.loads(out(capsys, "HGMMA.64x256x16.F32 R24, gdesc[UR4], R24", "--json"))
    assert told and {each["axes"]["N"] for each in told} == {256}
    rows = csv.DictReader(io.StringIO(out(capsys, "HGMMA.64x256x16.F32", "--csv")))
    assert all(each["instruction"].startswith("HGMMA.64xNx16.F32") for each in rows)


def test_a_row_of_another_kind_is_no_timing(tmp_path: Path) -> None:
    assert main.run(["timing", "--results", str(tmp_path)]) == 2


def test_contention_ends_with_the_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    """MUFU and POPC share a pipe: CUDA's guide has 16 results a cycle of an SM for both."""
    assert main.run(["timing", "contention"]) == 0
    told = capsys.readouterr().out
    pipe = next(line for line in told.splitlines() if "MUFU.EX2, POPC" in line)
    assert "LOP3" not in pipe and "LDS" not in pipe
    assert main.run(["timing", "MUFU.EX2"]) == 0
    assert "Pipes" not in capsys.readouterr().out
