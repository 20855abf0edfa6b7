"""Why a note of PTX works: what ptxas or hardware provides beyond the ISA, for each exception.

docs/emulator-order.md argues each of them.
"""

from __future__ import annotations

from lanemap.emulator.ptx.lower.abi import Note

NOTES: dict[int, str] = {
    Note.REGISTERS:
        "PTX does not guarantee this: it wants one setmaxnreg for the warps of a warpgroup; ptxas "
        "and hardware take a count for each warp",
    Note.WGMMA_ZERO:
        "PTX does not guarantee this; ptxas does: it takes the zero of the mov as the addend",
    Note.WGMMA_READ:
        "PTX does not guarantee this; ptxas does: where D is read before the commit, it "
        "waits after each wgmma",
}
