"""The analysis of timings, fed by a machine whose latencies are drawn at random and kept secret."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from lanemap.timing.chains import Assembled, Chains, Findings, observe, prepare
from lanemap.timing.figures import FIXED, INTERVAL, VARIABLE, Figure, figures
from lanemap.timing.find import find_probes
from lanemap.timing.launch import inputs
from lanemap.timing.planted import MULTIPROCESSORS, Accident, PlantedMachine, Secret
from lanemap.timing.text import Step
from lanemap.timing.window import Edge

TARGET = "sm_90a"
#: Steps of every class: one pipe, two pipes in turn, a barrier once and twice, a guard.
NAMES = ("fma.f32", "fma.f16x2", "setp and guard", "ex2.approx.f32", "ex2.approx.f32 twice")
#: Those that a misleading machine answers: one of each class.
FEW = ("fma.f32", "ex2.approx.f32")


def probe(names: Sequence[str] = NAMES) -> Chains:
    steps = {step.name: step for step in find_probes()["alu"].steps}
    chosen = tuple(steps[name] for name in names)
    return Chains("planted", chosen, ("fma.f32", "ex2.approx.f32"))


@pytest.fixture(scope="module")
def modules() -> list[Assembled]:
    return prepare(probe(), TARGET)


@pytest.fixture(scope="module")
def few() -> list[Assembled]:
    return prepare(probe(FEW), TARGET)


def edges(modules: Sequence[Assembled]) -> list[Edge]:
    found = {edge for own in modules for window in own.windows.values() for edge in window.edges()}
    return sorted(found, key=str)


def secret(modules: Sequence[Assembled], seed: int) -> Secret:
    """Latencies that ptxas's stall counts satisfy, and that issue does not hide."""
    draw = random.Random(seed)
    # A barrier is released once for all readers, so its latency is the producer's.
    released = {edge.producer: draw.randrange(14, 40) for edge in edges(modules) if not edge.fixed}
    latencies = {
        (edge.producer, edge.consumer, edge.operand): draw.randrange(3, 5)
        if edge.fixed
        else released[edge.producer]
        for edge in edges(modules)
    }
    opcodes = {each.opcode for own in modules for w in own.windows.values() for each in w.body}
    return Secret(latencies, {opcode: draw.choice((1, 2)) for opcode in sorted(opcodes)})


def measure(modules: list[Assembled], machine: PlantedMachine) -> Findings:
    return observe(probe(), machine, TARGET, inputs(MULTIPROCESSORS), modules)


def by_events(found: Sequence[Figure]) -> dict[tuple[str, str], Figure]:
    return {each.events: each for each in found}


@pytest.fixture(scope="module")
def misled(few: list[Assembled]) -> dict[Accident, list[Figure]]:
    """The figures of a machine with each accident; its secret is that of seed 1."""
    return {
        each: figures(measure(few, PlantedMachine(secret(few, 1), each)))
        for each in Accident
        if each is not Accident.NONE
    }


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_the_analysis_recovers_every_secret(modules: list[Assembled], seed: int) -> None:
    hidden = secret(modules, seed)
    found = by_events(figures(measure(modules, PlantedMachine(hidden))))
    alone = {
        edge
        for own in modules
        for w in own.windows.values()
        for edge in w.edges()
        if own.chains[0].strands == 1
    }
    for edge in alone:
        figure = found[edge.events]
        assert figure.explained, (edge, figure.certificates)
        assert figure.cycles == hidden.latencies[edge.producer, edge.consumer, edge.operand], edge
        assert figure.kind == (FIXED if edge.fixed else VARIABLE)
    rates = [each for each in found.values() if each.kind == INTERVAL]
    assert rates and all(each.explained for each in rates)


@pytest.mark.parametrize(
    ("accident", "kind", "certificate"),
    [
        (Accident.DEAF, FIXED, "two_sided"),
        (Accident.DEAF, VARIABLE, "two_sided"),
        (Accident.INTERLOCKED, FIXED, "two_sided"),
        (Accident.MOVING_CLOCK, FIXED, "slope"),
        (Accident.MOVING_CLOCK, VARIABLE, "slope"),
        (Accident.MOVING_CLOCK, INTERVAL, "slope"),
        (Accident.LOOP_COST, FIXED, "slope"),
        (Accident.LOOP_COST, VARIABLE, "slope"),
        (Accident.SATURATED, FIXED, "slope"),
        (Accident.SATURATED, VARIABLE, "slope"),
    ],
)
def test_an_accident_makes_no_wrong_figure(
    few: list[Assembled],
    misled: dict[Accident, list[Figure]],
    accident: Accident,
    kind: str,
    certificate: str,
) -> None:
    """The certificate fails; a figure that is explained all the same is the true one."""
    hidden = secret(few, 1)
    truth = {
        edge.events: hidden.latencies[edge.producer, edge.consumer, edge.operand]
        for edge in edges(few)
    }
    found = [each for each in misled[accident] if each.kind == kind]
    assert any(each.certificates[certificate] for each in found)
    for each in found:
        assert not each.explained or each.cycles == truth[each.events], each
    if accident in (Accident.DEAF, Accident.INTERLOCKED):
        assert not any(each.explained for each in found)


def test_links_that_ptxas_merges_give_no_figure() -> None:
    """Two additions of one constant are one instruction: half the links are missing."""
    merged = Chains("merged", (Step("not twice", "not.b32 {d}, {x};"),))
    own = prepare(merged, TARGET)
    found = observe(merged, PlantedMachine(Secret({}, {})), TARGET, inputs(MULTIPROCESSORS), own)
    assert not figures(found)
    assert set(found.withheld) == {"not twice", "not twice, 8 strands"}
