"""Random programs of accesses of 1 to 16 bytes, barriers and messages, held against an oracle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import lanemap
from lanemap.errors import Disagreement
from tests.emulator.access import subword

#: CTAs, steps of a program, programs without a race, programs with one: 700 together.
SHAPES = [(1, 12, 90, 90), (1, 40, 130, 130), (2, 60, 130, 130)]


class Player:
    """The kernel that plays programs, on a device that raises."""

    def __init__(self) -> None:
        self._device = lanemap.open_device("sm_90a", device="emulator", strict=True)
        self._kernel = self._device.load(subword.kernel())["k"]

    def objects(self, steps: Sequence[subword.Step], ctas: int) -> bool:
        """Whether the emulator finds a race."""
        device = self._device
        arrays = [device.array(rows) for rows in subword.table(steps, ctas)]
        data = device.zeros(subword.MEMORY, np.uint8)
        flags = device.zeros(1 + len(steps), np.uint32)
        try:
            self._kernel((ctas,), (32 * subword.WARPS,), (*arrays, data, flags))
        except Disagreement as hazard:
            assert getattr(hazard, "kind", "") == "order", hazard
            return True
        return False


@pytest.fixture(scope="module")
def player() -> Player:
    return Player()


def _wrong(player: Player, racy: bool) -> list[tuple[int, int]]:
    """The programs, by CTAs and seed, of which the emulator says what the oracle does not."""
    found = []
    for ctas, length, *programs in SHAPES:
        for seed in range(programs[racy]):
            steps = (subword.racy if racy else subword.clean)(seed, ctas, length)
            assert subword.races(steps) == racy
            if player.objects(steps, ctas) != racy:
                found.append((ctas, seed))
    return found


def test_programs_without_a_race_are_clean(player: Player) -> None:
    assert _wrong(player, racy=False) == []


def test_races_are_found(player: Player) -> None:
    assert _wrong(player, racy=True) == []


#: CTAs, steps, programs of each sort; those of the slow run.
MESSAGES = [(1, 15, 60), (2, 40, 60), (4, 80, 60)]
MANY = [(1, 15, 600), (1, 60, 600), (2, 40, 1000), (4, 100, 1000)]
SIZES = [pytest.param(MESSAGES, id="fast"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
#: Of programs that race because a barrier, fence, release or acquire is missing, the share found.
FOUND = 0.8


@pytest.mark.parametrize("shapes", SIZES)
def test_programs_with_messages_without_a_race_are_clean(
    player: Player, shapes: list[tuple[int, int, int]]
) -> None:
    wrong = [
        (ctas, length, seed)
        for ctas, length, count in shapes
        for seed in range(count)
        if player.objects(subword.clean(seed, ctas, length, messages=True), ctas)
    ]
    assert wrong == []


@pytest.mark.parametrize("shapes", SIZES)
def test_most_races_of_damaged_programs_are_found(
    player: Player, shapes: list[tuple[int, int, int]]
) -> None:
    """What is missed is what docs/emulator-order.md calls too generous."""
    total = found = 0
    for ctas, length, count in shapes:
        for seed in range(count):
            total += 1
            found += player.objects(subword.damaged(seed, ctas, length), ctas)
    assert found >= FOUND * total, f"{found} of {total}"


def test_the_oracle_knows_what_races() -> None:
    """A few programs whose races are plain to see."""
    store = subword.Step(0, subword.STORE, "shared", 0, 2, 1)
    load = subword.Step(1, subword.LOAD, "shared", 1, 1)
    beside = subword.Step(1, subword.LOAD, "shared", 2, 1)
    meet = subword.Step(0, subword.MEET, members=(0, 1))
    others = subword.Step(2, subword.MEET, members=(2, 3))
    assert subword.races([store, load])
    assert not subword.races([store, beside])
    assert not subword.races([store, meet, load])
    assert subword.races([store, others, load])
    assert not subword.races([load, load])
