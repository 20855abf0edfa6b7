"""Tensor memory and mbarriers: what a cluster has for them (ptx/c/tensor.h, mbarrier.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from lanemap.emulator.codegen.extension import Extension
from lanemap.emulator.host.memory import aligned_bytes
from lanemap.emulator.ptx.lower.abi import MOST_MBARRIERS, Mbarrier, TensorMemory
from lanemap.emulator.runtime import abi, layout


class TensorMemories(Extension):
    """The tensor memories of a cluster's CTAs, and what its fences have passed on."""

    #: CTAs on one SM share a tensor memory.
    multiprocessor_bytes = ctypes.sizeof(TensorMemory)

    def __init__(self, group: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make room, and tell the runtime where it is."""
        members = group.member_count
        self._fenced = aligned_bytes(members * abi.FENCED_SETS * abi.TENSOR_CLOCKS * members * 8)
        self._ctas = ctas
        group.fenced = self._fenced.ctypes.data

    def enter(self, memories: Sequence[int]) -> None:
        """Give each CTA the tensor memory of its SM."""
        for cta, memory in zip(self._ctas, memories, strict=True):
            cta.tensor = memory


class Mbarriers(Extension):
    """Room for the mbarrier objects of a cluster's CTAs."""

    def __init__(self, group: abi.Group, ctas: Sequence[abi.Cta]) -> None:
        """Make it, and tell the runtime where it is."""
        clocks = 2 * layout.clock_words(group.member_count)
        self._at = [np.zeros(int(cta.shared.size) // 8 + 2, np.uint16) for cta in ctas]
        self._marks = [np.zeros(int(cta.shared.size) // 512 + 2, np.uint64) for cta in ctas]
        self._objects = aligned_bytes(
            len(ctas) * MOST_MBARRIERS * ctypes.sizeof(Mbarrier)).reshape(len(ctas), -1)
        self._clocks = np.zeros((len(ctas), MOST_MBARRIERS * clocks), np.uint64)
        for cta, at, objects, words in zip(ctas, self._at, self._objects, self._clocks,
                                           strict=True):
            cta.mbarrier_at, cta.mbarriers = at.ctypes.data, objects.ctypes.data
            cta.mbarrier_clocks = words.ctypes.data
        for cta, marks in zip(ctas, self._marks, strict=True):
            cta.shared.objects = marks.ctypes.data
