"""Measures series: cycles of every SM at every length, and what else their certificates need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from statistics import median

import numpy as np

from lanemap.errors import LanemapError, UserError
from lanemap.timing.clocks import SecondClock, TwoClocks
from lanemap.timing.launch import NO_MORE, Loaded, Machine, More, Outcome, Words
from lanemap.timing.series import EVERY, Series, SeriesModule
from lanemap.timing.slope import Slope, fit
from lanemap.timing.stalls import assembled_total, least_right, with_total
from lanemap.timing.window import Code
from lanemap.toolchain.patch import patched

#: Cycles by which launches may differ at least: warps do not start a window together.
SKEW = 500
#: By number of links: by SM, the cycles of the window.
Cycles = Mapping[int, Mapping[int, int]]


@dataclass(frozen=True)
class Sampled:
    """One series, measured.

    Attributes:
        series: The question.
        code: Instructions in the windows.
        cycles: Cycles of every SM at every length.
        cut: The same of the links without their dependence; empty if the series has none.
        unwaited: The share of results that change without the waits for the timed instruction's
            barrier, at the shortest length; None if nothing waits for one.
        stalls: For a fixed latency, by cycles between two of its instructions as the control words
            say them, the share of results that change.
        tight: The cycles of every SM at every length with the least of them.
        loose: Whether results of some length change then.
        wrong: Why the results are not the oracle's; "" if they are, or if there is none.
        lines: The shortest window, as text.
        results: Results of the shortest window, uint32[CTA, thread].
        clocks: What was measured at a second frequency; None if nothing was.
    """

    series: Series
    code: Code
    cycles: Cycles
    cut: Cycles = field(default_factory=dict)
    unwaited: float | None = None
    stalls: Mapping[int, float] = field(default_factory=dict)
    tight: Cycles = field(default_factory=dict)
    loose: bool = False
    wrong: str = ""
    lines: tuple[str, ...] = ()
    results: Words | None = field(default=None, compare=False)
    clocks: TwoClocks | None = None

    @cached_property
    def slope(self) -> Slope:
        """Cycles of a link; each point is the median of the SMs."""
        return self._fit(self.tight or self.cycles)

    @cached_property
    def cut_slope(self) -> Slope | None:
        """Cycles of a link that depends on none before it."""
        return self._fit(self.cut) if self.cut else None

    @property
    def operation(self) -> Fraction:
        """Cycles of one timed operation."""
        return self.slope.cycles / self.series.per_link

    def by_sm(self) -> dict[int, Fraction]:
        """Cycles of one timed operation, by SM: the difference of its longest and shortest."""
        cycles = self.tight or self.cycles
        short, long = min(cycles), max(cycles)
        links = (long - short) * self.series.trips * self.series.per_link
        first, last = cycles[short], cycles[long]
        return {sm: Fraction(last[sm] - first[sm], links) for sm in sorted(first.keys() & last)}

    @property
    def least(self) -> int | None:
        """The fewest of `stalls` with which, and with all more, no result changes."""
        return least_right(self.stalls)

    def _fit(self, cycles: Cycles) -> Slope:
        points = {n: Fraction(median(own.values())) for n, own in cycles.items()}
        return fit({n: each / self.series.trips for n, each in points.items()})


def observe_series(
    modules: Sequence[SeriesModule],
    machine: Machine,
    given: Callable[[int], Words],
    oracle: Machine | None = None,
    clocks: SecondClock | None = None,
) -> tuple[list[Sampled], dict[str, str]]:
    """Measure every series, and say which were withheld and why.

    Args:
        modules: what `series.prepare` returned.
        machine: what executes cubins.
        given: by threads of a CTA, the inputs of every launch.
        oracle: what says which results are right; it loads PTX.
        clocks: what changes the frequency, for series that ask for it.
    """
    found, withheld = [], {}
    for own in modules:
        if not own.code.holds:
            withheld[own.series.label] = own.code.reason
            continue
        try:
            inputs = given(own.series.threads)
            seen = _observe(own, machine, inputs, oracle)
            if own.series.two_clocks and clocks is not None:
                more = _with_only(_more(own.series, machine), EVERY)
                entries = {links: own.series.entry(links) for links in own.series.lengths}
                seen = replace(seen, clocks=clocks.windows(own.cubin, entries, inputs[:1], more))
            found.append(seen)
        except LanemapError as error:
            withheld[own.series.label] = str(error)
    return found, withheld


def _observe(own: SeriesModule, machine: Machine, given: Words, oracle: Machine | None) -> Sampled:
    series = own.series
    given = given[: given.shape[0] // series.cluster * series.cluster]
    more = _more(series, machine)
    loaded = _Anew(machine, own.cubin) if series.cold else machine.load(own.cubin)
    # Raised after all launches: what is launched does not depend on how long others took.
    faults: list[str] = []
    taken, results = _every_length(loaded, series, given, more, faults)
    cut = _every_length(loaded, series, given, more, faults, cut=True)[0] if series.cut else {}
    shortest = min(series.lengths)
    found = Sampled(
        series,
        own.code,
        taken,
        cut,
        _unwaited(own, machine, loaded, given, more) if series.kind == "variable latency" else None,
        wrong=_judge(own, oracle, given, results[shortest])
        if series.exact and oracle is not None
        else "",
        lines=tuple(own.windows[shortest].lines()),
        results=results[shortest],
    )
    if faults:
        raise UserError(faults[0])
    if series.kind != "fixed latency":
        return found
    found = replace(found, stalls=_tried(own, machine, given, more, results[shortest]))
    if found.least is None:
        return found
    words = {
        series.entry(n): with_total(window, series.instruction, found.least)
        for n, window in own.windows.items()
    }
    least = machine.load(patched(own.cubin, {name: each for name, each in words.items() if each}))
    tight, again = _every_length(least, series, given, more, faults)
    if faults:
        raise UserError(faults[0])
    loose = any((again[n] != results[n]).any() for n in series.lengths)
    return replace(found, tight=tight, loose=loose)


@dataclass(frozen=True)
class _Anew:
    """A module that each launch loads again, so that no SM has executed it."""

    machine: Machine
    cubin: bytes

    def launch(self, entry: str, inputs: Words, more: More = NO_MORE) -> Outcome:
        """Load and launch; see `Loaded`."""
        return self.machine.load(self.cubin).launch(entry, inputs, more)


def _every_length(
    loaded: Loaded,
    series: Series,
    given: Words,
    more: More,
    faults: list[str],
    cut: bool = False,
) -> tuple[dict[int, dict[int, int]], dict[int, Words]]:
    """By number of links, the cycles of every SM, and the results."""
    taken: dict[int, dict[int, int]] = {}
    results: dict[int, Words] = {}
    for links in series.lengths:
        entry = series.entry(links, cut)
        taken[links], outcome = _cycles(loaded, series, entry, given, more, faults)
        results[links] = outcome.results
    return taken, results


def _tried(
    own: SeriesModule, machine: Machine, given: Words, more: More, right: Words
) -> dict[int, float]:
    """By cycles between neighbors, the share of results of the shortest window that change."""
    series, links = own.series, min(own.series.lengths)
    window, entry = own.windows[links], series.entry(links)
    shares: dict[int, float] = {}
    for total in range(assembled_total(window, series.instruction), 0, -1):
        words = with_total(window, series.instruction, total)
        if words:
            shares[total] = _changed(own, machine, entry, words, given, more, right)
    return shares


def _changed(
    own: SeriesModule,
    machine: Machine,
    entry: str,
    words: Mapping[int, int],
    given: Words,
    more: More,
    right: Words,
) -> float:
    """The share of a kernel's results that change with other words in it."""
    other = machine.load(patched(own.cubin, {entry: words}))
    return float(np.mean(other.launch(entry, given, _with_only(more, EVERY)).results != right))


