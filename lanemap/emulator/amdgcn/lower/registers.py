"""The registers of a wave as the core sees them.

Numbers for asynchronous operations: VGPRs 0 to 255, AGPRs 256 to 511, then the 128 of the scalar
source field (see operands.py). SCC is one bit of its own.
"""

from __future__ import annotations

import functools

from lanemap.emulator.amdgcn.text.operands import EXEC, M0, VCC, Operand, scalar_name
from lanemap.emulator.codegen.values import Register

FIRST_AGPR, FIRST_SCALAR = 256, 512


@functools.cache
def vgpr(index: int) -> Register:
    """VGPR `index`, 32 bits for every lane."""
    return Register(f"v{index}", "i32", True, index)


@functools.cache
def agpr(index: int) -> Register:
    """Accumulation VGPR `index`, 32 bits for every lane."""
    return Register(f"a{index}", "i32", True, FIRST_AGPR + index)


@functools.cache
def scalar(index: int) -> Register:
    """The scalar register of a number in the scalar source field: s0.., vcc_lo, m0, exec_lo, .."""
    return Register(scalar_name(index), "i32", False, FIRST_SCALAR + index)


SCC = Register("scc", "i1", False)
VCC_PAIR = (scalar(VCC), scalar(VCC + 1))
EXEC_PAIR = (scalar(EXEC), scalar(EXEC + 1))
M0_REGISTER = scalar(M0)
#: Address of the image's first byte, set when a wave begins; what the program counter counts from.
IMAGE_BASE = Register("image_base", "i64", False)

_FILES = {"v": vgpr, "a": agpr, "s": scalar}


def registers_of(operand: Operand) -> tuple[Register, ...]:
    """The registers that an operand names, lowest first; () if it names none."""
    make = _FILES.get(operand.kind)
    if make is None:
        return ()
    return tuple(make(operand.index + offset) for offset in range(operand.count))
