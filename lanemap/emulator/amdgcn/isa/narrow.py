"""Conversions to and from 8-, 6- and 4-bit floats, with and without a scale."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.amdgcn.isa.convert import packed, to_bf16
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP1, VOP3, instruction
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime.abi import Format

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions; OCP 8-bit Floating Point Specification"
_VOP3 = (
    "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions; OCP Microscaling Formats "
    "Specification"
)
FORMATS = {
    "fp8": Format.E4M3, "bf8": Format.E5M2, "fp6": Format.E2M3, "bf6": Format.E3M2,
    "fp4": Format.E2M1,
}  # fmt: skip
BITS = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}


#: What gfx942 calls fp8 and bf8.
_FNUZ = {"fp8": Format.E4M3_FNUZ, "bf8": Format.E5M2_FNUZ}


def format_of(c: Context, name: str) -> Format:
    """The format of a name, which depends on the target."""
    return _FNUZ[name] if c.target.fnuz and name in _FNUZ else FORMATS[name]


def decode(c: Context, name: str, code: Value) -> Value:
    """The f32 of a code in the low bits of an i32."""
    return c.b.rows.call("lm_decode", [code], ["float"], 0, format_of(c, name))[0]


def encode(c: Context, name: str, value: Value) -> Value:
    """The nearest code, as i32; too large saturates where MODE.fp16_ovfl is set."""
    saturate = int(c.mode.fp16_overflow)
    return c.b.rows.call("lm_encode", [value], ["i32"], 0, format_of(c, name), saturate)[0]


def field(c: Context, word: Value, offset: int, bits: int) -> Value:
    """`bits` bits of an i32 from bit `offset`."""
    moved = c.alu.lshr(word, c.constant("i32", offset))
    return c.alu.and_(moved, c.constant("i32", (1 << bits) - 1))


def with_field(c: Context, old: Value, part: Value, offset: int, bits: int) -> Value:
    """An i32 with `bits` bits from bit `offset` replaced."""
    mask = ((1 << bits) - 1) << offset
    kept = c.alu.and_(old, c.constant("i32", 0xFFFFFFFF ^ mask))
    return c.alu.disjoint(kept, c.alu.shl(part, c.constant("i32", offset)))


# -- without scale --------------------------------------------------------------------------------


@instruction(
    "v_cvt_pk_fp8_f32 v_cvt_pk_bf8_f32", "+v:i32 x:f32 x:f32", VOP3, cite=_VOP3, modifiers="op_sel"
)
def v_cvt_pk_8(c: Context, old: Value, a: Value, b: Value) -> Value:
    """Two codes in the low half, or in the high one with op_sel; the other half stays."""
    name = c.name[9:12]
    pair = c.alu.disjoint(encode(c, name, a), c.alu.shl(encode(c, name, b), c.constant("i32", 8)))
    return with_field(c, old, pair, 16 * c.bit("op_sel", 2), 16)


_WHOLE = ("dst_sel", "dst_unused")  # SDWA modifiers that these have not


@instruction("v_cvt_f32_fp8 v_cvt_f32_bf8", "=v:f32 x:i32", VOP1, cite=_VOP1, lacks=_WHOLE)
def v_cvt_f32_8(c: Context, a: Value) -> Value:
    """The byte that SDWA selects, else the lowest."""
    return decode(c, c.name[-3:], c.alu.and_(a, c.constant("i32", 0xFF)))


@instruction("v_cvt_pk_f32_fp8 v_cvt_pk_f32_bf8", "=v:pkf32 x:i32", VOP1, cite=_VOP1, lacks=_WHOLE)
def v_cvt_pk_f32_8(c: Context, a: Value) -> list[Value]:
    """Both bytes of the half that SDWA selects, else the low one."""
    parts = (decode(c, c.name[-3:], field(c, a, offset, 8)) for offset in (0, 8))
    return [c.float_result("f32", part) for part in parts]


# -- with scale -----------------------------------------------------------------------------------


def factor(c: Context, scale: Value, inverse: bool) -> Value:
    """2 to the exponent of an f32 scale, or its inverse; NaN if the exponent is all ones."""
    b = c.b
    exponent = field(c, b.alu.bitcast(scale, "i32"), 23, 8)
    ones = b.alu.compare("eq", exponent, c.constant("i32", 255))
    if inverse:
        exponent = b.alu.sub(c.constant("i32", 254), exponent)
    # An exponent field of 0 is 2**-127, a subnormal.
    low = b.alu.compare("eq", exponent, c.constant("i32", 0))
    bits = b.alu.select(
        low, c.constant("i32", 0x00400000), b.alu.shl(exponent, c.constant("i32", 23))
    )
    bits = b.alu.select(ones, c.constant("i32", 0x7FC00000), bits)
    return b.alu.bitcast(bits, "float")


def halves(c: Context, word: Value, kind: str) -> list[Value]:
    """Both 16-bit floats of a register as f32."""
    b = c.b
    parts = [field(c, word, offset, 16) for offset in (0, 16)]
    if kind == "bf16":
        return [b.alu.bitcast(b.alu.shl(part, c.constant("i32", 16)), "float") for part in parts]
    return [
        b.alu.convert("fpext", b.alu.bitcast(b.alu.trunc(part, "i16"), "half"), "float")
        for part in parts
    ]


def _scaled_codes(c: Context, name: str, values: Sequence[Value], scale: Value) -> Value:
    down = factor(c, scale, inverse=True)
    joined = c.constant("i32", 0)
    for place, value in enumerate(values):
        code = encode(c, name, c.alu.float_op("fmul", value, down))
        joined = c.alu.disjoint(joined, c.alu.shl(code, c.constant("i32", place * BITS[name])))
    return joined


def _destination(c: Context, name: str, sources: int) -> tuple[int, int]:
    """Offset and width of the field that op_sel picks: a half for 8 bits, a byte for 4 bits.

    In the text the half's bit comes after those of the sources; the byte's are always the third
    and fourth.
    """
    if name == "fp4":
        return 8 * (c.bit("op_sel", 2) + 2 * c.bit("op_sel", 3)), 8
    return 16 * c.bit("op_sel", sources), 16


_TO = [f"v_cvt_scalef32_pk_{name}_f32" for name in ("fp8", "bf8", "fp4")]


@instruction(_TO, "+v:i32 x:f32 x:f32 x:f32", VOP3, cite=_VOP3, modifiers="op_sel")
def v_cvt_scale_from_f32(c: Context, old: Value, a: Value, b: Value, scale: Value) -> Value:
    name = c.name[18:21]
    offset, bits = _destination(c, name, 3)
    return with_field(c, old, _scaled_codes(c, name, (a, b), scale), offset, bits)


for _kind in ("f16", "bf16"):
    _names = [f"v_cvt_scalef32_pk_{name}_{_kind}" for name in ("fp8", "bf8", "fp4")]

    @instruction(_names, f"+v:i32 x:{_kind}x2 x:f32", VOP3, cite=_VOP3, modifiers="op_sel")
    def v_cvt_scale_from_16(
        c: Context, old: Value, pair: Value, scale: Value, kind: str = _kind
    ) -> Value:
        name = c.name[18:21]
        offset, bits = _destination(c, name, 2)
        return with_field(
            c, old, _scaled_codes(c, name, halves(c, pair, kind), scale), offset, bits
        )


def _source(c: Context, name: str, word: Value) -> list[Value]:
    """Both codes of the half (8 bits) or byte (4 bits) that op_sel picks in S0."""
    bits = BITS[name]
    if name == "fp4":
        start = 8 * (c.bit("op_sel", 0) + 2 * c.bit("op_sel", 1))
    else:
        start = 16 * c.bit("op_sel", 0)
    return [field(c, word, start, bits), field(c, word, start + bits, bits)]


def _scaled_values(c: Context, name: str, word: Value, scale: Value) -> list[Value]:
    up = factor(c, scale, inverse=False)
    return [c.alu.float_op("fmul", decode(c, name, code), up) for code in _source(c, name, word)]


@instruction(
    "v_cvt_scalef32_f32_fp8 v_cvt_scalef32_f32_bf8",
    "=v:f32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    lacks=("clamp", "mul", "div"),
)
def v_cvt_scale_byte_to_f32(c: Context, a: Value, scale: Value) -> Value:
    return _scaled_byte(c, a, scale)


def _scaled_byte(c: Context, word: Value, scale: Value) -> Value:
    """The value of the byte that op_sel[1:0] picks."""
    start = 8 * (c.bit("op_sel", 0) + 2 * c.bit("op_sel", 1))
    up = factor(c, scale, inverse=False)
    return c.alu.float_op("fmul", decode(c, c.name[-3:], field(c, word, start, 8)), up)


@instruction(
    "v_cvt_scalef32_f16_fp8 v_cvt_scalef32_f16_bf8",
    "+v:i32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
)
def v_cvt_scale_byte_to_f16(c: Context, old: Value, a: Value, scale: Value) -> Value:
    """Into the half that the last bit of op_sel picks; the other half stays."""
    half = c.alu.convert("fptrunc", _scaled_byte(c, a, scale), "half")
    word = c.alu.zext(c.alu.bitcast(half, "i16"), "i32")
    return with_field(c, old, word, 16 * c.bit("op_sel", 2), 16)


_FROM = ("fp8", "bf8", "fp4")


@instruction(
    [f"v_cvt_scalef32_pk_f32_{n}" for n in _FROM],
    "=v:pkf32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    lacks=("clamp", "mul", "div"),
)
def v_cvt_scale_to_f32(c: Context, a: Value, scale: Value) -> list[Value]:
    return [c.float_result("f32", part) for part in _scaled_values(c, c.name[-3:], a, scale)]


@instruction(
    [f"v_cvt_scalef32_pk_f16_{n}" for n in _FROM],
    "=v:i32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
)
def v_cvt_scale_to_f16(c: Context, a: Value, scale: Value) -> Value:
    low, high = _scaled_values(c, c.name[-3:], a, scale)
    return packed(c, c.alu.convert("fptrunc", low, "half"), c.alu.convert("fptrunc", high, "half"))


@instruction(
    [f"v_cvt_scalef32_pk_bf16_{n}" for n in _FROM],
    "=v:i32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
)
def v_cvt_scale_to_bf16(c: Context, a: Value, scale: Value) -> Value:
    low, high = _scaled_values(c, c.name[-3:], a, scale)
    return packed(c, to_bf16(c, low), to_bf16(c, high))
