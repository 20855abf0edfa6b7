"""Registers, addresses and sizes that every kernel has and no text declares."""

from __future__ import annotations

from lanemap.emulator.codegen.values import Register

#: Addresses of functions: numbers that only calls look at.
FUNCTION_BASE, FUNCTION_STEP = 0x1000_0000, 16
PARAMETERS = Register("parameters", "i64", False)
#: alloca takes bytes from here; STACK_BYTES is what a CUDA context gives a thread by default. Where
#: functions can call themselves it also holds what each activation keeps (frames.py).
STACK, STACK_BYTES, RECURSION_BYTES = Register("stack pointer", "i32", True), 1024, 16384
#: What cooperative groups find at the address whose halves %envreg1 and %envreg2 are (CUDA's header
#: cooperative_groups/details/driver_abi.h, grid_workspace): its size, which nothing reads, and the
#: word of the grid's barrier, 0 at first.
GRID_WORKSPACE, GRID_WORKSPACE_BYTES, GRID_BARRIER_OFFSET = "%grid_workspace", 8, 4
WORKSPACE_HALVES = {"%envreg1": 32, "%envreg2": 0}
#: The offset of shared memory that the system gives each CTA. Cooperative groups use 288 bytes of
#: it for groups of several warps (CUDA's header cooperative_groups/details/memory.h). A GPU has it
#: before the CTA's own.
RESERVED_SHARED, RESERVED_SHARED_BYTES = "%reserved_smem_offset_1", 288
#: Where the CTA's shared memory begins, an i64.
SHARED_BASE = Register("shared base", "i64", False)


def function_address(number: int) -> int:
    """Return the address of the function with that number in its module."""
    return FUNCTION_BASE + FUNCTION_STEP * number


def symbol(name: str) -> Register:
    """Return the uniform register with the address of something in global memory."""
    return Register(f"&{name}", "i64", False)
