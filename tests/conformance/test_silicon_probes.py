"""`make silicon` keeps the rows of probes, and says where a GPU gives other results."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.agreement import agree
from lanemap.conformance.ledger import Ledger
from lanemap.conformance.silicon import LEFT, Tally, expected_seconds, observe_parts, probed
from lanemap.devices import open_device
from lanemap.devices.processes import OtherProcess
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.probing.probe import find_probe
from lanemap.records.files import read_record, read_records, write_records
from lanemap.records.schema import Record
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


NAME = "movmatrix"
BELONGS = {"source": "the code of a test", "gpu": "a test's GPU", "driver": "1"}


def run(
    out: Path,
    models: Mapping[str, LayoutMap] | None = None,
    belongs: Mapping[str, Any] = BELONGS,
    again: bool = False,
) -> Tally:
    """The command with one part, as `make silicon` runs it."""

    def part(name: str) -> tuple[Record, int]:
        return probed(find_probe(name).on("sm_90a"), Gpu(models), out)

    return observe_parts([NAME], part, out, Ledger(row(out).parent, belongs), again=again)


def row(out: Path) -> Path:
    return out / "sm_90a" / "cuda" / f"{NAME}.json"


def emulated(out: Path) -> None:
    write_records([read_record(RESULTS / "sm_90a" / "emulator" / f"{NAME}.json")], out)


def test_a_row_is_written_once_and_compared_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emulated(tmp_path)
    assert run(tmp_path).agreeing == [NAME]
    assert read_record(row(tmp_path)).evidence == "silicon"
    before = row(tmp_path).read_bytes()
    capsys.readouterr()
    assert run(tmp_path, again=True).status == 0 and row(tmp_path).read_bytes() == before
    assert f"{row(tmp_path)}: the GPU gave the same results" in capsys.readouterr().out


def test_another_map_is_three_disagreements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the model, with the emulator's row and with the stored row, which stays; what this run
    found is kept elsewhere, where no reader of results/ looks."""
    emulated(tmp_path)
    run(tmp_path)
    before = row(tmp_path).read_bytes()
    stays = LayoutMap.identity(variant(MOVE).map.destination)
    for _ in range(2):  # the second run has another row to replace
        tally = run(tmp_path, {MOVE: stays}, again=True)
        assert tally.disagreeing == {NAME: 3} and tally.status == 1
    assert row(tmp_path).read_bytes() == before
    found = row(tmp_path / "differing")
    assert read_record(found).observations[0].map == stays
    assert len(read_records(tmp_path)) == 2
    said = capsys.readouterr().out
    assert "disagrees with the model" in said
    assert f"{row(tmp_path)} disagrees with {found}" in said
    assert f"{tmp_path / 'sm_90a' / 'emulator' / 'movmatrix.json'} disagrees" in said


def test_a_part_that_is_done_is_skipped_with_what_it_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until the code, the GPU or the stored row is another."""
    assert run(tmp_path).agreeing == [NAME]
    never = {MOVE: LayoutMap.identity(variant(MOVE).map.destination)}
    assert run(tmp_path, never).agreeing == [NAME]
    assert f"{NAME}: done before" in capsys.readouterr().out
    for key in BELONGS:
        assert run(tmp_path, never, {**BELONGS, key: "another"}).disagreeing
    assert run(tmp_path, never, {**BELONGS, "driver": "another"}).disagreeing  # it is kept
    row(tmp_path).unlink()
    assert run(tmp_path).agreeing == [NAME] and row(tmp_path).exists()


def test_what_fails_or_has_no_time_is_left_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part takes what its stored row says; without one, a minute."""
    ran = []

    def part(name: str) -> tuple[Record, int]:
        ran.append(name)
        if name == "broken":
            raise UserError("the GPU refuses it")
        return probed(find_probe(NAME).on("sm_90a"), Gpu(), tmp_path)

    ledger = Ledger(row(tmp_path).parent, BELONGS)
    tally = observe_parts(["broken", NAME], part, tmp_path, ledger, seconds=59)
    assert ran == ["broken"] and tally.left == {"broken": "failed", NAME: "no time"}
    assert tally.status == LEFT
    assert f"left, so run the command again: broken (failed), {NAME} (no time)" in tally.sentence()
    assert "broken: the GPU refuses it" in capsys.readouterr().out
    tally = observe_parts(["broken", NAME], part, tmp_path, ledger, seconds=61)
    assert ran == ["broken", "broken", NAME] and tally.left == {"broken": "failed"}


def test_the_clock_of_a_stored_row_says_what_a_part_takes() -> None:
    """97 seconds for the programs: the difference of the row's two times."""
    cuda = RESULTS / "sm_90a" / "cuda"
    assert expected_seconds(cuda / "programs.json") == 30 + 3 * 97
    assert expected_seconds(cuda / "movmatrix.json") == 60
    assert expected_seconds(cuda / "none.json") == 60


def test_a_damaged_list_of_what_is_done_is_refused(tmp_path: Path) -> None:
    (tmp_path / "silicon.done").write_text("[]")
    with pytest.raises(UserError, match="silicon.done is not a valid progress file; remove it"):
        Ledger(tmp_path, BELONGS)


def fault(error: bool) -> str:
    if error:
        raise UserError("the GPU serves this process no more")
    return str(os.getpid())


def test_a_call_that_fails_or_ends_its_process_leaves_a_new_one() -> None:
    other = OtherProcess()
    try:
        first = other.call(fault, False)
        assert other.call(fault, False) == first != str(os.getpid())
        with pytest.raises(UserError, match="serves this process no more"):
            other.call(fault, True)
        second = other.call(fault, False)
        with pytest.raises(UserError, match="the process that drove the GPU ended"):
            other.call(os._exit, 3)
        assert len({first, second, other.call(fault, False)}) == 3
    finally:
        other.close()


def test_measured_numbers_may_differ_and_findings_may_not() -> None:
    row = read_record(RESULTS / "sm_90a" / "cuda" / "smem_banks.json")
    findings = copy.deepcopy(dict(row.findings))
    found = findings["variants"]["ld.shared.v4.b32:banks"]
    found["measured"]["farthest_from_whole_passes"] += 0.01
    assert agree(row, replace(row, findings=findings))
    found["rule"]["masks"] = [1]
    assert not agree(row, replace(row, findings=findings))
