"""A machine that launches nothing and answers with stamps of planted intervals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from lanemap.errors import UserError
from lanemap.timing import grids
from lanemap.timing.grid_samples import Ran, Timers, Words
from lanemap.timing.grids import CTA_BITS, Grids

#: SMs of the machine, and the step of its timer in ns.
MULTIPROCESSORS, STEP = 8, 32
_NS_PER_CYCLE = 0.5


class Accident(Enum):
    """How a machine misleads; `NONE` does not."""

    NONE = "none"
    DROPPED = "launches all but the last"
    STARVED = "begins before the host has enqueued everything"
    MOVING = "runs at another clock in every launch"
    UNEVEN = "gives its SMs different clocks"
    QUEUED = "makes every launch after the twentieth wait"
    EVENTS = "has events that count something else"
    COARSE = "has a timer that steps by a microsecond"


@dataclass(frozen=True)
class Planted:
    """What the machine knows: nanoseconds, and of CTAs cycles."""

    interval: int = 900
    tail: int = 1100
    dependent: int = 700
    wait: int = 1300
    start: int = 13
    replacement: int = 410
    host: int = 2500


class PlantedGrids:
    """A machine of `grid_samples.GridMachine`'s kind."""

    multiprocessors = MULTIPROCESSORS

    def __init__(self, secret: Planted, accident: Accident = Accident.NONE, seed: int = 1) -> None:
        """Keep the secret."""
        self._secret, self._accident = secret, accident
        self._draw = np.random.default_rng(seed)
        self._before = (0, 0)

    def timers(self) -> Timers:
        """The step of the timer, and one rate for all SMs."""
        uneven = self._accident is Accident.UNEVEN
        return Timers(
            self._step(),
            {sm: 1000 / _NS_PER_CYCLE * (1 + 0.05 * sm * uneven) for sm in range(MULTIPROCESSORS)},
        )

    def run(self, asked: Grids, launches: int) -> Ran:
        """Answer as a GPU would."""
        if self._accident is Accident.STARVED:
            raise UserError("the host took more than 1 ns to enqueue the launches")
        if asked.order == "one":
            return Ran(self._ctas(asked))
        scale = self._draw.uniform(0.7, 1.3) if self._accident is Accident.MOVING else 1.0
        now = start = int(self._draw.integers(10**6, 10**7))
        stamps = np.zeros((launches, asked.ctas, grids.STAMPS), np.uint64)
        self._before = (now, now)
        for number in range(launches):
            late = 400 * max(0, number - 20) if self._accident is Accident.QUEUED else 0
            now = self._launch(asked, stamps, number, now, late, scale)
        if self._accident is Accident.DROPPED:
            stamps[-1] = 0
        events = (now - start) * (2 if self._accident is Accident.EVENTS else 1) + 5000.0
        return Ran(
            stamps[: 0 if asked.kernel.empty else launches],
            (self._seen(start), self._seen(now)),
            events,
            self._secret.host * launches,
        )

    def _launch(
        self, asked: Grids, stamps: Words, number: int, now: int, late: int, scale: float
    ) -> int:
        """Stamp one launch, and return where the next one follows."""
        secret, own = self._secret, stamps[number]
        if asked.kernel.empty:
            return now + round((secret.interval + late) * scale)
        begun = now + round((secret.tail + late) * scale)
        marked = begun + 40
        if asked.kernel.waits and number:
            begun = self._before[0] + secret.dependent
            marked = self._before[1] + secret.wait
        ended = marked + round(asked.wait(number) * _NS_PER_CYCLE)
        self._before = marked, ended
        own[:, grids.BEGUN_NS], own[:, grids.MARKED_NS] = self._seen(begun), self._seen(marked)
        own[:, grids.ENDED_NS] = self._seen(ended)
        own[:, grids.NUMBER] = [number << CTA_BITS | cta for cta in range(asked.ctas)]
        return ended

    def _ctas(self, asked: Grids) -> Words:
        """CTAs of one launch, in turn on every SM."""
        ctas = asked.ctas * MULTIPROCESSORS
        own = np.zeros((1, ctas, grids.STAMPS), np.uint64)
        numbers = np.arange(ctas, dtype=np.uint64)
        turn = numbers // np.uint64(MULTIPROCESSORS)
        own[0, :, grids.SM] = numbers % np.uint64(MULTIPROCESSORS)
        own[0, :, grids.NUMBER] = numbers
        if asked.taken == "replaced":
            begun = turn * np.uint64(asked.cycles + self._secret.replacement)
        else:
            begun = numbers * np.uint64(self._secret.start)
        own[0, :, grids.BEGUN] = begun + np.uint64(10**6)
        own[0, :, grids.ENDED] = own[0, :, grids.BEGUN] + np.uint64(asked.cycles)
        own[0, :, grids.BEGUN_NS] = (begun * _NS_PER_CYCLE).astype(np.uint64)
        taken = np.uint64(asked.cycles * _NS_PER_CYCLE)
        own[0, :, grids.ENDED_NS] = own[0, :, grids.BEGUN_NS] + taken
        if self._accident is Accident.DROPPED:
            own[0, -1] = 0
        return own

    def _step(self) -> int:
        return 10**6 if self._accident is Accident.COARSE else STEP

    def _seen(self, time: int) -> int:
        return time // self._step() * self._step()
