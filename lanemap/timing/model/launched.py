"""The trace of a launch: what the emulator recorded, along the SASS that ptxas makes of the PTX."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator import api
from lanemap.errors import UserError, plural
from lanemap.timing.flow import is_decision, is_guarded, opcode_of
from lanemap.timing.model.kinds import Sample
from lanemap.timing.model.recording import Alike, Recorded
from lanemap.timing.model.trace import Trace, WarpTrace
from lanemap.timing.model.works import CTA, OFF, PARTED, Fields, Works, fields_of
from lanemap.timing.paths import POLLS, Executed, Program
from lanemap.toolchain.cubin import resources
from lanemap.toolchain.sass import SassInstruction, disassemble

#: Instructions of SASS that read memory and have no effect that others see.
_LOADS = ("LDG", "LDS", "LDSM", "LD", "LDL")
_NO_BASES: NDArray[np.uint64] = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Certificate:
    """That effects execute as often on the paths through the SASS as the emulator executed them.

    Attributes:
        lines: Lines of the PTX with effects, those of wgmma together as one.
        executions: Of all warps that were run.
    """

    lines: int
    executions: int


def certified(ptx: Mapping[int, int], sass: Mapping[int, int]) -> Certificate:
    """The certificate of a launch, from executions by line of the PTX in both.

    Raises:
        UserError: they are not the same.
    """
    for line in sorted({*ptx, *sass}):
        if ptx.get(line, 0) != sass.get(line, 0):
            what = f"line {line}" if line > 0 else "wgmma"
            raise UserError(
                f"{what} of the PTX was executed {ptx.get(line, 0)} times, and has "
                f"{sass.get(line, 0)} on the paths through the SASS"
            )
    return Certificate(len(ptx), sum(ptx.values()))


@dataclass(frozen=True)
class Joined:
    """How a trace was made.

    Attributes:
        trace: It.
        certificate: What was compared for it.
        unmatched: Lines of effects of PTX of which ptxas made no instruction of their own.
        approximate: By line, loads of SASS that ptxas made of another number of loads of PTX; they
            have the work of the load of that line that is nearest.
        sample: Which CTAs were run, and stand for which; None if all were.
        touched: Bytes of the arrays in global memory that all CTAs access, as far as those that
            were run tell.
    """

    trace: Trace
    unmatched: tuple[int, ...]
    approximate: Mapping[int, int]
    certificate: Certificate | None = None
    sample: Sample | None = None
    touched: int = 0


def joined(recorded: Recorded, ptx: str, cubin: bytes, sample: Sample | None = None) -> Joined:
    """Return the trace of a launch.

    Args:
        recorded: What the emulator told of it.
        ptx: The text that the emulator executed.
        cubin: What ptxas made of that text, with lines.
        sample: Which CTAs were run, and stand for which; None if all were.

    Raises:
        UserError: a warp has no path through the SASS, or does what a trace cannot describe.
    """
    code = tuple(disassemble(cubin)[recorded.kernel])
    made = _Joiner(recorded, ptx, code).joined(resources(cubin, recorded.kernel)[0], sample)
    times = sample.clusters / len(sample.ran) if sample else 1
    sizes = (min(size, round(accessed * times)) for size, accessed in recorded.arrays.values())
    return replace(made, sample=sample, touched=sum(sizes))


class _Walk:
    """What one warp did, instruction by instruction of the PTX.

    Attributes:
        executed: The instructions, without turns of polling that did not see the phase end.
        events: For each, the places of what was told of it.
    """

    def __init__(self, events: NDArray[Any], instructions: Mapping[int, api.Instruction]) -> None:
        issued: list[int] = []
        told: list[list[int]] = []
        latest: dict[int, int] = {}
        early: dict[int, list[int]] = defaultdict(list)  # a wait is over before it is told of
        happenings, operations = events["happening"].tolist(), events["operation"].tolist()
        for place, (happening, operation) in enumerate(zip(happenings, operations, strict=True)):
            if happening == api.Happening.ISSUE:
                latest[operation] = len(issued)
                issued.append(place)
                told.append(early.pop(operation, []))
            elif events[place]["what"] == api.Act.PASS and happening == api.Happening.BARRIER:
                early[operation].append(place)
            elif operation in latest:
                told[latest[operation]].append(place)
        kept = self._without_polling(
            [instructions[operations[place]].opcode for place in issued],
            [operations[place] for place in issued],
            [any(events[n]["what"] == api.Act.PASS for n in each) for each in told],
        )
        lanes = events["lanes"][issued].tolist()
        kept = _reconverged(kept, [operations[place] for place in issued], lanes, told)
        lines = [instructions[operations[issued[n]]].line for n in kept]
        self.events = [told[n] for n in kept]
        self.executed = tuple(
            Executed(line, instructions[operations[issued[n]]].opcode, lanes[n], after)
            for n, line, after in zip(kept, lines, [*lines[1:], 0], strict=True)
        )

    @staticmethod
    def _without_polling(
        opcodes: Sequence[str], operations: Sequence[int], passed: Sequence[bool]
    ) -> list[int]:
        """Drop what lies between a poll that did not see the end of the phase and the next one."""
        kept: list[int] = []
        polls: dict[int, list[int]] = defaultdict(list)
        for place, opcode in enumerate(opcodes):
            if opcode.startswith(POLLS):
                polls[operations[place]].append(place)
        following = {
            place: after
            for places in polls.values()
            for place, after in zip(places, places[1:], strict=False)
        }
        place = 0
        while place < len(opcodes):
            if place in following and not passed[place]:
                place = following[place]
                continue
            kept.append(place)
            place += 1
        return kept


class _Joiner:
    def __init__(self, recorded: Recorded, ptx: str, code: tuple[SassInstruction, ...]) -> None:
        self._recorded, self._code, self._ptx = recorded, code, ptx
        self._works = Works()
        self._approximate: dict[int, int] = defaultdict(int)
        self._executed: dict[int, int] = defaultdict(int)
        self._on_paths: dict[int, int] = defaultdict(int)
        ends = np.cumsum([0, *(len(each) for each in recorded.patterns)]).tolist()
        self._slices = [(a, b - a) for a, b in zip(ends, ends[1:], strict=False)]

    def joined(self, registers: int, sample: Sample | None) -> Joined:
        recorded = self._recorded
        walks = [_Walk(each.events, recorded.instructions) for each in recorded.warps]
        executed = {each.line: each.opcode for walk in walks for each in walk.executed}
        clusters = int(np.prod(recorded.cluster)) > 1
        self._program = Program(self._code, self._ptx, executed, clusters)
        self._lines = frozenset(executed)
        self._starts = np.cumsum([0, *(len(each.code) for each in self._program.blocks)]).tolist()
        pathless: dict[str, int] = defaultdict(int)
        warps, orders = [], []
        for alike, walk in zip(recorded.warps, walks, strict=True):
            path = self._program.path(walk.executed)
            if path.reason:
                pathless[path.reason] += len(alike.members)
                continue
            warp, order = self._warp(alike, walk, path.blocks, path.effects)
            warps.append(warp)
            orders.append(order)
        if pathless:
            reasons = "; ".join(f"{plural(n, 'warp')}: {why}" for why, n in pathless.items())
            raise UserError(f"warps of {recorded.kernel} have no path through its SASS ({reasons})")
        return Joined(
            self._trace(warps, orders, registers, sample),
            self._program.unmatched,
            dict(self._approximate),
            certified(self._executed, self._on_paths),
        )

    def _warp(
        self,
        alike: Alike,
        walk: _Walk,
        blocks: Sequence[int],
        effects: Sequence[Sequence[int]],
    ) -> tuple[WarpTrace, NDArray[np.intp]]:
        """What the warp issues, and for each access with sectors which of its bases it has."""
        issued: list[int] = []
        sources: list[int | None] = []
        loads: dict[int, list[int]] = defaultdict(list)
        visits: list[int] = []
        spans = _spans(effects, len(walk.executed))
        for done in walk.executed:
            item = self._program.effect(done) if done.lanes else None
            if item is not None:
                self._executed[item] += len(alike.members)
        for visit, (block, own) in enumerate(zip(blocks, effects, strict=True)):
            waiting: dict[int, deque[int]] = defaultdict(deque)
            for place in own:
                item = self._program.effect(walk.executed[place])
                assert item is not None
                waiting[item].append(place)
            for number, each in enumerate(self._program.blocks[block].code, self._starts[block]):
                item = self._program.item(each)
                if item is not None:
                    sources.append(waiting[item].popleft() if waiting[item] else -1)
                    self._on_paths[item] += len(alike.members) * (sources[-1] != -1)
                elif opcode_of(each) in _LOADS:
                    loads[each.line].append(len(issued))
                    sources.append(None)
                elif is_guarded(each) and each.line not in self._lines:
                    sources.append(-1)  # ptxas gave it a guard in place of a branch
                else:
                    sources.append(None)
                issued.append(number)
                visits.append(visit)
        self._join_loads(walk, loads, sources, [spans[visit] for visit in visits])
        return self._made(alike, walk, issued, sources, self._parted(walk, issued))

    def _parted(self, walk: _Walk, issued: Sequence[int]) -> set[int]:
        """Where lanes part: the places in `issued` of branches that only some of them take.

        A branch of SASS is one of PTX where as many of its line were executed.
        """
        branches: dict[int, list[int]] = defaultdict(list)
        for place, number in enumerate(issued):
            if is_decision(self._code[number]):
                branches[self._code[number].line].append(place)
        taken: dict[int, list[bool]] = defaultdict(list)
        before = 0
        for place, each in enumerate(walk.executed):
            if each.line in branches and each.opcode.startswith("bra"):
                after = next((own.lanes for own in walk.executed[place + 1 :] if own.lanes), 0)
                some = each.lanes != 0 and (each.lanes & before == each.lanes != before)
                taken[each.line].append(some or bool(each.lanes and after & ~each.lanes))
            before = each.lanes
        return {
            place
            for line, places in branches.items()
            if len(taken[line]) == len(places)
            for place, parts in zip(places, taken[line], strict=True)
            if parts
        }

    def _join_loads(
        self,
        walk: _Walk,
        loads: Mapping[int, Sequence[int]],
        sources: list[int | None],
        spans: Sequence[tuple[int, int]],
    ) -> None:
        """Give each load of SASS the turn of the PTX load of its line.

        Where ptxas gave the load a guard in place of a branch, there are turns without a load. A
        load that lies between the same effects as no turn of PTX is one of these.
        """
        turns: dict[int, list[int]] = defaultdict(list)
        for place, each in enumerate(walk.executed):
            if each.line in loads and self._program.effect(each) is None:
                turns[each.line].append(place)
        for line, places in loads.items():
            own = turns[line]
            if len(places) == len(own) or not own:
                for at, turn in zip(places, own, strict=False):
                    sources[at] = turn
                continue
            within = [[turn for turn in own if a < turn < b] for a, b in (spans[n] for n in places)]
            if any(len(each) > 1 for each in within):
                self._approximate[line] += len(places)
            for number, (at, near) in enumerate(zip(places, within, strict=True)):
                one = near[0] if len(near) == 1 else own[number * len(own) // len(places)]
                sources[at] = one if near else -1

    def _made(
        self,
        alike: Alike,
        walk: _Walk,
        issued: Sequence[int],
        sources: Sequence[int | None],
        parted: set[int],
    ) -> tuple[WarpTrace, NDArray[np.intp]]:
        bases = np.cumsum(alike.events["pattern"] >= 0) - 1
        works, order = [], []
        known: dict[int, tuple[Fields | None, int]] = {}
        for place, source in enumerate(sources):
            if source is None:
                works.append(self._works.number(PARTED if place in parted else None))
                continue
            if source not in known:
                known[source] = self._asked(alike, walk, source)
            fields, addressed = known[source]
            works.append(self._works.number(fields))
            if addressed >= 0:
                order.append(int(bases[addressed]))
        trace = WarpTrace(np.array(issued, np.int32), np.array(works, np.int32))
        return trace, np.array(order, np.intp)

    def _asked(self, alike: Alike, walk: _Walk, source: int) -> tuple[Fields | None, int]:
        if source < 0 or not walk.executed[source].lanes:
            return OFF, -1
        each = walk.executed[source]
        if self._program.alone and each.opcode.startswith("barrier.cluster"):
            return CTA, -1
        try:
            return fields_of(alike.events, walk.events[source], self._slices)
        except UserError as error:
            raise UserError(f"line {each.line}, {each.opcode}: {error}") from None

    def _trace(
        self,
        warps: list[WarpTrace],
        orders: list[NDArray[np.intp]],
        registers: int,
        sample: Sample | None,
    ) -> Trace:
        recorded = self._recorded
        ctas = int(np.prod(recorded.grid))
        own: list[dict[int, tuple[int, NDArray[np.uint64]]]] = [{} for _ in range(ctas)]
        for number, (alike, order) in enumerate(zip(recorded.warps, orders, strict=True)):
            for (cta, warp), bases in zip(alike.members, alike.bases, strict=True):
                own[cta][warp] = number, bases[order]
        kinds: dict[tuple[int, ...], int] = {}
        grid, bases_of = [], []
        stands = _standing_for(recorded.grid, recorded.cluster, sample)
        for number in range(ctas):
            each = own[number if stands is None else stands[number]]
            members = [each[warp] for warp in sorted(each)]
            kind = tuple(number for number, _ in members)
            grid.append(kinds.setdefault(kind, len(kinds)))
            bases_of.append(
                _joined_bases([bases for _, bases in members])
                if stands is None or stands[number] == number
                else _NO_BASES
            )
        sectors = np.concatenate([np.zeros(0, np.uint32), *recorded.patterns])
        return Trace(
            self._code,
            self._works.table(),
            sectors,
            tuple(warps),
            tuple(kinds),
            np.array(grid, np.int32),
            tuple(bases_of),
            cluster=int(np.prod(recorded.cluster)),
            threads=int(np.prod(recorded.block)),
            shared_bytes=recorded.shared_bytes,
            registers=registers,
            arrays=tuple((begin, size) for begin, (size, _) in recorded.arrays.items()),
        )


def _standing_for(
    grid: tuple[int, int, int], cluster: tuple[int, int, int], sample: Sample | None
) -> list[int] | None:
    """For each CTA of the grid, the one that was run and stands for it; None where all were run."""
    if sample is None or len(sample.ran) == sample.clusters:
        return None
    place = np.arange(int(np.prod(grid)))
    x, y, z = place % grid[0], place // grid[0] % grid[1], place // (grid[0] * grid[1])
    sizes = [g // c for g, c in zip(grid, cluster, strict=True)]
    own = x // cluster[0] + sizes[0] * (y // cluster[1] + sizes[1] * (z // cluster[2]))
    other = sample.standing_for()[own]
    ox, oy, oz = other % sizes[0], other // sizes[0] % sizes[1], other // (sizes[0] * sizes[1])
    found: list[int] = (
        ox * cluster[0] + x % cluster[0]
        + grid[0] * (oy * cluster[1] + y % cluster[1]
                     + grid[1] * (oz * cluster[2] + z % cluster[2]))
    ).tolist()  # fmt: skip
    return found


def _reconverged(
    kept: Sequence[int],
    operations: Sequence[int],
    lanes: list[int],
    told: Sequence[list[int]],
) -> list[int]:
    """Let lanes that were apart do together what both did last before they met again.

    Lanes that wait may be overtaken by the others even where these would wait for them on a GPU.
    Between two instructions that two sets of lanes executed together, the last ones that are the
    same, one by one, are executed by both. This changes `lanes` and `told` of those that stay.
    """
    dropped: set[int] = set()
    apart: dict[int, list[int]] = {}
    for place in [*kept, -1]:
        mask = lanes[place] if place >= 0 else ~0
        if apart and not all(mask == own or mask & own == 0 for own in apart):
            _join_last(apart, operations, lanes, told, dropped)
            apart = {}
        if mask:
            apart.setdefault(mask, []).append(place)
    return [place for place in kept if place not in dropped]


def _join_last(
    apart: Mapping[int, Sequence[int]],
    operations: Sequence[int],
    lanes: list[int],
    told: Sequence[list[int]],
    dropped: set[int],
) -> None:
    if len(apart) != 2:
        return
    first, second = sorted(apart.values(), key=lambda places: places[-1])
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if operations[one] != operations[other]:
            return
        lanes[other] |= lanes[one]
        told[other].extend(told[one])
        dropped.add(one)


def _spans(effects: Sequence[Sequence[int]], end: int) -> list[tuple[int, int]]:
    """For each block, the places in the walk of the last effect before it and the next after it."""
    before, after = [], []
    last = -1
    for own in effects:
        before.append(last)
        last = max([last, *own])
    following = end
    for own in reversed(effects):
        after.append(following)
        following = min([following, *own])
    return list(zip(before, reversed(after), strict=True))


def _joined_bases(parts: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    return np.concatenate([np.zeros(0, np.uint64), *parts])
