"""Rules that a kernel can break at run time (Checks.rule), and counters of s_waitcnt, in words."""

from __future__ import annotations

from enum import IntEnum


class Rule(IntEnum):
    """Rules of single instructions; sentences of wait states are numbered after them."""

    JUMP = 0
    EXEC = 1
    TRAP = 2
    BUFFER_CUT = 3
    SWIZZLE = 4
    SWAP = 5


SENTENCES: dict[int, str] = {
    Rule.JUMP: "the wave jumps to an address that holds no instruction known to be a target",
    Rule.EXEC: "EXEC must be all ones here; lanes are off (EXEC is {:#x})",
    Rule.TRAP: "the wave executes s_trap {}",
    Rule.BUFFER_CUT:
        "the end of the buffer cuts the access of lanes {:#x}; make the buffer's size a multiple "
        "of it",
    Rule.SWIZZLE:
        "the buffer's descriptor asks for swizzled addresses, which the emulator does not make",
    Rule.SWAP:
        "lanes swap registers with lanes that are off (EXEC is {:#x}); say fi:1 or turn them on",
}

VMCNT, LGKMCNT = 0, 1
COUNTERS = {VMCNT: "vmcnt", LGKMCNT: "lgkmcnt"}
