"""What the model says of a launch: cycles, what warps waited for, and what would change it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from lanemap.errors import UserError, plural
from lanemap.targets import TARGETS
from lanemap.timing.model import machine
from lanemap.timing.model.launched import Joined
from lanemap.timing.model.parameters import Parameters, Reading
from lanemap.timing.model.simulate import SCHEDULERS, Level, Reason, Result, simulate
from lanemap.timing.model.trace import Trace, Unit

#: The target whose rows the machine is made of.
TARGET = "sm_90a"
#: What a faster part of an SM would be: the groups of rows whose numbers are halved.
_FASTER: Mapping[str, tuple[str, ...]] = {
    "tensor cores twice as fast": ("mma", "mma_fp8", "wgmma", "wgmma_depth"),
    "shared memory twice as fast": ("smem",),
    "barriers, mbarriers and fences twice as fast": ("sync",),
    "copies by TMA and cp.async twice as fast": ("copies",),
    "L1, L2 and memory twice as fast": ("memory",),
    "arithmetic pipes twice as wide": ("alu_rates", "contention"),
}


@dataclass
class Halved(Parameters):
    """Parameters of which those of some rows are halved.

    Attributes:
        groups: The groups of these rows.
    """

    groups: tuple[str, ...] = ()

    def read(self, name: str, reading: Reading, why: str = "") -> Fraction:
        """A number; see `Parameters`."""
        value = super().read(name, reading, why)
        return value / 2 if reading.group in self.groups else value


@dataclass(frozen=True)
class Wait:
    """Cycles that warps spent at one instruction for one reason.

    Attributes:
        place: Its place in the code.
        reason: Why it was not issued.
        cycles: Of all warps, or along the chain.
    """

    place: int
    reason: Reason
    cycles: int


@dataclass(frozen=True)
class Change:
    """What a change of the machine or of the launch would give.

    Attributes:
        what: The change.
        cycles: With it.
    """

    what: str
    cycles: int


@dataclass(frozen=True)
class Prediction:
    """A launch whose CTAs have an SM each.

    Attributes:
        joined: Its trace.
        kind: The kind of CTA that takes longest.
        result: The SM with that CTA.
        behind: What answers a read of global memory that L1 does not.
        parameters: Every number that it is made of.
        changes: What changes would give.
    """

    joined: Joined
    kind: int
    result: Result
    behind: Level
    parameters: Parameters
    changes: tuple[Change, ...] = field(default=())

    @property
    def trace(self) -> Trace:
        """Its trace."""
        return self.joined.trace

    @property
    def cycles(self) -> int:
        """From the first issue of the CTA to the one after its last."""
        return self.result.cycles

    def waits(self) -> list[Wait]:
        """All cycles of all warps, by instruction and reason; the largest first."""
        names = machine.reasons()
        found = [
            Wait(int(place), Reason[names[reason]], int(self.result.account[place, reason]))
            for place, reason in zip(*np.nonzero(self.result.account), strict=True)
        ]
        return sorted(found, key=lambda each: -each.cycles)

    def chain(self) -> list[Wait]:
        """What the end of the launch came after, by instruction and reason; the largest first.

        From the last issue back: to what ended its wait, or else to the warp's issue before it. The
        cycles add up to those from the first issue of the chain to the last.
        """
        sums: dict[tuple[int, int], int] = defaultdict(int)
        for place, reason, cycles in self._links():
            sums[place, reason] += cycles
        names = machine.reasons()
        found = [Wait(place, Reason[names[why]], n) for (place, why), n in sums.items() if n]
        return sorted(found, key=lambda each: -each.cycles)

    def _links(self) -> Iterator[tuple[int, int, int]]:
        warps = self.result.warps
        members = self.trace.ctas[self.kind]
        issued = [self.trace.warps[number].issued for number in members]
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
            yield int(issued[warp][at]), int(own.reasons[at]), now - before
            warp, at = target

    def by_line(self) -> dict[int, int]:
        """All cycles of all warps by line of the PTX."""
        sums: dict[int, int] = defaultdict(int)
        for each, cycles in zip(self.trace.code, self.result.account.sum(1).tolist(), strict=True):
            sums[each.line] += cycles
        return {line: cycles for line, cycles in sums.items() if cycles}

    def needs(self) -> dict[str, Fraction]:
        """What is issued and moved: cycles of issue slots, passes of shared memory, bytes."""
        members = self.trace.ctas[self.kind]
        issued = [len(self.trace.warps[number].issued) for number in members]
        moved = (Unit.GLOBAL, Unit.BULK_LOAD, Unit.BULK_STORE)
        found = {
            "instructions of warps": sum(issued),
            "cycles of the busiest scheduler that issue": max(
                sum(issued[scheduler::SCHEDULERS]) for scheduler in range(SCHEDULERS)
            ),
            "passes of shared memory": self._sum(members, None, "passes"),
            "passes of shared memory without conflicts": self._sum(members, None, "least"),
            "bytes to and from global memory": sum(
                self._sum(members, unit, "bytes") for unit in moved
            ),
        }
        return {name: Fraction(value) for name, value in found.items() if value}

    def _sum(self, members: Sequence[int], unit: Unit | None, name: str) -> int:
        works = np.concatenate([self.trace.warps[number].works for number in members])
        own = self.trace.works[works[works >= 0]]
        chosen = own if unit is None else own[own["unit"] == unit]
        return int(chosen[name].sum(dtype=np.int64))


def predicted(joined: Joined, behind: Level = Level.L2, changes: bool = True) -> Prediction:
    """Return what the model says of a launch.

    Args:
        joined: Its trace.
        behind: What answers a read of global memory that L1 does not.
        changes: Whether to rerun it with changes.

    Raises:
        UserError: the launch is outside of what the model knows; the sentence says what is missing.
        MissingEnvironment: the machine is not built.
    """
    trace = joined.trace
    _refuse(trace)
    parameters = Parameters()
    results = [simulate(trace, parameters, (kind,), behind) for kind in range(len(trace.ctas))]
    kind = max(range(len(results)), key=lambda n: results[n].cycles)
    found = Prediction(joined, kind, results[kind], behind, parameters)
    return replace(found, changes=tuple(_changes(found))) if changes else found


def _refuse(trace: Trace) -> None:
    """Refuse what the model of one SM does not cover.

    Raises:
        UserError: the launch has clusters, or more CTAs than there are SMs.
    """
    there = TARGETS[TARGET].gpu.multiprocessors
    if trace.cluster > 1:
        raise UserError(
            f"the model has one SM, and CTAs of this launch are in clusters of {trace.cluster}; "
            "launch without clusters"
        )
    if len(trace.grid) > there:
        raise UserError(
            f"the model has one CTA on an SM, and this launch has {plural(len(trace.grid), 'CTA')} "
            f"for {there} SMs; launch at most {there}"
        )


def _changes(found: Prediction) -> Iterator[Change]:
    trace, kinds = found.trace, (found.kind,)
    groups = {each.reading.group for each in found.parameters.lines()}
    for what, halved in _FASTER.items():
        if groups.intersection(halved):
            faster = Halved(groups=halved)
            yield Change(what, simulate(trace, faster, kinds, found.behind).cycles)
    works = trace.works.copy()
    works["passes"] = np.where(works["least"] > 0, works["least"], works["passes"])
    if (works != trace.works).any():
        clean = replace(trace, works=works)
        yield Change(
            "no bank conflicts", simulate(clean, found.parameters, kinds, found.behind).cycles
        )
    if found.behind != Level.L1 and (works["unit"] == Unit.GLOBAL).any():
        yield Change(
            "all reads of global memory in L1",
            simulate(trace, found.parameters, kinds, Level.L1).cycles,
        )


def shares(waits: Sequence[Wait]) -> dict[Reason, int]:
    """The cycles of waits by reason, the largest first."""
    sums: dict[Reason, int] = defaultdict(int)
    for each in waits:
        sums[each.reason] += each.cycles
    return dict(sorted(sums.items(), key=lambda each: -each[1]))


def to_json(found: Prediction) -> dict[str, Any]:
    """A prediction for programs."""
    code = found.trace.code

    def waits(of: Sequence[Wait]) -> list[dict[str, Any]]:
        return [
            {
                "address": code[each.place].address,
                "opcode": code[each.place].opcode,
                "ptx_line": code[each.place].line,
                "reason": each.reason.value,
                "cycles": each.cycles,
            }
            for each in of
        ]

    return {
        "evidence": "predicted",
        "target": TARGET,
        "cycles": found.cycles,
        "interval": None,
        "warps": len(found.result.warps),
        "ctas": len(found.trace.grid),
        "reads_behind_l1": found.behind.name,
        "account": waits(found.waits()),
        "lines": [
            {"ptx_line": line, "cycles": cycles} for line, cycles in sorted(found.by_line().items())
        ],
        "chain": waits(found.chain()),
        "needs": {name: float(value) for name, value in found.needs().items()},
        "changes": [{"what": each.what, "cycles": each.cycles} for each in found.changes],
        "approximate_loads": dict(found.joined.approximate),
        "unmatched_lines": list(found.joined.unmatched),
        "parameters": [each.to_json() for each in found.parameters.lines()],
    }
