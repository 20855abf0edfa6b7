"""The series of tensor cores: what ptxas makes of them, and what they compute."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe
from tests.timing.once import assembled

TARGET = "sm_90a"
PROBES = {name: each for name, each in find_probes().items() if name in ("mma", "wgmma")}
SAMPLE = [
    each
    for probe in PROBES.values()
    if isinstance(probe, SeriesProbe)
    for each in probe.series[:: len(probe.series) // 5]
]


def named(label: str) -> Series:
    (found,) = (
        each
        for probe in PROBES.values()
        if isinstance(probe, SeriesProbe)
        for each in probe.series
        if each.label.startswith(label)
    )
    return found


def computed(series: Series) -> list[int]:
    device = lanemap.open_device(TARGET, device="emulator")
    machine = DeviceMachine(device)
    more = More((np.uint32(EVERY),), shared_bytes=series.shared_bytes)
    entry = series.entry(min(series.lengths))
    given = inputs(1, series.threads)
    loaded = machine.load(assembled(series, TARGET).ptx)
    return [int(each) for each in loaded.launch(entry, given, more).results[0]]


@pytest.mark.slow
@pytest.mark.parametrize("series", SAMPLE, ids=lambda each: each.entry(0))
def test_ptxas_makes_of_it_what_is_declared(series: Series) -> None:
    assert assembled(series, TARGET).code.reason == ""


@pytest.mark.slow
@pytest.mark.parametrize("operand", ["A", "B"])
@pytest.mark.parametrize(
    ("sass", "registers", "eight"),
    [
        ("HMMA.1688.F32.TF32", 4, 0x41000000),
        ("HMMA.16816.F32.BF16", 4, 0x41000000),
        ("HMMA.16816.F16", 2, 0x48004800),
    ],
)
def test_a_chain_counts_its_links(sass: str, registers: int, eight: int, operand: str) -> None:
    """By hand: each of 8 links adds 1 to each element, from 0; x takes D in turn, rotated by 5."""
    series = named(f"{sass} D to {operand}")
    expected = []
    for x in inputs(1)[0, :, 0].tolist():
        for _ in range(registers):
            x ^= eight
            x = (x << 5 | x >> 27) & 0xFFFFFFFF
        expected.append(x)
    assert computed(series) == expected


@pytest.mark.slow
def test_one_commit_for_four_computes_what_two_for_two_do() -> None:
    """The shortest windows of both hold eight wgmma."""
    label = "HGMMA.64xNx16.F32 {} and wait N=64"
    two, four = (computed(named(label.format(count))) for count in (2, 4))
    assert two == four and len(set(two)) > 100


@pytest.mark.slow
def test_issues_of_wgmma_wait_for_none() -> None:
    """The window's only wait lets the group pend that it commits; nothing after it does."""
    probe = find_probes()["wgmma_depth"]
    assert isinstance(probe, SeriesProbe)
    for each in (probe.series[2], probe.series[-1]):
        own = assembled(replace(each, lengths=each.lengths[:2]), TARGET)
        assert own.code.holds, own.code.reason
        shortest = own.windows[each.lengths[0]]
        waits = [one.operands for one in shortest.body if one.opcode == "WARPGROUP.DEPBAR.LE"]
        assert waits == ["gsb0, 0x1"]
        machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
        more = More((np.uint32(EVERY),), shared_bytes=each.shared_bytes)
        machine.load(own.ptx).launch(each.entry(each.lengths[0]), inputs(1, each.threads), more)


@pytest.mark.slow
def test_f8_is_unpacked_in_every_link() -> None:
    """As declared, and without a hazard on the emulator."""
    probe = find_probes()["mma_fp8"]
    assert isinstance(probe, SeriesProbe)
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    for each in probe.series:
        own = assembled(replace(each, lengths=each.lengths[:2]), TARGET)
        assert own.code.holds, own.code.reason
        given = inputs(1, each.threads)
        machine.load(own.ptx).launch(each.entry(each.lengths[0]), given, More((np.uint32(EVERY),)))
