"""f16 and bf16 arithmetic, and f32 with narrower operands.

NVIDIA PTX ISA, Half Precision and Mixed Precision Floating-Point Instructions.

Sums, products and extrema of f16 or bf16 are computed in f32 and rounded once more, which is
correct since 24 bits are at least twice the bits of the significand plus two. Fused operations are
rounded to odd before. bf16 values are i16 here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import floats
from lanemap.emulator.ptx.isa.common import (
    CANONICAL_NAN,
    canonical,
    on_halves,
    relu,
    rounded_bf16,
    saturated,
    widened_bf16,
)
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction

KINDS = "f16 f16x2 bf16 bf16x2"
Operation = Callable[..., Value]
_INFINITY = {"f16": 0x7C00, "bf16": 0x7F80}


def element(kind: str) -> str:
    """f16 or bf16 of a packed type too."""
    return kind.removesuffix("x2")


def lifted(b: Builder, kind: str, operation: Operation, *operands: Value) -> Value:
    """Apply an operation on i16 codes to one value or both halves."""
    if kind.endswith("x2"):
        return on_halves(b, operation, *operands)
    codes = [b.alu.bitcast(value, "i16") for value in operands]
    return b.alu.bitcast(operation(*codes), "half" if kind == "f16" else "i16")


def widened(b: Builder, kind: str, code: Value) -> Value:
    """Return the float of the same value as an f16 or bf16 code."""
    if element(kind) == "bf16":
        return widened_bf16(b, code)
    return b.alu.convert("fpext", b.alu.bitcast(code, "half"), "float")


def rounded(b: Builder, kind: str, value: Value) -> Value:
    """Round a float to an f16 or bf16 code, to nearest even."""
    if element(kind) == "bf16":
        return rounded_bf16(b, value)
    return b.alu.bitcast(canonical(b, b.alu.convert("fptrunc", value, "half")), "i16")


def _flushed(b: Builder, code: Value) -> Value:
    return b.alu.bitcast(b.alu.flushed(b.alu.bitcast(code, "half")), "i16")


def _without_tiny(b: Builder, value: Value) -> Value:
    """Return signed zeros for what would be no normal number of f16 were exponents unbounded.

    So does an H200; the border is the smallest normal number less half a place below it.
    """
    tiny = b.alu.compare("olt", b.alu.fabs(value), b.ir.constant("float", 0x387FF000))
    sign = b.alu.and_(b.alu.bitcast(value, "i32"), b.ir.constant("i32", 0x80000000))
    return b.alu.select(tiny, b.alu.bitcast(sign, "float"), value)


def _limited(b: Builder, code: Value, sat: bool, positive: bool, bf16: bool) -> Value:
    """.sat and .relu on a code."""
    if sat:
        return b.alu.bitcast(saturated(b, b.alu.bitcast(code, "half")), "i16")
    if not positive:
        return code
    if not bf16:
        return b.alu.bitcast(relu(b, b.alu.bitcast(code, "half")), "i16")
    wide = widened_bf16(b, code)
    nan = b.alu.compare("uno", wide, wide)
    negative = b.alu.compare("slt", code, b.ir.constant("i16", 0))
    clamped = b.alu.select(negative, b.ir.constant("i16", 0), code)
    return b.alu.select(nan, b.ir.constant("i16", CANONICAL_NAN["bfloat"]), clamped)


def arithmetic(s: Statement) -> Emit:
    """add, sub and mul of f16, f16x2, bf16, bf16x2; add and sub of an f32 and a narrower one."""
    if s.has_type("f16", "bf16") and s.peek("f32"):
        return mixed(s)
    operation = s.instruction.opcode
    s.choice("rn", "rn")
    ftz, sat = s.flag("ftz"), s.flag("sat")
    kind = s.type(KINDS)
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)

    def one(b: Builder, p: Value, q: Value) -> Value:
        if ftz:
            p, q = _flushed(b, p), _flushed(b, q)
        wide = b.alu.float_op(f"f{operation}", widened(b, kind, p), widened(b, kind, q))
        code = rounded(b, kind, _without_tiny(b, wide) if ftz else wide)
        return _limited(b, code, sat, False, False)

    return lambda b: d.write(b, lifted(b, kind, lambda p, q: one(b, p, q), x.read(b), y.read(b)))


def mixed(s: Statement) -> Emit:
    """Add and sub: d = a + c in f32 where a is f16 or bf16."""
    operation = s.instruction.opcode
    mode, sat, narrow = s.choice(floats.ROUNDINGS, "rn"), s.flag("sat"), s.type("f16 bf16")
    s.type("f32")
    d, x, y = s.destination("f32"), s.source(narrow), s.source("f32")

    def emit(b: Builder) -> None:
        wide = widened(b, narrow, b.alu.bitcast(x.read(b), "i16"))
        d.write(b, floats.compute(b, operation, mode, False, sat, [wide, y.read(b)]))

    return emit


@instruction(
    "fma",
    "fma.rnd{.ftz}{.sat}.f32 d, a, b, c; fma.rnd.f64; fma.rnd{.ftz}.f32x2; half forms",
    cite="PTX ISA, Floating-Point Instructions: fma, mad",
)
def fma(s: Statement) -> Emit:
    """D = a * b + c with one rounding."""
    if s.has_type(*KINDS.split()) or s.peek("f16") or s.peek("bf16"):
        return _mixed_fma(s) if s.peek("f32") else _narrow_fma(s)
    return floats.fma(s)


def _narrow_fma(s: Statement) -> Emit:
    s.choice("rn", "rn")
    ftz, sat, positive, oob = s.flag("ftz"), s.flag("sat"), s.flag("relu"), s.flag("oob")
    kind = s.type(KINDS)
    d = s.destination(kind)
    sources = [s.source(kind) for _ in range(3)]
    name = element(kind)

    def one(b: Builder, p: Value, q: Value, r: Value, *made: Value) -> Value:
        def fused(*codes: Value) -> Value:
            return made[0] if made else rounded(b, kind, _fused_flushed(b, *codes))

        code = _limited(b, b.alu.mixed(fused, p, q, r), sat, positive, name == "bf16")
        if oob:
            bad = b.alu.or_(_out_of_bounds(b, p), _out_of_bounds(b, q))
            code = b.alu.select(bad, b.ir.constant("i16", 0), code)
        return code

    def emit(b: Builder) -> None:
        values = [x.read(b) for x in sources]
        made = [] if ftz and name == "f16" else [_fused(b, name, values)]
        d.write(b, lifted(b, kind, lambda *codes: one(b, *codes), *values, *made))

    return emit


def _fused_flushed(b: Builder, *codes: Value) -> Value:
    """A * b + c of f16 codes as a float rounded to odd: a product of 22 bits is exact there."""
    p, q, r = (widened(b, "f16", _flushed(b, code)) for code in codes)
    return _without_tiny(b, b.alu.odd_sum(b.alu.float_op("fmul", p, q), r))


def _fused(b: Builder, name: str, operands: Sequence[Value]) -> Value:
    """A * b + c of codes or of pairs of them, rounded; whoever uses it says what is undefined.

    See lanemap/emulator/ptx/c/fused_halves.c.
    """
    kind = integer_of(operands[0].type)
    words = [b.alu.zext(b.alu.bitcast(value.defined, kind), "i32") for value in operands]
    return b.alu.trunc(b.rows.call(f"lm_ptx_fused_{name}", words, ["i32"])[0], kind)


def _out_of_bounds(b: Builder, code: Value) -> Value:
    """The NaN that tensor copies fill in where they find no data (PTX ISA, Tensors: OOB-NaN).

    The ISA does not give its bits; 0x7ff7 with either sign is what an H200 takes for it.
    """
    magnitude = b.alu.and_(code, b.ir.constant("i16", 0x7FFF))
    return b.alu.compare("eq", magnitude, b.ir.constant("i16", 0x7FF7))


def _mixed_fma(s: Statement) -> Emit:
    """Two narrow factors and an f32."""
    mode, sat, narrow = s.choice(floats.ROUNDINGS), s.flag("sat"), s.type("f16 bf16")
    s.type("f32")
    d, x, y, z = s.destination("f32"), s.source(narrow), s.source(narrow), s.source("f32")

    def emit(b: Builder) -> None:
        wide = [widened(b, narrow, b.alu.bitcast(v.read(b), "i16")) for v in (x, y)]
        d.write(b, floats.compute(b, "fma", mode, False, sat, [*wide, z.read(b)]))

    return emit


def sign(s: Statement) -> Emit:
    """Abs and neg: the sign bit alone."""
    ftz, kind = s.flag("ftz"), s.type(KINDS)
    d, x = s.destination(kind), s.source(kind)
    negate = s.instruction.opcode == "neg"

    def one(b: Builder, code: Value) -> Value:
        top = b.ir.constant("i16", 0x8000)
        nan = b.alu.compare(
            "ugt", b.alu.and_(code, b.alu.not_(top)), b.ir.constant("i16", _INFINITY[element(kind)])
        )
        code = b.alu.xor(code, top) if negate else b.alu.and_(code, b.alu.not_(top))
        code = _flushed(b, code) if ftz else code
        return b.alu.select(nan, b.ir.constant("i16", 0x7FFF), code)

    return lambda b: d.write(b, lifted(b, kind, lambda code: one(b, code), x.read(b)))


def _extreme(b: Builder, name: str, nan: bool, infinity: int, p: Value, q: Value) -> Value:
    """Min or max of codes, which are ordered as integers but for the sign; see floats.extreme."""
    size = canon = b.ir.constant("i16", 0x7FFF)  # the canonical NaN, and all but the sign

    def ordered(code: Value) -> Value:
        negative = b.alu.ashr(code, b.ir.constant("i16", 15))
        return b.alu.xor(code, b.alu.and_(negative, size))

    less = b.alu.compare("slt", ordered(p), ordered(q))
    chosen = b.alu.select(less, p, q) if name == "min" else b.alu.select(less, q, p)
    nan_p, nan_q = (
        b.alu.compare("ugt", b.alu.and_(code, size), b.ir.constant("i16", infinity))
        for code in (p, q)
    )
    if nan:
        return b.alu.select(b.alu.or_(nan_p, nan_q), canon, chosen)
    chosen = b.alu.select(nan_p, q, b.alu.select(nan_q, p, chosen))
    return b.alu.select(b.alu.and_(nan_p, nan_q), canon, chosen)


def minimum(s: Statement) -> Emit:
    """Min and max; .xorsign.abs gives the extreme magnitude the product's sign."""
    name = s.instruction.opcode
    ftz, nan, common = s.flag("ftz"), s.flag("NaN"), s.flag("xorsign")
    s.flag("abs")
    kind = s.type(KINDS)
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)
    infinity = _INFINITY[element(kind)]

    def signed(b: Builder, p: Value, q: Value) -> Value:
        magnitude, top = b.ir.constant("i16", 0x7FFF), b.ir.constant("i16", 0x8000)
        size = _extreme(b, name, nan, infinity, b.alu.and_(p, magnitude), b.alu.and_(q, magnitude))
        number = b.alu.compare("ule", size, b.ir.constant("i16", infinity))
        return b.alu.select(number, b.alu.xor(size, b.alu.and_(b.alu.xor(p, q), top)), size)

    def one(b: Builder, p: Value, q: Value) -> Value:
        if ftz:
            p, q = _flushed(b, p), _flushed(b, q)
        if common:
            return signed(b, p, q)
        return _extreme(b, name, nan, infinity, p, q)

    return lambda b: d.write(b, lifted(b, kind, lambda p, q: one(b, p, q), x.read(b), y.read(b)))
