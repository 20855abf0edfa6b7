"""stmatrix: the registers of a warp into rows of 16 bytes of shared memory, every form.

No pattern lets two lanes share a row: which of two stores to a row wins is not defined.
"""

from __future__ import annotations

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.matrices import analysis, readings, sources
from lanemap.probing.warp.tagged import TagReading


@axis("pattern", ("consecutive", "permuted", "strided", "warps"))
@probe("stmatrix", source=sources("stmatrix"), analysis=analysis("stmatrix"))
def stmatrix(state: State) -> list[TagReading]:
    """Which register bit arrives in each bit of the rows, and which bits does no form write?"""
    return readings(state, "stmatrix")
