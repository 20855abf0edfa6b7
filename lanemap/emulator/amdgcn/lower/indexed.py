"""v_mov_b32 while VGPR indexing is on (AMD CDNA4 ISA, s_set_gpr_idx_on)."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import M0_REGISTER, registers_of
from lanemap.emulator.codegen.values import Register, Value


def indexed_move(c: Context) -> None:
    """v_mov_b32 while VGPR indexing is on: M0[7:0] is added to the number of the VGPR.

    `values["window"]` are the VGPRs from the named one on that the kernel has.
    """
    b = c.b
    index = b.alu.and_(b.registers.read(M0_REGISTER), c.constant("i32", 0xFF))
    b.checks.require_defined(index, "operand")
    index = Value(index.name, "i32", False)
    window: tuple[Register, ...] = c.values["window"]
    if c.values["indexes"] == "destination":
        value = b.ir.spread(c.read(1))
        for offset, register in enumerate(window):
            hit = b.alu.compare("eq", index, c.constant("i32", offset))
            b.registers.write(register, b.alu.select(hit, value, b.ir.spread(c.peek(register))))
        return
    chosen = c.peek(window[0])
    for offset, register in enumerate(window[1:], start=1):
        hit = b.alu.compare("eq", index, c.constant("i32", offset))
        chosen = b.alu.select(hit, c.peek(register), chosen)
    (destination,) = registers_of(c.bound.operands[0])
    b.registers.write(destination, chosen)
