"""The runtime's functions for PTX, as the core's Builder calls them.

Their C is in lanemap/emulator/ptx/c/ptx_lanes.c and numeric_ptx.c; the types are those of
the parameters after the wave.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.calls import RUNTIME
from lanemap.emulator.codegen.values import Value

RUNTIME.update({
    "lm_ptx_goto": "i32 i32",
    "lm_ptx_branch": "i64 i32 i32 i32",
    "lm_ptx_switch": "i32 i32",
    "lm_ptx_gate": "i32 i32",
    "lm_ptx_gate_mask": "i32 i32",
    "lm_ptx_gate_all": "i32",
    "lm_ptx_exit": "",
    "lm_ptx_barrier": "i32 i32 i32",
    "lm_ptx_arrive": "i32 i32",
    "lm_ptx_contribute": "i32 i64",
    "lm_ptx_reduced": "i32 i32",
    "lm_ptx_half_atomic": "i32 i32 i64 i32 i32 i32 i32",
    "lm_ptx_discard": "i32 i32 i64 i32",
    "lm_ptx_release": "i64 i32",
    "lm_ptx_acquire": "i64 i32",
    "lm_ptx_cluster_arrive": "i32 i32 i32",
    "lm_ptx_cluster_wait": "i32 i32 i32",
    "lm_proxy_fence": "i64 i32",
    "lm_tensor_flag": "i64 i32",
    "lm_ptx_wide_atomic": "i32 i32 i64 i32",
    "lm_ptx_matrix_load": "i32 i32 i32 i32 i32",
    "lm_ptx_matrix_store": "i32 i32 i32 i32 i32",
    "lm_ptx_matrix_move": "i32 i32",
    "lm_ptx_shuffle": "i32 i64 i32 i32",
    "lm_ptx_match": "i32 i64 i32 i32",
    "lm_ptx_reduce": "i32 i64 i32 i32",
})  # fmt: skip

#: Scratch rows: operands of gates and switches, apart from those of memory and lane calls.
ROW = 64
#: What a gate, or whatever else may have to wait, returns when the lanes go on.
_GO = 0xFFFFFFFF
#: Index, in words, of the mark in Wave.front_end that memory was polled (ptx_lanes.c, Warp.polls).
_POLLS = 6


def gate(b: Builder, members: Value | None) -> None:
    """Wait, at the beginning of a block, for the lanes of a member mask; None: the whole warp.

    Nothing may have been read from the mask of lanes yet: lanes that waited here join.
    """
    if members is None:
        status = b.runtime.call("lm_ptx_gate_all", b.plan.block, returns="i32")
    elif members.lanes:
        b.rows.store(ROW, [members])
        status = b.runtime.call("lm_ptx_gate", b.plan.block, ROW, returns="i32")
    else:
        status = b.runtime.call("lm_ptx_gate_mask", b.plan.block, members, returns="i32")
    unless_waiting(b, status, "gated")


def unless_waiting(b: Builder, status: str, name: str) -> None:
    """Go on if the runtime says so; else the warp comes back to the beginning of the block.

    `name` tells the place from others in one block.
    """
    through = b.ir.emit(f"icmp eq i32 {status}, {_GO}")
    b.ir.do(f"br i1 {through}, label %{name}, label %{name}_waits")
    b.ir.do(f"{name}_waits:")
    b.ir.do(f"ret i32 {status}")
    b.ir.do(f"{name}:")


def note_polling(b: Builder) -> None:
    """Remember that the warp looked at memory that others may change."""
    b.runtime.set_field("front_end", b.ir.constant("i32", 1), _POLLS)


#: Scopes by number (ptx_order.c); none is that of the CTA for fences of a kind without a scope.
_SCOPES = {"": 0, "cta": 0, "cluster": 1, "gpu": 2, "sys": 2}


def release(b: Builder, scope: str) -> None:
    """Let others in a scope learn of all accesses so far."""
    b.runtime.call("lm_ptx_release", mask64(b), _SCOPES[scope])


def acquire(b: Builder, scope: str) -> None:
    """Learn of all that others in a scope released."""
    b.runtime.call("lm_ptx_acquire", mask64(b), _SCOPES[scope])


def pass_tensor_order(b: Builder, reads: bool) -> None:
    """Carry what lies between the fences of tcgen05 along with a relaxed access."""
    if b.plan.tensor_memory:
        b.runtime.call("lm_tensor_flag", mask64(b), int(reads))


def uniform(b: Builder, value: Value) -> Value:
    """Return what the lowest lane that executes has, as a uniform value."""
    if not value.lanes:
        return value
    lane = b.alu.intrinsic("cttz", b.masks.active_or_all(), flags=", i1 false")
    return b.lanes.extract(value, lane)


def mask64(b: Builder) -> Value:
    """Return the lanes that execute, as the runtime takes them."""
    return b.alu.zext(b.masks.active_or_all(), "i64")
