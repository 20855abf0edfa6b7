"""Measures grids: by number of launches or CTAs, what they took, of every run or every SM."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lanemap.errors import LanemapError, UserError
from lanemap.timing.grids import (
    BEGUN,
    BEGUN_NS,
    CTA_BITS,
    ENDED,
    ENDED_NS,
    NUMBER,
    READS,
    SM,
    STAMPS,
    GridModule,
    Grids,
    Kernel,
)
from lanemap.timing.slope import Slope, fit
from lanemap.timing.window import Code

Words = npt.NDArray[np.uint64]
#: By number of launches or CTAs: by run or SM, nanoseconds or cycles.
Took = Mapping[int, Mapping[int, int]]
#: Runs that count; one before them does not.
RUNS = 20
#: Nanoseconds for which the stream is held at first, and at most.
HELD, MOST_HELD = 400_000, 12_800_000
#: Cycles of the windows in which both clocks are compared. Readings of the timer on an H200 are off
#: by more than its step: in windows of 20 us SMs of one clock differ by 1.4 %.
COMPARED = 400_000


@dataclass(frozen=True)
class Ran:
    """The results of launches.

    Attributes:
        stamps: uint64[launch, CTA, STAMPS]; no launches of an empty kernel.
        frame_ns: The timer in the launch before them and in the one after them.
        events_ns: Between CUDA's events around those; 0 if there are none.
        host_ns: Time on the host.
    """

    stamps: Words
    frame_ns: tuple[int, int] = (0, 0)
    events_ns: float = 0.0
    host_ns: int = 0


@dataclass(frozen=True)
class Timers:
    """How the timer runs.

    Attributes:
        step_ns: The least step between two of its values.
        mhz: By SM, cycles of its clock in a microsecond of the timer, over at least 3.2 us.
    """

    step_ns: int
    mhz: Mapping[int, float]

    def uneven(self) -> str:
        """Why the timer and the SMs' clocks do not agree; "" if all SMs see the same rate."""
        least, most = min(self.mhz.values()), max(self.mhz.values())
        if most - least > most / 100:
            return f"clock64 has {least:.1f} to {most:.1f} cycles in a microsecond of globaltimer"
        return ""

    def to_json(self) -> dict[str, Any]:
        """As rows keep it."""
        rates = sorted(self.mhz.values())
        spread = [round(each, 2) for each in (rates[0], median(rates), rates[-1])]
        return {"step_ns": self.step_ns, "cycles_of_a_microsecond": spread}


class GridMachine(Protocol):
    """A machine that launches grids: a GPU, or one with planted timing."""

    multiprocessors: int

    def run(self, asked: Grids, launches: int) -> Ran:
        """Launch a question's grid so often, in its order.

        Raises:
            UserError: the launches began before the host had enqueued all of them.
        """

    def timers(self) -> Timers:
        """Read the clocks together."""


@dataclass(frozen=True)
class GridSample:
    """One question, measured.

    Attributes:
        asked: The question.
        code: What its kernel holds.
        took: Nanoseconds or, of an SM's own clock, cycles.
        runs: By run, the median of the SMs; of launches, the same as `took`.
        events: For launches in a frame, nanoseconds between the CUDA events around them.
        timers: The clocks, read together.
        lost: Why the stamps are not those of every launch and CTA; "" if they are.
        lines: The kernel, as text.
    """

    asked: Grids
    code: Code
    took: Took
    runs: Took
    events: Took
    timers: Timers
    lost: str
    lines: tuple[str, ...] = field(default=(), compare=False)

    @property
    def slope(self) -> Slope:
        """The time that one more takes; each point is the median."""
        return fit({n: Fraction(median(own.values())) for n, own in self.took.items()})

    @property
    def events_slope(self) -> Slope | None:
        """The same by CUDA's events."""
        if not self.events:
            return None
        return fit({n: Fraction(median(own.values())) for n, own in self.events.items()})

    def each(self) -> list[Fraction]:
        """Times of one, ascending, in every run or on every SM: the longest less the shortest."""
        return _each(self.took)

    def by_run(self) -> list[Fraction]:
        """Times of one in every run, ascending."""
        return _each(self.runs)


