"""Groups and their targets: what is written for sm_90a is assembled for sm_100a too."""

from __future__ import annotations

import pytest

from lanemap.cli import main
from lanemap.conformance import silicon
from lanemap.timing.find import find_probes
from lanemap.timing.series import Series, SeriesProbe
from lanemap.timing.text import header
from tests.sampled import sampled
from tests.timing.once import assembled

PTX = {
    name: each
    for name, each in find_probes().items()
    if isinstance(each, SeriesProbe) and each.targets == ("sm_90a", "sm_100a")
}
#: One of each group, of kinds that both assemblers make the same of.
SAMPLE = [
    each
    for name, probe in PTX.items()
    if name != "contention"
    for each in probe.series[:: len(probe.series) // 2][:1]
]


def test_most_groups_are_for_both() -> None:
    assert {"issue", "smem", "sync", "copies", "memory", "mma", "alu_rates"} <= set(PTX)
    assert find_probes()["wgmma"].targets == ("sm_90a",)


@pytest.mark.parametrize("series", sampled(SAMPLE, 3, lambda each: each.entry(0)))
def test_a_series_is_on_sm_100a_what_it_is_on_sm_90a(series: Series) -> None:
    assert assembled(series, "sm_100a").code.reason == ""


def test_the_text_names_a_ptx_that_has_the_target() -> None:
    """The PTX ISA has sm_90a since 8.0 and sm_100a since 8.6."""
    assert header("sm_90a").startswith(".version 8.0\n")
    assert header("sm_100a").startswith(".version 8.6\n")
    assert header("sm_100a", "8.7").startswith(".version 8.7\n")
    assert header("sm_90a", "8.4").startswith(".version 8.4\n")


@pytest.mark.parametrize("words", [["--assemble"], ["--device", "cuda"]])
def test_a_group_that_is_not_for_the_target_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["timing", "wgmma", *words, "--target", "sm_100a"]) == 2
    told = capsys.readouterr()
    assert "the group wgmma is for sm_90a, not for sm_100a" in told.err and not told.out


def test_make_silicon_leaves_out_what_is_not_for_its_gpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["silicon", "--only", "timing_tcgen05"])
    with pytest.raises(SystemExit, match="2"):
        silicon.main()
    choices = capsys.readouterr().err
    assert "invalid choice: 'timing_tcgen05'" in choices and "'timing_wgmma'" in choices
    assert "timing_gfx950" not in choices
