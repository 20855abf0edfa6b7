"""The certificate of the clock: what it refuses, and that the load and the windows run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.timing import clocks
from lanemap.timing.clocks import TwoClocks, megahertz
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.planted import MULTIPROCESSORS, PlantedMachine, Secret
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import EVERY, SeriesProbe
from lanemap.timing.series_figures import series_figures
from lanemap.timing.text import header
from tests.timing.once import assembled, prepare
from tests.timing.test_series import CHASE

TARGET = "sm_90a"
LATENCY = 23
MACHINE = PlantedMachine(Secret({("LDS", "LDS", 1): LATENCY}, {}))


@dataclass(frozen=True)
class Planted:
    """A second clock that runs the windows on SM 0 of the planted machine, some cycles longer."""

    more: int
    busy_mhz: float

    def windows(
        self, cubin: bytes, entries: Mapping[int, str], given: Words, _more: More
    ) -> TwoClocks:
        loaded = MACHINE.load(cubin)
        took = {links: loaded.launch(entry, given).warm() for links, entry in entries.items()}
        cycles = {links: own[0] + self.more for links, own in took.items()}
        return TwoClocks(0, 1974.0, self.busy_mhz, cycles)


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (Planted(0, 1790.0), ""),
        (Planted(1, 1790.0), "8 links take"),
        (Planted(0, 1950.0), "the clock stayed at 1974 MHz, then 1950"),
        (None, "it was measured at one frequency"),
    ],
)
def test_cycles_must_be_the_same_at_two_clocks(second: Planted | None, reason: str) -> None:
    modules = prepare(SeriesProbe("planted", (replace(CHASE, two_clocks=True),)), TARGET)
    samples, withheld = observe_series(
        modules, MACHINE, lambda threads: inputs(MULTIPROCESSORS, threads), clocks=second
    )
    assert not withheld
    (figure,) = series_figures(samples, MULTIPROCESSORS)
    assert figure.cycles == LATENCY
    assert figure.explained == (reason == "")
    assert figure.certificates["clock"].startswith(reason)
    assert bool(figure.certificates["clock"]) == bool(reason)


def test_a_frequency_is_cycles_by_time() -> None:
    """By hand: 3,580 cycles in 2,000 ns are 1,790 MHz."""
    assert megahertz([100, 5, 2100, 3585]) == 1790
    with pytest.raises(UserError, match="does not advance"):
        megahertz([100, 5, 100, 3585])


def test_the_load_and_the_pace_run_without_a_hazard() -> None:
    device = lanemap.open_device(TARGET, device="emulator")
    module = device.load(clocks.source(header(TARGET)))
    places = device.zeros(2, np.uint32, name="places")
    module["load"](2, clocks.LOAD_THREADS, (places, np.uint32(2)), clocks.SHARED_BYTES)
    pace = device.zeros(clocks.PACE_WORDS, np.uint64, name="pace")
    module["pace"](1, 1, (pace, np.uint32(500)))
    begun_ns, begun, ended_ns, ended, _ = (int(word) for word in pace.get())
    assert ended_ns - begun_ns >= 500 and ended > begun


@pytest.mark.slow
def test_every_series_is_as_declared_and_runs() -> None:
    probe = find_probes()["clocks"]
    assert isinstance(probe, SeriesProbe)
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    for each in probe.series:
        assert each.two_clocks and each.domain == "SM" and each.warps == each.cluster == 1
        own = assembled(replace(each, lengths=each.lengths[:2]), TARGET)
        assert own.code.holds, own.code.reason
        more = More((np.uint32(EVERY),), shared_bytes=each.shared_bytes)
        machine.load(own.ptx).launch(each.entry(each.lengths[0]), inputs(1), more)
