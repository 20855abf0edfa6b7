"""The timing groups of memory and copies: what ptxas makes of them, and what they compute."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe, source
from tests.timing.once import prepare

TARGET = "sm_90a"
pytestmark = pytest.mark.slow


def group(name: str) -> SeriesProbe:
    found = find_probes()[name]
    assert isinstance(found, SeriesProbe)
    return found


@pytest.mark.parametrize("name", ["copies", "memory"])
def test_every_series_is_as_declared(name: str) -> None:
    """At two lengths, which is what tells a link from what is there once."""
    probe = group(name)
    short = tuple(replace(each, lengths=each.lengths[:2]) for each in probe.series)
    wrong = {
        own.series.label: own.code.reason
        for own in prepare(replace(probe, series=short), TARGET)
        if not own.code.holds
    }
    assert not wrong


@pytest.mark.parametrize("name", ["copies", "memory"])
def test_pairs_of_events_are_many(name: str) -> None:
    assert len({(each.instruction, *each.events) for each in group(name).series}) >= 12


@pytest.mark.parametrize("name", ["copies", "memory"])
def test_every_kernel_runs_without_a_hazard(name: str) -> None:
    """Without the emulator's complaints, and with the same results on another run of it."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    for series in group(name).series:
        results = [launched(series, machine) for _ in range(2)]
        assert not series.exact or np.array_equal(*results), series.label


def launched(series: Series, machine: DeviceMachine) -> Words:
    """What two clusters compute with the fewest links."""
    links = min(series.lengths)
    made = machine.arguments(series.arguments)
    more = More((np.uint32(EVERY), *made), series.cluster, series.shared_bytes)
    loaded = machine.load(source(series, TARGET, [series.text(links)]))
    given = inputs(2 * series.cluster, series.threads)
    return loaded.launch(series.entry(links), given, more).results


def test_a_chase_follows_the_ring_as_numpy_does() -> None:
    """x is mixed with how far the last address lies from the ring's: 6 rounds of 8 links."""
    probe = group("memory")
    series = next(each for each in probe.series if each.axes.get("residency") == "memory")
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    order = np.random.default_rng(7).permutation(512)
    follows = np.empty(512, np.int64)
    follows[order] = np.roll(order, -1)
    slot = 0
    for _ in range(6 * min(series.lengths)):
        slot = follows[slot]
    expected = inputs(2)[:, :, 0] ^ np.uint32(slot * 128)
    assert np.array_equal(launched(series, machine), expected)
