"""wmma: which element of a matrix each register of each thread holds, which the ISA leaves open."""

from __future__ import annotations

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import TagReading
from lanemap.probing.wmma.fragments import PATTERNS, analysis, readings, sources


@axis("operation", ("load", "store"))
@axis("pattern", tuple(PATTERNS))
@probe("wmma", source=sources(), analysis=analysis())
def wmma_fragments(state: State) -> list[TagReading]:
    """Which bit of the matrix arrives in each register bit of wmma.load, and back by wmma.store?"""
    return readings(state)
