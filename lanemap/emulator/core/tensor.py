"""Tensor memory as the host gives it to the runtime, and sentences for hazards of its order.

The structures are those of runtime/tensor.h; `lm_layout` tells their sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanemap.emulator.core import layout
from lanemap.emulator.core.memory import aligned_bytes
from lanemap.emulator.core.program import Operation

if TYPE_CHECKING:
    from lanemap.emulator.core.group import Shape

_SETS = 2


class TensorMemories:
    """The tensor memories of a cluster's CTAs, and what its fences have passed on."""

    def __init__(self, group: layout.Group, ctas: Sequence[layout.Cta]) -> None:
        """Make one for each CTA, and tell the runtime where they lie."""
        members = group.member_count
        self._fenced = aligned_bytes(members * _SETS * layout.TENSOR_CLOCKS * members * 8)
        self._memories = [aligned_bytes(layout.TENSOR_MEMORY_BYTES) for _ in ctas]
        self._ctas = ctas
        group.fenced = self._fenced.ctypes.data

    def begin(self) -> None:
        """Nothing is allocated, nothing was fenced."""
        self._fenced.fill(0)
        for cta, memory in zip(self._ctas, self._memories, strict=True):
            cta.tensor = memory.ctypes.data
            cta.tensor_relinquished = cta.tensor_columns = 0


def place(address: int) -> str:
    """A cell by the address that the runtime notes, lane and column as in taddr."""
    return f"lane {address >> 16}, column {address & 0xFFFF}"


_WAITS = ("tcgen05.wait::ld", "tcgen05.wait::st")


def order_sentence(record: Any, operations: Sequence[Operation], shape: Shape) -> str:
    """Say which access was not ordered after which, and what is missing between them."""
    now = "writes" if record.detail & 0x100 else "reads"
    earlier = "writes" if record.detail & 0x200 else "reads"
    by = operations[int(record.info[0])]
    other = int(record.info[1])
    ours, whose = (_warp(shape, record.group, member) for member in (record.wave, other))
    if other == record.wave:
        whose = "its own warp"
    missing = (
        f"tcgen05.wait::ld by {whose} is missing between them",
        f"tcgen05.wait::st by {whose} is missing between them",
        f"{whose} handed it to the tensor core: tcgen05.commit, a wait for its mbarrier and "
        f"tcgen05.fence::after_thread_sync by {ours} are missing between them",
        f"tcgen05.fence::before_thread_sync by {whose}, between it and the barrier, is missing",
        f"a barrier or mbarrier, after tcgen05.fence::before_thread_sync by {whose}, is missing",
        f"tcgen05.fence::after_thread_sync by {ours}, after the barrier, is missing",
    )[record.detail & 0xFF]
    return (f"{now} tensor memory at {place(record.address)} without being ordered after "
            f"`{by.text}` (line {by.line}), which {earlier} it: {missing}")


def _warp(shape: Shape, cluster: int, member: int) -> str:
    cta, wave = shape.number(cluster, member)
    return f"warp {wave}" if shape.ctas == 1 else f"warp {wave} of workgroup {cta}"


def order_kind(record: layout.HazardRecord) -> str:
    """Return "pending" where the warp's own wait is missing, else "order"."""
    own = record.info[1] == record.wave
    return "pending" if own and (record.detail & 0xFF) < len(_WAITS) else "order"
