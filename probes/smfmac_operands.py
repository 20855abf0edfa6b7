"""SMFMAC: which element of A, B and D each register of each lane holds, every form."""

from __future__ import annotations

from lanemap.probing.mfma.sparse import TYPES, analysis, readings, sources
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import TagReading


@axis("type", TYPES)
@probe("v_smfmac", source=sources(), analysis=analysis())
def smfmac_operands(state: State) -> list[TagReading]:
    """Which elements does the index pair, and where in D do their products arrive?"""
    return readings(state)
