"""Vector integer arithmetic and shifts of 64 bits."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.scalar import signed_overflow
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP3, instruction
from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.values import Value

_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"


@instruction("v_mad_u64_u32", "=v:i64 =m x:i32 x:i32 x:i64", VOP3, cite=_VOP3)
def v_mad_u64_u32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    """The carry out of 64 bits goes to the mask."""
    product = c.alu.mul(c.alu.zext(a, "i64"), c.alu.zext(b, "i64"))
    total = c.alu.add(product, d)
    return total, c.alu.compare("ult", total, product)


@instruction("v_mad_i64_i32", "=v:i64 =m x:i32 x:i32 x:s64", VOP3, cite=_VOP3)
def v_mad_i64_i32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    product = c.alu.mul(c.alu.sext(a, "i64"), c.alu.sext(b, "i64"))
    total = c.alu.add(product, d)
    # The 65th bit of the sum: its true sign, which differs from bit 63 where 64 bits overflow.
    negative = c.alu.compare("slt", total, c.constant("i64", 0))
    return total, c.alu.xor(negative, signed_overflow(c, product, d, total))


@instruction("v_lshl_add_u64", "=v:i64 x:i64 x:i32 x:i64", VOP3, cite=_VOP3)
def v_lshl_add_u64(c: Context, a: Value, amount: Value, d: Value) -> Value:
    """The amount is bits 2:0 of S1."""
    return c.alu.add(c.alu.shl(a, c.alu.and_(amount, c.constant("i32", 7))), d)


_SHIFTS = {
    "v_lshlrev_b64": Arithmetic.shl,
    "v_lshrrev_b64": Arithmetic.lshr,
    "v_ashrrev_i64": Arithmetic.ashr,
}


@instruction("v_lshlrev_b64 v_lshrrev_b64", "=v:i64 x:i32 x:i64", VOP3, cite=_VOP3)
@instruction("v_ashrrev_i64", "=v:i64 x:i32 x:s64", VOP3, cite=_VOP3)
def v_shift_64(c: Context, amount: Value, a: Value) -> Value:
    return _SHIFTS[c.name](c.alu, a, amount)
