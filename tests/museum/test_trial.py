"""What the trial makes of launches and processes, by hand, and the stored row of ConSan."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from lanemap.conformance.museum import consan, trial
from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, exhibits
from lanemap.records.files import read_record
from tools.figures.museum import CONSAN

RIGHT = np.arange(8)


def exhibit(source: Path, *wrong: int) -> Exhibit:
    """One whose launches leave so many elements wrong, one after the other."""
    left = iter(wrong)

    def launch(device: Device, module: Module) -> Pairs:
        return [(np.where(np.arange(8) < next(left), -1, RIGHT), RIGHT)]

    return Exhibit((), "", "order", launch, source=source)


def test_launches_and_their_wrong_elements_are_counted(tmp_path: Path) -> None:
    (tmp_path / "one.cu").write_text('extern "C" __global__ void one() {}\n')
    device = cast(Device, type("Device", (), {"compile": lambda *given, **more: None})())
    one = exhibit(tmp_path / "one.cu", 0, 5, 2)
    assert trial.wrong(device, one, "faulty", 3) == (2, 2, 5, 8)
    assert trial.wrong(device, exhibit(tmp_path / "one.cu", 0), "fixed", 1) == (0, 0, 0, 8)


@pytest.mark.parametrize(("program", "found"), [
    ("print('fixed: 0 0 0 8'); print('faulty: 2 2 5 8')",
     {"fixed": 0, "faulty": 2, "elements": {"fewest": 2, "most": 5, "of": 8}}),
    ("print('fixed: 0 0 0 8'); print('faulty: 0 0 0 8')", {"fixed": 0, "faulty": 0}),
    ("print('fixed: 0 0 0 8'); raise SystemExit('CUDA_ERROR_X')",
     {"fixed": 0, "faulty": "CUDA_ERROR_X"}),
    ("raise SystemExit('no GPU')", {"fixed": "no GPU", "faulty": "not run"}),
])  # fmt: skip
def test_a_process_says_what_it_saw(
    program: str, found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "_command", lambda *given: [sys.executable, "-c", program])
    assert trial.in_process(exhibits()["state_store"]) == found


def test_a_script_runs_with_the_triton_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "one.py"
    script.write_text('import sys\nprint("0 of 8 wrong" if "fixed" in sys.argv else 1 / 0)\n')
    monkeypatch.setattr(trial, "installed", lambda package: "3.6.0")
    found = trial.by_own_compiler(exhibit(script))
    assert found == {
        "triton": "3.6.0", "fixed": "0 of 8 wrong", "faulty": "ZeroDivisionError: division by zero",
    }  # fmt: skip
    script.write_text("print('0 of 8 wrong')\n")
    assert trial.by_own_compiler(exhibit(script)) is None


def test_consan_has_been_asked_of_every_script_with_two_versions() -> None:
    asked = {name for name, one in exhibits().items() if one.has_versions}
    here = {name for name in asked if exhibits()[name].target == trial.TARGET}
    assert set(read_record(CONSAN).findings["consan"]) == here


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tile_read_early", "in_place"])
def test_consan_says_again_what_the_row_has(name: str) -> None:
    pytest.importorskip("triton")
    stored = read_record(CONSAN).findings["consan"][name]
    assert {each: consan.said(exhibits()[name], each) for each in trial.VERSIONS} == stored
