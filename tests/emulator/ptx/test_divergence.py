"""Random programs whose lanes part: every lane computes what it computes alone."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.conformance.programs import divergence


def _differ(length: int, seeds: range) -> list[int]:
    """The seeds of programs of which the emulator says something else than one lane at a time."""
    wrong = []
    for seed in seeds:
        program = divergence.make(seed, length)
        device = lanemap.open_device("sm_90a", device="emulator", strict=True)
        out = device.zeros((divergence.LANES, divergence.REGISTERS), np.uint32)
        device.load(divergence.text(program))["k"](1, divergence.LANES, (out,))
        expected = [row or [0] * divergence.REGISTERS for row in divergence.play(program)]
        if not np.array_equal(out.get(), np.array(expected, np.uint32)):
            wrong.append(seed)
    return wrong


@pytest.mark.parametrize("length", [4, 12])
def test_programs(length: int) -> None:
    assert _differ(length, range(12)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("length", "count"), [(4, 600), (10, 300), (30, 60)])
def test_many_programs(length: int, count: int) -> None:
    assert _differ(length, range(1000, 1000 + count)) == []


def test_the_programs_part_and_meet() -> None:
    """What the generator is for does occur in what the fast test plays."""
    texts = [divergence.text(divergence.make(seed, 12)) for seed in range(20)]
    for word in ("brx.idx", "shfl.sync", "vote.sync", "exit", "@%p bra", "@%p add"):
        assert sum(word in text for text in texts) > 5, word
    rows = [row for seed in range(20) for row in divergence.play(divergence.make(seed, 12))]
    assert 0.1 < np.mean([row is None for row in rows]) < 0.9
