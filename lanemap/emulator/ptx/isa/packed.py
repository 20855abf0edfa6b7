"""Conversions between packed and narrow floats (NVIDIA PTX ISA, cvt: f16x2, e4m3x2, ue8m0x2, ..).

OCP 8-bit Floating Point and OCP Microscaling Formats give the formats; a NaN that a format has
becomes its positive one. The first operand goes to the upper part. Stochastic rounding (`.rs`) is
refused: how its random bits line up with the bits discarded of a subnormal is published nowhere.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import narrow
from lanemap.emulator.ptx.isa.between_floats import between_floats
from lanemap.emulator.ptx.isa.common import join_halves, split_halves
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.runtime.abi import Format

#: Numbers of narrow.h, and the bits from one element to the next.
_FORMATS = {
    "e4m3x2": (Format.E4M3, 8), "e5m2x2": (Format.E5M2, 8), "e2m3x2": (Format.E2M3, 8),
    "e3m2x2": (Format.E3M2, 8), "e2m1x2": (Format.E2M1, 4),
}  # fmt: skip
_HALVES = ("f16x2", "bf16x2")
_NARROW = (*_FORMATS, "ue8m0x2")


def is_packed(s: Statement) -> bool:
    """Whether a conversion has a packed source or result."""
    return any(s.peek(kind) for kind in (*_HALVES, *_NARROW)) or s.peek("rs")


def convert(s: Statement) -> Emit:
    """Convert two values."""
    if s.peek("rs"):
        return s.refuse("rs")
    source = s.type(f"f32 f16x2 bf16x2 {' '.join(_NARROW)}")
    target = s.type(f"f16x2 bf16x2 {' '.join(_NARROW)}")
    if target == "ue8m0x2":
        return _to_exponents(s, source)
    if source == "ue8m0x2":
        return _from_exponents(s, target)
    if target in _HALVES and source == "f32":
        return _to_halves(s, target)
    if target in _FORMATS:
        return _to_narrow(s, target, source)
    if source in _FORMATS and target == "f16x2":
        return _from_narrow(s, source)
    return s.refuse(f"{target}.{source}")


def _two(s: Statement, source: str) -> tuple[Source, Source]:
    """Take the values for the upper and the lower part, as floats."""
    if source == "f32":
        return s.source("f32"), s.source("f32")
    if source not in _HALVES:
        s.refuse(source)
    both = s.source(source)

    def part(index: int) -> Source:
        return Source(
            "f32", lambda b: narrow.widened(b, source[:-2], split_halves(b, both.read(b))[index])
        )

    return part(1), part(0)


def _to_halves(s: Statement, target: str) -> Emit:
    mode, positive, finite = s.choice("rn rz"), s.flag("relu"), s.flag("satfinite")
    d = s.destination(target)
    high, low = _two(s, "f32")
    options = (False, False, positive, finite)
    kind = target[:-2]

    def emit(b: Builder) -> None:
        parts = [between_floats(b, "f32", kind, mode, options, v.read(b)) for v in (low, high)]
        d.write(b, join_halves(b, *[b.alu.bitcast(part, "i16") for part in parts]))

    return emit


def _format(s: Statement, packed: str) -> tuple[Format, int]:
    """Return the format of a packed type, and the bits between its elements.

    Raises:
        OperandError: the text's target has no such type.
    """
    number, step = _FORMATS[packed]
    if number in (Format.E4M3, Format.E5M2):
        s.names.require("FP8")
    return number, step


def _to_narrow(s: Statement, target: str, source: str) -> Emit:
    s.choice("rn")
    s.choice("satfinite")
    positive = s.flag("relu")
    if source == "bf16x2":
        s.refuse(source)
    d = s.destination(target)
    high, low = _two(s, source)
    number, step = _format(s, target)

    def one(b: Builder, value: Value) -> Value:
        nan = b.alu.compare("uno", value, value)
        if positive:
            below = b.alu.compare("olt", value, b.ir.constant("float", 0))
            value = b.alu.fabs(b.alu.select(below, b.ir.constant("float", 0), value))
        value = b.alu.select(nan, b.ir.constant("float", 0x7FC00000), value)
        code = b.rows.call("lm_encode", [value], ["i32"], 0, number, 1)[0]
        if number not in (Format.E4M3, Format.E5M2):
            return code
        return b.alu.select(nan, b.ir.constant("i32", 0x7F), code)

    def emit(b: Builder) -> None:
        upper = b.alu.shl(one(b, high.read(b)), b.ir.constant("i32", step))
        both = b.alu.disjoint(upper, one(b, low.read(b)))
        d.write(b, b.alu.trunc(both, f"i{BITS[target]}"))

    return emit


def _from_narrow(s: Statement, source: str) -> Emit:
    s.choice("rn")
    positive = s.flag("relu")
    d, x = s.destination("f16x2"), s.source(source)
    number, step = _format(s, source)
    # six-bit elements stand in bytes whose upper two bits do not count
    mask = (1 << (6 if number in (Format.E2M3, Format.E3M2) else step)) - 1

    def emit(b: Builder) -> None:
        code = b.alu.zext(x.read(b), "i32")
        parts = []
        for at in (0, step):
            element = b.alu.and_(
                b.alu.lshr(code, b.ir.constant("i32", at)), b.ir.constant("i32", mask)
            )
            value = b.rows.call("lm_decode", [element], ["float"], 0, number)[0]
            if positive:
                below = b.alu.compare("slt", b.alu.bitcast(value, "i32"), b.ir.constant("i32", 0))
                below = b.alu.and_(below, b.alu.compare("ord", value, value))
                value = b.alu.select(below, b.ir.constant("float", 0), value)
            parts.append(narrow.rounded(b, "f16", value))
        d.write(b, join_halves(b, *parts))

    return emit


def _to_exponents(s: Statement, source: str) -> Emit:
    """ue8m0: the exponent of the magnitude, rounded toward zero or up; 0xff is NaN.

    NVIDIA's cuda_fp8.hpp, __nv_cvt_float_to_e8m0, in plain C++: the sign does not count; a value
    up to 2^-127 stays 0 when rounded up; .satfinite makes infinity 0xfe.
    """
    up, finite = s.choice("rz rp") == "rp", s.flag("satfinite")
    d = s.destination("ue8m0x2")
    high, low = _two(s, source)

    def one(b: Builder, value: Value) -> Value:
        bits = b.alu.bitcast(b.alu.fabs(value), "i32")
        infinity = b.ir.constant("i32", 0x7F800000)
        result = b.alu.lshr(bits, b.ir.constant("i32", 23))
        if up:
            fraction = b.alu.and_(bits, b.ir.constant("i32", 0x007FFFFF))
            more = b.alu.compare("ne", fraction, b.ir.constant("i32", 0))
            more = b.alu.and_(more, b.alu.compare("ugt", bits, b.ir.constant("i32", 0x00400000)))
            more = b.alu.and_(more, b.alu.compare("ult", bits, infinity))
            result = b.alu.add(result, b.alu.zext(more, "i32"))
        if finite:
            number = b.alu.compare("ule", bits, infinity)
            clamped = b.alu.extremum("umin", result, b.ir.constant("i32", 0xFE))
            result = b.alu.select(number, clamped, result)
        return result

    def emit(b: Builder) -> None:
        upper = b.alu.shl(one(b, high.read(b)), b.ir.constant("i32", 8))
        d.write(b, b.alu.trunc(b.alu.disjoint(upper, one(b, low.read(b))), "i16"))

    return emit


def _from_exponents(s: Statement, target: str) -> Emit:
    """bf16x2 from ue8m0x2: powers of two; 2^-127 is a subnormal, 0xff the canonical NaN."""
    s.choice("rn")
    if target != "bf16x2":
        s.refuse(target)
    d, x = s.destination("bf16x2"), s.source("ue8m0x2")

    def one(b: Builder, code: Value) -> Value:
        power = b.alu.shl(code, b.ir.constant("i32", 7))
        zero = b.alu.compare("eq", code, b.ir.constant("i32", 0))
        power = b.alu.select(zero, b.ir.constant("i32", 0x0040), power)
        nan = b.alu.compare("eq", code, b.ir.constant("i32", 0xFF))
        return b.alu.trunc(b.alu.select(nan, b.ir.constant("i32", 0x7FFF), power), "i16")

    def emit(b: Builder) -> None:
        code = b.alu.zext(x.read(b), "i32")
        byte = b.ir.constant("i32", 0xFF)
        low = one(b, b.alu.and_(code, byte))
        high = one(b, b.alu.lshr(code, b.ir.constant("i32", 8)))
        d.write(b, join_halves(b, low, high))

    return emit
