"""ldmatrix: rows of 16 bytes of shared memory into the registers of a warp, every form."""

from __future__ import annotations

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.matrices import analysis, readings, sources
from lanemap.probing.warp.tagged import TagReading


@axis("pattern", ("consecutive", "permuted", "strided", "shared", "warps"))
@probe("ldmatrix", source=sources("ldmatrix"), analysis=analysis("ldmatrix"))
def ldmatrix(state: State) -> list[TagReading]:
    """Which bit of which lane's row arrives in each register bit, for every form?"""
    return readings(state, "ldmatrix")
