"""Conversions between scalar types (PTX ISA, Data Movement and Conversion: cvt, cvt.pack)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa import between_floats, floats, narrow, packed
from lanemap.emulator.ptx.isa.between_floats import TO_INTEGER, limit
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS, is_signed, llvm_type
from lanemap.emulator.ptx.text.operand_text import OperandError

INTEGERS = "u8 u16 u32 u64 s8 s16 s32 s64"
FLOATS = "f16 bf16 f32 f64"


def _is_float(kind: str) -> bool:
    return kind in FLOATS.split()


@instruction(
    "cvt",
    "cvt{.rnd}{.ftz}{.sat}.dtype.atype d, a; packed and narrow forms: packed.py",
    cite="PTX ISA, Data Movement and Conversion Instructions: cvt",
)
def cvt(s: Statement) -> Emit:
    """Convert one value."""
    if s.peek("rs"):
        raise OperandError(
            f"`{s.instruction.name}`: no source says how .rs aligns its random bits to the "
            "bits that it rounds off; round with .rn or .rz"
        )
    if packed.is_packed(s):
        return packed.convert(s)
    source = s.type(f"{INTEGERS} {FLOATS}")
    target = s.type(f"{INTEGERS} {FLOATS} tf32")
    mode = s.choice("rni rzi rmi rpi rna rn rz rm rp", "")
    ftz, sat = s.flag("ftz"), s.flag("sat")
    positive, finite = s.flag("relu"), s.flag("satfinite")
    if target == "tf32":
        return _to_tf32(s, mode, positive, finite)
    d, x = s.destination(target, wider=True), s.source(source, wider=True)
    _check(s, source, target, ftz, sat)
    _need(s, mode, _roundings(source, target))
    if not _is_float(source) and not _is_float(target):
        return lambda b: d.write(b, integer(b, source, target, sat, x.read(b)))
    if not _is_float(source):
        return lambda b: d.write(
            b, limit(b, target, sat, from_integer(b, source, target, mode, x.read(b)))
        )
    if not _is_float(target):
        return lambda b: d.write(b, to_integer(b, source, target, mode, ftz, x.read(b)))
    return lambda b: d.write(
        b,
        between_floats.between_floats(
            b, source, target, mode, (ftz, sat, positive, finite), x.read(b)
        ),
    )


def _need(s: Statement, mode: str, allowed: str) -> None:
    if mode in allowed.split() or (not mode and allowed.startswith(" ")):
        return
    if mode:
        s.refuse(mode)
    raise OperandError(f"`{s.instruction.name}` needs one of .{', .'.join(allowed.split())}")


_TO_FLOAT, _TO_WHOLE = "rn rz rm rp", "rni rzi rmi rpi"


def _roundings(source: str, target: str) -> str:
    """The roundings of a conversion; a blank first where it may have none (PTX ISA, cvt)."""
    if not _is_float(target):
        return _TO_WHOLE if _is_float(source) else " "
    if source == target:
        return f" {_TO_WHOLE}"
    if source == "bf16" or (source, target) == ("f16", "bf16"):
        # Between bf16 and f16, or from bf16, a rounding may be there.
        return f" {_TO_FLOAT}"
    return " " if _is_float(source) and BITS[source] < BITS[target] else _TO_FLOAT


def _check(s: Statement, source: str, target: str, ftz: bool, sat: bool) -> None:
    """Refuse .ftz without an f32, and .sat that clamps nothing, or bf16 (PTX ISA, cvt)."""
    pair = (source, target)
    if ftz and "f32" not in pair:
        s.refuse("ftz")
    whole = not _is_float(source) and not _is_float(target)
    if sat and ("bf16" in pair or (whole and _holds(target, source))):
        s.refuse("sat")


def _holds(target: str, source: str) -> bool:
    """Whether an integer type has every value of another."""
    if is_signed(source) and not is_signed(target):
        return False
    more = is_signed(target) and not is_signed(source)
    return BITS[target] >= BITS[source] + more


# -- integers ------------------------------------------------------------------------------------
def integer(b: Builder, source: str, target: str, sat: bool, value: Value) -> Value:
    """Extend by the source's sign or cut; .sat clamps to the target's range."""
    kind = llvm_type(target)
    if sat:
        value = _clamped(b, source, target, value)
    if BITS[target] <= BITS[source]:
        return b.alu.trunc(value, kind)
    return b.alu.sext(value, kind) if is_signed(source) else b.alu.zext(value, kind)


def _clamped(b: Builder, source: str, target: str, value: Value) -> Value:
    """Clamp a value of type `source` to what `target` can hold, in the source's width."""
    bits, kind = BITS[target] - is_signed(target), value.type
    available = BITS[source] - is_signed(source)
    if is_signed(source):
        if available > bits:
            value = b.alu.extremum("smin", value, b.ir.constant(kind, (1 << bits) - 1))
        lowest = -(1 << bits) if is_signed(target) else 0
        if not is_signed(target) or available > bits:
            value = b.alu.extremum("smax", value, b.ir.constant(kind, lowest))
        return value
    return (
        b.alu.extremum("umin", value, b.ir.constant(kind, (1 << bits) - 1))
        if available > bits
        else value
    )


