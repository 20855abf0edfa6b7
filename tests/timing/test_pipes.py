"""Pipes that are inferred from planted times."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

from lanemap.timing.find import find_probes
from lanemap.timing.pipes import APART, BETWEEN, OPEN, SHARED, SILENT, infer
from lanemap.timing.series import SeriesProbe
from tests.timing.once import assembled

ISSUE = Fraction(4)


def planted(
    pipes: dict[str, tuple[str, int]], noise: random.Random | None = None
) -> tuple[dict[str, Fraction], dict[tuple[str, str], Fraction]]:
    """Times of a machine whose classes each hold one pipe for some cycles a warp instruction."""

    def cycles(names: tuple[str, ...]) -> Fraction:
        held: dict[str, int] = {}
        for name in names:
            pipe, each = pipes[name]
            held[pipe] = held.get(pipe, 0) + each
        exact = max(*held.values(), int(ISSUE) * len(names))
        return Fraction(exact) * (1 + Fraction(noise.randrange(-20, 21), 1000) if noise else 1)

    alone = {name: cycles((name, name)) / 2 for name in pipes}
    return alone, {pair: cycles(pair) for pair in combinations(sorted(pipes), 2)}


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_partition_is_found(seed: int) -> None:
    draw = random.Random(seed)
    pipes = {
        f"class {n}": (f"pipe {draw.randrange(5)}", draw.choice((8, 16, 32))) for n in range(14)
    }
    found = infer(*planted(pipes, draw), ISSUE)
    wanted = {}
    for name, (pipe, _) in pipes.items():
        wanted.setdefault(pipe, set()).add(name)
    assert {frozenset(each) for each in found.pipes} == {
        frozenset(each) for each in wanted.values()
    }
    assert not found.against and not found.undecided


def test_a_pair_that_cannot_tell_is_named() -> None:
    """Two classes that issue every cycle take two slots, on one pipe or on two."""
    found = infer(*planted({"a": ("one", 4), "b": ("two", 4), "c": ("two", 16)}), ISSUE)
    assert found.relations["a", "b"] == SILENT and found.relations["b", "c"] == SHARED
    assert found.relations["a", "c"] == APART
    assert found.pipes == (("b", "c"), ("a",)) and not found.undecided
    silent = infer(*planted({"a": ("one", 4), "b": ("two", 4)}), ISSUE)
    assert silent.undecided == ((("a",), ("b",)),)


def test_what_fits_neither_prediction_joins_nothing() -> None:
    alone = {"a": Fraction(8), "b": Fraction(8)}
    found = infer(alone, {("a", "b"): Fraction(12)}, ISSUE)
    assert found.relations["a", "b"] == BETWEEN and len(found.pipes) == 2


def test_a_contradiction_inside_a_pipe_is_named() -> None:
    alone = dict.fromkeys("abc", Fraction(16))
    times = {("a", "b"): Fraction(32), ("b", "c"): Fraction(32), ("a", "c"): Fraction(16)}
    found = infer(alone, times, ISSUE)
    assert found.pipes == (("a", "b", "c"),) and found.against == (("a", "c"),)


def test_a_pair_without_a_figure_is_open() -> None:
    found = infer({"a": Fraction(8), "b": Fraction(8)}, {}, ISSUE)
    assert found.relations["a", "b"] == OPEN and found.undecided == ((("a",), ("b",)),)


def test_classes_are_assembled_as_declared() -> None:
    probe = find_probes()["contention"]
    assert isinstance(probe, SeriesProbe)
    alone = [each for each in probe.series if " with " not in each.name]
    assert len(alone) >= 20
    for each in alone[::8]:
        assert assembled(each, "sm_90a").code.holds, each.label
