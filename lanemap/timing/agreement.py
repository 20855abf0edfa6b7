"""Compares two rows of timings: which figures agree."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lanemap.records.schema import Record
from lanemap.timing.figures import FIXED, INTERLOCKED, VARIABLE, Figure
from lanemap.timing.row import figures_of

#: How far two latencies may differ, in cycles, and two intervals, as a share.
LATENCY_CYCLES, INTERVAL_SHARE = 1, Fraction(3, 100)
#: Likewise of what lies outside the SM.
FAR_SHARE = Fraction(10, 100)


def differing(first: Record, second: Record, common: bool = False) -> list[str]:
    """Return the differences of two rows, a sentence each.

    A figure that only one of them explains is one, unless both have the cycles of a series and the
    other's merely spread too far to be called explained; so are latencies inside an SM
    that differ by more than a cycle, other figures that differ by more than 3 %, and other
    results of a chain that is exact. Which SMs are near to a slice of L2 differs from GPU to GPU:
    what L2, memory or the network between SMs decides must lie among the other's SMs, give or take
    10 %. What a host's clock counts says nothing of a GPU. `common` leaves out what one of the rows
    did not ask, or asked with other code.
    """
    ours, theirs = _figures(first), _figures(second)
    other_code = _other_code(first, second) if common else set()
    found = []
    for asked in ours.keys() & theirs.keys() if common else ours.keys() | theirs.keys():
        one, other = ours.get(asked), theirs.get(asked)
        if not (one and one.explained) and not (other and other.explained):
            continue
        if one is not None and one.chain in other_code:
            continue
        both = " to ".join(asked)
        if one is None or other is None or not (_measured(one) and _measured(other)):
            found.append(f"{both}: only one row explains it")
        elif not _near(one, other):
            found.append(f"{both}: {_cycles(one)} and {_cycles(other)} {one.unit}")
    # Of launches with other inputs, or another number of CTAs, results cannot be the same.
    alike = first.findings["inputs"] == second.findings["inputs"]
    mine, yours = (_results(first), _results(second)) if alike else ({}, {})
    found += [
        f"{' then '.join(steps)}: other results"
        for steps in mine.keys() & yours.keys()
        if mine[steps] != yours[steps] and steps[0] not in other_code
    ]
    return sorted(found)


def again(first: Record, second: Record) -> dict[str, Any]:
    """Compare a row with a second run: its GPU, its time, and the differences.

    Questions that only one of them asked, or asked with other code, do not count.

    `same_gpu` is None where a row does not name its GPU by UUID.
    """
    mine, yours = ((each.environment or {})["before"] for each in (first, second))
    uuids = mine.get("uuid"), yours.get("uuid")
    other_code = _other_code(first, second)
    explained = {
        asked
        for asked, each in _figures(first).items()
        if each.explained and each.chain not in other_code
    }
    return {
        "gpu": yours["gpu"],
        "uuid": uuids[1],
        "same_gpu": uuids[0] == uuids[1] if all(uuids) else None,
        "time": yours["host"]["time"],
        "figures": len(explained & _figures(second).keys()),
        "differing": differing(first, second, common=True),
    }


def _other_code(first: Record, second: Record) -> set[str]:
    """Series of both rows whose windows or numbers of links are not the same."""
    mine, yours = (
        {each["name"]: _code(each) for each in row.findings.get("series", [])}
        for row in (first, second)
    )
    return {name for name in mine.keys() & yours.keys() if mine[name] != yours[name]}


def _code(series: Mapping[str, Any]) -> tuple[Any, ...]:
    names = "period", "overhead", "window", "trips", "warps", "cluster"
    return sorted(series["cycles"]), *(series[name] for name in names)


def _measured(figure: Figure) -> bool:
    """Whether its cycles may be compared: it is explained, or nothing but its spread forbids."""
    failed = {name for name, why in figure.certificates.items() if why}
    return figure.explained or (figure.spread is not None and failed <= {"slope", "population"})


def _near(one: Figure, other: Figure) -> bool:
    """Whether the same figure of two GPUs is the same."""
    ours, theirs = one.cycles or Fraction(), other.cycles or Fraction()
    if one.domain != "SM" and one.spread is not None:
        least, most = one.spread.least, one.spread.most
        return least * (1 - FAR_SHARE) <= theirs <= most * (1 + FAR_SHARE)
    exact = one.kind in (FIXED, VARIABLE, INTERLOCKED)
    return abs(ours - theirs) <= (LATENCY_CYCLES if exact else INTERVAL_SHARE * ours)


def _cycles(figure: Figure) -> str:
    return f"{float(figure.cycles or 0):g}"


def _figures(row: Record) -> dict[tuple[str, ...], Figure]:
    return {each.question: each for each in figures_of(row) if each.domain != "host"}


def _results(row: Record) -> dict[tuple[str, ...], str]:
    chains = {
        tuple(chain["steps"]): chain["results"]
        for chain in row.findings["chains"]
        if chain["exact"] and chain["results"] is not None
    }
    return chains | {
        (each["name"],): each["results"] for each in row.findings.get("series", []) if each["exact"]
    }
