"""The clock of an SM: how long a cycle takes, by what the GPU does, as the row `clocks` has it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from lanemap.timing.model.rows import Rows

#: The row with two frequencies for each window: of an SM alone, and beside 131 that run wgmma.
ROW = "clocks"


@dataclass(frozen=True)
class Clock:
    """Frequencies in MHz, and what the GPU did.

    Attributes:
        least: The lowest that was measured.
        middle: The median.
        most: The highest.
        activity: In words.
    """

    least: float
    middle: float
    most: float
    activity: str

    def microseconds(self, cycles: int) -> tuple[float, float, float]:
        """How long cycles take at the highest frequency, the median, and the lowest."""
        return cycles / self.most, cycles / self.middle, cycles / self.least


def clocks(rows: Rows) -> tuple[Clock, Clock]:
    """The clock while the GPU does little, and while all its SMs multiply random numbers."""
    seen = [each["clocks"] for each in rows.record(ROW).findings["series"] if each["clocks"]]
    found = []
    for name, activity in (
        ("idle_mhz", "the GPU does little else"),
        ("busy_mhz", "all SMs multiply random f16 by wgmma, for 37 ms"),
    ):
        own = [float(each[name]) for each in seen]
        found.append(Clock(min(own), median(own), max(own), activity))
    return found[0], found[1]
