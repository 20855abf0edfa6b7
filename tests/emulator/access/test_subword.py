"""Random programs of accesses of 1 to 16 bytes, barriers and messages, held against an oracle."""

from __future__ import annotations

import pytest

from lanemap.conformance.programs.races import warps
from lanemap.conformance.programs.races.trial import Warps

#: CTAs, steps of a program, programs without a race, programs with one: 700 together.
SHAPES = [(1, 12, 90, 90), (1, 40, 130, 130), (2, 60, 130, 130)]


@pytest.fixture(scope="module")
def player() -> Warps:
    return Warps()


def _wrong(player: Warps, racy: bool) -> list[tuple[int, int]]:
    """The programs, by CTAs and seed, of which the emulator says what the oracle does not."""
    found = []
    for ctas, length, *programs in SHAPES:
        for seed in range(programs[racy]):
            steps = (warps.racy if racy else warps.clean)(seed, ctas, length)
            assert warps.races(steps) == racy
            if player.objects(steps, ctas) != racy:
                found.append((ctas, seed))
    return found


def test_programs_without_a_race_are_clean(player: Warps) -> None:
    assert _wrong(player, racy=False) == []


def test_races_are_found(player: Warps) -> None:
    assert _wrong(player, racy=True) == []


#: CTAs, steps, programs of each sort; those of the slow run.
MESSAGES = [(1, 15, 60), (2, 40, 60), (4, 80, 60)]
MANY = [(1, 15, 600), (1, 60, 600), (2, 40, 1000), (4, 100, 1000)]
SIZES = [pytest.param(MESSAGES, id="fast"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
#: Of programs that race because a barrier, fence, release or acquire is missing, the share found.
FOUND = 0.8


@pytest.mark.parametrize("shapes", SIZES)
def test_programs_with_messages_without_a_race_are_clean(
    player: Warps, shapes: list[tuple[int, int, int]]
) -> None:
    wrong = [
        (ctas, length, seed)
        for ctas, length, count in shapes
        for seed in range(count)
        if player.objects(warps.clean(seed, ctas, length, messages=True), ctas)
    ]
    assert wrong == []


@pytest.mark.parametrize("shapes", SIZES)
def test_most_races_of_damaged_programs_are_found(
    player: Warps, shapes: list[tuple[int, int, int]]
) -> None:
    """What is missed is what docs/emulator-order.md calls too generous."""
    total = found = 0
    for ctas, length, count in shapes:
        for seed in range(count):
            total += 1
            found += player.objects(warps.damaged(seed, ctas, length), ctas)
    assert found >= FOUND * total, f"{found} of {total}"


def test_the_oracle_knows_what_races() -> None:
    """A few programs whose races are plain to see."""
    store = warps.Step(0, warps.STORE, "shared", 0, 2, 1)
    load = warps.Step(1, warps.LOAD, "shared", 1, 1)
    beside = warps.Step(1, warps.LOAD, "shared", 2, 1)
    meet = warps.Step(0, warps.MEET, members=(0, 1))
    others = warps.Step(2, warps.MEET, members=(2, 3))
    assert warps.races([store, load])
    assert not warps.races([store, beside])
    assert not warps.races([store, meet, load])
    assert warps.races([store, others, load])
    assert not warps.races([load, load])
