"""The series of synchronization: what ptxas makes of them, and that none hangs or races."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe
from tests.timing.once import assembled

TARGET = "sm_90a"
pytestmark = pytest.mark.slow


def series() -> dict[str, Series]:
    probe = find_probes()["sync"]
    assert isinstance(probe, SeriesProbe)
    return {each.label: each for each in probe.series}


def results(own: Series) -> tuple[Words, Words]:
    """The inputs and the results of its shortest window, uint32[CTA, thread, word] and without."""
    device = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    module = assembled(own, TARGET)
    assert module.code.holds, module.code.reason
    given = inputs(own.cluster, own.threads)
    more = More((np.uint32(EVERY),), own.cluster, own.shared_bytes)
    launched = device.load(module.ptx).launch(own.entry(min(own.lengths)), given, more)
    return given, launched.results


@pytest.mark.parametrize(
    "label",
    [
        "bar.sync 0 warps=32", "bar.arrive hand-off", "mbarrier.arrive round trip lanes=1",
        "mbarrier.try_wait false limit_ns=1000", "mbarrier hand-off and back consumers=12",
        "barrier.cluster cluster=8", "mbarrier ring cluster=2", "setmaxnreg",
        "fence.acq_rel.gpu behind stores stores=4",
    ],
)  # fmt: skip
def test_waiting_changes_nothing(label: str) -> None:
    """A kernel whose wait fails gives up, and leaves zeros."""
    own = series()[label]
    given, found = results(own)
    assert found.tolist() == given[:, :, 0].tolist()


def test_predicates_that_take_turns() -> None:
    """The phase before the first is complete, the first is not: parities 0, 1, 0, 1 of 8 links.

    `selp` makes 1 of a predicate that is false, so link i adds 1 if i is even.
    """
    given, found = results(series()["mbarrier.test_wait by turns"])
    value = given[:, :, 0]
    for link in range(8):
        value = value * given[:, :, 1] + np.uint32(link % 2 == 0)
    assert found.tolist() == value.tolist()


def test_a_value_that_goes_to_and_fro() -> None:
    """Two warps take turns: 4 links are 8 steps of (v & k0) ^ k1 with each warp's own constants.

    The rounds go on with the value of the last, and a warp's result is what it stored last.
    """
    given, found = results(series()["mbarrier hand-off of a value"])
    first, second = given[0, :32], given[0, 32:]
    value = np.zeros(32, np.uint32)
    for _ in range(6 * 4):
        value = one = value & first[:, 1] ^ first[:, 2]
        value = two = value & second[:, 1] ^ second[:, 2]
    assert found[0, :32].tolist() == (first[:, 0] ^ one).tolist()
    assert found[0, 32:].tolist() == (second[:, 0] ^ two).tolist()
