"""Series for gfx950: what clang makes of them, and what they compute, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.errors import UserError
from lanemap.timing import find
from lanemap.timing.find import find_probes
from lanemap.timing.launch import ROUNDS, DeviceMachine, More, Words, inputs
from lanemap.timing.series import EVERY, Series, SeriesProbe
from lanemap.timing.series_figures import series_figures
from lanemap.timing.waves import TARGET, WaveModule, WaveSeries
from tests.timing.once import assembled

GROUPS = {
    name: each
    for name, each in find_probes().items()
    if isinstance(each, SeriesProbe) and each.targets == (TARGET,)
}


def named(group: str, label: str) -> Series:
    (found,) = (each for each in GROUPS[group].series if each.label.startswith(label))
    return found


def results(series: Series) -> tuple[Words, Words]:
    """The inputs and the results of its shortest window, uint32[thread, word] and without."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    module = assembled(series, TARGET)
    assert module.code.reason == ""
    given = inputs(1, series.threads)
    more = More((np.uint32(EVERY), *machine.arguments(series.arguments)))
    launched = machine.load(module.ptx).launch(series.entry(min(series.lengths)), given, more)
    assert launched.clocks.shape == (1, series.warps, ROUNDS, 2)
    assert (launched.clocks[..., 1] > launched.clocks[..., 0]).all()
    return given[0], launched.results[0]


def test_the_groups() -> None:
    assert set(GROUPS) == {"gfx950_alu", "gfx950_contention", "gfx950_memory", "gfx950_mfma"}
    assert all(isinstance(each, WaveSeries) for own in GROUPS.values() for each in own.series)


@pytest.mark.parametrize(
    "series",
    [
        pytest.param(each, id=each.entry(0), marks=[pytest.mark.slow] * (number % 24 > 0))
        for own in GROUPS.values()
        for number, each in enumerate(own.series[::3])
    ],
)
def test_clang_assembles_what_is_declared_and_it_runs(series: Series) -> None:
    assert results(series)[1].any()


def test_a_chain_of_additions() -> None:
    given, found = results(named("gfx950_alu", "v_add_u32 chain"))
    assert found.tolist() == (given[:, 0] + np.uint32(8) * given[:, 1]).tolist()


def test_a_ring_in_lds() -> None:
    """Each of 8 links goes on by five of 64 slots of 16 bytes."""
    given, found = results(named("gfx950_memory", "ds_read_b128 chase"))
    assert found.tolist() == [int(given[t, 0]) ^ (t + 40) % 64 * 16 for t in range(64)]


def test_a_ring_in_memory_that_goes_on() -> None:
    """Of 512 lines of 4224 bytes, the wave is at line 0 before six rounds of 8 links."""
    given, found = results(named("gfx950_memory", "global_load_dword chase residency=L2"))
    assert found.tolist() == (given[:, 0] ^ np.uint32(6 * 8 * 4224)).tolist()


def elements(given: Words, first: int) -> np.ndarray:
    """Of 4 registers of halves that are 0 or 1, from register `first`, float64[row 16, k 32].

    Lane l holds row l % 16, k = 8 * (l / 16) + h.
    """
    words = np.stack(
        [
            (given[:64, 1 + n % 4] >> np.uint32(n % 7) & np.uint32(0x10001)) * np.uint32(0x3C00)
            for n in range(first, first + 4)
        ],
        axis=1,
    )
    halves = np.ascontiguousarray(words).view(np.float16).astype(np.float64)
    found = np.zeros((16, 32))
    for lane in range(64):
        found[lane % 16, 8 * (lane // 16) : 8 * (lane // 16) + 8] = halves[lane]
    return found


def test_a_chain_of_products() -> None:
    """D is 8 times A times B; x takes its rows 4 * (l / 16) + r of column l % 16, rotated by 5."""
    given, found = results(named("gfx950_mfma", "v_mfma_f32_16x16x32_f16 chain"))
    d = 8 * elements(given, 0) @ elements(given, 8).T
    assert d.any()
    for lane in range(64):
        x = int(given[lane, 0])
        for row in range(4):
            x ^= int(np.float32(d[4 * (lane // 16) + row, lane % 16]).view(np.uint32))
            x = (x << 5 | x >> 27) & 0xFFFFFFFF
        assert found[lane] == x, lane


def test_waits_in_the_middle_of_a_window_can_be_taken_away() -> None:
    """The first stays, and the last two: an address is never what was in a register before."""
    chase = named("gfx950_memory", "ds_read_b32 chase")
    module = chase.assembled(TARGET)
    assert isinstance(module, WaveModule)
    bare = module.without_waits()
    assert bare is not None
    window = bare.split(b"// window")[1].split(b"// end of the window")[0]
    waits = [
        line.split()[0] for line in window.splitlines() if b"s_waitcnt" in line or b"s_nop" in line
    ]
    assert waits == [b"s_waitcnt", *[b"s_nop"] * 5, *[b"s_waitcnt"] * 2]
    assert replace(chase, link="s_nop 0").assembled(TARGET).without_waits() is None


def test_a_link_that_is_not_as_declared_is_withheld() -> None:
    chase = named("gfx950_memory", "ds_read_b32 chase")
    reason = replace(chase, period={"ds_read_b32": 1}).assembled(TARGET).code.reason
    assert reason == "a link is 1 ds_read_b32, 1 s_waitcnt, declared as 1 ds_read_b32"
    reason = replace(chase, cut="s_nop 0").assembled(TARGET).code.reason
    assert reason == "44 links cut hold 0 ds_read_b32, not 44"
    with pytest.raises(UserError, match="is for gfx950, not for sm_90a"):
        chase.assembled("sm_90a")


def test_windows_are_printed_without_a_gpu(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = named("gfx950_mfma", "v_mfma_f32_16x16x32_f16 chain")
    few = replace(GROUPS["gfx950_mfma"], series=(one,))
    monkeypatch.setattr(find, "find_probes", lambda: {"gfx950_mfma": few})
    assert main.run(["timing", "gfx950_mfma", "--assemble"]) == 0
    told = capsys.readouterr().out
    assert "v_mfma_f32_16x16x32_f16 chain type=f16" in told and ": as declared" in told
    assert "    v_mfma_f32_16x16x32_f16 v[56:59], v[16:19], v[24:27], v[56:59]" in told
    assert main.run(["timing", "gfx950_mfma", "--device", "emulator"]) == 3
    assert "has no clock" in capsys.readouterr().err
    assert not series_figures([], 1)
