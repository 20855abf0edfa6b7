"""Figures of series: cycles between two events at each value of the axes.

Which certificates a figure needs is declared by its class:

* A variable latency needs `code`, `slope`, `population`; `dependence`: the results are the
  emulator's, and a chain that is cut takes less; and `two_sided`: without the waits for the
  instruction's barrier, a result is wrong.
* A fixed latency needs `code`, `slope`, `population`; `dependence`: the results are the emulator's,
  and those of every length are the same with the least stall counts; and `two_sided`: with one
  cycle less between two of its instructions, and with any fewer, a result is wrong. Its cycles are
  the slope with the least stall counts, a whole number: those, and one more where ptxas put padding
  between.
* An interlocked latency, of AMD's GPUs, needs `code`, `slope`, `population` and `dependence`.
  Hardware makes the reader wait for the result, whatever the code says, so that nothing can be
  taken away.
* An event, such as a round trip through a barrier, needs `code`, `slope`, `population`, and of
  `dependence` that the results are the emulator's.
* A rate needs `code`, `slope` and `population`.
* What is measured at two frequencies of the SM's clock needs `clock`: the same cycles at both.

A window of several warps begins at the first clock read and ends at the last.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from statistics import median

from lanemap.timing.figures import RATE, Figure, Spread
from lanemap.timing.sampling import Sampled
from lanemap.timing.slope import INTEGRAL

#: How many cycles padding may take besides its stall count: on an H200 one, if there is any.
PADDING = 1
#: A chain that is cut must take less than this share of the chain.
CUT = Fraction(9, 10)
#: What share of its frequency the clock must lose under load.
MOVED = Fraction(3, 100)
#: Clusters of more than two CTAs must run on at least this share of the SMs.
PLACED = Fraction(7, 8)


def series_figures(samples: Iterable[Sampled], ctas: int) -> list[Figure]:
    """The figure of every series, sorted; `ctas` is how many CTAs each launch had, one on an SM."""
    return sorted(
        (_figure(each, ctas) for each in samples),
        key=lambda each: (each.kind, each.events, each.chain),
    )


def _figure(sampled: Sampled, ctas: int) -> Figure:
    series = sampled.series
    certificates = {
        "code": sampled.code.reason,
        "slope": _bent(sampled),
        "population": _missing(sampled, ctas),
    }
    if series.kind != "rate":
        certificates["dependence"] = _independent(sampled)
    if series.kind == "variable latency":
        certificates["two_sided"] = _unprotected(sampled)
    if series.kind == "fixed latency":
        certificates["two_sided"] = _early(sampled)
    if series.two_clocks:
        certificates["clock"] = _other_at_another_clock(sampled)
    own = list(sampled.by_sm().values())
    return Figure(
        series.instruction,
        series.events,
        series.kind,
        sampled.operation,
        series.label,
        certificates,
        dict(series.axes),
        Spread(min(own), Fraction(median(own)), max(own)),
        series.domain,
    )


def _bent(sampled: Sampled) -> str:
    """Why cycles do not grow evenly with n.

    No point of a latency inside the SM is off the line by more than `slope.STRAIGHT` a link; of
    other figures, by more than 3 % of what n adds.
    """
    series, slope = sampled.series, sampled.slope
    if slope.cycles <= 0:
        return "more links take no more cycles"
    grown = slope.cycles * (slope.lengths[-1] - slope.lengths[0])
    extra = slope.cycles - (sampled.least or 0)
    if series.kind == "fixed latency" and not (
        slope.integral and -INTEGRAL <= extra <= PADDING + INTEGRAL
    ):
        return f"a link takes {float(slope.cycles):.4g} cycles, its stall counts {sampled.least}"
    exact = series.kind.endswith("latency") and series.domain == "SM"
    even = slope.straight if exact else slope.residual <= RATE * grown
    return "" if even else "cycles do not grow evenly with n"


def _missing(sampled: Sampled, ctas: int) -> str:
    """Why the SMs that answered are not one for each CTA, or differ where nothing else decides.

    For windows of several warps, nine of ten SMs must agree within 6 %; for one warp, all.

    Clusters of more than two CTAs leave some SMs out: those of a GPC that their size does not
    divide.
    """
    size = sampled.series.cluster
    expected = ctas // size * size
    fewest = min(len(own) for own in sampled.cycles.values())
    if fewest < expected * (1 if size <= 2 else PLACED):
        return f"{expected} CTAs ran on {fewest} SMs"
    own = sorted(sampled.by_sm().values())
    if sampled.series.warps > 1:
        # Warps do not start together: what a few SMs lose there says nothing of the operation.
        left = len(own) // 20
        own = own[left : len(own) - left]
    if sampled.series.domain == "SM" and own[-1] - own[0] > 2 * RATE * sampled.operation:
        return f"SMs differ: {float(own[0]):.4g} to {float(own[-1]):.4g} cycles"
    return ""


def _independent(sampled: Sampled) -> str:
    if sampled.wrong:
        return sampled.wrong
    if sampled.loose:
        return "results change with the least stall counts"
    if sampled.cut_slope is not None and sampled.cut_slope.cycles >= CUT * sampled.slope.cycles:
        return (
            f"a cut chain takes {float(sampled.cut_slope.cycles):.4g} cycles, the whole "
            f"{float(sampled.slope.cycles):.4g}"
        )
    return ""


def _early(sampled: Sampled) -> str:
    least = sampled.least
    if least is None:
        return "nothing in the window says when its instructions issue"
    early = [share for total, share in sampled.stalls.items() if total < least]
    return "" if early and all(early) else "no smaller stall count spoils a result"


def _other_at_another_clock(sampled: Sampled) -> str:
    """Why the cycles are not known to be the same at two frequencies of the SM's clock."""
    clocks = sampled.clocks
    if clocks is None:
        return "it was measured at one frequency of the clock"
    idle, busy = clocks.idle_mhz, clocks.busy_mhz
    if abs(idle - busy) < MOVED * idle:
        return f"the clock stayed at {idle:.0f} MHz, then {busy:.0f}"
    for links, cycles in clocks.cycles.items():
        own = sampled.cycles[links].get(clocks.sm)
        if own is None or abs(own - cycles) > (RATE * own if sampled.series.kind == "rate" else 0):
            return f"{links} links take {own} cycles at {idle:.0f} MHz, {cycles} at {busy:.0f} MHz"
    return ""


def _unprotected(sampled: Sampled) -> str:
    if sampled.unwaited is None:
        return "nothing in the window waits for the instruction's barrier"
    return "" if sampled.unwaited > 0 else "no result is wrong without the wait"
