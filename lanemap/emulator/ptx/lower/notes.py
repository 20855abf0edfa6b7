"""Why a note of PTX works: what ptxas or hardware provides beyond the ISA, for each exception.

docs/emulator-order.md argues each of them.
"""

from __future__ import annotations

from lanemap.emulator.ptx.lower.abi import Note

NOTES: dict[int, str] = {
    Note.REGISTERS:
        "PTX does not guarantee this: it wants one setmaxnreg for the warps of a warpgroup; ptxas "
        "and hardware take a count for each warp",
}
