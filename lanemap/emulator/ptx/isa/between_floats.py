"""Conversions from float formats to one another (PTX ISA, Data Movement and Conversion: cvt)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import floats, narrow
from lanemap.emulator.ptx.isa.common import canonical, relu, saturated
from lanemap.emulator.ptx.lower.abi import Flag
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
    kind = llvm_type(target)
    if source == target:
        if source == "bf16":
            return narrow.rounded(b, "bf16", narrow.widened(b, "bf16", value))
        return value if source == "f64" else canonical(b, value)
    if BITS[source] < BITS[target]:
        wide = narrow.widened(b, source, b.alu.bitcast(value, "i16")) if source != "f32" else value
        if source == "f16" and target == "f32":
            wide = canonical(b, wide)
        return wide if target == "f32" else b.alu.convert("fpext", wide, "double")
    if mode == "rn" and not finite and (source, target) == ("f64", "f32"):
        return b.alu.convert("fptrunc", value, "float")
    if mode == "rn" and not finite and source == "f32":
        return b.alu.bitcast(narrow.rounded(b, target, value), kind)
    flags = Flag.FINITE * finite
    numbers = (floats.FORMATS[source], floats.FORMATS[target], floats.MODES[mode], flags)
    return b.rows.call("lm_ptx_convert", [value], [kind], 0, *numbers)[0]


def limit(b: Builder, target: str, sat: bool, value: Value) -> Value:
    """Clamp to 0 .. 1 if `sat`."""
    if not sat:
        return value
    if target != "bf16":
        return saturated(b, value)
    wide = saturated(b, narrow.widened(b, "bf16", value))
    return narrow.rounded(b, "bf16", wide)
