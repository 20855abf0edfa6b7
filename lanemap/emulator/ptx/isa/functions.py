"""Reciprocals, roots and elementary functions (NVIDIA PTX ISA, Floating-Point Instructions).

The `.approx` forms are bounded, not defined, by the ISA. They are computed in f64 and rounded once,
which lies within every bound; the bits of a GPU may differ in the last places.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.floats import FloatArithmetic
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import floats, narrow
from lanemap.emulator.ptx.isa.common import canonical
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.runtime.abi import Function

_WHICH = {
    "ex2": Function.EXP2, "lg2": Function.LOG2, "rcp": Function.RCP, "rsqrt": Function.RSQ,
    "sqrt": Function.SQRT, "sin": Function.SIN, "cos": Function.COS, "tanh": Function.TANH,
}  # fmt: skip


def approximated(b: Builder, name: str, ftz: bool, value: Value) -> Value:
    """Return an elementary function of a float, correctly rounded."""
    if ftz and name != "ex2":  # which gives 1 for every subnormal
        value = b.alu.flushed(value)
    result = b.rows.call("lm_function_f32", [value], ["float"], 0, _WHICH[name])[0]
    if name not in ("ex2", "rcp"):  # of others only a subnormal's result is subnormal
        result = b.alu.one_of(result, value)
    if ftz:
        result = b.alu.flushed(result)
    return canonical(b, result)


@instruction(
    "rcp",
    "rcp.approx{.ftz}.f32 d, a; rcp.rnd{.ftz}.f32; rcp.rnd.f64; rcp.approx.ftz.f64",
    cite="PTX ISA, Floating-Point Instructions: rcp, rcp.approx.ftz.f64",
)
def rcp(s: Statement) -> Emit:
    """1 / a."""
    mode, ftz = s.choice(f"{floats.ROUNDINGS} approx"), s.flag("ftz")
    kind = s.type("f32 f64")
    d, x = s.destination(kind), s.source(kind)
    if mode == "approx":
        if kind == "f64":
            return _upper_half(s, d.write, x.read, "rcp")
        return lambda b: d.write(b, approximated(b, "rcp", ftz, x.read(b)))
    one = 0x3F800000 if kind == "f32" else 0x3FF0000000000000

    def emit(b: Builder) -> None:
        value = x.read(b)
        operands = [b.ir.constant(value.type, one), value]
        d.write(b, floats.compute(b, "div", mode, ftz, False, operands))

    return emit


_ROOTS = {"rcp": FloatArithmetic.reciprocal, "rsqrt": FloatArithmetic.reciprocal_root}


def _upper_half(s: Statement, write, read, name: str) -> Emit:  # type: ignore[no-untyped-def]
    """Rcp and rsqrt .approx.ftz.f64: from the upper 32 bits, with the lower 32 bits zero."""

    def emit(b: Builder) -> None:
        upper = b.ir.constant("i64", 0xFFFFFFFF00000000)
        value = b.alu.bitcast(b.alu.and_(b.alu.bitcast(read(b), "i64"), upper), "double")
        exact = _ROOTS[name](b.alu, b.alu.flushed(value))
        kept = b.alu.and_(b.alu.bitcast(b.alu.flushed(exact), "i64"), upper)
        nan = b.alu.compare("uno", exact, exact)
        kept = b.alu.select(nan, b.ir.constant("i64", 0x7FFFFFFF00000000), kept)
        write(b, b.alu.bitcast(kept, "double"))

    return emit


@instruction(
    "sqrt",
    "sqrt.approx{.ftz}.f32 d, a; sqrt.rnd{.ftz}.f32; sqrt.rnd.f64",
    cite="PTX ISA, Floating-Point Instructions: sqrt",
)
def sqrt(s: Statement) -> Emit:
    """The square root."""
    mode, ftz = s.choice(f"{floats.ROUNDINGS} approx"), s.flag("ftz")
    kind = s.type("f32 f64")
    d, x = s.destination(kind), s.source(kind)
    rounding = "rn" if mode == "approx" else mode
    return lambda b: d.write(b, floats.compute(b, "sqrt", rounding, ftz, False, [x.read(b)]))


@instruction(
    "rsqrt",
    "rsqrt.approx{.ftz}.f32 d, a; rsqrt.approx{.ftz}.f64",
    cite="PTX ISA, Floating-Point Instructions: rsqrt, rsqrt.approx.ftz.f64",
)
def rsqrt(s: Statement) -> Emit:
    """1 / sqrt(a)."""
    s.choice("approx")
    ftz, kind = s.flag("ftz"), s.type("f32 f64")
    d, x = s.destination(kind), s.source(kind)
    if kind == "f32":
        return lambda b: d.write(b, approximated(b, "rsqrt", ftz, x.read(b)))
    if ftz:
        return _upper_half(s, d.write, x.read, "rsqrt")
    return lambda b: d.write(b, b.alu.reciprocal_root(x.read(b)))


@instruction(
    "sin cos lg2",
    "sin.approx{.ftz}.f32 d, a",
    cite="PTX ISA, Floating-Point Instructions: sin, cos, lg2",
)
def elementary(s: Statement) -> Emit:
    """Sine and cosine of radians, logarithm to base 2."""
    s.choice("approx")
    ftz = s.flag("ftz")
    s.type("f32")
    d, x = s.destination("f32"), s.source("f32")
    name = s.instruction.opcode
    return lambda b: d.write(b, approximated(b, name, ftz, x.read(b)))


@instruction(
    "ex2 tanh",
    "ex2.approx{.ftz}.f32 d, a; ex2.approx.f16, .f16x2; ex2.approx.ftz.bf16, .bf16x2; "
    "tanh.approx.f32, .f16, .f16x2, .bf16, .bf16x2",
    cite="PTX ISA, Floating-Point Instructions: ex2, tanh; Half Precision: ex2, tanh",
)
def exponential(s: Statement) -> Emit:
    """2 to the a, and the hyperbolic tangent."""
    s.choice("approx")
    ftz, kind = s.flag("ftz"), s.type(f"f32 {narrow.KINDS}")
    d, x = s.destination(kind), s.source(kind)
    name = s.instruction.opcode
    if kind == "f32":
        return lambda b: d.write(b, approximated(b, name, ftz, x.read(b)))

    def one(b: Builder, code: Value) -> Value:
        return narrow.rounded(b, kind, approximated(b, name, ftz, narrow.widened(b, kind, code)))

    return lambda b: d.write(b, narrow.lifted(b, kind, lambda code: one(b, code), x.read(b)))
