"""Which registers hold addresses, and which the kernel's arguments, for reports of addresses."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.binding import Bound
from lanemap.emulator.amdgcn.lower.registers import registers_of, scalar
from lanemap.emulator.amdgcn.lower.table import FLAT, MUBUF, SMEM, Role
from lanemap.emulator.amdgcn.text.module import Descriptor
from lanemap.emulator.codegen.values import Register

#: Where data lies, of vector memory instructions: in VGPRs or AccVGPRs.
_DATA = "va"


def addresses(bound: Bound) -> tuple[Register, ...]:
    """Return the registers of an instruction that hold the address of what it accesses."""
    pairs = zip(bound.roles, bound.operands, strict=True)
    return tuple(
        each
        for role, operand in pairs
        if _is_address(bound, role)
        for each in registers_of(operand)
    )


def _is_address(bound: Bound, role: Role) -> bool:
    form = bound.definition.format
    if form is SMEM:
        return role.type in ("i64", "w4") and role.reads and not role.writes
    return form in (FLAT, MUBUF) and role.reads and role.place != _DATA


def fetches(bound: Bound, descriptor: Descriptor) -> tuple[tuple[Register, int], ...]:
    """Return the registers that s_load fills from the kernarg segment, each with its byte there.

    Its base must be the pair of SGPRs that hold the segment's address when a wave begins.
    """
    if not bound.definition.name.startswith("s_load_") or bound.operands[2].kind != "integer":
        return ()
    first, count = user_registers(descriptor, "kernarg_segment_ptr")
    base = tuple(scalar(first + word) for word in range(count))
    if not count or registers_of(bound.operands[1]) != base:
        return ()
    added = bound.instruction.modifiers.get("offset", 0)
    if not isinstance(added, int):
        return ()
    offset = int(bound.operands[2].value) + added
    loaded = registers_of(bound.operands[0])
    return tuple((register, offset + 4 * word) for word, register in enumerate(loaded))


def preloaded(descriptor: Descriptor) -> dict[Register, int]:
    """Return the SGPRs that hold arguments when a wave begins, each with its byte of the segment.

    LLVM, AMDGPUUsage, "Preloaded Kernel Arguments".
    """
    first, count = user_registers(descriptor, "kernarg_preload")
    begin = descriptor.kernarg_preload_offset
    return {scalar(first + word): 4 * (begin + word) for word in range(count)}


def user_registers(descriptor: Descriptor, wanted: str) -> tuple[int, int]:
    """Return the first SGPR of a user SGPR field and how many it has; (0, 0) if there is none."""
    number = 0
    for name, count in descriptor.user_sgprs:
        if name == wanted:
            return number, count
        number += count
    return 0, 0
