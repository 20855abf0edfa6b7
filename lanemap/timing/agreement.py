"""Whether two rows of timings say the same."""

from __future__ import annotations

from fractions import Fraction

from lanemap.records.schema import Record
from lanemap.timing.figures import INTERVAL, Figure
from lanemap.timing.row import figures_of

#: How far two latencies may differ, in cycles, and two intervals, as a share.
LATENCY_CYCLES, INTERVAL_SHARE = 1, Fraction(3, 100)


def differing(first: Record, second: Record) -> list[str]:
    """What two rows say otherwise, a sentence each.

    A figure that only one of them explains is one; so are latencies that differ by more than a
    cycle, intervals that differ by more than 3 %, and other results of a chain that is exact.
    """
    ours, theirs = _explained(first), _explained(second)
    found = [
        f"{' to '.join(events)}: only one row explains it" for events in ours.keys() ^ theirs.keys()
    ]
    for events in ours.keys() & theirs.keys():
        one, other = ours[events].cycles or Fraction(), theirs[events].cycles or Fraction()
        most = INTERVAL_SHARE * one if ours[events].kind == INTERVAL else LATENCY_CYCLES
        if abs(one - other) > most:
            found.append(f"{' to '.join(events)}: {float(one):g} and {float(other):g} cycles")
    mine, yours = _results(first), _results(second)
    found += [
        f"{' then '.join(steps)}: other results"
        for steps in mine.keys() & yours.keys()
        if mine[steps] != yours[steps]
    ]
    return sorted(found)


def _explained(row: Record) -> dict[tuple[str, str], Figure]:
    return {each.events: each for each in figures_of(row) if each.explained}


def _results(row: Record) -> dict[tuple[str, ...], str]:
    return {
        tuple(chain["steps"]): chain["results"]
        for chain in row.findings["chains"]
        if chain["exact"] and chain["results"] is not None
    }
