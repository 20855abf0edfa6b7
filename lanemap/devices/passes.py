"""Passes of one instruction's accesses of shared memory, as the emulator counts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.emulator.api import Counts, Watch, Watched


class Passes:
    """An observer of launches; `found` has the passes of each access, in order.

    None stands for an access of which the target's rules of banks say nothing.
    """

    watch = Watch.ACCESS

    def __init__(self, instruction: str) -> None:
        """Keep the accesses of instructions whose text has `instruction`."""
        self.found: list[int | None] = []
        self._instruction = instruction
        self._kept = 0

    def begin(self) -> None:
        """Begin a pass of the next launch; discard what an earlier pass of it did."""
        del self.found[self._kept :]

    def record(self, launch: Watched, records: npt.NDArray[Any]) -> None:
        """Take the passes from some records."""
        numbers = np.unique(records["operation"]).tolist()
        told = {number: launch.instruction(number) for number in numbers}
        asked = [number for number in numbers if self._instruction in told[number].text]
        for record in records[np.isin(records["operation"], asked)]:
            if launch.space(int(record["space"]), told[int(record["operation"])].kind) == "shared":
                self.found.append(int(record["passes"]) if record["judged"] else None)

    def end(self, counts: Counts) -> None:
        """Keep what the launch did."""
        self._kept = len(self.found)
