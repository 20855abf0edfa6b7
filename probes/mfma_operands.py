"""MFMA: which element of A, B and D each register of each lane holds, every dense form."""

from __future__ import annotations

from lanemap.probing.mfma.forms import DIGIT
from lanemap.probing.mfma.kernel import sources
from lanemap.probing.mfma.operands import analysis, readings
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import TagReading


@axis("type", tuple(DIGIT))
@probe("v_mfma", source=sources(), analysis=analysis())
def mfma_operands(state: State) -> list[TagReading]:
    """Which elements of A and B are multiplied with each other, and where in D do they arrive?"""
    return readings(state)
