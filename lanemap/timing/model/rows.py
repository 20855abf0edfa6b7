"""The figures of the timing rows that the model's parameters are read from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from statistics import median

from lanemap import paths
from lanemap.errors import UserError
from lanemap.records.files import read_record
from lanemap.records.schema import Record
from lanemap.timing.figures import Figure
from lanemap.timing.row import figures_of
from lanemap.timing.stalls import least_right

TARGET = "sm_90a"


@dataclass(frozen=True)
class Rows:
    """The timing rows under a folder of results.

    Attributes:
        folder: Where they are: timing_alu.json and so on.
    """

    folder: Path

    @cached_property
    def _groups(self) -> dict[str, dict[str, list[Figure]]]:
        return {}

    def group(self, group: str) -> dict[str, list[Figure]]:
        """The figures of a group, by chain or series.

        Raises:
            UserError: there is no such row.
        """
        if group not in self._groups:
            found: dict[str, list[Figure]] = {}
            for each in figures_of(self.record(group)):
                found.setdefault(each.chain, []).append(each)
            self._groups[group] = found
        return self._groups[group]

    def path(self, group: str) -> Path:
        """The row of a group."""
        return self.folder / f"timing_{group}.json"

    def figure(self, group: str, series: str) -> Figure:
        """The figure of a series, whether or not it is explained.

        Raises:
            UserError: there is none, or it has no cycles.
        """
        own = self.group(group).get(series, [])
        if len(own) != 1 or own[0].cycles is None:
            raise UserError(f"{self.path(group)} has no figure of {series!r}")
        return own[0]

    def explained(self, group: str, series: str) -> bool:
        """Whether there is a figure of that series, and it is explained."""
        own = self.group(group).get(series, [])
        return len(own) == 1 and own[0].explained

    def least(self, group: str, series: str) -> int | None:
        """The least stall count with which a series has the right results, or None."""
        for each in self.record(group).findings["series"]:
            if each["name"] == series:
                return least_right({int(n): share for n, share in each["stalls"].items()})
        return None

    def windows(self, group: str, series: str) -> dict[int, Fraction]:
        """By operations of a window of a series, its cycles: the median of the SMs.

        Raises:
            UserError: the row does not have it.
        """
        for each in self.record(group).findings["series"]:
            if each["name"] == series:
                count = each["operations_of_a_link"]
                return {int(n) * count: _median(own) for n, own in each["cycles"].items()}
        raise UserError(f"{self.path(group)} has no series {series!r}")

    def record(self, group: str) -> Record:
        """The row of a group."""
        if group not in self._records:
            self._records[group] = read_record(self.path(group))
        return self._records[group]

    @cached_property
    def _records(self) -> dict[str, Record]:
        return {}

    def has(self, group: str, series: str) -> bool:
        """Whether there is a row with a figure of that series."""
        if not self.path(group).exists():
            return False
        own = self.group(group).get(series, [])
        return len(own) == 1 and own[0].cycles is not None


def _median(spread: str) -> Fraction:
    """The median of "185x130 186x2"."""
    pairs = [tuple(map(int, each.split("x"))) for each in spread.split()]
    return Fraction(median([cycles for cycles, count in pairs for _ in range(count)]))


@cache
def measured() -> Rows:
    """The rows of the H200 that come with lanemap."""
    return Rows(paths.find("results") / TARGET / "cuda")
