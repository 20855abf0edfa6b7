"""Sentences for rules that a kernel can break at run time (Checks.rule); names of wait counters."""

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
    SCALAR_BUFFER = 6
    APPEND = 7
    RELATIVE = 8
    TYPED_BUFFER = 9
    SCALAR_CACHE = 10


SENTENCES: dict[int, str] = {
    Rule.JUMP: "the wave jumps to an address that is not a known branch target",
    Rule.EXEC: "EXEC must be all ones here, but some lanes are inactive (EXEC is {:#x})",
    Rule.TRAP: "the wave executes s_trap {}",
    Rule.BUFFER_CUT:
        "the access of lanes {:#x} crosses the end of the buffer; make the buffer's size a "
        "multiple of the access size",
    Rule.SWIZZLE:
        "the buffer's descriptor asks for swizzled addresses, which the emulator does not support",
    Rule.SWAP:
        "lanes swap registers with inactive lanes (EXEC is {:#x}); use fi:1 or activate them",
    Rule.SCALAR_BUFFER:
        "the access lies outside the buffer of its descriptor, and no source says what a scalar "
        "atomic returns there",
    Rule.APPEND:
        "M0 is not 0: the ISA leaves it out of the address of ds_append and ds_consume, and LLVM "
        "puts the address into it",
    Rule.RELATIVE:
        "M0 leads to an SGPR beyond s101, or to the second of a pair",
    Rule.TYPED_BUFFER:
        "the descriptor's format is not of as many components as the instruction's, in order and "
        "of the same bits, UINT, SINT or FLOAT; no source says how others are converted",
    Rule.SCALAR_CACHE:
        "what the scalar store of line {} wrote is in the scalar cache yet, and memory may never "
        "get it: s_dcache_wb is missing after the store",
}  # fmt: skip

VMCNT, LGKMCNT = 0, 1
COUNTERS = {VMCNT: "vmcnt", LGKMCNT: "lgkmcnt"}
#: How many operations a counter holds (AMD CDNA4 ISA, 4.4: fields of 6 and 4 bits); one that would
#: exceed it is not issued (ROCm/rocm-systems#11202).
_CAPACITIES = {VMCNT: 63, LGKMCNT: 15}
_COUNTED_ON: dict[str, tuple[int, ...]] = {
    "DS": (LGKMCNT,), "SMEM": (LGKMCNT,), "MUBUF": (VMCNT,), "MTBUF": (VMCNT,), "FLAT": (VMCNT,),
}  # fmt: skip


def capacities(name: str, form: str) -> dict[int, int]:
    """The counters that an instruction of a format counts on, each with its capacity."""
    counters = _COUNTED_ON.get(form, ())
    if name.startswith("flat_"):
        counters = (VMCNT, LGKMCNT)
    if name.startswith(("s_dcache_", "buffer_inv", "buffer_wbl2", "ds_nop")):
        counters = ()
    return {counter: _CAPACITIES[counter] for counter in counters}
