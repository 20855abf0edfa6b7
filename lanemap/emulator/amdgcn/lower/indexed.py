"""Moves of registers that M0 picks (AMD CDNA4 ISA, s_set_gpr_idx_on, s_movrels, s_movreld)."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import M0_REGISTER, registers_of
from lanemap.emulator.amdgcn.lower.rules import Rule
from lanemap.emulator.codegen.values import Register, Value


def indexed_move(c: Context) -> None:
    """v_mov_b32 while VGPR indexing is on: M0[7:0] is added to the number of the VGPR.

    `values["window"]` are the VGPRs from the named one on that the kernel has.
    """
    b = c.b
    index = b.alu.and_(b.registers.read(M0_REGISTER), c.constant("i32", 0xFF))
    b.checks.require_defined(index, "operand")
    index = Value(index.operand, "i32", False)
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


def relative_move(c: Context) -> None:
    """s_movrels and s_movreld: M0 is added to the number of the source's or destination's SGPR.

    `values["window"]` are the SGPRs from the named one on. A pair begins at an even number.
    """
    b = c.b
    index = b.registers.read(M0_REGISTER)
    b.checks.require_defined(index, "operand")
    index = Value(index.operand, "i32", False)
    window: tuple[Register, ...] = c.values["window"]
    size = 2 if c.name.endswith("64") else 1
    offsets = range(0, len(window) - size + 1, size)
    hits = [b.alu.compare("eq", index, c.constant("i32", offset)) for offset in offsets]
    met = c.constant("i1", 0)
    for hit in hits:
        met = b.alu.or_(met, hit)
    b.checks.rule(b.alu.not_(met), Rule.RELATIVE, lanes=c.constant("i64", -1))
    if c.name.startswith("s_movreld"):
        values = c.words(1)
        for offset, hit in zip(offsets, hits, strict=True):
            for register, value in zip(window[offset : offset + size], values, strict=True):
                b.registers.write(register, b.alu.select(hit, value, c.peek(register)))
        return
    chosen = [c.peek(register) for register in window[:size]]
    for offset, hit in zip(offsets[1:], hits[1:], strict=True):
        chosen = [
            b.alu.select(hit, c.peek(register), value)
            for register, value in zip(window[offset : offset + size], chosen, strict=True)
        ]
    c.write_words(registers_of(c.bound.operands[0]), chosen)