def _each(took: Took) -> list[Fraction]:
    short, long = min(took), max(took)
    first, last = took[short], took[long]
    return sorted(
        Fraction(last[key] - first[key], long - short) for key in first.keys() & last.keys()
    )


def observe_grids(
    questions: Sequence[Grids], module: GridModule, machine: GridMachine
) -> tuple[list[GridSample], dict[str, str]]:
    """Measure every question, and say which were withheld and why."""
    found, withheld = [], {}
    for asked in questions:
        code = module.code[asked.kernel]
        if not code.holds:
            withheld[asked.label] = code.reason
            continue
        try:
            found.append(_observe(asked, code, module.lines[asked.kernel], machine))
        except LanemapError as error:
            withheld[asked.label] = str(error)
    return found, withheld


def _observe(asked: Grids, code: Code, lines: tuple[str, ...], machine: GridMachine) -> GridSample:
    timers = machine.timers()
    if asked.order == "one":
        own, runs, lost = _within(asked, machine)
        return GridSample(asked, code, own, runs, {}, timers, lost, lines)
    took: dict[int, dict[int, int]] = {n: {} for n in asked.lengths}
    events: dict[int, dict[int, int]] = {n: {} for n in asked.lengths}
    lost = ""
    for run in range(-1, RUNS):
        for n in asked.lengths:
            ran = machine.run(asked, n)
            lost = lost or _lost(ran.stamps)
            if run >= 0:
                took[n][run] = _between(asked, ran)
                events[n][run] = round(ran.events_ns)
    framed = asked.taken == "frame"
    return GridSample(asked, code, took, took, events if framed else {}, timers, lost, lines)


def _lost(stamps: Words) -> str:
    """Why not every CTA of every launch left its number."""
    launches, ctas, _ = stamps.shape
    number = np.arange(launches, dtype=np.uint64)[:, None] << np.uint64(CTA_BITS)
    missing = int(np.sum(stamps[..., NUMBER] != (number | np.arange(ctas, dtype=np.uint64))))
    return f"{missing} of {launches * ctas} CTAs left no stamp" if missing else ""


def _between(asked: Grids, ran: Ran) -> int:
    """Nanoseconds of one run of launches."""
    if asked.taken == "host":
        return ran.host_ns
    if asked.taken == "frame":
        return ran.frame_ns[1] - ran.frame_ns[0]
    first, second = asked.stamps
    ended = ran.stamps[..., first].max(axis=1)[:-1]
    began = ran.stamps[..., second].min(axis=1)[1:]
    return int((began.astype(np.int64) - ended.astype(np.int64)).sum())


def _within(asked: Grids, machine: GridMachine) -> tuple[Took, Took, str]:
    """By number of CTAs of one launch, what they took.

    On each SM, the median of the runs; then in each run, the median of the SMs.
    """
    found: dict[int, dict[int, list[int]]] = {n: {} for n in asked.lengths}
    runs: dict[int, dict[int, int]] = {n: {} for n in asked.lengths}
    lost = ""
    machine.run(asked, 1)
    for run in range(RUNS):
        ran = machine.run(asked, 1)
        lost = lost or _lost(ran.stamps)
        by_sm = _series(asked, ran.stamps[0])
        for n in asked.lengths:
            own = {sm: int(times[n]) for sm, times in by_sm.items() if n < len(times)}
            if not own:
                raise UserError(f"no SM ran more than {n} CTAs")
            runs[n][run] = round(median(own.values()))
            for sm, taken in own.items():
                found[n].setdefault(sm, []).append(taken)
    took = {n: {sm: round(median(each)) for sm, each in own.items()} for n, own in found.items()}
    return took, runs, lost


def _series(asked: Grids, stamps: Words) -> dict[int, npt.NDArray[np.int64]]:
    """By SM, what its first n CTAs took, at place n.

    Raises:
        UserError: CTAs ended before all had begun, or one began on an SM before another's end.
    """
    if asked.taken == "starts" and stamps[:, ENDED_NS].min() <= stamps[:, BEGUN_NS].max():
        raise UserError("CTAs ended before all of the launch had begun")
    found = {}
    for sm in np.unique(stamps[:, SM]):
        own = stamps[stamps[:, SM] == sm].astype(np.int64)
        own = own[np.argsort(own[:, BEGUN], kind="stable")]
        if asked.taken == "starts":
            found[int(sm)] = own[:, BEGUN] - own[0, BEGUN]
            continue
        gaps = own[1:, BEGUN] - own[:-1, ENDED]
        if (gaps < 0).any():
            raise UserError("two CTAs ran on an SM at once")
        found[int(sm)] = np.concatenate([[0], np.cumsum(gaps)])
    return found


