"""Published cycle counts against stored figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lanemap.claims.timings import TIMINGS, Asked, PublishedTiming
from lanemap.cli import main
from lanemap.records.files import read_record
from lanemap.records.lookup import of_kind
from lanemap.timing.court import Verdict, judge
from lanemap.timing.figures import question
from lanemap.timing.find import find_probes
from lanemap.timing.series import SeriesProbe

RESULTS = Path(__file__).resolve().parents[2] / "results"
FFMA = Asked("issue of FFMA", "issue of FFMA with the result as operand 2")
EX2 = Asked("issue of MUFU.EX2", "issue of MUFU.EX2 with the result as operand 1")
EX2_AGAIN = Asked("issue of MUFU.EX2", "issue of the next independent MUFU.EX2 of the warp")
UNKNOWN = Asked("issue of FFMA", "the end of the day")


def claim(cycles: float, called: Asked, measured: Asked | None = None) -> PublishedTiming:
    return PublishedTiming(
        "someone", "somewhere", "H100", "words", (cycles, cycles), called, measured
    )


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        (claim(4, FFMA), Verdict.AGREES),
        (claim(4.15, FFMA), Verdict.AGREES),
        (claim(6, FFMA), Verdict.DISAGREES),
        (claim(8, EX2, EX2_AGAIN), Verdict.SOMETHING_ELSE),
        (claim(17, EX2, EX2_AGAIN), Verdict.AGREES),
        (claim(30, EX2, EX2_AGAIN), Verdict.DISAGREES),
        (replace(claim(4, FFMA), unit="ns"), Verdict.DISAGREES),
        (claim(4, UNKNOWN), Verdict.OPEN),
        (claim(4, UNKNOWN, FFMA), Verdict.SOMETHING_ELSE),
    ],
)
def test_a_verdict_follows_from_both_pairs_of_events(
    published: PublishedTiming, verdict: Verdict
) -> None:
    """The H200's row has 4 cycles from FFMA to FFMA, 17 from MUFU.EX2 to itself, 8 apart."""
    row = read_record(RESULTS / "sm_90a/cuda/timing_alu.json")
    (found,) = judge([published], [row])
    assert found.verdict is verdict


def test_every_published_figure_has_its_place() -> None:
    """None names events that no probe measures; each says where it was read.

    The published "latency of wgmma" is the interval between two issues, and that of mma.sync the
    stall counts that ptxas writes.
    """
    rows = of_kind("timing", RESULTS)
    found = judge(TIMINGS, rows)
    of_llvm = [each for each in found if each.claim.source == "LLVM 22"]
    assert [each for each in found if each.verdict is Verdict.OPEN] == of_llvm
    assert len(found) - len(of_llvm) >= 40
    assert all(each.claim.citation and each.claim.chip for each in found)
    assert all(each.claim.reading for each in found if each.verdict is not Verdict.AGREES)
    else_ = {each.claim.words for each in found if each.verdict is Verdict.SOMETHING_ELSE}
    assert "wgmma latency, dense, N = 256" in else_ and "mma m16n8k16 f16 latency" in else_


def test_what_a_model_of_gfx950_says_is_asked_by_its_series() -> None:
    """No silicon has answered yet; a row of an MI355X is judged at once."""
    probe = find_probes()["gfx950_mfma"]
    assert isinstance(probe, SeriesProbe)
    asked = {question(each.events, each.axes) for each in probe.series}
    claims = [each for each in TIMINGS if each.source == "LLVM 22"]
    assert len(claims) == 20
    for each in claims:
        called = each.called
        assert question((called.from_event, called.to_event), dict(called.axes)) in asked
        assert each.cycles[0] % 4 == 0


def test_the_verb_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["compare", "timing", "--json"]) == 0
    shown: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert len(shown) == len(TIMINGS)
    ffma = next(each for each in shown if each["words"] == "FFMA chain")
    assert (ffma["ours"], ffma["verdict"]) == (4.0, "agrees")
    assert main.run(["compare", "timing"]) == 0
    assert "agrees" in capsys.readouterr().out
