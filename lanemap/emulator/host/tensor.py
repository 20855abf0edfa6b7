"""Tensor memory and mbarriers as the host gives them to the runtime.

The structures are those of ptx/c/tensor.h and mbarrier.h.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lanemap.emulator.host.memory import Bytes, aligned_bytes
from lanemap.emulator.runtime import layout
from lanemap.errors import UserError

_SETS = 2
#: Objects of one CTA (runtime/mbarrier.c), and sizeof(Mbarrier).
MOST_MBARRIERS, _MBARRIER_BYTES = 512, 32


class Multiprocessors:
    """Where CTAs run, as far as it matters: CTAs of one SM share a tensor memory.

    A new CTA goes to the SM with the fewest CTAs, of those to the first; CTAs of a cluster to
    different ones.
    """

    def __init__(self, count: int) -> None:
        """Make `count` of them, without CTAs."""
        self._residents = [0] * count
        self._memories: dict[int, Bytes] = {}

    def enter(self, ctas: int) -> list[int]:
        """Return the SMs that the CTAs of a new cluster go to.

        Raises:
            UserError: there are fewer of them.
        """
        if ctas > len(self._residents):
            raise UserError(f"a cluster of {ctas} CTAs needs as many SMs; there are "
                            f"{len(self._residents)}")
        order = sorted(range(len(self._residents)), key=lambda number: self._residents[number])
        for number in order[:ctas]:
            self._residents[number] += 1
        return order[:ctas]

    def leave(self, numbers: Sequence[int]) -> None:
        """The CTAs of a cluster have ended."""
        for number in numbers:
            self._residents[number] -= 1

    def memory(self, number: int) -> int:
        """Return the address of an SM's tensor memory."""
        if number not in self._memories:
            self._memories[number] = aligned_bytes(layout.TENSOR_MEMORY_BYTES)
        return int(self._memories[number].ctypes.data)


class TensorMemories:
    """The tensor memories of a cluster's CTAs, and what its fences have passed on."""

    def __init__(self, group: layout.Group, ctas: Sequence[layout.Cta]) -> None:
        """Make room, and tell the runtime where it is."""
        self._async_reads = [np.zeros(cta.granules, np.uint64) for cta in ctas]
        for cta, stamps in zip(ctas, self._async_reads, strict=True):
            cta.async_reads = stamps.ctypes.data
        members = group.member_count
        self._fenced = aligned_bytes(members * _SETS * layout.TENSOR_CLOCKS * members * 8)
        self._ctas = ctas
        #: The SMs that the CTAs are on.
        self.places: list[int] = []
        group.fenced = self._fenced.ctypes.data

    def enter(self, multiprocessors: Multiprocessors) -> None:
        """Take an SM for each CTA."""
        self.places = multiprocessors.enter(len(self._ctas))
        for cta, number in zip(self._ctas, self.places, strict=True):
            cta.tensor = multiprocessors.memory(number)


class Mbarriers:
    """Room for the mbarrier objects of one CTA."""

    def __init__(self, cta: layout.Cta, shared_bytes: int, clock_words: int) -> None:
        """Make it, and tell the runtime where it is."""
        self._at = np.zeros(shared_bytes // 8 + 2, np.uint16)
        self._objects = aligned_bytes(MOST_MBARRIERS * _MBARRIER_BYTES)
        self._clocks = np.zeros(MOST_MBARRIERS * 2 * clock_words, np.uint64)
        cta.mbarrier_at, cta.mbarriers = self._at.ctypes.data, self._objects.ctypes.data
        cta.mbarrier_clocks = self._clocks.ctypes.data

