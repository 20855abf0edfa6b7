"""Dot products of short vectors within a lane."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP2_DPP, VOP3P, instruction
from lanemap.emulator.codegen.values import Value

_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOP3P = "AMD CDNA4 ISA, chapter 12, VOP3P instructions"


def _elements(c: Context, word: Value, bits: int, signed: bool) -> list[Value]:
    """The elements of a register as i32, lowest first."""
    b = c.b
    found = []
    for offset in range(0, 32, bits):
        if signed:
            moved = b.alu.shl(word, c.constant("i32", 32 - bits - offset))
            found.append(b.alu.ashr(moved, c.constant("i32", 32 - bits)))
        else:
            moved = b.alu.lshr(word, c.constant("i32", offset))
            found.append(b.alu.and_(moved, c.constant("i32", (1 << bits) - 1)))
    return found


def _integers(c: Context, a: Value, b: Value, d: Value, bits: int, signed: bool) -> Value:
    """D plus the products of the elements, modulo 2**32."""
    total = d
    pairs = zip(_elements(c, a, bits, signed), _elements(c, b, bits, signed), strict=True)
    for x, y in pairs:
        total = c.alu.add(total, c.alu.mul(x, y))
    return total


_SHAPES = {"i32_i16": (16, True), "u32_u16": (16, False), "i32_i8": (8, True), "u32_u8": (8, False),
           "i32_i4": (4, True), "u32_u4": (4, False)}  # fmt: skip
_COUNTS = {16: 2, 8: 4, 4: 8}


def _shape(name: str) -> tuple[int, bool]:
    return _SHAPES[name.split("_", 2)[2]]


@instruction([f"v_dot{_COUNTS[bits]}_{n}" for n, (bits, _) in _SHAPES.items()],
             "=v:i32 x:i32 x:i32 x:i32", VOP3P, cite=_VOP3P)  # fmt: skip
def v_dot(c: Context, a: Value, b: Value, d: Value) -> Value:
    return _integers(c, a, b, d, *_shape(c.name))


@instruction("v_dot2c_i32_i16 v_dot4c_i32_i8 v_dot8c_i32_i4", "+v:i32 x:i32 x:i32", VOP2_DPP,
             cite=_VOP2)  # fmt: skip
def v_dotc(c: Context, d: Value, a: Value, b: Value) -> Value:
    return _integers(c, a, b, d, *_shape(c.name))
