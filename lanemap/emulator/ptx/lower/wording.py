"""PTX terms used in reports, and the sentences for hazards that only PTX has."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.wording import Apart, Other, Quote, Told, Wording
from lanemap.emulator.memory_model.abi import Detail
from lanemap.emulator.ptx.lower.abi import (
    AT_BARRIER,
    GATED,
    TENSOR_LANES,
    Awaited,
    Misses,
    Waits,
    Warp,
)
from lanemap.emulator.ptx.lower.rules import Note
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.records import HazardRecord

if TYPE_CHECKING:
    from lanemap.emulator.codegen.operation import Operation

_WAITS = (Misses.WAIT_LOAD, Misses.WAIT_STORE)
#: What an access of tensor memory lacks, with a verb.
_MISSING = {
    Misses.WAIT_LOAD: "tcgen05.wait::ld is",
    Misses.WAIT_STORE: "tcgen05.wait::st is",
    Misses.COMMIT: "tcgen05.commit and a wait for its mbarrier are",
    Misses.BEFORE: "tcgen05.fence::before_thread_sync is",
    Misses.SYNC: "a barrier or mbarrier is",
    Misses.AFTER: "tcgen05.fence::after_thread_sync is",
    Misses.WARPGROUP: "wgmma.wait_group is",
    Misses.MEETING: "a barrier or mbarrier is",
}


class PtxWording(Wording):
    """The terms of the PTX ISA."""

    cta = "CTA"
    wave = "warp"
    multiprocessor = "SM"
    engine_memory = "tensor memory"
    notes = {**Wording.notes, **Note.sentences}
    waits = {
        abi.MAX_BARRIERS: "cluster barrier",
        Waits.FOR_MBARRIER: "mbarrier phase",
        Waits.FOR_COLUMNS: "tensor memory columns",
        Waits.FOR_WARPGROUP: "wgmma.mma_async",
        Waits.FOR_REGISTERS: "registers",
    }

    def place(self, space: int, address: int) -> str:
        """Name a place in tensor memory by lane and column, as taddr does."""
        if space == abi.Space.ENGINE:
            column, rest = divmod(address, TENSOR_LANES * 4)
            return f"lane {rest // 4}, column {column}"
        return super().place(space, address)

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """Name the fence, scope or barrier that would order two accesses."""
        if record.earlier_lane:
            if record.info[1] == record.wave:
                return "__syncwarp() (bar.warp.sync) by both lanes is"
            return (
                "__syncwarp() (bar.warp.sync) before another lane of that warp arrived at an "
                "mbarrier is"
            )
        if record.info[3]:
            if record.info[2]:
                return "both are atomic, but one has only CTA scope: cluster scope is"
            return "both are atomic, but one has only CTA or cluster scope: GPU scope is"
        if not record.info[2]:
            return (
                "a flag stored after a release and read before an acquire, both at GPU scope "
                "(fence.acq_rel.gpu, __threadfence()), is"
            )
        if elsewhere:
            return "a cluster barrier, or release and acquire at cluster scope, is"
        return "a barrier, or release and acquire, is"

    def own_hazard(
        self,
        record: HazardRecord,
        operations: Sequence[Operation],
        name: Callable[[int], str],
        quote: Quote,
    ) -> Told:
        """Describe missing order in tensor memory, or between the generic and the async proxy."""
        if record.kind == abi.Hazard.HANDED:
            return _proxy(self, record, operations, name, quote)
        if record.kind == abi.Hazard.ENGINE:
            return self._tensor_order(record, operations, name, quote)
        if record.kind == abi.Hazard.ASYNC:
            return _unfinished(self, record, operations, name, quote)
        return super().own_hazard(record, operations, name, quote)

    def _tensor_order(
        self,
        record: HazardRecord,
        operations: Sequence[Operation],
        name: Callable[[int], str],
        quote: Quote,
    ) -> Told:
        """Say which access was not ordered after which, and what is missing between them."""
        now = "writes" if record.detail & Detail.WRITES else "reads"
        if record.detail & Detail.GIVES_BACK:
            now = "deallocates"
        earlier = "writes" if record.detail & Detail.WROTE else "reads"
        by, other = operations[record.info[0]], record.info[1]
        ours, whose = name(record.wave), name(other)
        if other == record.wave:
            whose = "its own warp"
        after = " and tcgen05.fence::after_thread_sync"
        if record.space == abi.Space.SHARED or record.detail & Detail.GIVES_BACK:
            after = ""
        misses = Misses(record.detail & Detail.MISSING)
        of_lane = ""
        if record.earlier_lane:
            lane = record.earlier_lane - 1
            of_lane = f"; lane {lane} issued it, and no other lane's commit counts"
        missing = {
            Misses.WAIT_LOAD: f"tcgen05.wait::ld by {whose} is missing between them",
            Misses.WAIT_STORE: f"tcgen05.wait::st by {whose} is missing between them",
            Misses.COMMIT:
                f"{whose} issued it asynchronously: tcgen05.commit and a wait for its mbarrier "
                f"by {ours}{after} are missing between them{of_lane}",
            Misses.BEFORE:
                f"tcgen05.fence::before_thread_sync by {whose}, between it and the barrier, is "
                "missing",
            Misses.SYNC:
                f"a barrier or mbarrier, after tcgen05.fence::before_thread_sync by {whose}, is "
                "missing",
            Misses.AFTER:
                f"tcgen05.fence::after_thread_sync by {ours}, after the barrier, is missing",
            Misses.WARPGROUP:
                f"wgmma.wait_group for it, by a warp of that warpgroup, is missing before {ours} "
                "does so",
            Misses.MEETING: f"a barrier or mbarrier that orders {ours} after it is missing",
        }[misses]  # fmt: skip
        where = f"tensor memory at {self.place(abi.Space.ENGINE, record.address)}"
        if record.space == abi.Space.SHARED:
            where = f"shared memory at byte {record.address:#x}"
        own = other == record.wave and misses in _WAITS
        return Told(
            "pending" if own else "order",
            f"{now} {where} without being ordered after {quote(by)} (line {by.line}), which "
            f"{earlier} it: {missing}",
            f"{_MISSING[misses]} missing",
            Other(record.info[0], earlier, other),
        )

    def apart(self, wave: abi.Wave) -> Sequence[Apart]:
        """Return the lanes that wait for members of their masks, then the warp's other lanes."""
        warp = Warp.from_address(ctypes.addressof(wave) + abi.Wave.front_end.offset)
        groups = sorted((g for g in warp.groups if g.state), key=lambda g: (g.state, g.block))
        if not any(g.state == GATED for g in groups):
            return ()
        return [Apart(g.mask, g.block, g.state != AT_BARRIER) for g in groups]

    def awaited(self, wave: abi.Wave) -> str:
        """Name what a warp waits for: an mbarrier phase, tensor memory columns, or a barrier."""
        if wave.barrier == Waits.FOR_COLUMNS:
            return "columns of tensor memory (in a CTA pair, also for the peer's allocation)"
        if wave.barrier == Waits.FOR_REGISTERS:
            return _registers(wave)
        if wave.barrier == Waits.FOR_WARPGROUP:
            return "the other warps of its warpgroup at a wgmma.mma_async"
        if wave.barrier < abi.MAX_BARRIERS:
            return f"the others at barrier {wave.barrier}"
        if wave.barrier != Waits.FOR_MBARRIER:
            return super().awaited(wave)
        from lanemap.emulator.ptx.lower.functions import FUNCTIONS

        ask = FUNCTIONS["lm_mbarrier_awaited"].prototype()(native().address("lm_mbarrier_awaited"))
        found = Awaited()
        if not ask(ctypes.addressof(wave), ctypes.addressof(found)):
            return "an mbarrier"
        named = f"phase of parity {found.value}" if found.by_parity else f"phase {found.value}"
        missing = f"{found.pending} of its {found.expected} arrivals"
        if found.transactions:
            missing += f" and {found.transactions} bytes"
        return (
            f"the {named} of the mbarrier at shared address {found.address:#x}, whose phase "
            f"{found.phase} lacks {missing}"
        )


