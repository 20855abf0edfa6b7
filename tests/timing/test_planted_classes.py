"""Every class of figures on machines with planted timing: found, and refused after an accident.

These are the mutants of timing probes: a machine that misleads, or a text that is not what it is
said to be. A figure of one must not be explained, unless it is the true one.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from lanemap.timing.figures import RATE, Figure
from lanemap.timing.find import find_probes
from lanemap.timing.launch import inputs
from lanemap.timing.pipes import APART, SHARED, infer
from lanemap.timing.planted import MULTIPROCESSORS, Accident, PlantedMachine, Secret
from lanemap.timing.planted_waves import PlantedWaves, WaveSecret
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import Series, SeriesProbe
from lanemap.timing.series_figures import series_figures
from tests.timing.once import assembled

#: What the machines take: of NVIDIA's, of AMD's.
SECRET = Secret(
    {("LDS", "LDS", 1): 23, ("FFMA", "FFMA", 3): 4},
    {"STS": 7, "LOP3.LUT": 3, "PRMT": 3, "FFMA": 3},
    {"LOP3.LUT": "alu", "PRMT": "alu"},
)
WAVES = WaveSecret(
    {"ds_read_b32": 124, "v_add_u32": 12, "v_mfma_f32_16x16x32_f16": 36, "ds_write_b32": 52},
    {"v_add_u32": 8, "v_mfma_f32_16x16x32_f16": 16},
)
ACCIDENTS = (Accident.MOVING_CLOCK, Accident.LOOP_COST, Accident.SATURATED)


def named(group: str, label: str) -> Series:
    probe = find_probes()[group]
    assert isinstance(probe, SeriesProbe)
    return next(each for each in probe.series if each.label.startswith(label))


def run(series: Series, machine: Any, target: str) -> tuple[list[Figure], dict[str, str]]:
    samples, withheld = observe_series(
        [assembled(series, target)], machine, lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    return series_figures(samples, MULTIPROCESSORS), withheld


def on_waves(series: Series, accident: Accident = Accident.NONE) -> Figure:
    (figure,), _ = run(series, PlantedWaves(WAVES, accident), "gfx950")
    return figure


def rate(
    first: str, second: str = "", accident: Accident = Accident.NONE, trips: int = 8
) -> tuple[list[Figure], dict[str, str]]:
    """Eight warps that issue one or two classes in a loop."""
    name = f"{first} with {second}" if second else f"{first} warps"
    series = replace(named("contention", name), warps=8, trips=trips)
    return run(series, PlantedMachine(SECRET, accident, trips=series.trips), "sm_90a")


def cycles(first: str, second: str = "") -> Fraction:
    (figure,), _ = rate(first, second, trips=2)
    assert figure.explained and figure.cycles is not None, figure.certificates
    return figure.cycles


def test_rates_of_warps_in_a_loop_show_the_pipes() -> None:
    """Two warps of a scheduler: 6 cycles of 3, and the sum where a pipe is shared."""
    alone = {each: cycles(each) for each in ("FFMA", "LOP3.LUT", "PRMT")}
    assert all(abs(each - 6) <= RATE * 6 for each in alone.values())
    pairs = [("LOP3.LUT", "PRMT"), ("FFMA", "PRMT")]
    found = infer(alone, {pair: cycles(*pair) for pair in pairs}, Fraction(2))
    assert found.relations["LOP3.LUT", "PRMT"] == SHARED
    assert found.relations["FFMA", "PRMT"] == APART
    assert found.pipes[0] == ("LOP3.LUT", "PRMT")


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_no_rate_of_an_accident_is_wrong(accident: Accident) -> None:
    """A branch back costs about the same at every length, so that the slope hardly sees it."""
    found, withheld = rate("LOP3.LUT", accident=accident)
    if accident is Accident.LOOP_COST:
        assert found[0].explained and abs((found[0].cycles or 0) - 6) <= Fraction(8, 100) * 6
    elif accident is Accident.MOVING_CLOCK:
        assert "launches of" in next(iter(withheld.values()))
    else:
        assert not found[0].explained


@pytest.mark.parametrize(
    ("group", "label", "cycles"),
    [
        ("gfx950_alu", "v_add_u32 chain", 12),
        ("gfx950_alu", "v_add_u32 rate waves=1", 8),
        pytest.param("gfx950_alu", "v_add_u32 rate waves=16", 32, marks=pytest.mark.slow),
        ("gfx950_mfma", "v_mfma_f32_16x16x32_f16 chain", 36),
        ("gfx950_mfma", "v_mfma_f32_16x16x32_f16 rate type=f16 values=0 and 1, integers and FP4 "
         "random waves=4", 16),
        ("gfx950_memory", "ds_read_b32 chase", 128),
        ("gfx950_memory", "ds_write_b32 and wait", 56),
    ],
)  # fmt: skip
def test_every_class_of_gfx950_is_found(group: str, label: str, cycles: int) -> None:
    """A wait passes when the load is there, and the next instruction issues a slot after it."""
    figure = on_waves(named(group, label))
    assert figure.explained, figure.certificates
    assert figure.cycles == cycles


@pytest.mark.parametrize(
    ("group", "label", "true", "accident"),
    [
        (*asked, accident)
        for asked in (
            ("gfx950_alu", "v_add_u32 chain", 12),
            ("gfx950_memory", "ds_read_b32 chase", 128),
            ("gfx950_memory", "ds_write_b32 and wait", 56),
            ("gfx950_mfma", "v_mfma_f32_16x16x32_f16 rate", 16),
        )
        for accident in ACCIDENTS
    ],
)
def test_no_figure_of_an_accident_of_gfx950_is_wrong(
    group: str, label: str, true: int, accident: Accident
) -> None:
    """Cycles that a wait hides change nothing; a rate may be off by what its slope may be."""
    figure = on_waves(named(group, label), accident)
    if accident is not Accident.LOOP_COST:
        assert not figure.explained
    room = 2 * RATE if figure.kind == "rate" else 0
    assert not figure.explained or abs((figure.cycles or 0) - true) <= room * true


@pytest.mark.parametrize("accident", [Accident.DEAF, Accident.INTERLOCKED])
def test_a_wait_that_nothing_needs_is_no_proof(accident: Accident) -> None:
    figure = on_waves(named("gfx950_memory", "ds_read_b32 chase"), accident)
    assert figure.certificates["two_sided"] == "no result is wrong without the wait"


def test_a_chain_that_is_none_is_refused() -> None:
    """Loads that do not depend on each other, each waited for: the cut takes as long."""
    chase = named("gfx950_memory", "ds_read_b32 chase")
    figure = on_waves(replace(chase, cut=chase.link))
    assert "a cut chain takes" in figure.certificates["dependence"]


def test_one_wait_or_commit_for_many_is_withheld() -> None:
    """The accident of published wgmma latencies: an issue loop with one commit behind it."""
    one = named("gfx950_memory", "ds_write_b32 and wait")
    link, _, wait = one.link.partition("; ")
    _, withheld = run(replace(one, link=link, last=wait), PlantedWaves(WAVES), "gfx950")
    assert withheld[one.label] == (
        "a link is 1 ds_write_b32, declared as 1 ds_write_b32, 1 s_waitcnt"
    )
    many = named("wgmma", "HGMMA.64xNx16.F32 1 and wait")
    begun, _, rest = many.link.partition("\n")
    text, _, rest = rest.partition("\n")
    _, withheld = run(
        replace(many, link=text, first=begun, last=rest + many.last, trips=1),
        PlantedMachine(SECRET),
        "sm_90a",
    )
    assert "declared as 1 HGMMA" in withheld[many.label] or "WARPGROUP" in withheld[many.label]
