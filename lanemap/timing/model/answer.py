"""What the model says of a launch: cycles, what warps waited for, and what would change it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from lanemap.timing.model import machine
from lanemap.timing.model.chip import RERUN_ISSUES, WHOLE, Grid, Without, moved_bytes, on_chip
from lanemap.timing.model.clock import Clock, clocks
from lanemap.timing.model.interval import TENSOR, End, Interval, ends, interval, kind_of
from lanemap.timing.model.launched import Joined
from lanemap.timing.model.parameters import Parameters, Reading
from lanemap.timing.model.roofline import roofline
from lanemap.timing.model.shares import held_by_l2, launching
from lanemap.timing.model.simulate import SCHEDULERS, Level, Reason, Result
from lanemap.timing.model.trace import Trace, Unit

#: What a faster part of an SM would be: the groups of rows whose numbers are halved.
_FASTER: Mapping[str, tuple[str, ...]] = {
    "tensor cores twice as fast": ("mma", "mma_fp8", "wgmma", "wgmma_depth"),
    "shared memory twice as fast": ("smem",),
    "barriers, mbarriers and fences twice as fast": ("sync",),
    "copies by TMA and cp.async twice as fast": ("copies",),
    "L1, L2 and memory twice as fast": (
        "memory",
        "traffic",
        "reach",
        "stores",
        "busy",
        "ragged",
        "conflicts",
        "nvfp4_gemv",
        "streams",
    ),
    "arithmetic pipes twice as wide": ("alu_rates", "contention"),
}


#: Opcodes of copies whose bytes would be there at once, and what that would be called.
_AT_ONCE = ("UTMALDG", "UBLKCP.S.G")
_TMA = "no latency of loads by TMA"


@dataclass
class Changed(Parameters):
    """Parameters of which those of some rows are halved, and some latencies are zero.

    Attributes:
        groups: The groups of these rows.
        at_once: How opcodes begin whose latencies are zero. Their rates stay.
    """

    groups: tuple[str, ...] = ()
    at_once: tuple[str, ...] = ()

    def read(self, name: str, reading: Reading, why: str = "") -> Fraction:
        """A number; see `Parameters`."""
        value = super().read(name, reading, why)
        what, _, opcode = name.partition(" of ")
        if self.at_once and opcode.startswith(self.at_once) and what in _LATENCIES:
            return Fraction(0)
        return value / 2 if reading.group in self.groups else value

    def made(self, name: str, value: Fraction, reading: Reading) -> Fraction:
        """A number that is made of a row; see `Parameters`."""
        value = super().made(name, value, reading)
        return value / 2 if reading.group in self.groups else value


#: What parameters of copies are called of which the bytes' arrival is made.
_LATENCIES = ("latency", "byte latency", "second", "third", "home")


@dataclass(frozen=True)
class Wait:
    """Cycles that warps spent at one instruction for one reason.

    Attributes:
        place: Its place in the code.
        reason: Why it was not issued.
        cycles: Of all warps, or along the chain.
        cause: The place of the instruction that most of these cycles waited for; -1 for none.
    """

    place: int
    reason: Reason
    cycles: int
    cause: int = -1


#: Reasons that another instruction ends.
_CAUSED = (
    Reason.RESULT, Reason.OPERANDS, Reason.BARRIER, Reason.MBARRIER, Reason.MATRIX, Reason.ROOM,
)  # fmt: skip


@dataclass(frozen=True)
class Change:
    """What a change of the machine or of the launch would give.

    Attributes:
        what: The change.
        cycles: Active ones, with it.
    """

    what: str
    cycles: int


@dataclass(frozen=True)
class Prediction:
    """A launch.

    Attributes:
        joined: Its trace.
        grid: It on the chip.
        behind: What answers a read of global memory that L1 does not.
        why_behind: Why that is taken, in words.
        parameters: Every number that it is made of.
        changes: What changes would give.
        interval: Where the active cycles lie; None where nothing of the like was measured.
    """

    joined: Joined
    grid: Grid
    behind: Level
    why_behind: str
    parameters: Parameters
    changes: tuple[Change, ...] = field(default=())
    interval: Interval | None = None

    @property
    def trace(self) -> Trace:
        """Its trace."""
        return self.joined.trace

    @property
    def result(self) -> Result:
        """The SM that ends last."""
        return self.grid.result

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of the CTAs that were simulated on it."""
        return self.grid.kinds[: self.grid.simulated]

    @property
    def active(self) -> int:
        """Cycles of the SM that ends last, from the start of its first CTA to its end.

        A CTA begins and ends in some cycles besides its instructions'.
        """
        trace = self.trace
        more = ends(self.parameters, trace.threads, trace.cluster, len(trace.grid))
        return self.cycles + round(more)

    def clock(self) -> Clock:
        """The clock that its SMs have; tensor cores that are busy lower it."""
        idle, busy = clocks(self.parameters.rows)
        if self.limited() != TENSOR:
            return idle
        return Clock(busy.least, idle.middle, idle.most, f"{idle.activity}, or {busy.activity}")

    def limited(self) -> str:
        """What limits it, of four kinds."""
        return kind_of(self.bounds())

    def bounds(self) -> dict[str, int]:
        """Cycles by part of the SM, and of L2 or memory, if nothing else counted."""
        return self._bounds

    @cached_property
    def _bounds(self) -> dict[str, int]:
        own = roofline(
            self.trace, self.parameters, self.kinds, self.behind, self.grid.sms, self.grid.together
        )
        grown = {
            name: round(cycles * len(self.grid.kinds) / self.grid.simulated)
            for name, cycles in own.items()
        }
        if self.grid.moved:
            grown["L2 or memory, of all CTAs"] = self.grid.moved
        return dict(sorted(grown.items(), key=lambda each: -each[1]))

    @property
    def cycles(self) -> int:
        """From the first issue on the SM that ends last to the one after its last."""
        return self.grid.cycles

    @cached_property
    def again(self) -> int:
        """Its cycles where only as much is simulated as in reruns with other numbers."""
        issues = sum(len(self.trace.warps[number].issued) for number in self.members())
        if issues <= RERUN_ISSUES:
            return self.cycles
        return _rerun(self, self.trace, self.parameters, self.behind)

    def launch_ns(self) -> Fraction:
        """What a launch takes besides, from the end of the grid before it in its stream."""
        trace = self.trace
        return launching(self.parameters, len(trace.grid), trace.threads, trace.cluster)

    def waits(self) -> list[Wait]:
        """All cycles of all warps, by instruction and reason; the largest first."""
        names, causes = machine.reasons(), self._causes()
        found = [
            Wait(
                int(place),
                Reason[names[reason]],
                int(self.result.account[place, reason]),
                causes.get((int(place), int(reason)), -1),
            )
            for place, reason in zip(*np.nonzero(self.result.account), strict=True)
        ]
        return sorted(found, key=lambda each: -each.cycles)

    def _causes(self) -> dict[tuple[int, int], int]:
        """By instruction and reason, the instruction that ended most of the cycles of its waits."""
        warps = self.result.warps
        issued = [self.trace.warps[number].issued for number in self.members()]
        begins = np.cumsum([0, *(len(each) for each in issued)])
        every = np.concatenate(issued)
        sums: dict[tuple[int, int], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for own, places in zip(warps, issued, strict=True):
            taken = np.diff(own.cycles, prepend=own.cycles[:1])
            known = (own.causing >= 0) & (own.causes >= 0) & (taken > 1)
            causes = every[begins[own.causing[known]] + own.causes[known]]
            rows = np.stack([places[known], own.reasons[known], causes], 1)
            kinds, which = np.unique(rows, axis=0, return_inverse=True)
            cycles = np.bincount(which.reshape(-1), taken[known], len(kinds))
            for (place, reason, cause), n in zip(kinds.tolist(), cycles.tolist(), strict=True):
                sums[place, reason][cause] += int(n)
        return {
            key: max(own, key=lambda cause: own[cause])
            for key, own in sums.items()
            if Reason[machine.reasons()[key[1]]] in _CAUSED
        }

    def chain(self) -> list[Wait]:
        """What the end of the launch came after, by instruction and reason; the largest first.

        From the last issue back: to what ended its wait, or else to the warp's issue before it. The
        cycles add up to those from the first issue of the chain to the last.
        """
        sums: dict[tuple[int, int, int], int] = defaultdict(int)
        for place, reason, cycles, cause in self._links():
            caused = Reason[machine.reasons()[reason]] in _CAUSED
            sums[place, reason, cause if caused else -1] += cycles
        names = machine.reasons()
        found = [
            Wait(place, Reason[names[why]], n, cause)
            for (place, why, cause), n in sums.items()
            if n
        ]
        return sorted(found, key=lambda each: -each.cycles)

    def _links(self) -> Iterator[tuple[int, int, int, int]]:
        """Instruction, reason, cycles, and the instruction that these came after."""
        warps = self.result.warps
        issued = [self.trace.warps[number].issued for number in self.members()]
        ends = [int(each.cycles[-1]) if len(each.cycles) else -1 for each in warps]
        warp = int(np.argmax(ends))
        at = len(issued[warp]) - 1
        while at >= 0:
            own = warps[warp]
            now = int(own.cycles[at])
            cause, causing = int(own.causes[at]), int(own.causing[at])
            known = 0 <= causing < len(warps) and 0 <= cause < len(issued[causing])
            if known and (causing, cause) != (warp, at):
                target = causing, cause
            else:
                target = warp, at - 1
            before = int(warps[target[0]].cycles[target[1]]) if target[1] >= 0 else 0
            if target[0] == warp and target[1] >= at or before > now:
                target = warp, at - 1
                before = int(own.cycles[at - 1]) if at else 0
            cause = int(issued[target[0]][target[1]]) if target[1] >= 0 else -1
            yield int(issued[warp][at]), int(own.reasons[at]), now - before, cause
            warp, at = target

    def members(self) -> list[int]:
        """The warps that were simulated, CTA after CTA: places in the trace's."""
        return [number for kind in self.kinds for number in self.trace.ctas[kind]]

    def executed(self) -> str:
        """Which CTAs the emulator ran, and how the others are known."""
        sample = self.joined.sample
        return sample.sentence() if sample else "all CTAs were executed"

    def by_line(self) -> dict[int, int]:
        """All cycles of all warps by line of the PTX."""
        sums: dict[int, int] = defaultdict(int)
        for each, cycles in zip(self.trace.code, self.result.account.sum(1).tolist(), strict=True):
            sums[each.line] += cycles
        return {line: cycles for line, cycles in sums.items() if cycles}

    def needs(self) -> dict[str, Fraction]:
        """What is issued and moved: cycles of issue slots, passes of shared memory, bytes."""
        members = self.members()
        issued = [len(self.trace.warps[number].issued) for number in members]
        moved = (Unit.GLOBAL, Unit.BULK_LOAD, Unit.BULK_STORE)
        found = {
            "instructions of warps": sum(issued),
            "cycles of the busiest scheduler that issue": max(
                sum(issued[scheduler::SCHEDULERS]) for scheduler in range(SCHEDULERS)
            ),
            "passes of shared memory": self._sum(members, Unit.SHARED, "passes"),
            "passes of shared memory without conflicts": self._sum(members, Unit.SHARED, "least"),
            "bytes to and from global memory": sum(
                self._sum(members, unit, "bytes") for unit in moved
            ),
        }
        return {name: Fraction(value) for name, value in found.items() if value}

    def _sum(self, members: Sequence[int], unit: Unit, name: str) -> int:
        works = np.concatenate([self.trace.warps[number].works for number in members])
        own = self.trace.works[works[works >= 0]]
        chosen = own[own["unit"] == unit]
        return int(chosen[name].sum(dtype=np.int64))


def predicted(
    joined: Joined,
    behind: Level | None = None,
    changes: bool = True,
    warm: bool = True,
    without: Without = WHOLE,
) -> Prediction:
    """Return what the model says of a launch.

    Args:
        joined: Its trace.
        behind: What answers a read of global memory that L1 does not; None to take L2 where the
            launch's arrays fit.
        changes: Whether to rerun it with changes, and for the interval.
        warm: Whether the same launch ran right before it.
        without: Parts of the model that are left out.

    Raises:
        UserError: the launch is outside of what the model knows; the sentence says what is missing.
        MissingEnvironment: the machine is not built.
    """
    parameters = Parameters()
    held, why = float(behind != Level.MEMORY), "as was asked for"
    if behind is None:
        held, why = answering(joined, parameters)
    own = behind or (Level.L2 if held >= 0.5 else Level.MEMORY)
    grid = on_chip(
        joined.trace, parameters, own, held, together(joined), warm, without, fresh(joined)
    )
    found = Prediction(joined, grid, own, why, parameters)
    if not changes:
        return found
    return replace(with_interval(found), changes=tuple(_changes(found)))


def with_interval(found: Prediction) -> Prediction:
    """A prediction with the interval in which its active cycles lie, by two reruns."""
    trace = found.trace
    both = [_cycles(found, trace, End(slowest=slow), found.behind) for slow in (False, True)]
    return replace(found, interval=interval(found.active, found.limited(), min(both), max(both)))


def answering(joined: Joined, parameters: Parameters) -> tuple[float, str]:
    """The share of reads behind L1 that L2 answers, and why that is taken."""
    size = f"the arrays that it accesses have {joined.touched / 1e6:,.1f} MB"
    if (joined.trace.works["unit"] == Unit.BULK_LOAD).any():
        size += " besides those that bulk copies read, which the trace does not tell"
    if moved_bytes(joined.trace, True)[0] > 2 * joined.touched:
        return 1.0, f"{size}, and it reads them more than twice, so L2 answers most reads"
    held = held_by_l2(parameters, joined.touched)
    return held, f"{size}, of which L2 is taken to hold {held:.0%} from before"


def together(joined: Joined) -> int:
    """How many CTAs read the same, by what all read and what there is to read."""
    return max(round(moved_bytes(joined.trace, True)[0] / max(fresh(joined), 1)), 1)


def fresh(joined: Joined) -> int:
    """How many bytes of memory all CTAs read at least once."""
    return max(joined.touched - moved_bytes(joined.trace, True)[1], 0)


def _cycles(found: Prediction, trace: Trace, parameters: Parameters, behind: Level) -> int:
    """Active cycles of the same CTAs with other numbers.

    A rerun ends sooner where an SM issues much, and so does what it is compared with.
    """
    other = _rerun(found, trace, parameters, behind)
    return round(found.cycles * other / found.again) + found.active - found.cycles


def _rerun(found: Prediction, trace: Trace, parameters: Parameters, behind: Level) -> int:
    grid = found.grid
    run = on_chip(
        trace, parameters, behind, grid.held, grid.together, grid.warm, fresh=fresh(found.joined),
        most=RERUN_ISSUES,
    )  # fmt: skip
    return run.cycles


def _changes(found: Prediction) -> Iterator[Change]:
    trace = found.trace
    groups = {each.reading.group for each in found.parameters.lines()}
    for what, halved in _FASTER.items():
        if groups.intersection(halved):
            faster = Changed(groups=halved)
            yield Change(what, _cycles(found, trace, faster, found.behind))
    if any(each.opcode.startswith(_AT_ONCE) for each in trace.code):
        yield Change(_TMA, _cycles(found, trace, Changed(at_once=_AT_ONCE), found.behind))
    works = trace.works.copy()
    works["passes"] = np.where(works["least"] > 0, works["least"], works["passes"])
    if (works != trace.works).any():
        clean = replace(trace, works=works)
        yield Change("no bank conflicts", _cycles(found, clean, found.parameters, found.behind))
    if found.behind != Level.L1 and (works["unit"] == Unit.GLOBAL).any():
        yield Change(
            "all reads of global memory in L1",
            _cycles(found, trace, found.parameters, Level.L1),
        )


def shares(waits: Sequence[Wait]) -> dict[Reason, int]:
    """The cycles of waits by reason, the largest first."""
    sums: dict[Reason, int] = defaultdict(int)
    for each in waits:
        sums[each.reason] += each.cycles
    return dict(sorted(sums.items(), key=lambda each: -each[1]))