# -- integers and floats -------------------------------------------------------------------------
def from_integer(b: Builder, source: str, target: str, mode: str, value: Value) -> Value:
    """Return the float nearest in the rounding's direction (bf16 as a code)."""
    signed, kind = is_signed(source), llvm_type(target)
    if mode == "rn" and target in ("f32", "f64"):
        return b.alu.convert("sitofp" if signed else "uitofp", value, kind)
    if target == "f64":
        if BITS[source] == 64:
            return _sum_of_halves(b, signed, mode, value)
        return _double(b, source, value)
    return between_floats.rounded(b, target, mode, False, _double(b, source, value))


def _double(b: Builder, source: str, value: Value) -> Value:
    """An integer as a double, exact or rounded to odd."""
    operation = "sitofp" if is_signed(source) else "uitofp"
    if BITS[source] == 64:
        # Of a large number only 53 bits are kept; the lowest of them says whether others were set.
        low = b.alu.and_(value, b.ir.constant("i64", 0x7FF))
        lost = b.alu.compare("ne", low, b.ir.constant("i64", 0))
        sticky = b.alu.select(lost, b.ir.constant("i64", 0x800), b.ir.constant("i64", 0))
        odd = b.alu.or_(b.alu.sub(value, low), sticky)
        raised = b.alu.add(value, b.ir.constant("i64", 1 << 53)) if is_signed(source) else value
        small = b.alu.compare("ult", raised, b.ir.constant("i64", 1 << 53 + is_signed(source)))
        value = b.alu.select(small, value, odd)
    return b.alu.convert(operation, value, "double")


def _sum_of_halves(b: Builder, signed: bool, mode: str, value: Value) -> Value:
    """A 64-bit integer as f64, in a direction: its words are exact, and the error of their sum."""
    low, high = b.alu.split(value)
    x = b.alu.convert("sitofp" if signed else "uitofp", high, "double")
    x = b.alu.float_op("fmul", x, b.ir.constant("double", 0x41F0000000000000))
    y = b.alu.convert("uitofp", low, "double")
    total, error = b.alu.two_sum(x, y)
    zero = b.ir.constant("double", 0)
    below, above = b.alu.compare("olt", error, zero), b.alu.compare("ogt", error, zero)
    return b.alu.directed(total, below, above, floats.TOWARD[mode])


def to_integer(b: Builder, source: str, target: str, mode: str, ftz: bool, value: Value) -> Value:
    """Round and clamp to the target's range.

    A NaN gives 0, or only the highest bit where the source is f64 or the target has 64 bits.
    """
    if source in ("f16", "bf16"):
        value = narrow.widened(b, source, b.alu.bitcast(value, "i16"))
    if ftz:
        value = b.alu.flushed(value)
    whole = value if mode == "rzi" else b.alu.intrinsic(TO_INTEGER[mode], value)
    kind, width = llvm_type(target), BITS[target]
    result = b.alu.float_to_integer(whole, "i64" if width == 64 else "i32", is_signed(target))
    if width < 32:
        wide = "s32" if is_signed(target) else "u32"
        result = b.alu.trunc(_clamped(b, wide, target, result), kind)
    if source != "f64" and width != 64:
        return result
    nan = b.alu.compare("uno", value, value)
    return b.alu.select(nan, b.ir.constant(kind, 1 << (width - 1)), result)


