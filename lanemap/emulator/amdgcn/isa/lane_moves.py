"""Moves between lanes, between vector and scalar registers, and to and from AGPRs."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import Rule
from lanemap.emulator.amdgcn.lower.table import (
    VOP1_E32,
    VOP1_PLAIN,
    VOP3,
    VOP3P,
    instruction,
    spelling,
)
from lanemap.emulator.amdgcn.text.operands import M0
from lanemap.emulator.codegen.folding import signed
from lanemap.emulator.codegen.values import Value

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"
_VOP3P = "AMD CDNA4 ISA, chapter 12, VOP3P instructions"


@instruction("v_clrexcp", "", VOP1_PLAIN, cite=_VOP1, raw=True)
@instruction("v_nop", "", VOP1_E32, cite=_VOP1, raw=True)
def v_nop(c: Context) -> None:
    """Nothing: exceptions are not modeled, and TRAPSTS, which shows them, is refused."""


@instruction("v_readfirstlane_b32", "=s:i32 v:i32 (exec)", VOP1_E32, cite=_VOP1, not_to=(M0,))
def v_readfirstlane(c: Context, a: Value, executing: Value) -> Value:
    """From the lowest lane that executes; lane 0 if none does."""
    b = c.b
    lane = b.alu.resize(b.alu.intrinsic("cttz", executing), "i32")
    none = b.alu.compare("eq", executing, c.constant("i64", 0))
    return b.lanes.extract(a, b.alu.select(none, c.constant("i32", 0), lane))


def _lane(c: Context, selector: Value) -> Value:
    """The lane that bits 5:0 of a scalar select."""
    c.b.checks.require_defined(selector, "operand")
    plain = Value(selector.operand, "i32", False, constant=selector.constant)
    return c.alu.and_(plain, c.constant("i32", 63))


@instruction("v_readlane_b32", "=s:i32 v:i32 s:i32", VOP3, cite=_VOP3, not_to=(M0,))
def v_readlane(c: Context, a: Value, selector: Value) -> Value:
    """Regardless of EXEC."""
    return c.b.lanes.extract(a, _lane(c, selector))


@instruction("v_writelane_b32", "+v:i32 s:i32 s:i32", VOP3, cite=_VOP3, raw=True, partial=True)
def v_writelane(c: Context) -> None:
    """One lane, regardless of EXEC."""
    b = c.b
    (register,) = registers_of(c.bound.operands[0])
    replaced = b.lanes.insert(b.registers.read(register), _lane(c, c.read(2)), c.read(1))
    with b.masks.all_lanes():
        b.registers.write(register, replaced)


@instruction("v_mbcnt_lo_u32_b32", "=v:i32 x:i32 x:i32", VOP3, cite=_VOP3)
def v_mbcnt_lo(c: Context, mask: Value, d: Value) -> Value:
    """Ones among bits of lanes below this one, of lanes 0 to 31."""
    below = [(1 << min(lane, 32)) - 1 for lane in range(64)]
    return _count(c, mask, below, d)


@instruction("v_mbcnt_hi_u32_b32", "=v:i32 x:i32 x:i32", VOP3, cite=_VOP3)
def v_mbcnt_hi(c: Context, mask: Value, d: Value) -> Value:
    below = [(1 << max(lane - 32, 0)) - 1 for lane in range(64)]
    return _count(c, mask, below, d)


def _count(c: Context, mask: Value, below: list[int], d: Value) -> Value:
    kept = c.alu.and_(mask, c.b.lanes.table([signed(bits, 32) for bits in below]))
    return c.alu.add(c.alu.intrinsic("ctpop", kept), d)


def _swap(c: Context, distance: int) -> None:
    """Lanes of the destination against lanes of the source `distance` below, a power of two.

    Lanes that do not execute keep what they have; what their partners get is not stated.
    """
    b = c.b
    upper = sum(1 << lane for lane in range(64) if lane & distance)
    mask = b.masks.active()
    if mask is not None and not c.modifier("fi"):
        above = b.alu.lshr(b.alu.and_(mask, c.constant("i64", upper)), c.constant("i64", distance))
        below = b.alu.and_(mask, c.constant("i64", upper >> distance))
        b.checks.rule(b.alu.compare("ne", above, below), Rule.SWAP, mask)
    (first,), (second,) = (registers_of(operand) for operand in c.bound.operands[:2])
    destination, source = (
        b.ir.spread(b.registers.read(first)),
        b.ir.spread(b.registers.read(second)),
    )
    up = b.lanes.of_mask(c.constant("i64", upper))
    partners = [lane ^ distance for lane in range(64)]
    b.registers.write(first, b.alu.select(up, b.lanes.shuffled(source, partners), destination))
    b.registers.write(second, b.alu.select(up, source, b.lanes.shuffled(destination, partners)))


@instruction(
    "v_permlane16_swap_b32",
    "+v:i32 +v:i32",
    VOP1_PLAIN,
    cite=_VOP1,
    raw=True,
    modifiers="bound_ctrl fi",
)
def v_permlane16_swap(c: Context) -> None:
    """Odd rows of 16 lanes of the destination against even rows of the source."""
    _swap(c, 16)


@instruction(
    "v_permlane32_swap_b32",
    "+v:i32 +v:i32",
    VOP1_PLAIN,
    cite=_VOP1,
    raw=True,
    modifiers="bound_ctrl fi",
)
def v_permlane32_swap(c: Context) -> None:
    """The upper half of the destination against the lower half of the source."""
    _swap(c, 32)


# -- accumulation registers -----------------------------------------------------------------------


@instruction("v_accvgpr_read_b32", "=v:i32 a:i32", VOP3P, cite=_VOP3P)
def v_accvgpr_read(c: Context, a: Value) -> Value:
    return a


@instruction("v_accvgpr_write_b32", "=a:i32 x:i32", VOP3P, cite=_VOP3P)
def v_accvgpr_write(c: Context, a: Value) -> Value:
    return a


@instruction("v_accvgpr_mov_b32", "=a:i32 a:i32", VOP1_E32, cite=_VOP1)
def v_accvgpr_mov(c: Context, a: Value) -> Value:
    return a


spelling("v_accvgpr_read_b32", ["v_accvgpr_read"])
spelling("v_accvgpr_write_b32", ["v_accvgpr_write"])
