"""Published cycle counts, held against the figures of stored rows.

A source calls its number something. What its method measured may be something else: a loop that
issues many and waits once has the interval between two issues, not a latency. A claim therefore
names both, as events, and the verdict says which of them our figure equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from lanemap.claims.timings import Asked, PublishedTiming
from lanemap.records.schema import Record
from lanemap.timing.figures import Figure, question
from lanemap.timing.row import figures_of


class Verdict(Enum):
    """The verdict on a published figure."""

    AGREES = "agrees"
    SOMETHING_ELSE = "measured something else"
    DISAGREES = "disagrees"
    OPEN = "no figure of ours"


@dataclass(frozen=True)
class Judged:
    """A published figure and ours.

    Attributes:
        claim: The published figure.
        ours: Our figure of what the source calls it; None if there is none.
        other: Our figure of what its method measured, if that is something else.
        verdict: What follows.
    """

    claim: PublishedTiming
    ours: Figure | None
    other: Figure | None
    verdict: Verdict

    def to_json(self) -> dict[str, Any]:
        """Return its fields in `lanemap compare timing --json`."""
        claim = self.claim
        return {
            "source": claim.source,
            "citation": claim.citation,
            "chip": claim.chip,
            "words": claim.words,
            "cycles": list(claim.cycles),
            "unit": claim.unit,
            "called": _asked(claim.called),
            "measured": None if claim.measured is None else _asked(claim.measured),
            "reading": claim.reading,
            "ours": _value(self.ours),
            "other": _value(self.other),
            "verdict": self.verdict.value,
        }

    def cells(self) -> list[str]:
        """A line of the table: the claim, its chip, its cycles, ours, and the verdict."""
        low, high = self.claim.cycles
        published = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        published += " ns" * (self.claim.unit == "ns")
        ours = "" if self.ours is None else f"{_value(self.ours):.4g}"
        if self.verdict is Verdict.SOMETHING_ELSE:
            ours = f"{ours or '?'}, other: {_value(self.other):.4g}"
        words = f"{self.claim.source}: {self.claim.words}"
        return [words, self.claim.chip, published, ours, self.verdict.value]

    def notes(self) -> list[str]:
        """Sentences on a claim that does not simply agree."""
        if self.verdict in (Verdict.AGREES, Verdict.OPEN) or not self.claim.reading:
            return []
        return [f"{self.claim.source}, {self.claim.words}: {self.claim.reading}"]


def _asked(asked: Asked) -> dict[str, Any]:
    return {"from_event": asked.from_event, "to_event": asked.to_event, "axes": dict(asked.axes)}


def _value(figure: Figure | None) -> float | None:
    return None if figure is None or figure.cycles is None else float(figure.cycles)


def judge(claims: Iterable[PublishedTiming], rows: Sequence[Record]) -> list[Judged]:
    """Hold every claim against the explained figures of the rows, in the claims' order."""
    figures = {each.question: each for row in rows for each in figures_of(row) if each.explained}
    found = []
    for claim in claims:
        ours = _figure(claim.called, figures)
        other = None if claim.measured is None else _figure(claim.measured, figures)
        found.append(Judged(claim, ours, other, _verdict(claim, ours, other)))
    return found


def _verdict(claim: PublishedTiming, ours: Figure | None, other: Figure | None) -> Verdict:
    if ours is not None and _equal(claim, ours):
        return Verdict.AGREES
    if other is not None and _equal(claim, other):
        return Verdict.SOMETHING_ELSE
    if ours is None and other is None:
        return Verdict.OPEN
    return Verdict.DISAGREES


def _equal(claim: PublishedTiming, figure: Figure) -> bool:
    """Whether our figure lies in the published range, widened by the claim's tolerance."""
    assert figure.cycles is not None
    if figure.unit != claim.unit:
        return False
    low, high = (Fraction(str(each)) for each in claim.cycles)
    room = Fraction(str(claim.tolerance))
    return low * (1 - room) <= figure.cycles <= high * (1 + room)


def _figure(asked: Asked, figures: Mapping[tuple[str, ...], Figure]) -> Figure | None:
    return figures.get(question((asked.from_event, asked.to_event), dict(asked.axes)))
