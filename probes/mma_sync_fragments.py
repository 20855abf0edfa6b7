"""mma.sync: which element of A, B and D each register of each thread holds, every dense form."""

from __future__ import annotations

from lanemap.probing.mma.forms import forms
from lanemap.probing.mma.fragments import analysis, kinds, readings, sources
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.tagged import TagReading


@axis("type", tuple(dict.fromkeys(form.kind for form in forms())), had=kinds)
@probe("mma.sync", source=sources(), analysis=analysis())
def mma_sync_fragments(state: State) -> list[TagReading]:
    """Which elements of A and B are multiplied with each other, and where in D do they arrive?"""
    return readings(state)
