"""Contention of gfx950: pipes of planted machines are found, and kernels give results by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import lanemap
from lanemap.records.schema import Record
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.pipes import APART, SHARED, pipes_of
from lanemap.timing.planted import MULTIPROCESSORS, Accident
from lanemap.timing.planted_waves import PlantedWaves, WaveSecret
from lanemap.timing.row import figures_of, series_record
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import EVERY, Series, SeriesProbe
from lanemap.timing.waves import TARGET
from tests.timing.once import assembled
from tests.timing.planted_device import Planted

PROBE = find_probes()["gfx950_contention"]
assert isinstance(PROBE, SeriesProbe)
LABELED = {each.name: each for each in PROBE.series}
#: Cycles that an instruction holds a pipe of its SIMD.
INTERVALS = {"v_perm_b32": 8, "v_mul_lo_u32": 16, "v_mfma_f32_16x16x32_f16": 16,
             "ds_read_b32": 4, "s_xor_b32": 4}  # fmt: skip
VECTOR = dict.fromkeys(("v_perm_b32", "v_mul_lo_u32"), "vector")


def measured(accident: Accident = Accident.NONE, only: str = "") -> Record:
    """The row of a machine with two waves for each SIMD, of the classes that have intervals."""
    own = [
        replace(each, warps=8, trips=2, launches=2)
        for each in LABELED.values()
        if set(each.name.split(" with ")) <= INTERVALS.keys() and only in each.name
    ]
    modules = [assembled(each, TARGET) for each in own]
    machine = PlantedWaves(WaveSecret({}, INTERVALS, VECTOR), accident)
    samples, withheld = observe_series(
        modules, machine, lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    environment = Planted().environment()
    device = SimpleNamespace(name="hip", evidence="silicon", environment=lambda: environment)
    return series_record(
        PROBE.name, TARGET, modules, samples, withheld, device, MULTIPROCESSORS, 1, environment
    )


def test_planted_pipes_are_found() -> None:
    """Two waves of a SIMD take twice an interval; two classes of one pipe, the sum of both.

    Classes that issue in every slot share none: a wave takes two slots for them, and its SIMD the
    same.
    """
    found = pipes_of(measured())
    room = 1.03
    for name, interval in INTERVALS.items():
        assert 2 * interval / room <= found.alone[name] <= 2 * interval * room, name
    assert found.pipes[0] == ("v_mul_lo_u32", "v_perm_b32")
    assert {len(pipe) for pipe in found.pipes[1:]} == {1}
    assert found.relations["v_mul_lo_u32", "v_perm_b32"] == SHARED
    assert found.relations["v_mfma_f32_16x16x32_f16", "v_mul_lo_u32"] == APART
    assert found.relations["ds_read_b32", "s_xor_b32"] == APART
    assert found.columns[-1] == "cycles between two of a wave, of 16"
    assert found.to_json()["issuer"] == "wave" and not found.against


@pytest.mark.parametrize("accident", [Accident.MOVING_CLOCK, Accident.SATURATED])
def test_an_accident_explains_no_pair(accident: Accident) -> None:
    row = measured(accident, "v_perm_b32 with v_mul")
    assert not any(each.explained for each in figures_of(row))


def results(series: Series) -> tuple[Words, Words]:
    """The inputs and the results of its shortest window, uint32[thread, word] and without."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    module = assembled(series, TARGET)
    assert module.code.reason == ""
    given = inputs(1, series.threads)
    more = More((np.uint32(EVERY),))
    found = machine.load(module.ptx).launch(series.entry(min(series.lengths)), given, more)
    return given[0], found.results[0]


@pytest.mark.parametrize(
    "series",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.slow] * (number % 35 > 0))
        for number, each in enumerate(PROBE.series)
    ],
)
def test_clang_assembles_what_is_declared_and_it_runs(series: Series) -> None:
    assert len(set(results(series)[1].tolist())) > 1


def test_every_pair_is_asked_once() -> None:
    classes = [name for name in LABELED if " with " not in name]
    assert len(classes) == 14 and len(LABELED) == 14 + 14 * 13 // 2


def test_additions_beside_scalar_work() -> None:
    """32 additions of k0 to x + n, for n < 4, folded into x, which then rotates by 5.

    32 times an exclusive or changes nothing, so that k0 to k3 of the wave's first lane remain.
    """
    given, found = results(LABELED["v_add_u32 with s_xor_b32"])
    x, k0 = given[:, 0], given[:, 1]
    expected = x.copy()
    for n in range(4):
        expected ^= x + np.uint32(n) + np.uint32(32) * k0
        expected = expected << np.uint32(5) | expected >> np.uint32(27)
    first = given[np.arange(len(given)) // 64 * 64]
    expected ^= first[:, 1] ^ first[:, 2] ^ first[:, 3] ^ first[:, 4]
    assert found.tolist() == expected.tolist()
