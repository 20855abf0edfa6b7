"""Rules that a kernel can break at run time (Checks.rule); names of wait counters."""

from __future__ import annotations

from pathlib import Path

from lanemap.emulator.runtime.rules import Rules

Rule = Rules(Path(__file__).resolve().parents[1] / "rules.tsv")
#: Sentences of wait states, which are made for each program, have the numbers from here on.
WAIT_STATES = 1000

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
    if name.startswith(("s_dcache_", "buffer_inv", "buffer_wbl2", "buffer_wbinvl1", "ds_nop")):
        counters = ()
    return {counter: _CAPACITIES[counter] for counter in counters}
