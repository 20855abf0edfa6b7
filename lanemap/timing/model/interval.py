"""How far off a prediction may be: from errors of the development set, and from parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import median
from typing import Any

from lanemap import paths
from lanemap.records.files import read_record
from lanemap.timing.model.parameters import Parameter, Parameters, Reading
from lanemap.timing.model.shares import ALL, TARGET, replaced

#: The row with predictions and what was measured; its kind has this name too.
ROW = "predictions"
#: The share of the errors of the development set that an interval covers.
SHARE = Fraction(9, 10)
#: Errors of launches limited by the same that an interval needs; with fewer, all count.
LEAST = 8
#: Launches that take no more cycles by the model are short: most of an error is what it leaves out.
SHORT = 1000
MEMORY, TENSOR, SHARED, ISSUE = "memory", "tensor cores", "shared memory", "instructions"
_LIMITS = {
    "L2 or memory, of all CTAs": MEMORY,
    "the SM's way to L2 and memory": MEMORY,
    "bulk copies": MEMORY,
    "tensor cores, wgmma": TENSOR,
    "tensor pipe of a scheduler": TENSOR,
    "shared memory": SHARED,
}


@dataclass
class End(Parameters):
    """Parameters as on the fastest SM that was measured, or on the slowest.

    Attributes:
        slowest: Whether on the slowest.
    """

    slowest: bool = False

    def read(self, name: str, reading: Reading, why: str = "") -> Fraction:
        """A number; see `Parameters`."""
        value = super().read(name, reading, why)
        spread = self.ledger[name].spread
        return value if spread is None else spread[int(self.slowest)]


@dataclass(frozen=True)
class Interval:
    """Where the cycles of a launch lie, as far as the development set tells.

    Attributes:
        least: Cycles.
        most: Cycles.
        launches: How many launches of the development set it is made of.
        limited: What limits these, "" for anything.
    """

    least: int
    most: int
    launches: int
    limited: str


def kind_of(bounds: Mapping[str, int]) -> str:
    """What limits a launch, of the four kinds, from its bounds, the largest first."""
    return _LIMITS.get(next(iter(bounds), ""), ISSUE)


@cache
def _development() -> tuple[Mapping[str, Any], ...]:
    """The launches of the development set that were predicted and measured."""
    path = paths.find("results") / TARGET / "cuda" / f"{ROW}.json"
    if not path.exists():
        return ()
    rows: list[Mapping[str, Any]] = read_record(path).findings["launches"]
    return tuple(r for r in rows if r["set"] == "development" and r["error"] is not None)


def ends(parameters: Parameters, threads: int, cluster: int, ctas: int = 1) -> Fraction:
    """Cycles that an SM is active besides its instructions, to begin and to end.

    Of a launch of one CTA: those in which its SM was active, less those between its clock reads and
    those that the model has before and after these. Of more CTAs the SM that takes longest counts:
    those of short launches in which it was active, less those that the model has. Where no row has
    them, it is what lies between two CTAs that follow each other on an SM.
    """
    if ctas == 1:
        own = [
            Fraction(median(each["active"])) - Fraction(median(each["cycles"])) - each["around"]
            for each in _development()
            if each["active"] and each["around"] is not None
        ]
        name, series = "a CTA begins and ends", "launches of one CTA"
        how = "active cycles of one CTA, less those of its clock reads and of the model around them"
    else:
        own = [
            Fraction(median(each["cycles"])) - each["busy"]
            for each in _development()
            if each["cycles"] and 1 < each.get("ctas", 0) <= ALL and each["busy"] < SHORT
        ]
        name, series = "an SM begins and ends, of several", "short launches of several CTAs"
        how = "active cycles of the SM that has most, less those of the model"
    if not own:
        return replaced(parameters, threads, cluster)
    reading = Reading(ROW, series, how=how)
    spread = min(own), max(own)
    parameters.ledger[name] = Parameter(name, Fraction(median(own)), spread, reading)
    return parameters.ledger[name].value


def errors(limited: str) -> tuple[list[float], str]:
    """Signed errors of the development set that count for launches with that limit, sorted."""
    own = sorted(each["error"] for each in _development() if each["resources"] == limited)
    if len(own) >= LEAST:
        return own, limited
    return sorted(each["error"] for each in _development()), ""


def _ends(found: list[float]) -> Iterator[float]:
    """The errors between which SHARE of them lie."""
    beyond = float(1 - SHARE) / 2 * (len(found) - 1)
    yield found[math.floor(beyond)]
    yield found[math.ceil(len(found) - 1 - beyond)]


def interval(active: int, kind: str, fastest: int, slowest: int) -> Interval | None:
    """The interval of the cycles that an SM is active; None where nothing was measured.

    Args:
        active: These cycles.
        kind: What limits the launch.
        fastest: Its cycles with the parameters of the fastest SM.
        slowest: The same of the slowest.
    """
    own, limited = errors(kind)
    if not own:
        return None
    low, high = _ends(own)
    least = min(fastest, active) / (1 + max(high, 0.0))
    most = max(slowest, active) / (1 + min(low, 0.0))
    return Interval(round(least), round(most), len(own), limited)
