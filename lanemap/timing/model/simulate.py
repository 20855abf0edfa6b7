"""One SM simulated: when each warp of its CTAs issues what, and why not earlier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError
from lanemap.timing.launch import WARP
from lanemap.timing.model import machine
from lanemap.timing.model.fetching import LINE
from lanemap.timing.model.operations import Operations
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.places import Places
from lanemap.timing.model.shares import ALL
from lanemap.timing.model.touched import touched
from lanemap.timing.model.trace import LINE_BYTES, SECTOR_BYTES, Trace, Unit

#: Schedulers of an SM, and the warps of a warpgroup.
SCHEDULERS, GROUP = 4, 4
#: Units whose work has an object: the two kinds have numbers of their own.
_MBARRIERS = (
    Unit.MBARRIER_INIT, Unit.MBARRIER_ARRIVE, Unit.MBARRIER_WAIT, Unit.MBARRIER_COPIES,
    Unit.BULK_LOAD, Unit.PEER,
)  # fmt: skip

#: Units that read what L1, L2 or memory holds.
_READING = (Unit.GLOBAL, Unit.LOCAL, Unit.BULK_LOAD)
#: Units of machine.h that an instruction asks for something that only the trace knows.
_ASKING = (
    "BARRIER", "BARRIER_ARRIVE", "MBARRIER_INIT", "MBARRIER_ARRIVE", "MBARRIER_WAIT", "BULK_LOAD",
    "BULK_STORE", "COPIES_ARRIVE",
)  # fmt: skip
#: Units of which the machine tells.
_TELLING = ("MATRIX", "BULK_LOAD", "BULK_STORE", "MBARRIER_ARRIVE", "COPIES_ARRIVE")
#: What answers a read by a generic address besides, as machine.h numbers it.
_SHARED, _REMOTE = 0, -1
#: Costs of what SMs share, and of which: 0 for L2, 1 for memory.
_SHARED_COSTS = {"second": 0, "third": 1, "sent": 0, "reduced": 0, "changed": 0,
                 "copied": 0, "crossed": 0, "ragged": 0}  # fmt: skip
#: Units whose bytes do not take the way to L2.
_STAYING = (Unit.SHARED, Unit.REMOTE, Unit.LOCAL, Unit.PEER)


class Level(IntEnum):
    """What answers a read of global memory."""

    L1 = 1
    L2 = 2
    MEMORY = 3


class Reason(Enum):
    """Why a warp did not issue in a cycle, by the names of machine.h."""

    ISSUED = "issued"
    STALL_COUNT = "the stall count of its last instruction"
    BRANCH = "the branch that it took"
    RESULT = "the result of an earlier instruction"
    OPERANDS = "the reading of an earlier instruction's operands"
    BARRIER = "other warps at a barrier"
    MBARRIER = "a phase of an mbarrier"
    MATRIX = "matrix instructions of its warpgroup"
    PIPE = "the instruction's pipe"
    PORT = "the port to shared memory"
    REGISTERS = "registers that another instruction reads"
    NOT_SELECTED = "another warp that its scheduler chose"
    ENDED = "nothing: it has ended"
    ROOM = "room for its CTA on the SM"
    FETCH = "its next instruction, from a cache or memory"
    STORES = "earlier stores to leave the SM"


@dataclass(frozen=True)
class Issues:
    """What one warp did.

    Attributes:
        cta: Which of the CTAs it belongs to.
        warp: Its number there.
        cycles: The cycle of each of its issues.
        reasons: For each, why it was not earlier: a number of `machine.reasons`.
        causes: For each, the place of what ended that wait, in what the warp `causing` issued.
        causing: For each, a place in `Result.warps`.
    """

    cta: int
    warp: int
    cycles: NDArray[np.int32]
    reasons: NDArray[np.uint8]
    causes: NDArray[np.int32]
    causing: NDArray[np.int32]


@dataclass(frozen=True)
class Result:
    """A simulated SM.

    Attributes:
        cycles: From its first cycle to the one after the last issue.
        warps: All warps, CTA after CTA.
        account: By instruction of the code and `Reason` (in their order), cycles of all warps; all
            of it together is `cycles` times the warps.
        told: What its matrix instructions, copies and mbarriers did, as machine.h says.
    """

    cycles: int
    warps: tuple[Issues, ...]
    account: NDArray[np.int64]
    told: NDArray[np.void]


class Simulation:
    """One SM that can be run on from one cycle to a later one, while others share L2 and memory."""

    def __init__(
        self,
        trace: Trace,
        parameters: Parameters,
        kinds: Sequence[int] = (0,),
        behind: Level = Level.L2,
        sms: int | None = None,
        resident: int = 0,
        together: int = 1,
        held: float | None = None,
        warm: bool = True,
        places: Places | None = None,
    ) -> None:
        """Begin the CTAs of these kinds on one SM.

        Args:
            trace: What they issue.
            parameters: Where all numbers come from.
            kinds: The kinds of the CTAs.
            behind: What answers a read of global memory whose sectors no earlier one has brought to
                L1.
            sms: How many SMs do the same for long, and share L2 and memory; None as `Operations`
                says.
            resident: CTAs that are there at once, 0 for all; each of the others takes the place of
                the first that ends.
            together: How many SMs read the same from L2 together.
            held: The share of lines that L2 holds; by default all, or none behind memory.
            warm: Whether the same ran right before: caches have the code, SMs have read what L2
                has.
            places: How much later each line answers than the mean; None for all alike.

        Raises:
            UserError: no row times an instruction of the trace.
            MissingEnvironment: the machine is not built.
        """
        level = "memory" if behind == Level.MEMORY else "L2"
        self._trace, self._kinds = trace, kinds

        def operations(number: int | None) -> Operations:
            return Operations(parameters, trace.cluster, number, trace.threads, level, together)

        used = np.unique(
            np.concatenate([trace.warps[n].issued for k in kinds for n in trace.ctas[k]])
        )
        own = operations(sms)
        code = own.table(trace.code, used.tolist())
        asks, objects = asks_of(trace, behind)
        self._warps, streams = warps_of(trace, kinds)
        share = float(behind != Level.MEMORY) if held is None else held
        sectors = touched(trace, kinds, share, places)
        self._warps["start"] = own.starts(self._warps["cta"])
        _hold_to_units(trace, code, streams)
        sizes = np.zeros(1, machine.table("sizes"))
        sizes["warps"], sizes["ctas"], sizes["objects"] = len(self._warps), len(kinds), objects
        sizes["schedulers"], sizes["pipes"] = SCHEDULERS, 8
        sizes["resident"] = min(resident or len(kinds), len(kinds))
        sizes["group"], sizes["groups"] = GROUP, int(self._warps["group"].max()) + 1
        sizes["sectors"] = len(sectors[-1])
        sizes["instructions"], sizes["line"], sizes["warm"] = len(code), LINE, warm
        sizes["told"] = _tellings(trace, kinds, code)
        self.machine = machine.Running(
            sizes, code, asks, self._warps, (*streams, *sectors), own.costs
        )
        self._level, self._operations, self._used = level, operations, used.tolist()

    @cached_property
    def _known(self) -> list[tuple[NDArray[np.void], NDArray[np.int32]]]:
        """Costs, and what bytes of bulk copies take, if one SM moves something, and if all do."""
        return [
            (each.costs.copy(), each.table(self._trace.code, self._used)["byte_rate"].copy())
            for each in (self._operations(1), self._operations(ALL))
        ]

    def share(self, active: Sequence[float]) -> None:
        """Let so many SMs move as much from L2, and from memory, as this one from now on."""
        (one, least), (every, most) = self._known
        for name, level in _SHARED_COSTS.items():
            part = np.rint(every[name] * active[level] / ALL)
            self.machine.costs[name] = np.maximum(one[name], part)
        level = int(self._level == "memory")
        part = np.rint(most * active[level] / ALL).astype(np.int32)
        self.machine.code["byte_rate"] = np.maximum(least, part)

    def whole(self) -> Result:
        """Run the SM to its end.

        Raises:
            UserError: warps wait for each other.
        """
        self.machine.go()
        return self.result()

    def result(self) -> Result:
        """The SM, when it has ended."""
        run = self.machine.run()
        return _result(self._trace, self._kinds, self._warps, run, self.machine.told())


def asks_of(trace: Trace, behind: Level) -> tuple[NDArray[np.void], int]:
    """The table of asks, one for each work, and how many objects a CTA has, its cluster's too."""
    works = trace.works
    asks = np.zeros(len(works), machine.table("ask"))
    asks["off"] = works["unit"] == Unit.OFF
    asks["parts"] = works["unit"] == Unit.PARTED
    for name in ("passes", "least", "phase", "amount", "bytes"):
        asks[name] = works[name]
    mbarrier = np.isin(works["unit"], _MBARRIERS)
    barrier = works["unit"] == Unit.BARRIER
    begun = works[works["unit"] == Unit.MBARRIER_INIT]
    objects = 0
    for kind, more in ((mbarrier, begun), (barrier, begun[:0])):
        named = [
            each["object"] + each["bytes"] * np.arange(max(int(each["count"]), 1)) for each in more
        ]
        places = np.unique(np.concatenate([works["object"][kind], *named]).astype(np.int64))
        asks["object"][kind] = np.searchsorted(places, works["object"][kind]) + objects
        for own in np.flatnonzero((works["unit"] == Unit.MBARRIER_INIT) & kind):
            next_one = works["object"][own] + works["bytes"][own]
            asks["step"][own] = np.searchsorted(places, next_one) + objects - asks["object"][own]
        objects += len(places)
    threads = np.where(works["amount"] == 0, trace.threads, works["amount"].astype(np.int64))
    asks["amount"] = np.where(barrier, -(-threads // WARP), asks["amount"])
    # The other CTAs of a cluster are taken to do what this one does, at the same time: as many
    # copies and arrivals come from them as go to them.
    to = np.maximum([int(mask).bit_count() for mask in works["cta_mask"]], 1)
    moving = np.isin(works["unit"], (Unit.BULK_LOAD, Unit.MBARRIER_ARRIVE))
    asks["bytes"] = np.where(works["unit"] == Unit.BULK_LOAD, works["bytes"] * to, asks["bytes"])
    asks["amount"] = np.where(moving, asks["amount"] * to, asks["amount"])
    size = works["bytes"].astype(np.int64)
    stored = np.where(works["unit"] == Unit.GLOBAL, works["amount"], 0)
    stored = np.where(works["count"] > 0, works["count"], stored)
    asks["sectors"] = np.where(stored > 0, stored, -(-size // SECTOR_BYTES))
    asks["whole"] = -(-size // SECTOR_BYTES)
    asks["filled"] = -(-size // LINE_BYTES)
    lines = np.maximum(works["passes"], -(-size // LINE_BYTES))
    asks["masks"] = np.where(size < lines * LINE_BYTES, lines, 0)
    asks["count"] = np.maximum(works["count"], 1)
    bare = np.isin(works["unit"], _READING) & (works["passes"] == 0)
    asks["passes"] = np.where(bare, lines, asks["passes"])
    asks["level"] = np.where(np.isin(works["unit"], _READING), behind, Level.L1)
    asks["level"][works["unit"] == Unit.SHARED] = _SHARED
    asks["level"][works["unit"] == Unit.REMOTE] = _REMOTE
    for name in ("sectors", "masks", "whole"):  # of what stays in the SM, or goes to another one
        asks[name][np.isin(works["unit"], _STAYING)] = 0
    return asks, objects + 1


def _tellings(trace: Trace, kinds: Sequence[int], code: NDArray[np.void]) -> int:
    """How much the machine may have to tell: each issue ends one thing, and a phase at most."""
    telling = np.isin(code["unit"], [machine.units()[name] for name in _TELLING])
    each = [2 * int(telling[warp.issued].sum()) for warp in trace.warps]
    return sum(each[number] for kind in kinds for number in trace.ctas[kind])


def _hold_to_units(
    trace: Trace, code: NDArray[np.void], streams: tuple[NDArray[np.int32], NDArray[np.int32]]
) -> None:
    """Refuse an instruction that asks a unit for nothing in particular.

    Raises:
        UserError: there is one.
    """
    needing = np.isin(code["unit"], [machine.units()[name] for name in _ASKING])
    bare = needing[streams[0]] & (streams[1] < 0)
    if bare.any():
        each = trace.code[int(streams[0][bare.argmax()])]
        raise UserError(f"the trace does not say what {each.opcode} {each.operands} waits for")


def warps_of(
    trace: Trace, kinds: Sequence[int]
) -> tuple[NDArray[np.void], tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """The table of warps, and what they issue; those that issue the same share it."""
    used = sorted({number for kind in kinds for number in trace.ctas[kind]})
    own = [trace.warps[number] for number in used]
    lengths = [len(each.issued) for each in own]
    begins = dict(zip(used, accumulate(lengths[:-1], initial=0), strict=True))
    streams = (
        np.concatenate([each.issued for each in own]).astype(np.int32),
        np.concatenate([each.works for each in own]).astype(np.int32),
    )
    if streams[0].max(initial=-1) >= len(trace.code) or streams[1].max(initial=-1) >= len(
        trace.works
    ):
        raise UserError("a warp of the trace issues what its code or its works do not have")
    rows: list[tuple[int, ...]] = []
    output = group = 0
    for cta, kind in enumerate(kinds):
        for warp, number in enumerate(trace.ctas[kind]):
            count = len(trace.warps[number].issued)
            place = (
                begins[number],
                count,
                output,
                len(rows) % SCHEDULERS,
                cta,
                group + warp // GROUP,
            )
            rows.append((*place, 0))
            output += count
        group += -(-len(trace.ctas[kind]) // GROUP)
    return np.array(rows, machine.table("warp")), streams


def _result(
    trace: Trace,
    kinds: Sequence[int],
    warps: NDArray[np.void],
    run: machine.Run,
    told: NDArray[np.void],
) -> Result:
    found, number = [], 0
    account = run.account
    for cta, kind in enumerate(kinds):
        for warp in range(len(trace.ctas[kind])):
            at, count = int(warps[number]["output"]), int(warps[number]["count"])
            own = slice(at, at + count)
            found.append(
                Issues(cta, warp, run.when[own], run.why[own], run.cause[own], run.causing[own])
            )
            if count:
                ended = machine.reasons().index(Reason.ENDED.name)
                account[trace.warps[trace.ctas[kind][warp]].issued[-1], ended] += (
                    run.cycles - 1 - int(run.when[at + count - 1])
                )
            number += 1
    first = next(each for each in found if len(each.cycles))
    place = trace.warps[trace.ctas[kinds[first.cta]][first.warp]].issued[0]
    account[place, machine.reasons().index(Reason.ROOM.name)] = run.cycles * len(found) - int(
        account.sum()
    )
    return Result(run.cycles, tuple(found), account, told)


def refused(trace: Trace, parameters: Parameters) -> str:
    """Why a trace cannot be simulated, without simulating it; "" if it can."""
    try:
        used = np.unique(np.concatenate([each.issued for each in trace.warps]))
        Operations(parameters, trace.cluster).table(trace.code, used.tolist())
    except UserError as error:
        return str(error)
    return ""
