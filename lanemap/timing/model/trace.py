"""What each warp of a launch issues, in SASS, and what that asks of the units of an SM.

A trace has no times. The emulator gives that of a launch, and a timing probe's window is one too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lanemap.toolchain.sass import SassInstruction


class Unit(IntEnum):
    """What an instruction asks work of; the fields of WORK that it has are named.

    An instruction without a work has its fixed latency, or its opcode and operands say all there is
    to know, as of wgmma, of barriers of a cluster and of setmaxnreg.
    """

    #: The guard is false for all lanes, so it issues and does nothing.
    OFF = 0
    #: Shared memory of the CTA: passes, least, bytes. Of an atomic, passes are the lanes at the
    #: bank that most of them access, and least are the distinct words there.
    SHARED = 1
    #: Shared memory of another CTA of the cluster: rank, bytes.
    REMOTE = 2
    #: Global memory: sectors, bytes, and the passes by banks of L1, or of the store of LDGSTS.
    #: Where its sectors are not named, amount says how many there are.
    GLOBAL = 3
    #: A bulk copy that completes at an mbarrier: object, rank, bytes, sectors, cta_mask.
    BULK_LOAD = 4
    #: A bulk copy or reduction that a bulk group completes: bytes, sectors.
    BULK_STORE = 5
    #: mbarriers are initialized: object (the first), count and bytes (from one to the next), amount
    #: (arrivals of a phase).
    MBARRIER_INIT = 6
    #: Arrivals at an mbarrier of each CTA of cta_mask, and bytes that each shall expect: object,
    #: amount, bytes.
    MBARRIER_ARRIVE = 7
    #: The wait for a phase of an mbarrier: object, phase. A wait that polls is issued once, as
    #: the turn that succeeds; it must not issue before the phase is over.
    MBARRIER_WAIT = 8
    #: The arrivals of what this thread's earlier cp.async complete: object, amount.
    MBARRIER_COPIES = 9
    #: Barrier of a CTA: object (its number), amount (threads, 0 for all). BAR.ARV does not wait.
    BARRIER = 10
    #: A local memory access, as GLOBAL.
    LOCAL = 11
    #: A branch that only some of the lanes take.
    PARTED = 12
    #: A copy, stores or reductions to the shared memory of a CTA of the cluster, which complete at
    #: an mbarrier there: object, rank, bytes.
    PEER = 13


#: What one execution of an instruction asks for. Fields that its unit does not have are 0.
#:
#: passes, least: of shared memory; without conflicts. rank: the CTA of the cluster that holds the
#: object or the bytes. cta_mask: the CTAs of the cluster that a multicast copy writes. bytes: of
#: all lanes; of one CTA for a multicast copy. first, count: sectors[first:first + count] of the
#: trace. object: address in shared memory, or number of a barrier. phase: how many phases of the
#: mbarrier must be over.
WORK = np.dtype(
    [
        ("unit", np.uint8),
        ("rank", np.uint8),
        ("passes", np.uint16),
        ("least", np.uint16),
        ("cta_mask", np.uint16),
        ("bytes", np.uint32),
        ("first", np.uint32),
        ("count", np.uint32),
        ("object", np.uint32),
        ("phase", np.uint32),
        ("amount", np.uint32),
    ]
)
#: Bytes of a sector, and of a line of L1.
SECTOR_BYTES, LINE_BYTES = 32, 128
#: Units whose work has a base address for each CTA.
ADDRESSED = (
    Unit.GLOBAL,
    Unit.BULK_LOAD,
    Unit.BULK_STORE,
    Unit.LOCAL,
)


@dataclass(frozen=True)
class WarpTrace:
    """What a warp issues; warps that issue the same share one.

    Attributes:
        issued: For each instruction in order of issue, its place in Trace.code.
        works: For each, the place in Trace.works of what it asks for, or -1.
    """

    issued: NDArray[np.int32]
    works: NDArray[np.int32]


@dataclass(frozen=True)
class Trace:
    """What a launch issues.

    Attributes:
        code: The SASS of the kernel, in order of addresses.
        works: What instructions ask for, each distinct one once: of type WORK.
        sectors: Sectors that works touch, in bytes behind the base of the access.
        warps: The distinct warps.
        ctas: For each kind of CTA, its warps in order: places in `warps`.
        grid: For each CTA of the grid in order, x fastest, its kind.
        bases: For each CTA of the grid, the address of the lowest sector of each of its accesses
            that have sectors, warp after warp, in order of issue.
        cluster: CTAs of a cluster.
        threads: Threads of a CTA.
        shared_bytes: Of a CTA.
        registers: Of a thread, as the kernel begins.
        arrays: Addresses and bytes of the arrays of global memory that are accessed.
    """

    code: tuple[SassInstruction, ...]
    works: NDArray[np.void]
    sectors: NDArray[np.uint32]
    warps: tuple[WarpTrace, ...]
    ctas: tuple[tuple[int, ...], ...]
    grid: NDArray[np.int32]
    bases: tuple[NDArray[np.uint64], ...]
    cluster: int = 1
    threads: int = 32
    shared_bytes: int = 0
    registers: int = 32
    arrays: tuple[tuple[int, int], ...] = ()

    def shown(self, kind: int) -> int:
        """A CTA of a kind whose accesses have addresses; -1 if there is none."""
        known = (int(cta) for cta in np.flatnonzero(self.grid == kind))
        return next((cta for cta in known if cta < len(self.bases) and len(self.bases[cta])), -1)

    def addresses(self, cta: int) -> tuple[NDArray[np.uint64], ...]:
        """For each warp of a CTA, the base address of each access, as long as what it issues.

        It is 0 for what has none.
        """
        addressed = np.isin(self.works["unit"], ADDRESSED) & (self.works["count"] > 0)
        found, at = [], 0
        for number in self.ctas[self.grid[cta]]:
            works = self.warps[number].works
            has = (works >= 0) & addressed[works] if len(addressed) else np.zeros(len(works), bool)
            base = np.zeros(len(works), np.uint64)
            count = int(has.sum())
            base[has] = self.bases[cta][at : at + count]
            at += count
            found.append(base)
        return tuple(found)
