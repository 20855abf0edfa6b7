"""The series of shared memory: what ptxas makes of them, and their results by hand."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe
from lanemap.timing.stalls import without_waits
from tests.timing.once import assembled

TARGET = "sm_90a"
pytestmark = pytest.mark.slow


def series() -> dict[str, Series]:
    probe = find_probes()["smem"]
    assert isinstance(probe, SeriesProbe)
    return {each.label: each for each in probe.series}


#: Every twentieth: all of them take minutes, and `lanemap timing smem --assemble` shows them.
SAMPLE = sorted(series())[::20]


@pytest.mark.parametrize("label", SAMPLE)
def test_a_link_is_as_declared(label: str) -> None:
    own = assembled(series()[label], TARGET)
    assert own.code.holds, own.code.reason
    if own.series.kind == "variable latency":
        shortest = own.windows[min(own.series.lengths)]
        assert without_waits(shortest, own.series.instruction), "no wait can be taken away"


def results(own: Series) -> tuple[Words, Words]:
    """The inputs and the results of 8 links, uint32[32, 8] and uint32[32]."""
    device = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    module = assembled(own, TARGET)
    given = inputs(1, own.threads)
    more = More((np.uint32(EVERY),), shared_bytes=own.shared_bytes)
    return given[0], device.load(module.ptx).launch(own.entry(8), given, more).results[0]


def test_a_ring_of_atomics() -> None:
    """Each of 8 links goes on by five of 64 slots of 128 bytes: lane l ends at slot 40, word l."""
    given, found = results(series()["atom.shared.add chase words=32"])
    assert found.tolist() == [int(given[lane, 0]) ^ (40 * 128 + 4 * lane) for lane in range(32)]


def test_matrices_that_lead_to_matrices() -> None:
    """By the fragment layout: lane l of matrix 0 has word l mod 4 of row l div 4."""
    given, found = results(series()["ldmatrix.x4 chase passes=4"])
    rows = list(range(32))
    for _ in range(8):
        words = [4 * rows[lane // 4] + lane % 4 for lane in range(32)]
        rows = [w % 8 + 8 * ((w // 32 * 5 + w % 4 + 1) % 32) for w in words]
        assert all(
            sorted(row % 8 for row in rows[m : m + 8]) == list(range(8)) for m in range(0, 32, 8)
        ), "the rows of a matrix share banks"
    assert found.tolist() == [int(given[lane, 0]) ^ 16 * rows[lane] for lane in range(32)]


def test_values_that_go_through_memory() -> None:
    """Each link makes a * k0 + k1 of a."""
    given, found = results(series()["STS to LDS"])
    first = value = given[:, 0]
    for _ in range(8):
        value = value * given[:, 1] + given[:, 2]
    assert found.tolist() == (first ^ value).tolist()
