"""Dot products of short vectors within a lane.

Those of floats are summed in f64 and rounded once, which the ISA allows: it does not say how the
hardware rounds.
"""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.packed import halves
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


@instruction(
    [f"v_dot{_COUNTS[bits]}_{n}" for n, (bits, _) in _SHAPES.items()],
    "=v:i32 x:i32 x:i32 x:i32",
    VOP3P,
    cite=_VOP3P,
)
def v_dot(c: Context, a: Value, b: Value, d: Value) -> Value:
    return _integers(c, a, b, d, *_shape(c.name))


@instruction(
    "v_dot2c_i32_i16 v_dot4c_i32_i8 v_dot8c_i32_i4", "+v:i32 x:i32 x:i32", VOP2_DPP, cite=_VOP2
)
def v_dotc(c: Context, d: Value, a: Value, b: Value) -> Value:
    return _integers(c, a, b, d, *_shape(c.name))


# -- floats ---------------------------------------------------------------------------------------


def _floats(c: Context, a: Value, b: Value, d: Value, kind: str) -> Value:
    """D plus the products of both halves.

    Those of f16 flush subnormals of D and of the result whatever the mode is (LLVM,
    SIISelLowering.cpp, performFMACombine: "fdot2_f32_f16 always flushes").
    """
    d = c.alu.flushed(d) if kind == "half" else d
    total = c.alu.convert("fpext", d, "double")
    for x, y in halves(c, (a, b), kind):
        wide = [_double(c, value, kind) for value in (x, y)]
        total = c.alu.float_op("fadd", total, c.alu.float_op("fmul", wide[0], wide[1]))
    result = c.alu.convert("fptrunc", total, "float")
    return c.alu.flushed(result) if kind == "half" else result


def _double(c: Context, value: Value, kind: str) -> Value:
    if kind == "half":
        return c.alu.convert("fpext", value, "double")
    bits = c.alu.shl(c.alu.zext(c.alu.bitcast(value, "i16"), "i32"), c.constant("i32", 16))
    return c.alu.convert("fpext", c.alu.bitcast(bits, "float"), "double")


for _kind, _llvm in (("f16", "half"), ("bf16", "bfloat")):

    @instruction(
        f"v_dot2_f32_{_kind}",
        f"=v:f32 x:{_kind}x2 x:{_kind}x2 x:i32",
        VOP3P,
        cite=_VOP3P,
        modifiers="neg_lo neg_hi",
    )
    def v_dot2_f32(c: Context, a: Value, b: Value, word: Value, kind: str = _llvm) -> Value:
        d = c.alu.bitcast(word, "float")
        if c.bit("neg_lo", 2):
            d = c.alu.fneg(d)
        return _floats(c, a, b, d, kind)

    @instruction(f"v_dot2c_f32_{_kind}", f"+v:f32 x:{_kind}x2 x:{_kind}x2", VOP2_DPP, cite=_VOP2)
    def v_dot2c_f32(c: Context, d: Value, a: Value, b: Value, kind: str = _llvm) -> Value:
        return _floats(c, a, b, d, kind)
