"""Whether two rows of timings say the same."""

from __future__ import annotations

from fractions import Fraction

from lanemap.records.schema import Record
from lanemap.timing.figures import FIXED, VARIABLE, Figure
from lanemap.timing.row import figures_of

#: How far two latencies may differ, in cycles, and two intervals, as a share.
LATENCY_CYCLES, INTERVAL_SHARE = 1, Fraction(3, 100)
#: Likewise of what lies outside the SM.
FAR_SHARE = Fraction(10, 100)


def differing(first: Record, second: Record) -> list[str]:
    """What two rows say otherwise, a sentence each.

    A figure that only one of them explains is one; so are fixed and variable latencies of an SM
    that differ by more than a cycle, other figures that differ by more than 3 %, and other results
    of a chain that is exact. What L2, memory or the network between SMs decides may differ by 10 %:
    which SMs a GPU has is no two GPUs' same.
    """
    ours, theirs = _explained(first), _explained(second)
    found = [
        f"{' to '.join(asked)}: only one row explains it" for asked in ours.keys() ^ theirs.keys()
    ]
    for asked in ours.keys() & theirs.keys():
        one, other = ours[asked].cycles or Fraction(), theirs[asked].cycles or Fraction()
        if abs(one - other) > _most(ours[asked], one):
            found.append(f"{' to '.join(asked)}: {float(one):g} and {float(other):g} cycles")
    mine, yours = _results(first), _results(second)
    found += [
        f"{' then '.join(steps)}: other results"
        for steps in mine.keys() & yours.keys()
        if mine[steps] != yours[steps]
    ]
    return sorted(found)


def _most(figure: Figure, cycles: Fraction) -> Fraction:
    """By how many cycles the same figure of two GPUs may differ."""
    if figure.domain != "SM":
        return FAR_SHARE * cycles
    if figure.kind in (FIXED, VARIABLE):
        return Fraction(LATENCY_CYCLES)
    return INTERVAL_SHARE * cycles


def _explained(row: Record) -> dict[tuple[str, ...], Figure]:
    return {each.question: each for each in figures_of(row) if each.explained}


def _results(row: Record) -> dict[tuple[str, ...], str]:
    chains = {
        tuple(chain["steps"]): chain["results"]
        for chain in row.findings["chains"]
        if chain["exact"] and chain["results"] is not None
    }
    return chains | {
        (each["name"],): each["results"] for each in row.findings.get("series", []) if each["exact"]
    }
