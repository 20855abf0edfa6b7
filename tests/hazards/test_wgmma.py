"""Each fault of wgmma is caught at its line; its corrected twin is clean and right."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests.hazards.wgmma_pairs import FOLDER, PAIRS, THREADS, hazard_lines, source


def _run(name: str, corrected: bool, hazards: str = "raise", strict: bool = False) -> Any:
    """Launch one twin: the device, and what it stored."""
    device = lanemap.open_device("sm_90a", device="emulator", hazards=hazards, strict=strict)
    given, result = device.zeros(THREADS, np.uint32), device.zeros(THREADS, np.uint32)
    kernel = device.load(source(name, corrected))[name]
    kernel((1, 1, 1), (THREADS, 1, 1), (given, result))
    return device, result.get()


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.ptx")} == set(PAIRS)


@pytest.mark.parametrize("corrected", [False, True], ids=["faulty", "corrected"])
@pytest.mark.parametrize("name", PAIRS)
def test_ptxas_assembles_it(name: str, corrected: bool) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    cubin, messages = ptxas.judge(source(name, corrected), "sm_90a")
    assert cubin is not None, messages


@pytest.mark.parametrize("name", PAIRS)
def test_the_fault_is_caught(name: str) -> None:
    pair = PAIRS[name]
    with pytest.raises(Hazard) as caught:
        _run(name, corrected=False, strict=bool(pair.note))
    hazard = caught.value
    assert hazard.kind == pair.kind, str(hazard)
    assert hazard.line in hazard_lines(name), str(hazard)
    for word in pair.words:
        assert word in str(hazard)


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_corrected_twin_is_clean_and_right(name: str, strict: bool) -> None:
    device, got = _run(name, corrected=True, hazards="report", strict=strict)
    assert [str(hazard) for hazard in (*device.hazards, *device.notes)] == []
    assert got.tolist() == [PAIRS[name].result] * THREADS


@pytest.mark.parametrize("name", [name for name, pair in PAIRS.items() if pair.note])
def test_what_ptxas_provides_is_noted_and_right(name: str) -> None:
    device, got = _run(name, corrected=False)
    (note,) = device.notes
    assert (note.severity, note.kind) == ("note", PAIRS[name].kind)
    assert PAIRS[name].note in note.note and note.line in hazard_lines(name)
    assert all(word in str(note) for word in PAIRS[name].words)
    assert got.tolist() == [PAIRS[name].result] * THREADS


@pytest.mark.parametrize(
    ("name", "remarks"),
    [
        ("d_read_before_commit", {"C7514"}),  # "serialized due to .. reading accumulator registers"
        ("d_zeroed_after_fence", set()),  # the addend of the SASS is RZ
        ("d_set_after_fence", {"C7519"}),  # another arrive
    ],
)
def test_what_ptxas_says_of_it(name: str, remarks: set[str], tmp_path: Path) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain.places import find_program

    text = tmp_path / "kernel.ptx"
    text.write_text(source(name, corrected=False))
    words = [find_program("ptxas", "nvidia-cuda-nvcc"), "-arch=sm_90a", "-v", str(text)]
    told = subprocess.run([*words, "-o", str(tmp_path / "cubin")], capture_output=True, text=True)
    assert remarks <= set(re.findall(r"\((C75\d\d)\)", told.stderr)), told.stderr
    assert remarks or "(C75" not in told.stderr


@pytest.mark.parametrize("name", PAIRS)
def test_the_report_holds_the_fault_too(name: str) -> None:
    strict = bool(PAIRS[name].note)
    device, _ = _run(name, corrected=False, hazards="report", strict=strict)
    found = {h.line for h in device.hazards if h.kind == PAIRS[name].kind}
    assert found & hazard_lines(name)
