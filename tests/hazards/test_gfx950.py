"""Each fault is caught at its line; its corrected twin is clean and right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests.hazards.pairs import FOLDER, GIVEN, PAIRS, hazard_lines, source


def _run(name: str, corrected: bool, hazards: str = "raise") -> tuple[Any, Any]:
    """Launch one twin: the device, and what it stored."""
    pair = PAIRS[name]
    device = lanemap.open_device("gfx950", device="emulator", hazards=hazards)
    given = device.array(GIVEN)
    result = device.empty(pair.threads * pair.words_each, np.uint32)
    kernel = device.load(source(name, corrected))[name]
    kernel((1, 1, 1), (pair.threads, 1, 1), (given, result))
    return device, result.get()


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.s")} == set(PAIRS)


@pytest.mark.parametrize("corrected", [False, True], ids=["faulty", "corrected"])
@pytest.mark.parametrize("name", PAIRS)
def test_clang_assembles_it(name: str, corrected: bool) -> None:
    pytest.importorskip("ziglang")
    from lanemap.toolchain.amdgpu import assemble

    assert assemble(source(name, corrected), "gfx950").startswith(b"\x7fELF")


@pytest.mark.parametrize("name", PAIRS)
def test_the_fault_is_caught(name: str) -> None:
    pair = PAIRS[name]
    with pytest.raises(Hazard) as caught:
        _run(name, corrected=False)
    hazard = caught.value
    assert hazard.kind == pair.kind
    assert hazard.line in hazard_lines(name)
    if pair.lane is not None:
        assert hazard.lane == pair.lane
    if pair.wave is not None:
        assert hazard.wave == pair.wave
    for word in pair.words:
        assert word in str(hazard)


@pytest.mark.parametrize("name", PAIRS)
def test_the_corrected_twin_is_clean_and_right(name: str) -> None:
    pair = PAIRS[name]
    device, got = _run(name, corrected=True, hazards="report")
    assert list(device.hazards) == []
    expected = np.asarray(pair.result(np.arange(pair.threads))).astype(np.uint32)
    assert np.array_equal(got, expected)


ENDING = {name for name, pair in PAIRS.items() if pair.kind in ("deadlock", "endless-loop")}


@pytest.mark.parametrize("name", sorted(set(PAIRS) - ENDING))
def test_the_report_holds_the_fault_too(name: str) -> None:
    device, _ = _run(name, corrected=False, hazards="report")
    found = {h.line for h in device.hazards if h.kind == PAIRS[name].kind}
    assert found & hazard_lines(name)


@pytest.mark.parametrize("name", sorted(ENDING))
def test_what_would_never_end_is_raised_in_report_mode_too(name: str) -> None:
    with pytest.raises(Hazard) as caught:
        _run(name, corrected=False, hazards="report")
    assert caught.value.kind == PAIRS[name].kind
