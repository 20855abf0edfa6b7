"""Figures of grids: nanoseconds or cycles between two events of launches or of CTAs.

Every figure needs `code`, `slope`, `population`, `clock`, and `dependence`: every CTA of every
launch left its number, so that none was dropped, merged or launched twice.

* `slope`: no point is off the line by more than 3 % of what n adds.
* `population`: half of the runs lie within 10 %, and of CTAs seven SMs of eight answered. Launches
  and CTAs pass through units that serve the whole GPU, so the figure holds the spread of the runs
  or the SMs.
* `clock`: %globaltimer and the SMs' clocks have one rate, within 1 %, over 20 us; the timer's step
  is less than 1 % of what n adds; and where CUDA's events lie around the launches, they say the
  same within 3 %. The host's clock has nothing beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from statistics import median

from lanemap.timing.figures import RATE, Figure, Spread
from lanemap.timing.grid_samples import GridSample
from lanemap.timing.series_figures import PLACED

#: The timer's step, as a share of what n adds.
STEP = Fraction(1, 100)
#: How far the middle half of the runs may spread.
HALF = Fraction(1, 10)


def grid_figures(samples: Iterable[GridSample], multiprocessors: int) -> list[Figure]:
    """The figure of every question, sorted."""
    return sorted(
        (_figure(each, multiprocessors) for each in samples),
        key=lambda each: (each.kind, each.events, each.chain),
    )


def _figure(sample: GridSample, multiprocessors: int) -> Figure:
    asked, own = sample.asked, sample.each()
    certificates = {
        "code": sample.code.reason,
        "slope": _bent(sample),
        "population": _missing(sample, multiprocessors),
        "clock": _unclear(sample),
        "dependence": sample.lost,
    }
    return Figure(
        asked.instruction,
        asked.events,
        asked.kind,
        sample.slope.cycles,
        asked.label,
        certificates,
        dict(asked.axes),
        Spread(own[0], Fraction(median(own)), own[-1]),
        asked.domain,
        "cycles" if asked.local else "ns",
    )


def _grown(sample: GridSample) -> Fraction:
    slope = sample.slope
    return slope.cycles * (slope.lengths[-1] - slope.lengths[0])


def _bent(sample: GridSample) -> str:
    if sample.slope.cycles <= 0:
        return "more of them take no longer"
    even = sample.slope.residual <= RATE * _grown(sample)
    return "" if even else "the time does not grow evenly with n"


def _missing(sample: GridSample, multiprocessors: int) -> str:
    """Why half of the runs do not agree, or too few SMs answered."""
    answered = len(sample.each())
    if sample.asked.local and answered < PLACED * multiprocessors:
        return f"{answered} of {multiprocessors} SMs ran enough CTAs"
    own = sample.by_run()
    quarter = len(own) // 4
    low, high = own[quarter], own[-1 - quarter]
    if high - low > HALF * sample.slope.cycles:
        return f"runs differ: {float(low):.4g} to {float(high):.4g}"
    return ""


def _unclear(sample: GridSample) -> str:
    """Why the clock that counts is not to be trusted."""
    if sample.asked.domain == "host":
        return ""
    uneven = sample.timers.uneven()
    if uneven or sample.asked.local:
        return uneven
    if sample.timers.step_ns > STEP * _grown(sample):
        return f"the timer's step of {sample.timers.step_ns} ns is too large"
    other = sample.events_slope
    if other is not None and abs(other.cycles - sample.slope.cycles) > RATE * sample.slope.cycles:
        return (
            f"CUDA's events say {float(other.cycles):.4g} ns, "
            f"the timer {float(sample.slope.cycles):.4g}"
        )
    return ""
