"""The chip: how CTAs of a grid come to SMs, and what all SMs share.

CTAs are given to SMs in order, one to each SM in turn, as many as fit; each later one takes the
place of the first that ends. Of SMs that get CTAs of the same kinds one is simulated. SMs share the
way to L2 and memory: those that do the same evenly, and others by what they moved in the epoch
before.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError
from lanemap.targets import TARGETS
from lanemap.timing.launch import WARP
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.places import lines_of_l2
from lanemap.timing.model.shares import TARGET, epoch, few, streamed, traffic
from lanemap.timing.model.simulate import SCHEDULERS, Level, Result, Simulation
from lanemap.timing.model.trace import SECTOR_BYTES, Trace, Unit

#: Registers are given to a warp in pieces of this size, shared memory to a CTA (CUDA C++ Best
#: Practices Guide, occupancy; the CUDA occupancy calculator).
_REGISTER_UNIT, _SHARED_UNIT = 256, 128
#: Issues that are simulated of one SM; of more, the rest goes on as the last ones did.
#: As many, where the model is rerun with other numbers, for how much they change.
RERUN_ISSUES = 100_000
MOST_ISSUES = 8_000_000
#: Bytes that are more than any launch reads.
FRESH = 1 << 62
#: Waves that are simulated at least before the rest is taken to go on alike.
_WAVES = 4


@dataclass(frozen=True)
class Without:
    """Parts of the model that are left out, to see what they give.

    Attributes:
        contention: That other SMs use L2 and memory as well.
        l2_map: That lines of L2 and of memory answer at different times.
    """

    contention: bool = False
    l2_map: bool = False


WHOLE = Without()


@dataclass(frozen=True)
class Span:
    """When a CTA runs: from `begin` to before `end`, in cycles of the launch."""

    cta: int
    begin: int
    end: int


@dataclass(frozen=True)
class Grid:
    """A grid on the chip.

    Attributes:
        resident: CTAs that fit on an SM at once, and why not more.
        limit: What keeps more from fitting.
        sms: SMs that have CTAs.
        kinds: The CTAs of the SM that ends last, in the order in which they begin: their kinds.
        simulated: How many of them were simulated; the rest takes as long as the later ones.
        result: That SM.
        busy: Cycles from its first issue to its last.
        moved: Cycles that L2 or memory needs for what all CTAs move; 0 for none.
        changed: Cycles in which L2 changes sectors for atomics, as of the first one.
        together: How many SMs read the same from L2 together.
        held: The share of what they read that L2 holds.
        warm: Whether the same launch ran right before.
        assigned: By SM, its CTAs.
        alike: The SMs that were simulated, and those that each stands for.
        results: Of each of these, what was simulated.
    """

    resident: int
    limit: str
    sms: int
    kinds: tuple[int, ...]
    simulated: int
    result: Result
    busy: int
    moved: int
    changed: int
    together: int
    held: float
    warm: bool
    assigned: Sequence[Sequence[int]]
    alike: Sequence[Alike]
    results: Sequence[Result]

    @property
    def spans(self) -> tuple[tuple[Span, ...], ...]:
        """By SM, when its CTAs run, as far as they were simulated."""
        return _spans(self.assigned, self.alike, self.results)

    @property
    def cycles(self) -> int:
        """From the first issue of a CTA on the SM that ends last to the last one there."""
        return max(self.busy, self.moved)

    @property
    def waves(self) -> Fraction:
        """CTAs of that SM for each place on it."""
        return Fraction(len(self.kinds), self.resident)


def _rounded(amount: int, unit: int) -> int:
    return -(-amount // unit) * unit


def resident(trace: Trace) -> tuple[int, str]:
    """How many CTAs fit on an SM, and what keeps more from fitting.

    Raises:
        UserError: not even one does.
    """
    limits = TARGETS[TARGET].limits
    warps = -(-trace.threads // WARP)
    registers = _rounded(trace.registers * WARP, _REGISTER_UNIT)
    # Each scheduler has a quarter of the registers, and gives them to whole warps.
    places = limits.registers // max(registers, 1) // SCHEDULERS * SCHEDULERS
    shared = _rounded(trace.shared_bytes + limits.reserved_shared_bytes, _SHARED_UNIT)
    most = {
        "CTAs of an SM": limits.ctas_of_sm,
        "warps of an SM": limits.warps_of_sm // warps,
        "registers": places // warps,
        "shared memory": limits.shared_bytes_of_sm // shared,
    }
    limit = min(most, key=lambda name: most[name])
    if not most[limit]:
        raise UserError(f"a CTA of this launch does not fit on an SM: {limit}")
    return most[limit], limit


def _assigned(grid: Sequence[int], lasts: Sequence[int], sms: int, places: int) -> list[list[int]]:
    """By SM, its CTAs, if a CTA of a kind takes so long."""
    found: list[list[int]] = [[] for _ in range(sms)]
    free = [(0, number, number % sms) for number in range(sms * places)]
    heapq.heapify(free)
    for cta, kind in enumerate(grid):
        at, number, sm = heapq.heappop(free)
        found[sm].append(cta)
        heapq.heappush(free, (at + lasts[kind], number, sm))
    return found


@dataclass(frozen=True)
class Alike:
    """SMs whose CTAs are of the same kinds in the same order; one of them is simulated.

    Attributes:
        kinds: Those kinds.
        sms: Which SMs.
    """

    kinds: tuple[int, ...]
    sms: tuple[int, ...]


def _alike(
    own: Sequence[Sequence[int]], trace: Trace, lasts: Sequence[int], limit: int
) -> list[Alike]:
    """The SMs that have CTAs, by what they get; the one whose CTAs take longest first.

    Where all of them would issue more than a limit, SMs that take nearly as long stand for
    others.
    """
    sms: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for sm, ctas in enumerate(own):
        if ctas:
            sms[tuple(trace.grid[ctas].tolist())].append(sm)
    found = sorted(sms, key=lambda kinds: -sum(lasts[kind] for kind in kinds))
    issues = max(sum(_issued(trace, kind) for kind in found[0]), 1)
    most = max(limit // issues, 1)
    parts = np.array_split(np.arange(len(found)), min(most, len(found)))
    return [
        Alike(found[part[0]], tuple(sm for number in part for sm in sms[found[number]]))
        for part in parts
    ]


def _spans(
    assigned: Sequence[Sequence[int]], alike: Sequence[Alike], results: Sequence[Result]
) -> tuple[tuple[Span, ...], ...]:
    """By SM, when its CTAs run, if those of SMs alike run at the same time."""
    found: list[tuple[Span, ...]] = [()] * len(assigned)
    for own, result in zip(alike, results, strict=True):
        begins: dict[int, int] = {}
        ends: dict[int, int] = {}
        for warp in result.warps:
            if len(warp.cycles):
                begins[warp.cta] = min(begins.get(warp.cta, result.cycles), int(warp.cycles[0]))
                ends[warp.cta] = max(ends.get(warp.cta, 0), int(warp.cycles[-1]) + 1)
        for sm in own.sms:
            found[sm] = tuple(
                Span(cta, begins[place], ends[place])
                for place, cta in enumerate(assigned[sm])
                if place in ends
            )
    return tuple(found)


def _issued(trace: Trace, kind: int) -> int:
    return sum(len(trace.warps[number].issued) for number in trace.ctas[kind])


def _together(simulations: Sequence[Simulation], counts: Sequence[int], epoch: int) -> None:
    """Run SMs to their ends, epoch by epoch.

    In each, an SM gets of L2 and memory what it would if as many moved as much as the one that
    moves most, as there were such SMs in the epoch before.
    """
    before = np.zeros((len(simulations), len(simulations[0].machine.moved)))
    number, until = np.array(counts, float), epoch
    while sum(each.machine.go(until) for each in simulations) < len(simulations):
        now = np.array([each.machine.moved for each in simulations], float)
        moved, before = now - before, now
        most = moved.max(0)
        active = np.where(most > 0, number @ moved / np.maximum(most, 1), number.sum())
        for each in simulations:
            each.share(active.tolist())
        until += epoch


def on_chip(
    trace: Trace,
    parameters: Parameters,
    behind: Level,
    held: float,
    together: int,
    warm: bool = True,
    without: Without = WHOLE,
    fresh: int = FRESH,
    most: int = 0,
) -> Grid:
    """Simulate a grid, of which so many CTAs read the same together, from what L2 holds a share of.

    Of what they read, only `fresh` bytes may lie in memory: others read the rest before. Behind
    `most` issues of an SM (0 for MOST_ISSUES), its CTAs are taken to go on as the last ones that
    were simulated.

    Raises:
        UserError: no row times an instruction, or warps wait for each other.
    """
    most = most or MOST_ISSUES
    places, limit = resident(trace)
    there = TARGETS[TARGET].gpu.multiprocessors // trace.cluster * trace.cluster
    grid = trace.grid.tolist()
    sms = min(there, len(grid))
    together = min(together, sms)
    sharing = 1 if without.contention else sms
    lines = None if without.l2_map else lines_of_l2(parameters)

    def begun(kinds: Sequence[int]) -> Simulation:
        return Simulation(
            trace, parameters, kinds, behind, sharing, places, together, held, warm, lines
        )

    def run(kinds: Sequence[int]) -> Result:
        return begun(kinds).whole()

    used = sorted(set(grid))
    alone = {kind: run((kind,)) for kind in used}
    lasts = [alone[kind].cycles if kind in alone else 0 for kind in range(len(trace.ctas))]
    assigned = _assigned(grid, lasts, sms, places)
    alike = _alike(assigned, trace, lasts, most)
    own = alike[0].kinds
    changed = 0 if without.contention else _changed(trace, parameters)
    moved = 0 if without.contention else _moved(trace, parameters, behind, together, fresh)

    def found(own: tuple[int, ...], count: int, busy: int, results: Sequence[Result]) -> Grid:
        last = max(results, key=lambda each: each.cycles)
        behind_l1 = max(moved, changed + _first_atomic(trace, own, last) if changed else 0)
        return Grid(
            places, limit, sms, own, count, last, busy, behind_l1, changed, together, held, warm,
            assigned, alike[: len(results)], results,
        )  # fmt: skip

    issues = np.cumsum([_issued(trace, kind) for kind in own])
    count = max(int(np.searchsorted(issues, most)), min(_WAVES * places, len(own)))
    if count < len(own):
        half, result = run(own[: count // 2]), run(own[:count])
        each = Fraction(result.cycles - half.cycles, count - count // 2)
        return found(own, count, round(result.cycles + each * (len(own) - count)), [result])
    if len(alike) == 1 or without.contention:
        result = alone[own[0]] if len(own) == 1 else run(own)
        return found(own, len(own), result.cycles, [result])
    simulations = [begun(each.kinds) for each in alike]
    _together(simulations, [len(each.sms) for each in alike], epoch(parameters))
    ends = [each.machine.cycles for each in simulations]
    own = alike[int(np.argmax(ends))].kinds
    return found(own, len(own), max(ends), [each.result() for each in simulations])


def _bytes(trace: Trace, kind: int, once: bool) -> tuple[int, int]:
    """Bytes that a CTA of a kind reads and writes behind L1.

    Args:
        trace: What it issues.
        kind: The kind.
        once: Whether a sector that it accesses again counts once.
    """
    cta = trace.shown(kind)
    bases = trace.addresses(cta) if cta >= 0 else None
    amounts = [0, 0]
    sectors: tuple[list[NDArray[np.uint64]], ...] = ([], [])
    for number, warp in enumerate(trace.warps[n] for n in trace.ctas[kind]):
        asking = np.flatnonzero(warp.works >= 0)
        own = trace.works[warp.works[asking]]
        for unit, stores in ((Unit.BULK_LOAD, 0), (Unit.BULK_STORE, 1)):
            amounts[stores] += int(own["bytes"][own["unit"] == unit].sum(dtype=np.int64))
        for place in asking[own["unit"] == Unit.GLOBAL]:
            work = trace.works[warp.works[place]]
            stores = trace.code[warp.issued[place]].opcode.startswith(("ST", "RED"))
            first, count = int(work["first"]), int(work["count"])
            if not count or bases is None:
                amounts[stores] += int(work["bytes"])
            else:
                sectors[stores].append(trace.sectors[first : first + count] + bases[number][place])
    for stores, parts in enumerate(sectors):
        if parts:
            touched = np.concatenate(parts)
            amounts[stores] += SECTOR_BYTES * len(np.unique(touched) if once else touched)
    return amounts[0], amounts[1]


def moved_bytes(trace: Trace, once: bool) -> tuple[int, int]:
    """Bytes that all CTAs read and write behind L1; see `_bytes`."""
    kinds, counts = np.unique(trace.grid, return_counts=True)
    each = [_bytes(trace, int(kind), once) for kind in kinds]
    return (
        sum(int(n) * read for n, (read, _) in zip(counts, each, strict=True)),
        sum(int(n) * written for n, (_, written) in zip(counts, each, strict=True)),
    )


def _moved(trace: Trace, parameters: Parameters, behind: Level, together: int, fresh: int) -> int:
    """Cycles in which L2 moves what all CTAs read and write.

    They are no less than those of a stream that reads the `fresh` bytes, and writes as many.
    """
    if behind == Level.L1:
        return 0
    # L1 holds what a CTA has just read; L2 joins what it writes to memory.
    read, written = moved_bytes(trace, True)
    each = moved_bytes(trace, False)[1]
    sms, cycles = TARGETS[TARGET].gpu.multiprocessors, 0.0
    both = min(read, each)
    for name, amount in (("copy", both), ("loads", read - both), ("stores", each - both)):
        if amount:
            rate = traffic(parameters, name, "L2", sms, together)
            cycles += amount * float(rate) / sms
    far = streamed(parameters, min(read, fresh), written)
    return round(max(cycles, far))


def _changed(trace: Trace, parameters: Parameters) -> int:
    """Cycles in which L2 changes the sectors of an array for atomics, if all are hit alike."""
    atomic = _atomics(trace)
    sums: dict[int, float] = defaultdict(float)
    kinds, counts = np.unique(trace.grid, return_counts=True) if atomic.any() else ((), ())
    for kind, many in zip(kinds, counts, strict=True):
        cta = trace.shown(int(kind))
        if cta < 0:
            continue
        for base, number in zip(trace.addresses(cta), trace.ctas[int(kind)], strict=True):
            warp = trace.warps[number]
            for place in np.flatnonzero(atomic[warp.issued] & (warp.works >= 0)).tolist():
                count = int(trace.works[warp.works[place]]["count"])
                sums[_array(trace, int(base[place]))] += int(many) * count
    sizes = dict(trace.arrays)
    each = (
        n * few(parameters, min(sizes[array] / SECTOR_BYTES, n))
        for array, n in sums.items()
        if array and n
    )
    return round(max(each, default=0.0))


def _first_atomic(trace: Trace, kinds: Sequence[int], result: Result) -> int:
    """The cycle in which the SM issues its first atomic."""
    atomic = _atomics(trace)
    members = [number for kind in kinds for number in trace.ctas[kind]]
    firsts = [
        int(own.cycles[int(issued.argmax())])
        for own, number in zip(result.warps, members, strict=False)
        if (issued := atomic[trace.warps[number].issued]).any()
    ]
    return min(firsts, default=0)


def _atomics(trace: Trace) -> NDArray[np.bool_]:
    """By instruction of the code, whether it is an atomic or a reduction."""
    return np.array([each.opcode.startswith(("ATOMG", "REDG")) for each in trace.code])


def _array(trace: Trace, address: int) -> int:
    """The address of the array in which an address lies."""
    return max((begin for begin, _ in trace.arrays if begin <= address), default=0)
