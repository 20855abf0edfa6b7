"""Tensor memory and mbarriers as the host gives them to the runtime; sentences for their hazards.

The structures are those of ptx/c/tensor.h and mbarrier.h.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.host.memory import Bytes, aligned_bytes
from lanemap.emulator.runtime import layout
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.emulator.host.group import Shape

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

    def begin(self, multiprocessors: Multiprocessors) -> None:
        """Nothing is allocated, nothing was fenced."""
        self._fenced.fill(0)
        for stamps in self._async_reads:
            stamps.fill(0)
        self.places = multiprocessors.enter(len(self._ctas))
        for cta, number in zip(self._ctas, self.places, strict=True):
            cta.tensor = multiprocessors.memory(number)
            cta.tensor_relinquished = cta.tensor_columns = 0
            ctypes.memset(ctypes.addressof(cta.tensor_ask), 0, ctypes.sizeof(cta.tensor_ask))


class Mbarriers:
    """Room for the mbarrier objects of one CTA."""

    def __init__(self, cta: layout.Cta, shared_bytes: int, clock_words: int) -> None:
        """Make it, and tell the runtime where it is."""
        self._at = np.zeros(shared_bytes // 8 + 2, np.uint16)
        self._objects = aligned_bytes(MOST_MBARRIERS * _MBARRIER_BYTES)
        self._clocks = np.zeros(MOST_MBARRIERS * 2 * clock_words, np.uint64)
        cta.mbarrier_at, cta.mbarriers = self._at.ctypes.data, self._objects.ctypes.data
        cta.mbarrier_clocks = self._clocks.ctypes.data

    def begin(self) -> None:
        """There are none; their clocks are cleared when one is made."""
        self._at.fill(0)
        self._objects.fill(0)


def place(address: int) -> str:
    """A cell by the address that the runtime notes, lane and column as in taddr."""
    return f"lane {address >> 16}, column {address & 0xFFFF}"


def waits_for(wave: layout.Wave, awaited: Callable[[int, int], int]) -> str:
    """Say what a wave at a barrier waits for; `awaited` is the runtime's lm_mbarrier_awaited."""
    if wave.barrier == layout.WAITS_FOR_COLUMNS:
        return "columns of tensor memory (of a pair, also for the peer CTA to ask for them)"
    if wave.barrier != layout.WAITS_FOR_MBARRIER:
        return "the others"
    found = (ctypes.c_uint64 * 7)()
    if not awaited(ctypes.addressof(wave), ctypes.addressof(found)):
        return "an mbarrier"
    address, parity, value, phase, pending, expected, transactions = found
    named = f"phase of parity {value}" if parity else f"phase {value}"
    missing = f"{pending} of its {expected} arrivals"
    if transactions:
        missing += f" and {ctypes.c_int64(transactions).value} bytes"
    return (f"the {named} of the mbarrier at shared address {address:#x}, whose phase {phase} "
            f"lacks {missing}")


_WAITS = ("tcgen05.wait::ld", "tcgen05.wait::st")


def order_sentence(record: Any, operations: Sequence[Operation], shape: Shape) -> str:
    """Say which access was not ordered after which, and what is missing between them."""
    now = "writes" if record.detail & 0x100 else "reads"
    if record.detail & 0x400:
        now = "gives back"
    earlier = "writes" if record.detail & 0x200 else "reads"
    by = operations[int(record.info[0])]
    other = int(record.info[1])
    ours, whose = (_warp(shape, record.group, member) for member in (record.wave, other))
    if other == record.wave:
        whose = "its own warp"
    after = " and tcgen05.fence::after_thread_sync"
    if record.space == layout.SPACE_SHARED or record.detail & 0x400:
        after = ""
    missing = (
        f"tcgen05.wait::ld by {whose} is missing between them",
        f"tcgen05.wait::st by {whose} is missing between them",
        f"{whose} handed it to the tensor core: tcgen05.commit and a wait for its mbarrier by "
        f"{ours}{after} are missing between them",
        f"tcgen05.fence::before_thread_sync by {whose}, between it and the barrier, is missing",
        f"a barrier or mbarrier, after tcgen05.fence::before_thread_sync by {whose}, is missing",
        f"tcgen05.fence::after_thread_sync by {ours}, after the barrier, is missing",
        f"a barrier or mbarrier by which {ours} learns of it is missing",
    )[record.detail & 0xFF]
    where = f"tensor memory at {place(record.address)}"
    if record.space == layout.SPACE_SHARED:
        where = f"shared memory at byte {record.address:#x}"
    return (f"{now} {where} without being ordered after `{by.text}` (line {by.line}), which "
            f"{earlier} it: {missing}")


def proxy_sentence(record: Any, shape: Shape) -> str:
    """Say what is missing between a write of the generic proxy and a read of the async proxy."""
    whose = _warp(shape, record.group, int(record.info[0]))
    missing = "fence.proxy.async is" if record.info[1] else "fence.proxy.async and a barrier are"
    return (f"reads shared memory at byte {record.address:#x} through the async proxy, which "
            f"{whose} wrote through the generic one: {missing} missing between them")


def _warp(shape: Shape, cluster: int, member: int) -> str:
    cta, wave = shape.number(cluster, member)
    return f"warp {wave}" if shape.ctas == 1 else f"warp {wave} of CTA {cta}"


def order_kind(record: layout.HazardRecord) -> str:
    """Return "pending" where the warp's own wait is missing, else "order"."""
    own = record.info[1] == record.wave
    return "pending" if own and (record.detail & 0xFF) < len(_WAITS) else "order"
