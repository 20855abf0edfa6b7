"""Cycles over n: the slope, and whether it is what a certificate may call exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lanemap.errors import UserError

#: Lengths that a slope needs at least.
LENGTHS = 5
#: How far the slope of a fixed latency may be from a whole number of cycles.
INTEGRAL = Fraction(2, 100)
#: How far each point may be from the line, in cycles per link.
STRAIGHT = Fraction(2, 100)


@dataclass(frozen=True)
class Slope:
    """The least-squares line through (n, cycles).

    Attributes:
        cycles: Cycles that one more link takes.
        offset: Cycles of the window without links.
        residual: The largest distance of a point from the line, in cycles.
        lengths: Every n, ascending.
    """

    cycles: Fraction
    offset: Fraction
    residual: Fraction
    lengths: tuple[int, ...]

    @property
    def straight(self) -> bool:
        """Whether no point is farther from the line than STRAIGHT cycles a link."""
        return self.residual <= STRAIGHT * (self.lengths[-1] - self.lengths[0])

    @property
    def integral(self) -> bool:
        """Whether the slope is within INTEGRAL of a whole number."""
        return abs(self.cycles - round(self.cycles)) <= INTEGRAL


def fit(cycles: Mapping[int, int | Fraction]) -> Slope:
    """Fit a line by least squares, in exact arithmetic.

    Args:
        cycles: By n, the cycles of the window.

    Raises:
        UserError: there are fewer than LENGTHS different n.
    """
    if len(cycles) < LENGTHS:
        raise UserError(f"a slope needs at least {LENGTHS} lengths, not {len(cycles)}")
    points = sorted((n, Fraction(value)) for n, value in cycles.items())
    count = len(points)
    mean_n = Fraction(sum(n for n, _ in points), count)
    mean = sum((value for _, value in points), Fraction()) / count
    spread = sum(((n - mean_n) ** 2 for n, _ in points), Fraction())
    slope = sum(((n - mean_n) * (value - mean) for n, value in points), Fraction()) / spread
    offset = mean - slope * mean_n
    residual = max(abs(value - offset - slope * n) for n, value in points)
    return Slope(slope, offset, residual, tuple(n for n, _ in points))
