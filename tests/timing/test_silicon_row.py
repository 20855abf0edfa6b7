"""The stored row of arithmetic: what the emulator and published measurements say of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import lanemap
from lanemap.records.files import read_record
from lanemap.records.schema import Record
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, inputs
from lanemap.timing.row import figures_of, results_hash
from lanemap.timing.text import Chain, module
from tests.sampled import sampled

ROW = Path(__file__).resolve().parents[2] / "results/sm_90a/cuda/timing_alu.json"
#: Length whose results a row keeps.
LINKS = 16


@pytest.fixture(scope="module")
def row() -> Record:
    return read_record(ROW)


@pytest.mark.parametrize("first", sampled(range(4), 4))
def test_the_emulator_computes_what_the_gpu_computed(row: Record, first: int) -> None:
    """The emulator executes the same PTX; it is the oracle of every chain that is exact."""
    device = lanemap.open_device(row.target, device="emulator")
    steps = [step for step in find_probes()["alu"].steps if step.exact][first::4]
    given = inputs(row.findings["inputs"]["ctas"], seed=row.findings["inputs"]["seed"])
    loaded = DeviceMachine(device).load(
        module([Chain((step,), LINKS) for step in steps], row.target)
    )
    kept = {
        chain["steps"][0]: chain["results"]
        for chain in row.findings["chains"]
        if len(chain["steps"]) == 1 and chain["strands"] == 1
    }
    assert len(kept) > 80
    for step in steps:
        results = loaded.launch(Chain((step,), LINKS).entry, given).results
        assert results_hash(results) == kept[step.name], step.name


#: Chains that others timed, in cycles of the SM clock. GH200: hibouwu/CUDA_optimazation, gh200_sm90
#: R01, whose 4.00 is for FFMA, FADD, FMUL, LOP3 and IMAD alike; H100: FlashGPU-Sim, configs of
#: SM90, a burst of MUFU.EX2 issues every 8 cycles a scheduler.
PUBLISHED = {
    ("FFMA", "issue of FFMA with the result as operand 2"): 4,
    ("FADD", "issue of FADD with the result as operand 2"): 4,
    ("FMUL", "issue of FMUL with the result as operand 2"): 4,
    ("LOP3.LUT", "issue of LOP3.LUT with the result as operand 1"): 4,
    ("IMAD", "issue of IMAD with the result as operand 2"): 4,
    ("MUFU.EX2", "issue of the next independent MUFU.EX2 of the warp"): 8,
    ("SHFL.BFLY", "issue of SHFL.BFLY with the result as operand 1"): 26,
}


@pytest.mark.parametrize("events", PUBLISHED)
def test_a_published_chain_took_as_long(row: Record, events: tuple[str, str]) -> None:
    figures = {(each.instruction, each.events[1]): each for each in figures_of(row)}
    figure = figures[events]
    assert figure.explained and figure.cycles is not None
    assert abs(figure.cycles - PUBLISHED[events]) < Fraction(1, 10)


def test_a_figure_that_is_not_explained_says_why(row: Record) -> None:
    for each in figures_of(row):
        assert each.explained or each.cycles is None or any(each.certificates.values())


def test_every_fixed_figure_was_seen_from_both_sides(row: Record) -> None:
    """Recount the trials of the row by themselves: right at L and above, wrong everywhere below."""
    proven: dict[tuple[str, str, int], set[int]] = {}
    for chain in row.findings["chains"]:
        for edge in chain["edges"]:
            wrong = {int(stall): count for stall, count in edge["wrong"].items()}
            least = edge["least"]
            if not edge["fixed"] or least is None or least == min(wrong):
                continue
            if all((count == 0) == (stall >= least) for stall, count in wrong.items()):
                key = (edge["producer"], edge["consumer"], edge["operand"])
                proven.setdefault(key, set()).add(least)
    assert all(len(leasts) == 1 for leasts in proven.values())
    explained = [
        each for each in figures_of(row) if each.kind == "fixed latency" and each.explained
    ]
    assert len(explained) >= 400
    cycles = {
        (
            f"issue of {producer}",
            f"issue of {consumer} with the result as "
            + (f"operand {operand}" if operand else "guard"),
        ): min(leasts)
        for (producer, consumer, operand), leasts in proven.items()
    }
    for each in explained:
        assert each.cycles == cycles[each.events], each.events
