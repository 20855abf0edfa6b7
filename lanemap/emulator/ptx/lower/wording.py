"""PTX's words in reports, and the sentences of its own hazards."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.records import HazardRecord

#: Bits of `detail` of an access of tensor memory, above the number of what is missing (tensor.h).
_WRITES, _WROTE, _GIVES_BACK = 0x100, 0x200, 0x400
#: What is missing is the warp's own tcgen05.wait.
_WAITS = 2


class PtxWording(Wording):
    """The words of the PTX ISA."""

    group = "CTA"
    wave = "warp"

    def place(self, space: int, address: int) -> str:
        """Tensor memory by lane and column, as in taddr."""
        if space == abi.Space.TENSOR:
            return f"lane {address >> 16}, column {address & 0xFFFF}"
        return super().place(space, address)

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """A fence, a scope or a barrier."""
        if record.info[3]:
            return ("both are atomic, but one only within its CTA or cluster: the scope of the GPU "
                    "is")
        if not record.info[2]:
            return ("a flag that is stored after a release and read before an acquire, both at the "
                    "scope of the GPU (fence.acq_rel.gpu, __threadfence()), is")
        if elsewhere:
            return "a barrier of the cluster, or release and acquire at its scope, is"
        return "a barrier, or release and acquire, is"

    def own_hazard(self, record: HazardRecord, operations: Sequence[Operation],
                   name: Callable[[int], str]) -> tuple[str, str]:
        """Order in tensor memory, and between the generic and the async proxy."""
        if record.kind == abi.Hazard.PROXY:
            return "order", _proxy(record, name)
        if record.kind == abi.Hazard.TENSOR:
            own = record.info[1] == record.wave and (record.detail & 0xFF) < _WAITS
            return "pending" if own else "order", self._tensor_order(record, operations, name)
        return super().own_hazard(record, operations, name)

    def _tensor_order(self, record: HazardRecord, operations: Sequence[Operation],
                      name: Callable[[int], str]) -> str:
        """Say which access was not ordered after which, and what is missing between them."""
        now = "writes" if record.detail & _WRITES else "reads"
        if record.detail & _GIVES_BACK:
            now = "gives back"
        earlier = "writes" if record.detail & _WROTE else "reads"
        by, other = operations[record.info[0]], record.info[1]
        ours, whose = name(record.wave), name(other)
        if other == record.wave:
            whose = "its own warp"
        after = " and tcgen05.fence::after_thread_sync"
        if record.space == abi.Space.SHARED or record.detail & _GIVES_BACK:
            after = ""
        missing = (
            f"tcgen05.wait::ld by {whose} is missing between them",
            f"tcgen05.wait::st by {whose} is missing between them",
            f"{whose} handed it to the tensor core: tcgen05.commit and a wait for its mbarrier by "
            f"{ours}{after} are missing between them",
            f"tcgen05.fence::before_thread_sync by {whose}, between it and the barrier, is missing",
            f"a barrier or mbarrier, after tcgen05.fence::before_thread_sync by {whose}, is "
            "missing",
            f"tcgen05.fence::after_thread_sync by {ours}, after the barrier, is missing",
            f"a barrier or mbarrier by which {ours} learns of it is missing",
        )[record.detail & 0xFF]
        where = f"tensor memory at {self.place(abi.Space.TENSOR, record.address)}"
        if record.space == abi.Space.SHARED:
            where = f"shared memory at byte {record.address:#x}"
        return (f"{now} {where} without being ordered after `{by.text}` (line {by.line}), which "
                f"{earlier} it: {missing}")

    def awaited(self, wave: abi.Wave) -> str:
        """A phase of an mbarrier, columns of tensor memory, or the other warps."""
        if wave.barrier == abi.Waits.FOR_COLUMNS:
            return "columns of tensor memory (of a pair, also for the peer CTA to ask for them)"
        if wave.barrier != abi.Waits.FOR_MBARRIER:
            return super().awaited(wave)
        ask = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)(
            native().address("lm_mbarrier_awaited"))
        found = (ctypes.c_uint64 * 7)()
        if not ask(ctypes.addressof(wave), ctypes.addressof(found)):
            return "an mbarrier"
        address, parity, value, phase, pending, expected, transactions = found
        named = f"phase of parity {value}" if parity else f"phase {value}"
        missing = f"{pending} of its {expected} arrivals"
        if transactions:
            missing += f" and {ctypes.c_int64(transactions).value} bytes"
        return (f"the {named} of the mbarrier at shared address {address:#x}, whose phase {phase} "
                f"lacks {missing}")


def _proxy(record: HazardRecord, name: Callable[[int], str]) -> str:
    """Say what is missing between a write of the generic proxy and a read of the async proxy."""
    missing = "fence.proxy.async is" if record.info[1] else "fence.proxy.async and a barrier are"
    return (f"reads shared memory at byte {record.address:#x} through the async proxy, which "
            f"{name(record.info[0])} wrote through the generic one: {missing} missing between them")