def _registers(wave: abi.Wave) -> str:
    """Say how many registers a setmaxnreg.inc waits for, and why they are not free."""
    warp = Warp.from_address(ctypes.addressof(wave) + abi.Wave.front_end.offset)
    asked, others, pool = warp.registers_asked, warp.registers_others, warp.registers_pool
    return (
        f"{asked} registers for each of its threads, which together with the {others} of the "
        f"CTA's other warps are more than its {pool}"
    )


#: What makes a warp know that an asynchronous copy of its own is complete.
_GROUPS: dict[int, str] = {
    abi.Agent.COPY: "cp.async.wait_group (or wait_all, or cp.async.mbarrier.arrive and a wait for "
                    "its mbarrier)",
    abi.Agent.BULK: "cp.async.bulk.commit_group and wait_group",
}  # fmt: skip


def _unfinished(
    words: Wording,
    record: HazardRecord,
    operations: Sequence[Operation],
    name: Callable[[int], str],
    quote: Quote,
) -> Told:
    """Say which asynchronous operation an access is not ordered after, and what is missing."""
    now = "writes" if record.detail & Detail.WRITES else "reads"
    agent = record.detail & Detail.MISSING
    by, issuer = "an asynchronous operation", None
    if record.earlier:
        operation = operations[record.earlier - 1]
        by = f"{quote(operation)} (line {operation.line})"
    does = "writes" if record.detail & Detail.WROTE else "reads"
    where = f"{words.memory(record.space)} at byte {record.address:#x}"
    if record.detail & Detail.ELSEWHERE:
        cause = "its completion, a release and an acquire at GPU scope are missing"
        missing = f"{cause} between them"
    elif agent not in _GROUPS:
        cause = "order after the mbarrier's phase is missing"
        missing = (
            f"nothing orders this after phase {record.info[3]} of the mbarrier at shared "
            f"address {record.info[2]:#x}, which completes that operation"
        )
        if not record.detail & Detail.WAITED:
            cause = "a wait for the mbarrier is missing"
            missing += ": a wait for it is missing"
    else:
        issuer = record.info[1]
        whose = "its own warp" if issuer == record.wave else name(issuer)
        wait = _GROUPS[agent]
        if agent == abi.Agent.BULK and does == "reads":
            wait += ".read"
        cause, missing = f"{wait} is missing", f"{wait} by {whose} is missing between them"
        if record.detail & Detail.WAITED:
            cause = f"a barrier after {wait} is missing"
            missing = f"{whose} waited for it, but a barrier is missing between them"
    waited = record.detail & (Detail.WAITED | Detail.ELSEWHERE)
    return Told(
        "order" if waited else "pending",
        f"{now} {where}, which {by} {does} asynchronously: {missing}",
        cause,
        Other(_number(record.earlier), does, issuer),
    )


