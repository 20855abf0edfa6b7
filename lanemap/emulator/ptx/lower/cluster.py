"""Cluster state for tensor memory and mbarriers (ptx/c/ptx_cta.h)."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence

import numpy as np

from lanemap.emulator.codegen.extension import Extension, MakeExtension
from lanemap.emulator.host.contents import aligned_bytes
from lanemap.emulator.memory_model.abi import (
    MOST_MBARRIERS,
    Arrival,
    AsyncGroups,
    AsyncSlot,
    FenceClock,
    Mbarrier,
    PhaseSeen,
)
from lanemap.emulator.ptx.lower.abi import GROUP_WARPS, PtxCta, TensorMemory, Warpgroup
from lanemap.emulator.runtime import abi

#: What PTX does when these things happen to clusters with such an extension (abi.FrontEnd).
FRONT_END = {
    "begin": "lm_ptx_begin", "leave": "lm_ptx_leave", "resume": "lm_ptx_resume",
    "stalled": "lm_ptx_stalled", "conflict": "lm_ptx_conflict",
    "pending": "lm_wgmma_pending", "phase": "lm_ptx_phase",
}  # fmt: skip


class Mbarriers(Extension):
    """Room for the mbarrier objects of a cluster's CTAs."""

    def __init__(self, cluster: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make it, and tell the runtime where it is."""
        clocks = 2 * cluster.clock_words
        self._at = [np.zeros(int(cta.shared.size) // 8 + 2, np.uint16) for cta in ctas]
        self._marks = [np.zeros(int(cta.shared.size) // 512 + 2, np.uint64) for cta in ctas]
        self._objects = aligned_bytes(len(ctas) * MOST_MBARRIERS * ctypes.sizeof(Mbarrier)).reshape(
            len(ctas), -1
        )
        self._clocks = np.zeros((len(ctas), MOST_MBARRIERS * clocks), np.uint64)
        members = int(cluster.member_count)
        self._arrivals = aligned_bytes(
            len(ctas) * MOST_MBARRIERS * members * ctypes.sizeof(Arrival)
        ).reshape(len(ctas), -1)
        waves = int(ctas[0].wave_count)
        self._seen = aligned_bytes(
            len(ctas) * MOST_MBARRIERS * waves * ctypes.sizeof(PhaseSeen)
        ).reshape(len(ctas), -1)
        self._fences = np.zeros((len(ctas), waves * FenceClock.CLOCKS * clocks // 2), np.uint64)
        #: What PTX keeps for each CTA.
        self.kept = [PtxCta() for _ in ctas]
        for number, (cta, kept) in enumerate(zip(ctas, self.kept, strict=True)):
            kept.objects.mbarrier_at = self._at[number].ctypes.data
            kept.objects.mbarriers = self._objects[number].ctypes.data
            kept.objects.mbarrier_clocks = self._clocks[number].ctypes.data
            kept.objects.arrivals = self._arrivals[number].ctypes.data
            kept.objects.seen = self._seen[number].ctypes.data
            kept.objects.fence_clocks = self._fences[number].ctypes.data
            cta.shared.objects = self._marks[number].ctypes.data
            cta.extension = ctypes.addressof(kept)
        if cluster.clocks == abi.ASYNC_CLOCKS:
            self._track_operations(cluster, ctas)

    def _track_operations(self, cluster: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make room for what completes asynchronous operations (memory_model/objects.h)."""
        waves, size = int(ctas[0].wave_count), ctypes.sizeof(AsyncGroups)
        self._groups = aligned_bytes(len(ctas) * waves * size).reshape(len(ctas), -1)
        self._slots = aligned_bytes(int(cluster.slots) * ctypes.sizeof(AsyncSlot))
        for number, kept in enumerate(self.kept):
            kept.objects.groups = self._groups[number].ctypes.data
            kept.objects.slots = self._slots.ctypes.data


class Warpgroups(Mbarriers):
    """State for mbarriers and for the warpgroups of a cluster's CTAs (ptx/c/wgmma.h)."""

    def __init__(self, tracked: int, cluster: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make room, and tell the runtime where it is.

        Args:
            tracked: Registers that wgmma uses, in each warp.
            cluster: The cluster.
            ctas: Its CTAs.
        """
        super().__init__(cluster, ctas)
        size = -(-int(ctas[0].wave_count) // GROUP_WARPS) * ctypes.sizeof(Warpgroup)
        self._warpgroups = aligned_bytes(len(ctas) * size).reshape(len(ctas), -1)
        for number, kept in enumerate(self.kept):
            kept.warpgroups = self._warpgroups[number].ctypes.data
            kept.tracked = tracked


class TensorMemories(Mbarriers):
    """State for mbarriers and for the tensor memories of a cluster's CTAs, with their fences."""

    #: CTAs on one SM share a tensor memory.
    multiprocessor_bytes = ctypes.sizeof(TensorMemory)

    def __init__(self, cluster: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make room, and tell the runtime where it is."""
        super().__init__(cluster, ctas)
        members = cluster.member_count
        sets = (members + 1) * abi.FENCED_SETS  # those of the members and of the cluster barrier
        self._fenced = aligned_bytes(sets * abi.FENCED_CLOCKS * members * 8)
        cluster.fenced = self._fenced.ctypes.data

    def enter(self, memories: Sequence[int]) -> None:
        """Give each CTA the tensor memory of its SM."""
        for kept, memory in zip(self.kept, memories, strict=True):
            kept.tensor = memory


def name_of(extension: MakeExtension | None) -> tuple[str, ...]:
    """What makes an extension of this file, as words that `named` understands."""
    if extension is None:
        return ()
    if isinstance(extension, functools.partial):
        return extension.func.__name__, *map(str, extension.args)
    assert isinstance(extension, type)
    return (extension.__name__,)


def named(words: Sequence[str]) -> MakeExtension | None:
    """What makes the extension of these words: a class of this file, with its first arguments."""
    if not words:
        return None
    kinds = (Mbarriers, Warpgroups, TensorMemories)
    made: Callable[..., Extension] = next(each for each in kinds if each.__name__ == words[0])
    return functools.partial(made, *map(int, words[1:])) if words[1:] else made
