"""The series of tcgen05: what ptxas makes of them for sm_100a, and what they compute."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import lanemap
from lanemap.timing.find import find_probes
from lanemap.timing.launch import ROUNDS, DeviceMachine, More, Words, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe
from lanemap.timing.stalls import without_waits
from tests.sampled import sampled
from tests.timing.once import assembled

TARGET = "sm_100a"
PROBE = find_probes()["tcgen05"]
assert isinstance(PROBE, SeriesProbe)
LABELED = {each.label: each for each in PROBE.series}
#: One of each kind of operation.
SAMPLE = [
    next(each for each in PROBE.series if each.name.startswith(name))
    for name in (
        "tcgen05.st.16x256b.x4 rate",
        "tcgen05.cp 128x128b",
        "tcgen05.mma UTCOMMA.2CTA.4X and",
    )
]


def results(series: Series) -> tuple[Words, Words]:
    """The inputs and the results of its shortest window, uint32[CTA, thread, word] and without."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    module = assembled(series, TARGET)
    assert module.code.reason == ""
    given = inputs(series.cluster, series.threads)
    more = More((np.uint32(EVERY),), series.cluster, series.shared_bytes)
    launched = machine.load(module.ptx).launch(series.entry(min(series.lengths)), given, more)
    return given, launched.results


@pytest.mark.parametrize("series", sampled(SAMPLE, 2, lambda each: each.entry(0)))
def test_ptxas_makes_of_it_what_is_declared_and_it_runs(series: Series) -> None:
    given, found = results(series)
    assert found.any() and found.shape == given.shape[:2]


@pytest.mark.slow
@pytest.mark.parametrize("series", PROBE.series[::7], ids=lambda each: each.entry(0))
def test_every_seventh_too(series: Series) -> None:
    assert results(series)[1].any()


@pytest.mark.parametrize(
    ("form", "columns"),
    [
        ("32x32b.x4", 4),
        pytest.param("16x256b.x16.pack::16b", 256, marks=pytest.mark.slow),
        pytest.param("16x32bx2.x4", 8, marks=pytest.mark.slow),
    ],
)
def test_five_loads_lead_five_frames_on(form: str, columns: int) -> None:
    """A frame of 32 bits a lane has N, 4N times two, and 2N columns of 512."""
    (series,) = (each for each in PROBE.series if each.name == f"tcgen05.ld.{form} chase")
    given, found = results(series)
    assert found.tolist() == (given[:, :, 0] ^ np.uint32(5 * columns % 512)).tolist()
    shortest = assembled(series, TARGET).windows[5]
    assert without_waits(shortest, series.instruction), "no wait can be taken away"


def shared(given: Words) -> np.ndarray:
    """Shared memory of elements of f16, which are 0 or 1, as uint8: what `elements.filled` says."""
    at = np.arange(49152 // 4, dtype=np.uint32)
    word = (4 * at * np.uint32(0x9E3779B1) + given[at % 32, 1]) * np.uint32(0x85EBCA6B)
    return ((word >> np.uint32(11) & np.uint32(0x10001)) * np.uint32(0x3C00)).view(np.uint8)


def operand(memory: np.ndarray, first: int, rows: int) -> np.ndarray:
    """16 elements of each row, K-major, 128-byte swizzle: 16 bytes c of row r are at c ^ r % 8."""
    row, byte = np.indices((rows, 32))
    place = first + 128 * row + ((byte // 16) ^ row % 8) * 16 + byte % 16
    return np.ascontiguousarray(memory[place]).view(np.float16).astype(np.float64)


@pytest.mark.parametrize(
    ("count", "links"),
    [(1, 4), pytest.param(4, 2, marks=pytest.mark.slow)],
)
def test_every_product_of_every_round_is_in_d(count: int, links: int) -> None:
    """NumPy's A times B, once before the rounds and links times count in each; x takes 8 columns.

    Lane l of warp 0 has row l of D in the 32x32b layout.
    """
    label = "tcgen05.mma UTCHMMA and commit kind=f16 M=128 N=64 cta_group=1 A=shared memory"
    (series,) = (
        each
        for name, each in LABELED.items()
        if name.startswith(label) and name.endswith(f"in a commit={count}")
    )
    assert min(series.lengths) == links
    given, found = results(series)
    memory = shared(given[0])
    d = operand(memory, 0, 128) @ operand(memory, 16384, 64).T * (1 + ROUNDS * links * count)
    for lane in range(32):
        x = int(given[0, lane, 0])
        for column in range(8):
            (word,) = struct.unpack("<I", struct.pack("<f", d[lane, column]))
            x ^= word
            x = (x << 5 | x >> 27) & 0xFFFFFFFF
        assert found[0, lane] == x, lane
