"""Random programs of accesses of 1 to 16 bytes: every race is found, and nothing else."""

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
        self._kernel = self._device.load(subword.kernel())["play"]

    def objects(self, steps: Sequence[subword.Step], ctas: int) -> bool:
        """Whether the emulator finds a race."""
        device = self._device
        arrays = [device.array(rows) for rows in subword.table(steps, ctas)]
        data = device.zeros(subword.MEMORY, np.uint8)
        try:
            self._kernel((ctas,), (32 * subword.WARPS,), (*arrays, data))
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
