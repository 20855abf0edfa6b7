"""Block-scaled mma.sync: which byte of which thread scales which rows, columns and blocks of k."""

from __future__ import annotations

from lanemap.probing.mma.scales import BLOCKS, analysis, readings, sources, unscaled
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import TagReading

PRODUCTS = unscaled()


@axis("blocks", tuple(BLOCKS))
@probe("mma.sync", source=sources(), analysis=analysis())
def mma_sync_scales(state: State) -> list[TagReading]:
    """Which scale is each byte of the registers of scales, for every pair of selectors?"""
    return readings(state, PRODUCTS[state.device.target])
