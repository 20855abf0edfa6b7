"""Conversions from float formats to one another (PTX ISA, Data Movement and Conversion: cvt)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import floats, narrow
from lanemap.emulator.ptx.isa.common import CANONICAL_NAN, canonical, relu, saturated
from lanemap.emulator.ptx.text.kinds import BITS, llvm_type

#: LLVM's intrinsics for the roundings to an integer.
TO_INTEGER = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
#: .ftz, .sat, .relu, .satfinite
Options = tuple[bool, bool, bool, bool]


def between_floats(
    b: Builder, source: str, target: str, mode: str, options: Options, value: Value
) -> Value:
    """Round to another format, or to an integer in the same one."""
    ftz, sat, positive, finite = options
    if ftz and source == "f32" and target != "f16":
        value = b.alu.flushed(value)
    raw = (source, target) == ("f32", "f32") and not (mode or ftz or sat)
    if raw or (source, target) == ("f32", "f64"):
        return value if raw else _to_double(b, ftz, sat, value)
    if mode in TO_INTEGER:
        value = _whole(b, source, mode, value)
        mode = "rn"
    result = _resized(b, source, target, mode or "rn", finite, value)
    if ftz and target == "f32":
        result = canonical(b, b.alu.flushed(result)) if source != "f64" else b.alu.flushed(result)
    result = limit(b, target, sat, result)
    if not positive:
        return result
    if target == "bf16":
        return b.alu.select(_negative_bf16(b, result), b.ir.constant("i16", 0), result)
    return relu(b, result)


def _to_double(b: Builder, ftz: bool, sat: bool, value: Value) -> Value:
    """f32 to f64; a NaN keeps its payload unless .ftz is there (as on an H200)."""
    wide = b.alu.convert("fpext", canonical(b, value) if ftz else value, "double")
    return saturated(b, wide) if sat else wide


def _negative_bf16(b: Builder, code: Value) -> Value:
    return b.alu.compare("slt", code, b.ir.constant("i16", 0))


def _whole(b: Builder, kind: str, mode: str, value: Value) -> Value:
    """Round to an integer without leaving the format; halves go through f32, which holds both."""
    if kind in ("f32", "f64"):
        return canonical(b, b.alu.intrinsic(TO_INTEGER[mode], value))
    wide = narrow.widened(b, kind, b.alu.bitcast(value, "i16"))
    code = narrow.rounded(b, kind, b.alu.intrinsic(TO_INTEGER[mode], wide))
    return b.alu.bitcast(code, value.type)


def _resized(b: Builder, source: str, target: str, mode: str, finite: bool, value: Value) -> Value:
    if source == target:
        if source == "bf16":
            return narrow.rounded(b, "bf16", narrow.widened(b, "bf16", value))
        return value if source == "f64" else canonical(b, value)
    if BITS[source] < BITS[target]:
        wide = narrow.widened(b, source, b.alu.bitcast(value, "i16")) if source != "f32" else value
        if source == "f16" and target == "f32":
            wide = canonical(b, wide)
        return wide if target == "f32" else b.alu.convert("fpext", wide, "double")
    if source in ("f16", "bf16"):
        value = narrow.widened(b, source, b.alu.bitcast(value, "i16"))
    result = b.alu.mixed(lambda wide: rounded(b, target, mode, finite, wide), value)
    return _with_payload(b, value, result) if source == "f64" else result


def rounded(b: Builder, target: str, mode: str, finite: bool, value: Value) -> Value:
    """Round a double to f32, or a double or float to f16 or bf16; with `finite` to no infinity."""
    if value.type == "double":
        if target == "f32":
            return _finite(b, finite, _to_float(b, mode, value))
        value = b.alu.odd_float(value)
    if mode == "rn":
        code = b.alu.bitcast(narrow.rounded(b, target, value), llvm_type(target))
    elif target == "f16":
        code = canonical(b, b.alu.narrowed(value, "half", floats.TOWARD[mode]))
    else:
        code = _bf16_directed(b, mode, value)
    return _finite(b, finite, code)


def _to_float(b: Builder, mode: str, value: Value) -> Value:
    if mode == "rn":
        return b.alu.convert("fptrunc", value, "float")
    return b.alu.narrowed(value, "float", floats.TOWARD[mode])


def _bf16_directed(b: Builder, mode: str, value: Value) -> Value:
    """The upper half of a float, one more where the lower half and the sign ask for it."""
    bits = b.alu.bitcast(value, "i32")
    if mode != "rz":
        negative = b.alu.compare("slt", bits, b.ir.constant("i32", 0))
        away = negative if mode == "rm" else b.alu.not_(negative)
        more = b.alu.select(away, b.ir.constant("i32", 0xFFFF), b.ir.constant("i32", 0))
        bits = b.alu.add(bits, more)
    high = b.alu.trunc(b.alu.lshr(bits, b.ir.constant("i32", 16)), "i16")
    nan = b.alu.compare("uno", value, value)
    return b.alu.select(nan, b.ir.constant("i16", CANONICAL_NAN["bfloat"]), high)


#: Infinity of a type, bf16 as a code.
_INFINITY = {"half": 0x7C00, "i16": 0x7F80, "float": 0x7F800000}


def _finite(b: Builder, finite: bool, value: Value) -> Value:
    """Replace infinities by the largest number if `finite`."""
    if not finite:
        return value
    bits = b.alu.bitcast(value, integer_of(value.type))
    size = b.alu.and_(bits, b.ir.constant(bits.type, (1 << (value.bits - 1)) - 1))
    infinite = b.alu.compare("eq", size, b.ir.constant(bits.type, _INFINITY[value.type]))
    largest = b.alu.sub(bits, b.ir.constant(bits.type, 1))
    return b.alu.bitcast(b.alu.select(infinite, largest, bits), value.type)


def _with_payload(b: Builder, value: Value, result: Value) -> Value:
    """Return the result, or for a NaN of f64 its sign and the upper bits of its payload, quiet."""
    if result.type == "float":  # which the processor's conversion keeps
        return result
    bits = b.alu.bitcast(value, "i64")
    infinity = _INFINITY[result.type]
    dropped = 52 - ((~infinity & 0x7FFF).bit_count())
    top = b.alu.lshr(bits, b.ir.constant("i64", dropped))
    kept = b.alu.or_(
        b.alu.and_(b.alu.trunc(top, "i16"), b.ir.constant("i16", ~infinity & 0x7FFF)),
        b.alu.trunc(
            b.alu.and_(b.alu.lshr(bits, b.ir.constant("i64", 48)), b.ir.constant("i64", 0x8000)),
            "i16",
        ),
    )
    quiet = infinity | (~infinity & 0x7FFF) + 1 >> 1
    kept = b.alu.bitcast(b.alu.or_(kept, b.ir.constant("i16", quiet)), result.type)
    return b.alu.select(b.alu.compare("uno", value, value), kept, result)


def limit(b: Builder, target: str, sat: bool, value: Value) -> Value:
    """Clamp to 0 .. 1 if `sat`."""
    if not sat:
        return value
    if target != "bf16":
        return saturated(b, value)
    wide = saturated(b, narrow.widened(b, "bf16", value))
    return narrow.rounded(b, "bf16", wide)
