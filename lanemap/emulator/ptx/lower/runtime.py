"""The runtime's functions for PTX, as the core's Builder calls them.

Their C is in lanemap/emulator/ptx/c.
"""

from __future__ import annotations

from lanemap.emulator.codegen import runtime_functions
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.memory_model.abi import Scope
from lanemap.emulator.ptx.lower import functions
from lanemap.emulator.ptx.lower.abi import COUNTER_WGMMA, GO_ON, Warp
from lanemap.emulator.runtime.abi import Space

#: All functions that generated code may call.
FUNCTIONS = {**runtime_functions.FUNCTIONS, **functions.FUNCTIONS}
#: Counter of outstanding loads of tensor memory; what a wait for each counter is called.
LOADS = 0
COUNTERS = {
    LOADS: "tcgen05.ld (tcgen05.wait::ld)",
    COUNTER_WGMMA: "its wgmma-group (wgmma.commit_group, wgmma.wait_group)",
}
#: Scratch rows: operands of gates and switches, apart from those of memory and lane calls.
ROW = 64


def gate(b: Builder, members: Value | None, last: bool = True) -> None:
    """Wait, at the beginning of a block, for the lanes of a member mask; None: the whole warp.

    Nothing may have been read from the mask of lanes yet: lanes that waited here join. `last`:
    nothing else of the instruction may send them back.
    """
    if members is None:
        status = b.runtime.call("lm_ptx_gate_all", b.plan.block)
    elif members.lanes:
        b.rows.store(ROW, [members])
        status = b.runtime.call("lm_ptx_gate", b.plan.block, ROW)
    else:
        status = b.runtime.call("lm_ptx_gate_mask", b.plan.block, members)
    unless_waiting(b, status, "gated", last)


def unless_waiting(b: Builder, status: Operand, name: str, last: bool = True) -> None:
    """Continue if the runtime says so; else the warp returns to the beginning of the block.

    `name` tells the place from others in one block; `last`: it is the last that may send lanes
    back, so the instruction executes now.
    """
    b.ir.leave_unless(b.ir.binary("icmp eq", "i32", status, f"{GO_ON:d}", "i1"), status, name)
    if last:
        b.executions.tell()


def note_polling(b: Builder) -> None:
    """Record that the warp polls memory that others may change."""
    b.runtime.set_field("front_end", b.ir.constant("i32", 1), Warp.polls.offset // 4)


#: Fences of a kind without a scope have that of the CTA.
_SCOPES = {"": Scope.CTA, "cta": Scope.CTA, "cluster": Scope.CLUSTER, "gpu": Scope.GPU,
           "sys": Scope.GPU}  # fmt: skip


def release(b: Builder, scope: str, space: int = Space.PRIVATE, count: int = 0) -> None:
    """Release: make all accesses so far, and the next `count` of `space`, visible to a scope."""
    in_global = count if space in (Space.GLOBAL, Space.GENERIC) else 0
    in_shared = count if space in (Space.SHARED, Space.CLUSTER, Space.GENERIC) else 0
    b.runtime.call("lm_release", mask64(b), _SCOPES[scope], in_global, in_shared)


def acquire(b: Builder, scope: str) -> None:
    """Acquire: see all accesses released at a scope."""
    b.runtime.call("lm_acquire", mask64(b), _SCOPES[scope])


def fence_threads(b: Builder, scope: str, what: int) -> None:
    """Order this thread's accesses with those of others: `what` is a set of Fence."""
    b.runtime.call("lm_fence", mask64(b), _SCOPES[scope], what)


def pass_tensor_order(b: Builder, reads: bool) -> None:
    """Carry what lies between the fences of tcgen05 along with a relaxed access."""
    b.runtime.call("lm_tensor_flag", mask64(b), int(reads))


def uniform(b: Builder, value: Value) -> Value:
    """Return what the lowest lane that executes has, as a uniform value."""
    if not value.lanes:
        return value
    lane = b.alu.intrinsic("cttz", b.masks.active_or_all())
    return b.lanes.extract(value, lane)


def mask64(b: Builder) -> Value:
    """Return the lanes that execute, as the runtime takes them."""
    return b.alu.zext(b.masks.active_or_all(), "i64")
