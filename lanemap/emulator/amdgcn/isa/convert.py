"""Conversions between integers and floats of 16 to 64 bits."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP1, VOP3, instruction
from lanemap.emulator.codegen.values import Value

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"
_FLOATS = {"f16": "half", "f32": "float", "f64": "double"}

_FROM_INTEGER = ["f32_i32", "f32_u32", "f64_i32", "f64_u32", "f16_i16", "f16_u16"]
_TO_INTEGER = ["i32_f32", "u32_f32", "i32_f64", "u32_f64", "i16_f16", "u16_f16"]
_FLOAT_TO_FLOAT = ["f64_f32", "f32_f64", "f32_f16", "f16_f32"]


def _integer(name: str) -> str:
    return f"i{name[1:]}"


for _pair in _FROM_INTEGER:
    _to, _from = _pair.split("_")

    @instruction(f"v_cvt_{_pair}", f"=v:{_to} x:{_integer(_from)}", VOP1, cite=_VOP1)
    def v_cvt_from_integer(c: Context, a: Value, to: str = _to, source: str = _from) -> Value:
        operation = "uitofp" if source[0] == "u" else "sitofp"
        return c.alu.convert(operation, a, _FLOATS[to])


for _pair in _TO_INTEGER:
    _to, _from = _pair.split("_")

    @instruction(f"v_cvt_{_pair}", f"=v:{_integer(_to)} x:{_from}", VOP1, cite=_VOP1)
    def v_cvt_to_integer(c: Context, a: Value, to: str = _to) -> Value:
        """Toward zero, saturated; NaN gives 0."""
        return c.alu.float_to_integer(a, _integer(to), signed=to[0] == "i")


for _pair in _FLOAT_TO_FLOAT:
    _to, _from = _pair.split("_")

    @instruction(f"v_cvt_{_pair}", f"=v:{_to} x:{_from}", VOP1, cite=_VOP1)
    def v_cvt_float(c: Context, a: Value, to: str = _to) -> Value:
        target = _FLOATS[to]
        wider = c.b.ir.constant(target, 0).bits > a.bits
        return c.alu.convert("fpext" if wider else "fptrunc", a, target)


@instruction([f"v_cvt_f32_ubyte{n}" for n in range(4)], "=v:f32 x:i32", VOP1, cite=_VOP1)
def v_cvt_f32_ubyte(c: Context, a: Value) -> Value:
    byte = c.alu.lshr(a, c.constant("i32", 8 * int(c.name[-1])))
    return c.alu.convert("uitofp", c.alu.and_(byte, c.constant("i32", 0xFF)), "float")


@instruction("v_cvt_flr_i32_f32", "=v:i32 x:f32", VOP1, cite=_VOP1)
def v_cvt_flr(c: Context, a: Value) -> Value:
    return c.alu.float_to_integer(c.alu.intrinsic("floor", a), "i32", signed=True)


@instruction("v_cvt_rpi_i32_f32", "=v:i32 x:f32", VOP1, cite=_VOP1)
def v_cvt_rpi(c: Context, a: Value) -> Value:
    """The floor of a + 0.5."""
    raised = c.alu.float_op("fadd", a, c.constant("float", 0x3F000000))
    return c.alu.float_to_integer(c.alu.intrinsic("floor", raised), "i32", signed=True)


@instruction("v_cvt_off_f32_i4", "=v:f32 x:i32", VOP1, cite=_VOP1)
def v_cvt_off(c: Context, a: Value) -> Value:
    """Four signed bits as sixteenths."""
    top = c.alu.ashr(c.alu.shl(a, c.constant("i32", 28)), c.constant("i32", 28))
    sixteenth = c.constant("float", 0x3D800000)
    return c.alu.float_op("fmul", c.alu.convert("sitofp", top, "float"), sixteenth)


def _byte(c: Context, a: Value, old: Value, place: Value) -> Value:
    """A word whose byte `place` modulo 4 is replaced by a float, rounded and held in 0 to 255."""
    b = c.b
    near = b.alu.intrinsic("roundeven", a)
    value = b.alu.float_to_integer(near, "i32", signed=False)
    value = b.alu.extremum("umin", value, c.constant("i32", 255))
    at = b.alu.shl(b.alu.and_(place, c.constant("i32", 3)), c.constant("i32", 3))
    mask = b.alu.shl(c.constant("i32", 255), at)
    return b.alu.disjoint(b.alu.and_(old, b.alu.not_(mask)), b.alu.shl(value, at))


_ROUNDS = "; CLRX, GcnInstrsVop3.md: rounded as MODE says, NaN gives 0"


@instruction("v_cvt_pk_u8_f32", "=v:i32 x:f32 x:i32 x:i32", VOP3, cite=_VOP3 + _ROUNDS)
def v_cvt_pk_u8(c: Context, a: Value, place: Value, old: Value) -> Value:
    return _byte(c, a, old, place)


@instruction("v_cvt_pkaccum_u8_f32", "+v:i32 x:f32 x:i32", VOP3, cite=_VOP3 + _ROUNDS)
def v_cvt_pkaccum_u8(c: Context, old: Value, a: Value, place: Value) -> Value:
    return _byte(c, a, old, place)


# -- two at once ----------------------------------------------------------------------------------


def packed(c: Context, low: Value, high: Value) -> Value:
    """Two values of 16 bits side by side in an i32."""
    b = c.b
    first = b.alu.zext(b.alu.bitcast(low, "i16"), "i32")
    second = b.alu.zext(b.alu.bitcast(high, "i16"), "i32")
    return b.alu.disjoint(first, b.alu.shl(second, c.constant("i32", 16)))


@instruction(
    "v_pack_b32_f16",
    "=v:i32 x:f16 x:f16",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    keeps_subnormals=True,
)
def v_pack(c: Context, a: Value, b: Value) -> Value:
    return packed(c, a, b)


@instruction("v_cvt_pkrtz_f16_f32", "=v:i32 x:f32 x:f32", VOP3, cite=_VOP3)
def v_cvt_pkrtz(c: Context, a: Value, b: Value) -> Value:
    return packed(c, *(c.alu.narrowed(value, "half", "zero") for value in (a, b)))


@instruction("v_cvt_pk_f16_f32", "=v:i32 x:f32 x:f32", VOP3, cite=_VOP3)
def v_cvt_pk_f16(c: Context, a: Value, b: Value) -> Value:
    return packed(c, c.alu.convert("fptrunc", a, "half"), c.alu.convert("fptrunc", b, "half"))


def to_bf16(c: Context, a: Value) -> Value:
    """f32 to the nearest bf16, ties to even, as i16; a NaN stays one."""
    b = c.b
    bits = b.alu.bitcast(a, "i32")
    top = b.alu.lshr(bits, c.constant("i32", 16))
    odd = b.alu.and_(top, c.constant("i32", 1))
    rounded = b.alu.add(bits, b.alu.add(odd, c.constant("i32", 0x7FFF)))
    near = b.alu.lshr(rounded, c.constant("i32", 16))
    quiet = b.alu.or_(top, c.constant("i32", 0x40))
    return b.alu.trunc(b.alu.select(b.alu.compare("uno", a, a), quiet, near), "i16")


@instruction("v_cvt_pk_bf16_f32", "=v:i32 x:f32 x:f32", VOP3, cite=_VOP3)
def v_cvt_pk_bf16(c: Context, a: Value, b: Value) -> Value:
    return packed(c, to_bf16(c, a), to_bf16(c, b))


@instruction("v_cvt_f32_bf16", "=v:f32 x:bf16", VOP1, cite=_VOP1)
def v_cvt_f32_bf16(c: Context, a: Value) -> Value:
    wide = c.alu.shl(c.alu.zext(c.alu.bitcast(a, "i16"), "i32"), c.constant("i32", 16))
    return c.alu.bitcast(wide, "float")


@instruction("v_cvt_pk_u16_u32", "=v:i32 x:i32 x:i32", VOP3, cite=_VOP3)
def v_cvt_pk_u16(c: Context, a: Value, b: Value) -> Value:
    most = c.constant("i32", 0xFFFF)
    low, high = (c.alu.extremum("umin", value, most) for value in (a, b))
    return packed(c, c.alu.trunc(low, "i16"), c.alu.trunc(high, "i16"))


@instruction("v_cvt_pk_i16_i32", "=v:i32 x:i32 x:i32", VOP3, cite=_VOP3)
def v_cvt_pk_i16(c: Context, a: Value, b: Value) -> Value:
    parts = []
    for value in (a, b):
        held = c.alu.extremum("smax", value, c.constant("i32", -0x8000))
        held = c.alu.extremum("smin", held, c.constant("i32", 0x7FFF))
        parts.append(c.alu.trunc(held, "i16"))
    return packed(c, parts[0], parts[1])


_BYTES = ("v_sat_pk_u8_i16",)


@instruction(_BYTES, "=v:i16 x:i32", VOP1, cite=_VOP1)
def v_sat_pk(c: Context, a: Value) -> Value:
    """Both signed halves saturated to unsigned bytes."""
    b = c.b
    parts = []
    for shift in (0, 16):
        half = b.alu.sext(b.alu.trunc(b.alu.lshr(a, c.constant("i32", shift)), "i16"), "i32")
        held = b.alu.extremum("smax", half, c.constant("i32", 0))
        parts.append(b.alu.extremum("smin", held, c.constant("i32", 255)))
    return b.alu.trunc(b.alu.disjoint(parts[0], b.alu.shl(parts[1], c.constant("i32", 8))), "i16")