class DeviceGrids:
    """A machine over a GPU of `lanemap.open_device`."""

    def __init__(self, device: Any, module: GridModule, multiprocessors: int) -> None:
        """Load the kernels."""
        self.multiprocessors = multiprocessors
        self._device, self._module = device, device.load(module.cubin)
        self._orders = device.orders()
        self._frame = device.zeros((2, 1, STAMPS), np.uint64, name="frame")
        self._held = HELD

    def run(self, asked: Grids, launches: int) -> Ran:
        """Launch and wait; see `GridMachine`."""
        ctas = asked.ctas * (self.multiprocessors if asked.per_sm else 1)
        kept = 0 if asked.kernel.empty else launches
        stamps = self._device.zeros((kept, ctas, STAMPS), np.uint64, name="stamps")
        work = [self._enqueue(asked, ctas, number, stamps) for number in range(launches)]
        if asked.order == "round trips":
            return Ran(stamps.get(), host_ns=self._orders.one_by_one(work).host_ns)
        graphs = {"graph": 1, "graphs": launches}.get(asked.order, 0)
        first, last = (self._stamped(Kernel(), self._frame, each) for each in range(2))
        while True:
            hold = self._module["hold"].prepare(1, 1, (np.uint32(self._held),))
            seen = self._orders.behind(hold, first, work, last, graphs)
            if seen.held:
                frame = self._frame.get()[:, 0, BEGUN_NS]
                return Ran(
                    stamps.get(), (int(frame[0]), int(frame[1])), seen.events_ns, seen.host_ns
                )
            if self._held >= MOST_HELD:
                raise UserError(f"the host took more than {MOST_HELD} ns to enqueue the launches")
            self._held *= 2

    def _enqueue(self, asked: Grids, ctas: int, number: int, stamps: Any) -> Callable[[int], None]:
        kernel = self._module[asked.kernel.entry]
        args: tuple[Any, ...] = ()
        if not asked.kernel.empty:
            args = stamps, np.uint32(number), np.uint32(asked.wait(number))
        prepared: Callable[[int], None] = kernel.prepare(
            ctas, asked.threads, args, asked.shared_bytes, (asked.cluster, 1, 1), asked.overlaps
        )
        return prepared

    def _stamped(self, kernel: Kernel, stamps: Any, number: int) -> Callable[[int], None]:
        prepared: Callable[[int], None] = self._module[kernel.entry].prepare(
            1, 32, (stamps, np.uint32(number), np.uint32(0))
        )
        return prepared

    def timers(self) -> Timers:
        """Read the timer again and again, then both clocks on every SM."""
        reads = self._device.zeros(READS, np.uint64, name="reads")
        self._module["ticks"](1, 1, (reads, np.uint32(READS)))
        values = np.unique(reads.get()).astype(np.int64)
        stamps = self._device.zeros((1, self.multiprocessors, STAMPS), np.uint64)
        self._module[Kernel().entry](
            self.multiprocessors, 1024, (stamps, np.uint32(0), np.uint32(COMPARED)), 120 << 10
        )
        return timers_of(np.diff(values), stamps.get()[0])


def timers_of(steps: npt.NDArray[np.int64], stamps: Words) -> Timers:
    """The timer's step, and by SM the rate of its clock against the timer."""
    cycles = stamps[:, ENDED] - stamps[:, BEGUN]
    nanoseconds = stamps[:, ENDED_NS] - stamps[:, BEGUN_NS]
    rates = 1000 * cycles.astype(float) / nanoseconds.astype(float)
    by_sm = zip(stamps[:, SM].tolist(), rates.tolist(), strict=True)
    return Timers(int(steps.min()), dict(by_sm))
