"""Events on machines with planted timing: found, and refused after an accident."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lanemap.timing.figures import EVENT, Figure
from lanemap.timing.find import find_probes
from lanemap.timing.launch import More, Words, inputs
from lanemap.timing.planted import MULTIPROCESSORS, Accident, PlantedMachine, Secret
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import Series, SeriesProbe
from lanemap.timing.series_figures import series_figures
from tests.timing.once import assembled

BARRIER, TEST = "BAR.SYNC.DEFER_BLOCKING", "SYNCS.PHASECHK.TRANS64"
#: Cycles of a barrier's round trip.
TRUE = 27


def named(label: str) -> Series:
    probe = find_probes()["sync"]
    assert isinstance(probe, SeriesProbe)
    (found,) = (each for each in probe.series if each.label == label)
    assert found.kind == EVENT
    return found


class Oracle:
    """Answers as a planted machine does where no reader is early, or with one result wrong."""

    def __init__(self, wrong: int = 0) -> None:
        self.wrong = wrong

    def load(self, _text: str) -> Any:
        return self

    def arguments(self, _make: Any) -> tuple[Any, ...]:
        return ()

    def launch(self, _entry: str, given: Words, _more: More) -> Any:
        results = given[:, :, 0] * np.uint32(2654435761)
        results[0, : self.wrong] += np.uint32(1)
        return SimpleNamespace(results=results)


def figure(
    series: Series, secret: Secret, accident: Accident = Accident.NONE, wrong: int = 0
) -> Figure:
    samples, withheld = observe_series(
        [assembled(series, "sm_90a")],
        PlantedMachine(secret, accident),
        lambda threads: inputs(MULTIPROCESSORS, threads),
        Oracle(wrong),
    )
    assert not withheld, withheld
    (found,) = series_figures(samples, MULTIPROCESSORS)
    return found


@pytest.mark.parametrize(("cycles", "warps"), [(TRUE, 1), (41, 4)])
def test_a_planted_round_trip_is_recovered(cycles: int, warps: int) -> None:
    """Four warps are one for each scheduler: none takes another's turn."""
    found = figure(named(f"bar.sync 0 warps={warps}"), Secret({}, {BARRIER: cycles}))
    assert found.explained, found.certificates
    assert found.cycles == cycles
    assert "two_sided" not in found.certificates and not found.certificates["dependence"]


def test_a_round_trip_through_a_barrier_grows_with_what_is_waited_for() -> None:
    """LOP3.LUT waits for the predicate: of the link's cycles, all but its own are the latency."""
    taken = [
        figure(named("mbarrier.test_wait true"), Secret({(TEST, "LOP3.LUT", 0): latency}, {}))
        for latency in (30, 41)
    ]
    assert all(each.explained for each in taken)
    assert (taken[1].cycles or 0) - (taken[0].cycles or 0) == 11
    assert 30 <= (taken[0].cycles or 0) <= 30 + 15  # a stall count is 15 at most


@pytest.mark.parametrize(
    "accident", [Accident.MOVING_CLOCK, Accident.LOOP_COST, Accident.SATURATED]
)
def test_no_round_trip_of_an_accident_is_wrong(accident: Accident) -> None:
    found = figure(named("bar.sync 0 warps=1"), Secret({}, {BARRIER: TRUE}), accident)
    near = abs((found.cycles or Fraction()) - TRUE) <= Fraction(3, 100) * TRUE
    assert near if found.explained else found.certificates["slope"]
    assert not found.explained or accident is Accident.LOOP_COST


def test_an_event_whose_results_are_not_the_oracles_is_refused() -> None:
    """Threads that a barrier did not hold leave other results."""
    found = figure(named("bar.sync 0 warps=1"), Secret({}, {BARRIER: TRUE}), wrong=3)
    assert found.certificates["dependence"] == "3 of 32 results are not the emulator's"
    assert not found.explained
