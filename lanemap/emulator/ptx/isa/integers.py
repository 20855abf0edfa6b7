"""Integer arithmetic (NVIDIA PTX ISA, Integer Arithmetic Instructions and Extended-Precision)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import floats, narrow
from lanemap.emulator.ptx.isa.common import on_halves
from lanemap.emulator.ptx.lower.access import Destination, Source
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import is_signed

WORDS = "u16 u32 u64 s16 s32 s64"
PACKED = ("u16x2", "s16x2")
_FLOATS = ("f32", "f64", "f32x2")
_HALVES = ("f16", "f16x2", "bf16", "bf16x2")


def three(s: Statement, kind: str) -> tuple[Destination, Source, Source]:
    """Take d, a, b of one type."""
    return s.destination(kind), s.source(kind), s.source(kind)


def dispatch(s: Statement) -> Callable[[Statement], Emit] | None:
    """Return who knows the float forms of an opcode, None for integers."""
    if s.has_type(*_HALVES) or (s.has_type("f32") and (s.peek("f16") or s.peek("bf16"))):
        return narrow.arithmetic
    return floats.arithmetic if s.has_type(*_FLOATS) else None


@instruction(
    "add sub",
    "add.type d, a, b; add.sat.s32; add.cc.type; .type = u16..s64; add.u16x2, .s16x2; float forms",
    cite="PTX ISA, Integer Arithmetic Instructions: add, sub; Extended-Precision: add.cc, sub.cc",
)
def add(s: Statement) -> Emit:
    """D = a + b or a - b; .sat clamps s32; .cc leaves the carry."""
    other = dispatch(s)
    if other is not None:
        return other(s)
    name = s.instruction.opcode
    operation = Arithmetic.add if name == "add" else Arithmetic.sub
    saturate, carry = s.flag("sat"), s.flag("cc")
    kind = s.type(f"{WORDS} {' '.join(PACKED)} b32 b64" if not carry else "u32 s32 u64 s64")
    d, x, y = three(s, kind)
    if carry:
        return _with_carry(s, d, x, y, None, name == "sub")
    if kind in PACKED:
        if name == "sub":
            s.refuse(kind)
        return lambda b: d.write(b, on_halves(b, partial(operation, b.alu), x.read(b), y.read(b)))
    if saturate:
        if kind != "s32":
            return s.refuse("sat")
        return lambda b: d.write(b, b.alu.intrinsic(f"s{name}.sat", x.read(b), y.read(b)))
    return lambda b: d.write(b, operation(b.alu, x.read(b), y.read(b)))


def _with_carry(
    s: Statement, d: Destination, x: Source, y: Source, carry_in: Source | None, subtract: bool
) -> Emit:
    """Add or subtract with the carry in CC.CF, which a subtraction sets where it borrows nothing.

    The ISA calls it the borrow; that sub.cc leaves its complement shows where addc follows sub.cc,
    and is what an H200 does.
    """
    flag = s.carry()

    def emit(b: Builder) -> None:
        p, q = x.read(b), y.read(b)
        if subtract:
            q = b.alu.not_(q)
        into = b.ir.constant("i1", subtract) if carry_in is None else carry_in.read(b)
        first = b.alu.add(p, q)
        total = b.alu.add(first, b.alu.zext(into, p.type))
        out = b.alu.or_(b.alu.compare("ult", first, p), b.alu.compare("ult", total, first))
        d.write(b, total)
        flag.write(b, out)

    return emit


@instruction(
    "addc subc",
    "addc{.cc}.type d, a, b; .type = u32, s32, u64, s64",
    cite="PTX ISA, Extended-Precision Integer Arithmetic: addc, subc",
)
def addc(s: Statement) -> Emit:
    """D = a + b + CC.CF, or a - b - CC.CF."""
    leaves = s.flag("cc")
    kind = s.type("u32 s32 u64 s64")
    d, x, y = three(s, kind)
    carry = s.carry_source()
    subtract = s.instruction.opcode == "subc"
    if leaves:
        return _with_carry(s, d, x, y, carry, subtract)

    def emit(b: Builder) -> None:
        other = b.alu.not_(y.read(b)) if subtract else y.read(b)
        d.write(b, b.alu.add(b.alu.add(x.read(b), other), b.alu.zext(carry.read(b), other.type)))

    return emit


def product(b: Builder, mode: str, kind: str, x: Value, y: Value) -> Value:
    """Return the low half, the high half or all of a product."""
    if mode == "lo":
        return b.alu.mul(x, y)
    if mode == "hi":
        return b.alu.mul_high(x, y, is_signed(kind))
    wide = f"i{2 * x.bits}"
    extend = b.alu.sext if is_signed(kind) else b.alu.zext
    return b.alu.mul(extend(x, wide), extend(y, wide))


def _result_type(kind: str, mode: str) -> str:
    return f"{kind[0]}{2 * int(kind[1:])}" if mode == "wide" else kind


@instruction(
    "mul",
    "mul.mode.type d, a, b; .mode = hi, lo, wide; .type = u16..s64; float forms",
    cite="PTX ISA, Integer Arithmetic Instructions: mul",
)
def mul(s: Statement) -> Emit:
    """D = a * b, or half of it."""
    other = dispatch(s)
    if other is not None:
        return other(s)
    mode, kind = s.choice("hi lo wide"), s.type(WORDS)
    d, x, y = s.destination(_result_type(kind, mode)), s.source(kind), s.source(kind)
    return lambda b: d.write(b, product(b, mode, kind, x.read(b), y.read(b)))


@instruction(
    "mad",
    "mad.mode{.sat}{.cc}.type d, a, b, c; float forms are fma",
    cite="PTX ISA, Integer Arithmetic Instructions: mad; Extended-Precision: mad.cc",
)
def mad(s: Statement) -> Emit:
    """D = a * b + c."""
    if s.has_type(*_FLOATS):
        return floats.fma(s)
    mode, saturate, carry = s.choice("hi lo wide"), s.flag("sat"), s.flag("cc")
    kind = s.type(WORDS)
    result = _result_type(kind, mode)
    d, x, y, z = s.destination(result), s.source(kind), s.source(kind), s.source(result)
    whole = Source(result, lambda b: product(b, mode, kind, x.read(b), y.read(b)))
    if carry:
        return _with_carry(s, d, whole, z, None, False)
    if saturate:
        if (mode, kind) != ("hi", "s32"):
            return s.refuse("sat")
        return lambda b: d.write(b, b.alu.intrinsic("sadd.sat", whole.read(b), z.read(b)))
    return lambda b: d.write(b, b.alu.add(whole.read(b), z.read(b)))


@instruction(
    "madc",
    "madc.mode{.cc}.type d, a, b, c; .mode = hi, lo",
    cite="PTX ISA, Extended-Precision Integer Arithmetic: madc",
)
def madc(s: Statement) -> Emit:
    """D = a * b + c + CC.CF."""
    mode, leaves, kind = s.choice("hi lo"), s.flag("cc"), s.type("u32 s32 u64 s64")
    d, x, y, z = s.destination(kind), s.source(kind), s.source(kind), s.source(kind)
    carry = s.carry_source()
    half = Source(kind, lambda b: product(b, mode, kind, x.read(b), y.read(b)))
    if leaves:
        return _with_carry(s, d, half, z, carry, False)

    def emit(b: Builder) -> None:
        total = b.alu.add(half.read(b), z.read(b))
        d.write(b, b.alu.add(total, b.alu.zext(carry.read(b), total.type)))

    return emit


def _product24(b: Builder, mode: str, signed: bool, x: Value, y: Value) -> Value:
    """Bits 0 to 31 (lo) or 16 to 47 (hi) of a product of 24-bit numbers."""
    eight, wide = b.ir.constant("i32", 8), "i64"
    shift = b.alu.ashr if signed else b.alu.lshr
    extend = b.alu.sext if signed else b.alu.zext
    p, q = (extend(shift(b.alu.shl(v, eight), eight), wide) for v in (x, y))
    whole = b.alu.mul(p, q)
    return b.alu.trunc(b.alu.lshr(whole, b.ir.constant(wide, 16 if mode == "hi" else 0)), "i32")


@instruction(
    "mul24 mad24",
    "mul24.mode.type d, a, b; mad24.mode{.sat}.type d, a, b, c; .type = u32, s32",
    cite="PTX ISA, Integer Arithmetic Instructions: mul24, mad24",
)
def mul24(s: Statement) -> Emit:
    """Products of the low 24 bits, and a sum with them."""
    mode, saturate, kind = s.choice("hi lo"), s.flag("sat"), s.type("u32 s32")
    d, x, y = three(s, kind)
    signed = is_signed(kind)
    half = Source(kind, lambda b: _product24(b, mode, signed, x.read(b), y.read(b)))
    if s.instruction.opcode == "mul24":
        return lambda b: d.write(b, half.read(b))
    z = s.source(kind)
    if saturate:
        return lambda b: d.write(b, b.alu.intrinsic("sadd.sat", half.read(b), z.read(b)))
    return lambda b: d.write(b, b.alu.add(half.read(b), z.read(b)))


def distance(b: Builder, signed: bool, x: Value, y: Value) -> Value:
    """|x - y|, modulo the width."""
    less = b.alu.compare("slt" if signed else "ult", x, y)
    return b.alu.select(less, b.alu.sub(y, x), b.alu.sub(x, y))


@instruction(
    "sad",
    "sad.type d, a, b, c; .type = u16..s64",
    cite="PTX ISA, Integer Arithmetic Instructions: sad",
)
def sad(s: Statement) -> Emit:
    """D = c + |a - b|."""
    kind = s.type(WORDS)
    d, x, y = three(s, kind)
    z = s.source(kind)
    signed = is_signed(kind)
    return lambda b: d.write(b, b.alu.add(distance(b, signed, x.read(b), y.read(b)), z.read(b)))


@instruction(
    "div rem",
    "div.type d, a, b; .type = u16..s64; float forms of div",
    cite="PTX ISA, Integer Arithmetic Instructions: div, rem",
)
def div(s: Statement) -> Emit:
    """Quotient and remainder toward zero.

    By zero the ISA leaves the value unspecified; on an H200 all bits are ones.
    """
    if s.has_type("f32", "f64"):
        return floats.divide(s)
    kind = s.type(WORDS)
    d, x, y = three(s, kind)
    letter = "s" if is_signed(kind) else "u"
    name = letter + s.instruction.opcode

    def emit(b: Builder) -> None:
        dividend, divisor = x.read(b), y.read(b)
        d.write(b, b.alu.divide(name, dividend, divisor, -1))

    return emit


@instruction(
    "abs neg",
    "abs.type d, a; .type = s16, s32, s64; float forms",
    cite="PTX ISA, Integer Arithmetic Instructions: abs, neg",
)
def absolute(s: Statement) -> Emit:
    """|a| and -a, modulo the width."""
    if s.has_type(*_HALVES):
        return narrow.sign(s)
    if s.has_type("f32", "f64"):
        return floats.sign(s)
    kind = s.type("s16 s32 s64")
    d, x = s.destination(kind), s.source(kind)
    if s.instruction.opcode == "neg":
        return lambda b: d.write(b, b.alu.neg(x.read(b)))

    def emit(b: Builder) -> None:
        value = x.read(b)
        negative = b.alu.compare("slt", value, b.ir.constant(value.type, 0))
        d.write(b, b.alu.select(negative, b.alu.neg(value), value))

    return emit


@instruction(
    "min max",
    "min.type d, a, b; min{.relu}.s32, .s16x2; .type = u16..s64, u16x2; float forms",
    cite="PTX ISA, Integer Arithmetic Instructions: min, max",
)
def minimum(s: Statement) -> Emit:
    """The smaller or larger; .relu replaces negative results by 0."""
    if s.has_type(*_HALVES):
        return narrow.minimum(s)
    if s.has_type("f32", "f64"):
        return floats.minimum(s)
    positive = s.flag("relu")
    kind = s.type(f"{WORDS} {' '.join(PACKED)}")
    d, x, y = three(s, kind)
    name = kind[0] + s.instruction.opcode

    def one(b: Builder, p: Value, q: Value) -> Value:
        value = b.alu.extremum(name, p, q)
        return b.alu.extremum("smax", value, b.ir.constant(value.type, 0)) if positive else value

    if kind in PACKED:
        return lambda b: d.write(b, on_halves(b, lambda p, q: one(b, p, q), x.read(b), y.read(b)))
    return lambda b: d.write(b, one(b, x.read(b), y.read(b)))


def _dot(
    b: Builder, kinds: tuple[str, str], widths: tuple[int, int], x: Value, y: Value, first: int
) -> Value:
    """Sum of the products of parts of two words; `first` is y's first byte."""
    total = b.ir.constant("i32", 0)
    for i in range(32 // widths[0]):
        p = _part(b, kinds[0], x, i * widths[0], widths[0])
        q = _part(b, kinds[1], y, (first + i) * widths[1], widths[1])
        total = b.alu.add(total, b.alu.mul(p, q))
    return total


def _part(b: Builder, kind: str, value: Value, at: int, width: int) -> Value:
    up = b.alu.shl(value, b.ir.constant("i32", 32 - width - at))
    down = b.ir.constant("i32", 32 - width)
    return b.alu.ashr(up, down) if is_signed(kind) else b.alu.lshr(up, down)


@instruction(
    "dp4a",
    "dp4a.atype.btype d, a, b, c; .atype, .btype = u32, s32",
    cite="PTX ISA, Integer Arithmetic Instructions: dp4a",
)
def dp4a(s: Statement) -> Emit:
    """D = c + four products of bytes."""
    right = s.type("u32 s32")
    left = s.type("u32 s32")
    d, x, y, z = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("b32")
    return lambda b: d.write(
        b, b.alu.add(z.read(b), _dot(b, (left, right), (8, 8), x.read(b), y.read(b), 0))
    )


@instruction(
    "dp2a",
    "dp2a.mode.atype.btype d, a, b, c; .mode = lo, hi",
    cite="PTX ISA, Integer Arithmetic Instructions: dp2a",
)
def dp2a(s: Statement) -> Emit:
    """D = c + two products of a's halves with the two low or high bytes of b."""
    first = 2 if s.choice("lo hi") == "hi" else 0
    right = s.type("u32 s32")
    left = s.type("u32 s32")
    d, x, y, z = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("b32")
    return lambda b: d.write(
        b, b.alu.add(z.read(b), _dot(b, (left, right), (16, 8), x.read(b), y.read(b), first))
    )
