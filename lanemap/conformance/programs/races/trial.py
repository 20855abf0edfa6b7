"""Plays programs of `warps` and `lanes` on the emulator, and says whether it reports a race."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.programs.races import lanes, warps
from lanemap.errors import Disagreement


class _Player:
    """A kernel on an emulator that raises at the first hazard, and holds all lanes in order."""

    def __init__(self, text: str) -> None:
        self.device = lanemap.open_device("sm_90a", device="emulator", strict=True)
        self._kernel = self.device.load(text)["k"]

    def races(self, grid: int, block: int, arguments: Sequence[Any]) -> bool:
        """Whether the emulator reports a race.

        Raises:
            Disagreement: it reports something else.
        """
        try:
            self._kernel((grid,), (block,), arguments)
        except Disagreement as hazard:
            if getattr(hazard, "kind", "") != "order":
                raise
            return True
        return False


class Warps(_Player):
    """Plays programs of warps."""

    def __init__(self) -> None:
        """Load the kernel."""
        super().__init__(warps.kernel())

    def objects(self, steps: Sequence[warps.Step], ctas: int) -> bool:
        """Whether the emulator finds a race in a program."""
        arrays = [self.device.array(rows) for rows in warps.table(steps, ctas)]
        data = self.device.zeros(warps.MEMORY, np.uint8)
        flags = self.device.zeros(1 + len(steps), np.uint32)
        return self.races(ctas, 32 * warps.WARPS, (*arrays, data, flags))


class Lanes(_Player):
    """Plays programs of the lanes of one warp."""

    def __init__(self) -> None:
        """Load the kernel."""
        super().__init__(lanes.kernel())

    def objects(self, steps: Sequence[lanes.Step]) -> bool:
        """Whether the emulator finds a race in a program."""
        rows = self.device.array(lanes.table(steps))
        return self.races(1, lanes.LANES, (rows, np.uint32(len(steps))))
