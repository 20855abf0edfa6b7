"""Matrix products and attention that Triton compiled, against NumPy (triton_cases.py).

Those for sm_90a run on the emulator, strict and not, where every hazard would be a false alarm, and
on an sm_90 GPU if there is one. Those for sm_100a are clean by default; STRICT lists what strict
alone reports.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.triton_cases import CASES, HERE, RANDOM, Compiled, names
from tests.sampled import sampled
from tests.sm_90a import PLACES
from tests.sm_90a import opened as opened_at

SEED = 5


def test_every_stored_product_has_a_case() -> None:
    with_products = {
        path.name.split(".")[0]
        for path in HERE.glob("*.ptx")
        if any(word in path.read_text() for word in ("wgmma.mma", "mma.sync", "tcgen05.mma"))
    }
    assert with_products == set(CASES)


#: What is noted of a kernel, and a hazard in strict mode: words of the note.
NOTED = {
    "matmul_imprecise_e4m3": "waits after each wgmma",
    "matmul_described": "compilers rely on it", "matmul_persistent": "compilers rely on it",
    "matmul_specialized": "compilers rely on it",
}  # fmt: skip


def _quick(case: tuple[str, str]) -> bool:
    """What is clean and right under strict is so by default, too."""
    name, place = case
    return place == "cuda" or (place == "emulator") == (name in NOTED)


@pytest.mark.parametrize(("name", "place"), sampled(product(names("sm_90a"), PLACES), _quick))
def test_on_sm_90a(name: str, place: str) -> None:
    device = opened_at(place)
    if place == "strict" and name in NOTED:
        with pytest.raises(Hazard):
            CASES[name](device, Compiled(name, "sm_90a"), np.random.default_rng(SEED))
        return
    CASES[name](device, Compiled(name, "sm_90a"), np.random.default_rng(SEED))
    noted = [NOTED[name]] if place == "emulator" and name in NOTED else []
    for note, words in zip(device.notes, noted, strict=True):
        assert words in str(note)


@pytest.mark.parametrize("name", sampled(names("sm_100a"), 2))
def test_on_sm_100a(name: str) -> None:
    device = lanemap.open_device("sm_100a", "emulator")
    CASES[name](device, Compiled(name, "sm_100a"), np.random.default_rng(SEED))


@pytest.mark.parametrize("name", sampled(RANDOM, 3))
def test_random_numbers_on_sm_100a(name: str) -> None:
    device = lanemap.open_device("sm_100a", "emulator")
    RANDOM[name](device, Compiled(name, "sm_100a"), np.random.default_rng(SEED))


#: What strict alone reports of Triton (docs/emulator-tensor-memory.md): words of each hazard.
STRICT = {
    "fences of tcgen05 left out": ("tcgen05.fence::",),
    "registers of tcgen05.ld moved before its wait": ("has it pending", "tcgen05.wait::ld"),
    "the place of tcgen05.alloc overwritten by TMA": ("tcgen05.alloc", "fence.proxy.async is"),
    "no fence after mbarrier.init": ("fence.mbarrier_init nor fence.proxy.async",),
}


def _alarms(name: str, strict: bool) -> list[str]:
    """Of each hazard that a kernel is reported for, its name in STRICT or its own sentence."""
    device = lanemap.open_device("sm_100a", "emulator", hazards="report", strict=strict)
    CASES[name](device, Compiled(name, "sm_100a"), np.random.default_rng(SEED))
    known = [
        [key for key, words in STRICT.items() if all(word in str(hazard) for word in words)]
        for hazard in device.hazards
    ]
    return [(keys or [str(hazard)])[0] for keys, hazard in zip(known, device.hazards, strict=True)]


@pytest.mark.slow
def test_false_alarms_on_sm_100a(capsys: pytest.CaptureFixture[str]) -> None:
    """By default there is none; under strict only what Triton leaves out."""
    default = {name: _alarms(name, strict=False) for name in names("sm_100a")}
    strict = {name: _alarms(name, strict=True) for name in names("sm_100a")}
    others = [each for alarms in strict.values() for each in alarms if each not in STRICT]
    with capsys.disabled():
        alarms = sum(map(len, default.values()))
        print(f"\nTriton for sm_100a, {len(default)} kernels: {alarms} false alarms by default")
        for key in STRICT:
            kernels = sum(key in alarms for alarms in strict.values())
            count = sum(alarms.count(key) for alarms in strict.values())
            print(f"  strict: {count} hazards in {kernels} kernels: {key}")
        print(f"  strict: {len(others)} false alarms")
    assert not any(default.values()), default
    assert not others, others
    assert all("fences of tcgen05 left out" in alarms for alarms in strict.values())