#: tf32 keeps 10 of the 23 bits of an f32's significand.
_TF32_DROPPED = 13


def _to_tf32(s: Statement, mode: str, positive: bool, finite: bool) -> Emit:
    """cvt.rna, .rn, .rz to tf32: an f32 whose low 13 bits are zero.

    An H200 shows the results for NaN: .rn and .rz give 0x7fffe000, .rna cuts its bits.
    """
    _need(s, mode, "rna rn rz")
    d, x = s.destination("b32"), s.source("f32")
    half, ones = 1 << (_TF32_DROPPED - 1), (1 << _TF32_DROPPED) - 1

    def emit(b: Builder) -> None:
        value = x.read(b)
        bits = b.alu.bitcast(value, "i32")
        magnitude = b.alu.and_(bits, b.ir.constant("i32", 0x7FFFFFFF))
        sign = b.alu.and_(bits, b.ir.constant("i32", 1 << 31))
        infinity = b.ir.constant("i32", 0x7F800000)
        number = b.alu.compare("ult", magnitude, infinity)
        rounded = magnitude
        if mode == "rna":
            rounded = b.alu.add(magnitude, b.ir.constant("i32", half))
        elif mode == "rn":
            odd = b.alu.and_(
                b.alu.lshr(magnitude, b.ir.constant("i32", 13)), b.ir.constant("i32", 1)
            )
            rounded = b.alu.add(magnitude, b.alu.add(odd, b.ir.constant("i32", half - 1)))
        kept = b.alu.and_(b.alu.select(number, rounded, magnitude), b.ir.constant("i32", ~ones))
        if finite:
            lower = b.alu.sub(kept, b.ir.constant("i32", ones + 1))
            kept = b.alu.select(b.alu.compare("uge", kept, infinity), lower, kept)
        result = b.alu.or_(sign, kept)
        if positive:
            negative = b.alu.compare("slt", bits, b.ir.constant("i32", 0))
            result = b.alu.select(negative, b.ir.constant("i32", 0), result)
        if mode != "rna":
            nan = b.alu.compare("uno", value, value)
            result = b.alu.select(nan, b.ir.constant("i32", 0x7FFFE000), result)
        d.write(b, result)

    return emit


@instruction(
    "cvt.pack",
    "cvt.pack.sat.to.s32 d, a, b; cvt.pack.sat.to.s32.b32 d, a, b, c",
    cite="PTX ISA, Data Movement and Conversion Instructions: cvt.pack",
)
def cvt_pack(s: Statement) -> Emit:
    """B and a, clamped, side by side; c moves up and they take its place below."""
    s.choice("sat")
    more = s.has_type("b32")
    if more:
        s.type("b32")
    s.type("s32")
    target = s.type("u16 s16 u8 s8 u4 s4 u2 s2")
    d, x, y = s.destination("b32"), s.source("s32"), s.source("s32")
    z = s.source("b32") if more else None
    width, signed = int(target[1:]), target[0] == "s"
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)

    def emit(b: Builder) -> None:
        parts = []
        for source in (x, y):
            value = b.alu.extremum("smin", source.read(b), b.ir.constant("i32", high))
            value = b.alu.extremum("smax", value, b.ir.constant("i32", low))
            parts.append(b.alu.and_(value, b.ir.constant("i32", (1 << width) - 1)))
        both = b.alu.disjoint(b.alu.shl(parts[0], b.ir.constant("i32", width)), parts[1])
        if z is not None:
            both = b.alu.disjoint(b.alu.shl(z.read(b), b.ir.constant("i32", 2 * width)), both)
        d.write(b, both)

    return emit
