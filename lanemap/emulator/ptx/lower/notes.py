"""Why a note of PTX works: what ptxas or hardware provides beyond the ISA, for each exception.

docs/emulator-order.md argues each of them.
"""

from __future__ import annotations

from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.ptx.lower.abi import Note

NOTES: dict[int, str] = {
    **Wording.notes,
    Note.REGISTERS:
        "PTX does not guarantee this: it wants one setmaxnreg for the warps of a warpgroup; ptxas "
        "and hardware take a count for each warp",
    Note.WGMMA_ZERO:
        "PTX does not guarantee this; ptxas does: it takes the zero of the mov as the addend",
    Note.WGMMA_READ:
        "PTX does not guarantee this; ptxas does: where D is read before the commit, it "
        "waits after each wgmma",
    Note.WGMMA_COPIED:
        "PTX does not guarantee this: it wants fence.proxy.async after cp.async, too; CUTLASS's "
        "multistage products of sm_90 have none and run",
    Note.DEALLOC:
        "PTX does not guarantee this; hardware does: it takes the ld and the dealloc of one warp "
        "in order",
    Note.ALLOC_RELAXED:
        "PTX does not guarantee this: barrier.cluster.arrive.relaxed releases nothing; what "
        "tcgen05.alloc stores is there all the same, as DeepGEMM relies on",
    Note.RANK_IN_LANE:
        "PTX does not guarantee this: the lane of taddr has bits of the CTA's rank; what hardware "
        "does with them is not known, and they are ignored here",
    Note.MBARRIER_BEGUN:
        "PTX does not guarantee this, as mbarrier.init is of the generic proxy; a barrier of all "
        "threads is enough for hardware, and compilers rely on it",
}  # fmt: skip
