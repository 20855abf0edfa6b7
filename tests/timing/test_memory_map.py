"""Memory by place: what ptxas makes of its series, and where their chases end."""

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
PROBE = find_probes()["memory_map"]
assert isinstance(PROBE, SeriesProbe)
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["memory_map", "traffic", "pipelines", "reach", "busy"])
def test_every_series_is_as_declared(name: str) -> None:
    """At two lengths, which is what tells a link from what is there once."""
    probe = find_probes()[name]
    assert isinstance(probe, SeriesProbe)
    short = tuple(replace(each, lengths=each.lengths[:2]) for each in probe.series)
    made = prepare(replace(probe, series=short), TARGET)
    assert not {own.series.label: own.code.reason for own in made if not own.code.holds}


def launched(series: Series) -> Words:
    """What two CTAs compute with the fewest links."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    links = min(series.lengths)
    more = More((np.uint32(EVERY), *machine.arguments(series.arguments)))
    loaded = machine.load(source(series, TARGET, [series.text(links)]))
    return loaded.launch(series.entry(links), inputs(2), more).results


def test_a_chase_over_pages_follows_their_ring() -> None:
    """6 rounds of 8 links from page 37 * CTA; only the last round's page is mixed with x."""
    (series,) = (each for each in PROBE.series if each.axes.get("pages") == 512)
    order = np.random.default_rng(7).permutation(512)
    follows = np.empty(512, np.int64)
    follows[order] = np.roll(order, -1)
    ends = []
    for page in (0, 37):
        for _ in range(6 * 8):
            page = int(follows[page])
        ends.append(page)
    expected = inputs(2)[:, :, 0] ^ np.array(ends, np.uint32)[:, None]
    assert np.array_equal(launched(series), expected)


@pytest.mark.parametrize("name", ["traffic", "reach", "busy"])
def test_traffic_has_no_hazard(name: str) -> None:
    """Each series with the fewest links, in a CTA of its own."""
    probe = find_probes()[name]
    assert isinstance(probe, SeriesProbe)
    device = lanemap.open_device(TARGET, device="emulator")
    machine = DeviceMachine(device)
    for series in probe.series:
        links = min(series.lengths)
        more = More(
            (np.uint32(EVERY), *machine.arguments(series.arguments)), 1, series.shared_bytes
        )
        loaded = machine.load(source(series, TARGET, [series.text(links)]))
        loaded.launch(series.entry(links), inputs(1, series.threads), more)


def test_a_chase_in_a_sector_comes_back() -> None:
    """8 links are two turns of four words: each round ends where it began."""
    (series,) = (each for each in PROBE.series if each.axes.get("line") == 3)
    assert np.array_equal(launched(series), inputs(2)[:, :, 0])


@pytest.mark.parametrize(
    "label",
    [each.label for each in PROBE.series if "atom" in each.name and each.axes["SMs"] == "all"],
)
def test_an_atomic_runs_without_a_hazard(label: str) -> None:
    (series,) = (each for each in PROBE.series if each.label == label)
    launched(series)
