"""The rates of arithmetic: what ptxas makes of them, and what they compute."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Outcome, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe, source
from tests.timing.once import assembled

TARGET = "sm_90a"
PROBE = find_probes()["alu_rates"]
assert isinstance(PROBE, SeriesProbe)


@pytest.mark.slow
@pytest.mark.parametrize("series", PROBE.series[::41], ids=lambda each: each.entry(0))
def test_ptxas_makes_of_it_what_is_declared(series: Series) -> None:
    assert assembled(series, TARGET).code.reason == ""


@pytest.mark.slow
def test_every_strand_of_every_turn_counts() -> None:
    """By hand: 32 turns of two links each add k0 and k1 to eight strands, which x takes in turn."""
    (series,) = (each for each in PROBE.series if each.label == "IADD3 rate warps=1")
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    given = inputs(1)
    loaded = machine.load(assembled(series, TARGET).ptx)
    results = loaded.launch(series.entry(2), given, More((np.uint32(EVERY),))).results[0]
    x, *k = (given[0, :, word] for word in range(5))
    expected = x.copy()
    for strand in range(8):
        begun = x & k[strand % 4] ^ k[(strand // 4 + 1 + strand) % 4]
        expected ^= begun + np.uint32(2 * 32) * (k[0] + k[1])
    assert results.tolist() == expected.tolist()


#: Of every group with rates, about six.
GROUPS = {
    name: rates[:: -(-len(rates) // 6)]
    for name, probe in find_probes().items()
    if isinstance(probe, SeriesProbe)
    and (rates := [each for each in probe.series if each.kind == "rate"])
    and TARGET in probe.targets
}


def test_many_groups_have_rates() -> None:
    assert len(GROUPS) >= 9 and sum(map(len, GROUPS.values())) >= 40


@pytest.mark.slow
@pytest.mark.parametrize(
    "series", [each for own in GROUPS.values() for each in own], ids=lambda each: each.entry(0)
)
def test_a_rate_runs_on_the_emulator(series: Series) -> None:
    """No hazard, no refusal, the same results again; no thread gave up, and clocks go on."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    links = min(series.lengths)
    given = inputs(series.cluster, series.threads)
    loaded = machine.load(source(series, TARGET, [series.text(links)]))

    def launched() -> Outcome:
        made = machine.arguments(series.arguments)
        more = More((np.uint32(EVERY), *made), series.cluster, series.shared_bytes)
        return loaded.launch(series.entry(links), given, more)

    first, second = launched(), launched()
    assert (first.clocks[..., 1] > first.clocks[..., 0]).all()
    if series.exact:
        assert np.array_equal(first.results, second.results)
