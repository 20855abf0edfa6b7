"""What several families of instructions share: halves of a word, NaN, clamping."""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.runtime import uniform

#: Canonical NaN of results (PTX ISA, Floating-Point Instructions: f32; Half Precision: f16, bf16).
#: f64 keeps the payload of an operand.
CANONICAL_NAN = {"half": 0x7FFF, "bfloat": 0x7FFF, "float": 0x7FFFFFFF}

_ONE = {"half": 0x3C00, "float": 0x3F800000, "double": 0x3FF0000000000000}


def canonical(b: Builder, value: Value) -> Value:
    """Replace every NaN by the canonical one."""
    if value.type not in CANONICAL_NAN:
        return value
    return b.alu.with_one_nan(value, b.ir.constant(value.type, CANONICAL_NAN[value.type]))


def saturated(b: Builder, value: Value) -> Value:
    """Clamp to [0, 1]; NaN becomes +0 (PTX ISA, .sat)."""
    zero, one = b.ir.constant(value.type, 0), b.ir.constant(value.type, _ONE[value.type])
    value = b.alu.select(b.alu.compare("ogt", value, zero), value, zero)
    return b.alu.select(b.alu.compare("ogt", value, one), one, value)


def relu(b: Builder, value: Value) -> Value:
    """Replace negative numbers and -0 by +0, NaN by the canonical one."""
    bits = b.alu.bitcast(value, integer_of(value.type))
    negative = b.alu.compare("slt", bits, b.ir.constant(bits.type, 0))
    clamped = b.alu.select(negative, b.ir.constant(value.type, 0), value)
    return b.alu.select(b.alu.compare("uno", value, value), canonical(b, value), clamped)


def split_halves(b: Builder, value: Value) -> tuple[Value, Value]:
    """Return the low and high i16 of an i32."""
    return b.alu.trunc(value, "i16"), b.alu.trunc(
        b.alu.lshr(value, b.ir.constant("i32", 16)), "i16"
    )


def join_halves(b: Builder, low: Value, high: Value) -> Value:
    """Return two i16 as an i32."""
    return b.alu.disjoint(
        b.alu.zext(low, "i32"), b.alu.shl(b.alu.zext(high, "i32"), b.ir.constant("i32", 16))
    )


def on_halves(b: Builder, operation: Callable[..., Value], *operands: Value) -> Value:
    """Apply an operation on i16 to both halves of i32 operands."""
    parts = [split_halves(b, value) for value in operands]
    return join_halves(
        b, operation(*[part[0] for part in parts]), operation(*[part[1] for part in parts])
    )


def on_words(b: Builder, operation: Callable[..., Value], *operands: Value) -> Value:
    """Apply an operation on i32 to both words of i64 operands."""
    parts = [b.alu.split(value) for value in operands]
    return b.alu.join(
        operation(*[part[0] for part in parts]), operation(*[part[1] for part in parts])
    )


def widened_bf16(b: Builder, bits: Value) -> Value:
    """Return a bf16, given as i16, as the float of the same value."""
    return b.alu.bitcast(b.alu.shl(b.alu.zext(bits, "i32"), b.ir.constant("i32", 16)), "float")


def rounded_bf16(b: Builder, value: Value) -> Value:
    """Round a float to bf16 (as i16), to nearest even; NaN becomes the canonical one."""
    bits = b.alu.bitcast(value, "i32")
    odd = b.alu.and_(b.alu.lshr(bits, b.ir.constant("i32", 16)), b.ir.constant("i32", 1))
    rounded = b.alu.add(bits, b.alu.add(odd, b.ir.constant("i32", 0x7FFF)))
    high = b.alu.trunc(b.alu.lshr(rounded, b.ir.constant("i32", 16)), "i16")
    nan = b.alu.compare("uno", value, value)
    return b.alu.select(nan, b.ir.constant("i16", CANONICAL_NAN["bfloat"]), high)


def same_in_warp(b: Builder, value: Value, decides: str, rule: int) -> Value:
    """Return an operand as a uniform value; it is a hazard if active lanes differ."""
    value = b.checks.require_defined(value, decides)
    if not value.lanes:
        return value
    first = uniform(b, value)
    differ = b.alu.and_(
        b.lanes.ballot(b.alu.compare("ne", value, b.ir.spread(first))), b.masks.active_or_all()
    )
    b.checks.rule(b.alu.compare("ne", differ, b.ir.constant("i32", 0)), rule, first)
    return first