def _more(series: Series, machine: Machine) -> More:
    return More(tuple(machine.arguments(series.arguments)), series.cluster, series.shared_bytes)


def _with_only(more: More, only: int) -> More:
    return replace(more, arguments=(np.uint32(only), *more.arguments))


def _cycles(
    loaded: Loaded, series: Series, entry: str, given: Words, more: More, faults: list[str]
) -> tuple[dict[int, int], Outcome]:
    """By SM, the cycles of a kernel's window in its best round, and what one launch left.

    Warps do not start a window in the same cycle, so that a window of several is launched again and
    again; the least cycles of each SM are those with the least of such delays.
    """
    found: dict[int, int] = {}

    def taken(outcome: Outcome, ctas: range | None = None) -> dict[int, int]:
        outcome = replace(outcome, clocks=outcome.clocks[:, series.beside_warps :])
        return outcome.cold(ctas) if series.cold else outcome.warm(ctas)

    if series.alone:
        every = loaded.launch(entry, given, _with_only(more, EVERY))
        for number in range(given.shape[0] // series.cluster):
            outcome = loaded.launch(entry, given, _with_only(more, number))
            found |= taken(outcome, range(number * series.cluster, (number + 1) * series.cluster))
        return found, every
    medians = []
    for _ in range(series.launches if series.warps > 1 or series.cold else 1):
        every = loaded.launch(entry, given, _with_only(more, EVERY))
        by_sm = taken(every)
        medians.append(median(by_sm.values()))
        for sm, cycles in by_sm.items():
            found[sm] = min(cycles, found.get(sm, cycles))
    # The slowest launch may be one that began cold.
    seen = sorted(medians)[: max(1, len(medians) - 1)]
    least, most = seen[0], seen[-1]
    if series.domain == "SM" and most - least > max(SKEW, least / 4):
        faults.append(f"launches of {entry} take {least:g} to {most:g} cycles each")
    return found, every


def _unwaited(
    own: SeriesModule, machine: Machine, loaded: Loaded, given: Words, more: More
) -> float | None:
    """The share of results that change without the waits for the timed instruction's barrier."""
    bare = own.without_waits()
    if bare is None:
        return None
    entry, everyone = own.series.entry(min(own.series.lengths)), _with_only(more, EVERY)
    # Once more, since kernels may carry on in memory: both runs begin where one left off.
    right = loaded.launch(entry, given, everyone).results
    return float(np.mean(machine.load(bare).launch(entry, given, everyone).results != right))


def _judge(own: SeriesModule, oracle: Machine, given: Words, results: Words) -> str:
    """Why the results of the shortest window are not the oracle's."""
    series = own.series
    few = given[: series.cluster]
    entry = series.entry(min(series.lengths))
    try:
        more = _with_only(_more(series, oracle), EVERY)
        right = oracle.load(own.ptx).launch(entry, few, more).results
    except LanemapError as error:
        return f"the emulator refuses the kernel: {error}"
    count = int(np.sum(right != results[: series.cluster]))
    return f"{count} of {right.size} results are not the emulator's" if count else ""