def _proxy(
    words: Wording,
    record: HazardRecord,
    operations: Sequence[Operation],
    name: Callable[[int], str],
    quote: Quote,
) -> Told:
    """Say what is missing between a write of the generic proxy and an access of the async proxy."""
    by = ""
    if record.earlier:
        operation = operations[record.earlier - 1]
        by = f" at line {operation.line} ({quote(operation)})"
    now = "writes" if record.detail & abi.AccessKind.STORE else "reads"
    member: int | None = record.info[0]
    who = name(record.info[0])
    missing = "fence.proxy.async is" if record.info[1] else "fence.proxy.async and a barrier are"
    if not record.info[2]:
        who, member = f"a warp of another {words.cta}", None
        if not record.info[1]:
            missing = "fence.proxy.async, a release and an acquire at GPU scope are"
    elif record.info[3]:
        missing = (
            "fence.proxy.async.shared::cluster (one of shared::cta orders accesses to the "
            "memory of the CTA that executes it alone) is"
        )
    return Told(
        "order",
        f"{now} {words.memory(record.space)} at byte {record.address:#x} through the async "
        f"proxy, which {who} wrote{by} through the generic proxy: {missing} missing between them",
        f"{missing} missing",
        Other(_number(record.earlier), "writes", member),
    )


def _number(earlier: int) -> int | None:
    """Return an operation's number from 0 for one from 1, None for 0."""
    return earlier - 1 if earlier else None
