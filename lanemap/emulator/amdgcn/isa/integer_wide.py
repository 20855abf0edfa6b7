"""Vector integer arithmetic and shifts of 64 bits."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.scalar import signed_overflow
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP3, instruction
from lanemap.emulator.codegen.values import Value

_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"


@instruction("v_mad_u64_u32", "=v:i64 =m x:i32 x:i32 x:i64", VOP3, cite=_VOP3)
def v_mad_u64_u32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    """The carry out of 64 bits goes to the mask."""
    product = c.b.mul(c.b.zext(a, "i64"), c.b.zext(b, "i64"))
    total = c.b.add(product, d)
    return total, c.b.compare("ult", total, product)


@instruction("v_mad_i64_i32", "=v:i64 =m x:i32 x:i32 x:s64", VOP3, cite=_VOP3)
def v_mad_i64_i32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    product = c.b.mul(c.b.sext(a, "i64"), c.b.sext(b, "i64"))
    total = c.b.add(product, d)
    # The 65th bit of the sum: its true sign, which differs from bit 63 where 64 bits overflow.
    negative = c.b.compare("slt", total, c.constant("i64", 0))
    return total, c.b.xor(negative, signed_overflow(c, product, d, total))


@instruction("v_lshl_add_u64", "=v:i64 x:i64 x:i32 x:i64", VOP3, cite=_VOP3)
def v_lshl_add_u64(c: Context, a: Value, amount: Value, d: Value) -> Value:
    """The amount is bits 2:0 of S1."""
    return c.b.add(c.b.shl(a, c.b.and_(amount, c.constant("i32", 7))), d)


_SHIFTS = {"v_lshlrev_b64": "shl", "v_lshrrev_b64": "lshr", "v_ashrrev_i64": "ashr"}


@instruction("v_lshlrev_b64 v_lshrrev_b64", "=v:i64 x:i32 x:i64", VOP3, cite=_VOP3)
@instruction("v_ashrrev_i64", "=v:i64 x:i32 x:s64", VOP3, cite=_VOP3)
def v_shift_64(c: Context, amount: Value, a: Value) -> Value:
    result: Value = getattr(c.b, _SHIFTS[c.name])(a, amount)
    return result
