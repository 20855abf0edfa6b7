"""Each fault of tcgen05.mma is caught at its line; its corrected twin is clean and right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests.hazards.tensor_mma_pairs import FOLDER, PAIRS, THREADS, hazard_lines, source


def _run(name: str, corrected: bool, hazards: str = "raise", strict: bool = False) -> Any:
    """Launch one twin: the device, and what it stored."""
    ctas = PAIRS[name].ctas
    device = lanemap.open_device("sm_100a", device="emulator", hazards=hazards, strict=strict)
    given = device.array(np.full(2048, 1, np.float16))
    result = device.zeros(THREADS * ctas, np.uint32)
    kernel = device.load(source(name, corrected))[name]
    kernel((ctas, 1, 1), (THREADS, 1, 1), (given, result), cluster=(ctas, 1, 1))
    return device, result.get()


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.ptx")} == set(PAIRS)


@pytest.mark.parametrize("corrected", [False, True], ids=["faulty", "corrected"])
@pytest.mark.parametrize("name", PAIRS)
def test_ptxas_assembles_it(name: str, corrected: bool) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    cubin, messages = ptxas.judge(source(name, corrected), "sm_100a")
    assert cubin is not None, messages


@pytest.mark.parametrize("name", PAIRS)
def test_the_fault_is_caught(name: str) -> None:
    pair = PAIRS[name]
    with pytest.raises(Hazard) as caught:
        _run(name, corrected=False, strict=pair.strict)
    hazard = caught.value
    assert hazard.kind == pair.kind, str(hazard)
    assert pair.kind == "deadlock" or hazard.line in hazard_lines(name), str(hazard)
    for word in pair.words:
        assert word in str(hazard)


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_corrected_twin_is_clean_and_right(name: str, strict: bool) -> None:
    device, got = _run(name, corrected=True, hazards="report", strict=strict)
    assert [str(hazard) for hazard in device.hazards] == []
    assert got.tolist() == [PAIRS[name].result] * len(got)


@pytest.mark.parametrize("name", [name for name, pair in PAIRS.items() if pair.strict])
def test_what_sources_disagree_over_is_no_hazard_otherwise(name: str) -> None:
    device, got = _run(name, corrected=False, hazards="report")
    assert [str(hazard) for hazard in device.hazards] == []
    assert got.tolist() == [PAIRS[name].result] * len(got)


@pytest.mark.parametrize("name", [n for n, pair in PAIRS.items() if pair.kind != "deadlock"])
def test_the_report_holds_the_fault_too(name: str) -> None:
    device, _ = _run(name, corrected=False, hazards="report", strict=PAIRS[name].strict)
    found = {h.line for h in device.hazards if h.kind == PAIRS[name].kind}
    assert found & hazard_lines(name)
