"""Pipes, inferred from the time of each pair of instruction classes.

Two classes in turn take the sum of what each takes alone if they share a pipe, and the longer of
both (but at least an issue slot for each) if they do not. A pair whose two predictions are equal
says nothing. Classes that share a pipe, through whatever pairs, are one pipe; the certificate names
the pairs inside a pipe that contradict it, and those that could not tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from lanemap.records.schema import Record
from lanemap.timing.row import figures_of

#: The groups whose rows pipes follow from.
GROUPS = ("contention", "gfx950_contention")
#: Between two classes in the name of their series.
WITH = " with "
#: Warp schedulers of an SM, each of which issues one instruction a cycle.
SCHEDULERS = 4
#: Of gfx950: each of four SIMDs has its turn in every fourth cycle. A wave then issues at most one
#: instruction, and other waves one each of other kinds: vector, scalar, LDS, memory or branch (ROCm
#: Compute Profiler's documentation, "Pipeline descriptions", Scheduler).
WAVE_SLOT = Fraction(4)
#: Warps, or waves, that issue in each series of these groups.
WARPS = 16
#: By what share a time may differ from a prediction.
NEAR = Fraction(8, 100)
SHARED, APART, BETWEEN, SILENT, OPEN = "shared", "apart", "between", "silent", "open"


@dataclass(frozen=True)
class Pipes:
    """The pipes that the pairs of instructions show.

    Attributes:
        alone: By class, cycles of one instruction of the SM's scheduler.
        relations: By pair, SHARED, APART, BETWEEN (neither prediction), SILENT (both equal) or OPEN
            (no figure).
        pipes: The partition: classes that pairs tie together, largest first.
        against: Pairs of one pipe that are apart, by pair.
        undecided: Pairs of pipes that may be one: each relation between the two is silent or open.
        together: By pair, cycles of one instruction of each; pairs without a figure are left out.
        issue: Cycles of an issue slot: one for each warp of a scheduler, or `WAVE_SLOT`.
        issuer: What issues: "warp", or "wave" of gfx950.
    """

    alone: Mapping[str, Fraction]
    relations: Mapping[tuple[str, str], str]
    pipes: tuple[tuple[str, ...], ...]
    against: tuple[tuple[str, str], ...]
    undecided: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    together: Mapping[tuple[str, str], Fraction]
    issue: Fraction
    issuer: str = "warp"

    @property
    def columns(self) -> tuple[str, ...]:
        """The heads of `cells`."""
        return "pipe", "classes", f"cycles between two of a {self.issuer}, of {WARPS}"

    def to_json(self) -> dict[str, Any]:
        """Return the data that pictures are drawn from.

        `shared` of a pair is 0 if it takes the longer time of both, and 1 if it takes the sum; None
        where these are equal, or without a figure.
        """
        return {
            "pipes": [list(pipe) for pipe in self.pipes],
            "alone": {name: float(cycles) for name, cycles in self.alone.items()},
            "pairs": [
                {"classes": list(pair), "relation": relation, "shared": self._shared(pair)}
                for pair, relation in self.relations.items()
            ],
            "against": [list(pair) for pair in self.against],
            "undecided": [[list(one), list(other)] for one, other in self.undecided],
            "warps": WARPS,
            "issuer": self.issuer,
        }

    def _shared(self, pair: tuple[str, str]) -> float | None:
        both = self.together.get(pair) or self.together.get((pair[1], pair[0]))
        if both is None or self.relations[pair] == SILENT:
            return None
        shared, apart = _predicted(self.alone[pair[0]], self.alone[pair[1]], self.issue)
        return float((both - apart) / (shared - apart))

    def cells(self) -> list[list[str]]:
        """A line of a table for each pipe: its number, its classes, and their cycles."""
        lines = []
        for number, own in enumerate(self.pipes, 1):
            cycles = sorted(float(self.alone[each]) for each in own)
            lines.append([str(number), ", ".join(own), f"{cycles[0]:.3g} to {cycles[-1]:.3g}"])
        return lines


def pipes_of(row: Record) -> Pipes:
    """The pipes that the row of the group contention tells apart.

    A class counts with its cycles even where they are not explained: SMs differ by a few percent.
    A pair counts only if it is explained.
    """
    alone, together, slots = {}, {}, set()
    for each in figures_of(row):
        ((axis, warps),) = each.axes.items()
        first, _, second = each.chain.partition(f" {axis}={warps}")[0].partition(WITH)
        slots.add(WAVE_SLOT if axis == "waves" else Fraction(int(warps), SCHEDULERS))
        if each.cycles is None:
            continue
        if not second:
            alone[first] = each.cycles
        elif each.explained:
            together[first, second] = each.cycles
    (issue,) = slots
    issuer = "wave" if row.target.startswith("gfx") else "warp"
    return replace(infer(alone, together, issue), issuer=issuer)


def infer(
    alone: Mapping[str, Fraction], together: Mapping[tuple[str, str], Fraction], issue: Fraction
) -> Pipes:
    """Infer the pipes.

    Args:
        alone: by class, the cycles after which a warp issues the next one.
        together: by pair of classes, the cycles after which it issues the next of both; pairs
            without a figure are left out.
        issue: the cycles that an issue slot takes, as `Pipes` has it.
    """
    names = sorted(alone)
    relations = {}
    for first, second in combinations(names, 2):
        pair = (first, second) if (first, second) in together else (second, first)
        both = together.get(pair)
        relations[first, second] = (
            OPEN if both is None else _relation(alone[first], alone[second], both, issue)
        )
    pipes = _joined(names, [pair for pair, each in relations.items() if each == SHARED])
    of = {name: pipe for pipe in pipes for name in pipe}
    against = tuple(
        pair for pair, each in relations.items() if each == APART and of[pair[0]] is of[pair[1]]
    )
    undecided = tuple(
        (one, other)
        for one, other in combinations(pipes, 2)
        if all(relations[min(a, b), max(a, b)] in (SILENT, OPEN) for a in one for b in other)
    )
    return Pipes(alone, relations, pipes, against, undecided, together, issue)


def _predicted(first: Fraction, second: Fraction, issue: Fraction) -> tuple[Fraction, Fraction]:
    """Return the cycles of two classes together on one pipe, and on two."""
    return first + second, max(first, second, 2 * issue)


def _relation(first: Fraction, second: Fraction, both: Fraction, issue: Fraction) -> str:
    shared, apart = _predicted(first, second, issue)
    if shared <= apart * (1 + 2 * NEAR):
        return SILENT
    if abs(both - shared) <= NEAR * shared:
        return SHARED
    return APART if abs(both - apart) <= NEAR * apart else BETWEEN


def _joined(names: list[str], pairs: list[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The names in groups that the pairs tie together, largest first."""
    groups = {name: frozenset((name,)) for name in names}
    for first, second in pairs:
        union = groups[first] | groups[second]
        groups |= dict.fromkeys(union, union)
    return tuple(
        sorted(
            {tuple(sorted(each)) for each in groups.values()}, key=lambda each: (-len(each), each)
        )
    )
