"""The series of issue: what ptxas makes of them, and other control words than its own."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.timing.figures import Figure
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.planted import MULTIPROCESSORS, PlantedMachine, Secret
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import EVERY, Series, SeriesProbe, source
from lanemap.timing.series_figures import series_figures
from lanemap.timing.window import reads_of_the_clock
from lanemap.toolchain.control import Control
from lanemap.toolchain.sass import disassemble
from tests.timing.once import assembled

PROBE = find_probes()["issue"]
assert isinstance(PROBE, SeriesProbe)


@pytest.mark.slow
@pytest.mark.parametrize("series", PROBE.series[::3], ids=lambda each: each.entry(0))
def test_ptxas_makes_of_it_what_is_declared(series: Series) -> None:
    assert assembled(series, "sm_90a").code.reason == ""


def named(label: str) -> Series:
    return next(each for each in PROBE.series if each.label == label)


def figure(label: str, secret: Secret) -> Figure:
    """What a planted machine's answers to one question become."""
    modules = [assembled(named(label), "sm_90a")]
    samples, withheld = observe_series(
        modules, PlantedMachine(secret), lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    assert not withheld, withheld
    (found,) = series_figures(samples, MULTIPROCESSORS)
    return found


def patched_controls(label: str, opcode: str) -> list[Control]:
    """The control words of an opcode in the shortest window, from the bytes of the cubin."""
    series = named(label)
    own = assembled(series, "sm_90a")
    assert own.code.reason == ""
    functions = disassemble(own.cubin)[series.entry(min(series.lengths))]
    first, second = reads_of_the_clock(functions)
    return [each.control for each in functions[first:second] if each.opcode == opcode]


@pytest.mark.slow
@pytest.mark.parametrize(("stall", "bit"), [(1, 0), (15, 0), (11, 1)])
def test_a_stall_count_is_that_of_the_question(stall: int, bit: int) -> None:
    found = patched_controls(f"stall count stall={stall} yield_bit={bit}", "FFMA")
    assert len(found) == 32
    assert {(each.stall, each.yields) for each in found} == {(stall, bit)}


@pytest.mark.slow
def test_a_planted_machine_takes_the_stall_counts_of_the_cubin() -> None:
    """It waits as the control words say; FFMA keeps its pipe for two cycles."""
    secret = Secret({}, {"FFMA": 2})
    for stall, cycles in ((1, 2), (2, 2), (9, 9)):
        each = figure(f"stall count stall={stall} yield_bit=1", secret)
        assert each.explained and each.cycles == cycles


@pytest.mark.slow
def test_barriers_are_those_of_the_question() -> None:
    chase = patched_controls("barrier of a result barrier=4", "LDS")
    assert {each.write_barrier for each in chase} == {4}
    assert [each.waits >> 4 & 1 for each in chase] == [0] + [1] * (len(chase) - 1)
    stores = patched_controls("barrier of operands barrier=2", "STS")
    assert {each.read_barrier for each in stores} == {2}
    logic = patched_controls("barrier of operands barrier=2", "LOP3.LUT")
    assert all(each.waits >> 2 & 1 for each in logic)
    turns = patched_controls("barriers of four results barriers=2", "LDS")
    assert [each.write_barrier for each in turns[:4]] == [0, 1, 0, 1]
    free = patched_controls("free barriers wait_mask=111111", "FFMA")
    assert {each.waits for each in free} == {0b111111}


def test_a_planted_latency_is_that_of_a_barrier() -> None:
    secret = Secret({("LDS", "LDS", 1): 27}, {})
    each = figure("barrier of a result barrier=5", secret)
    assert each.explained and each.cycles == 27, each.certificates


def test_other_control_words_than_declared_are_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cubin that came back as ptxas wrote it."""
    monkeypatch.setattr("lanemap.timing.series.patched", lambda cubin, words: cubin)
    own = assembled(named("stall count stall=7 yield_bit=1"), "sm_90a")
    assert own.code.reason == "stall of FFMA is not 7"
    own = assembled(named("barrier of a result barrier=3"), "sm_90a")
    assert "does not release the barriers [3, 3" in own.code.reason
    own = assembled(named("free barriers wait_mask=000100"), "sm_90a")
    assert own.code.reason == "stall of FFMA is not 1"


def emulated(label: str) -> tuple[Words, Words]:
    """The inputs of one CTA and the results of the shortest window."""
    series = named(label)
    device = DeviceMachine(lanemap.open_device("sm_90a", device="emulator"))
    text = source(series, "sm_90a", [series.text(min(series.lengths))])
    given = inputs(1, series.threads)
    more = More((np.uint32(EVERY),), 1, series.shared_bytes)
    launched = device.load(text).launch(series.entry(min(series.lengths)), given, more)
    return given[0], launched.results[0]


def test_a_loop_runs_its_turns() -> None:
    """Eight turns of eight LOP3: each strand is (s & k0) ^ k1, eight times in each of 6 rounds."""
    given, results = emulated("loop lop3=8")
    x, k = given[:, 0], given[:, 1:5]
    expected = x.copy()
    for strand in range(8):
        value = k[:, strand % 4] ^ np.uint32(strand)
        for _ in range(6 * 8):
            value = value & k[:, 0] ^ k[:, 1]
        expected ^= value
    assert results.tolist() == expected.tolist()


def test_four_results_make_the_next_address() -> None:
    """Each lane's first word is the address of the lane five on: 4 links, lane l ends at l + 20."""
    given, results = emulated("barriers of four results barriers=2")
    lanes = np.arange(32)
    assert results.tolist() == (given[:, 0] ^ ((lanes + 20) % 32 * 4).astype(np.uint32)).tolist()


def test_stores_leave_the_chain() -> None:
    given, results = emulated("barrier of operands barrier=0")
    value = given[:, 0]
    for _ in range(8):
        value = value & given[:, 1] ^ given[:, 2]
    assert results.tolist() == value.tolist()
